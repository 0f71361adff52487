"""Stands in for Cython's own module where the search runs interpreted and Cython is not installed."""

from contextlib import nullcontext

nogil = nullcontext()
"""Interpreted code keeps the GIL."""
