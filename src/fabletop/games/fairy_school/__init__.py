"""Fairy School: the cards, the rules, who sees what, and how it is written down."""

from fabletop.games.fairy_school.game import FAIRY_SCHOOL

__all__ = ["FAIRY_SCHOOL"]
