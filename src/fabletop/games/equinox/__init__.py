"""Equinox: rules, views, notation."""

from fabletop.games.equinox.game import EQUINOX

__all__ = ["EQUINOX"]
