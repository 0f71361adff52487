"""How Fairy School shares out thinking time: to what shapes the turns to come, less to the many steps of a turn."""

SHARES = {
    "draft": 1.0,
    "goal": 1.0,
    "final": 1.0,
    "drop": 1.0,
    "select": 1.0,
    "realise": 1.0,
    "plan_space": 0.4,
    "study": 0.5,
    "activate": 0.35,
    "plan": 0.0,
}
"""By the kind of a choice. Which of the drawn cards is placed first does not matter: all are."""
OTHER = 0.15
WHOLE = (frozenset({"plan", "plan_space"}), frozenset({"select", "pay"}))
"""Kinds of choices that are parts of one decision: where all drawn cards go, which columns are played."""
TOLERANCE = 0.002
"""The reward that `puss` may give away in a choice: an eighth of a point, in a year of some three hundred choices."""


def crowd(seats: int) -> float:
    """The seats are asked as often as with two, so several bots share the time that a person waits."""
    return 1.0 / (seats - 1)
