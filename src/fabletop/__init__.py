"""Fabletop: a table for two fairy-tale board games, Equinox and Fairy School."""

from fabletop import pure as pure  # first of all: it decides how the engines are loaded

__version__ = "0.1.0"

__all__: list[str] = []
