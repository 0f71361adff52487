"""Bots think in a pool of processes, outside the event loop."""
