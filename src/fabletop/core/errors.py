"""What can go wrong, said so that a person can act on it.

FabletopError
├── NotOffered     an action that the pending choice does not offer, or a seat that is not asked
├── BadText        a text that is no action, card or position
├── BadOptions     an impossible set of options for a new game
├── BadRecord      a file that is no record, is damaged, or belongs to other rules
└── CannotUndo     somebody has learned something, or somebody else has acted
"""


class FabletopError(Exception):
    """The root of every error that is meant to be read by the person who caused it."""


class NotOffered(FabletopError, ValueError):
    """The action is not among the options, or the seat has nothing to decide. The state is unchanged."""


class BadText(FabletopError, ValueError):
    """The text does not say what it should."""


class BadOptions(FabletopError, ValueError):
    """These options do not make a game."""


class BadRecord(FabletopError, ValueError):
    """The record cannot be read or does not replay."""


class CannotUndo(FabletopError):
    """The last action of this seat stands."""
