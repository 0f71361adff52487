"""Equinox in the terminal."""
