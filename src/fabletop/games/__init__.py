"""The games, by id. Everything outside this package reaches a game through `GAMES`, `COURSES` or
`game_called`."""

from collections.abc import Mapping
from functools import cache

from fabletop.core.errors import BadOptions, BadRecord
from fabletop.core.game import Game
from fabletop.core.lessons import Course
from fabletop.core.records import Record
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.lessons import COURSE as EQUINOX_COURSE
from fabletop.games.fairy_school import FAIRY_SCHOOL
from fabletop.games.fairy_school.lessons import COURSE as FAIRY_SCHOOL_COURSE

GAMES: dict[str, Game] = {game.id: game for game in (EQUINOX, FAIRY_SCHOOL)}
COURSES: dict[str, Course] = {EQUINOX.id: EQUINOX_COURSE, FAIRY_SCHOOL.id: FAIRY_SCHOOL_COURSE}
"""What each game teaches."""


def game_called(name: Game | str) -> Game:
    """A game by its id as people write it: `fairy_school`, `fairy-school` and `Fairy School` are the same. A game stays
    itself.

    >>> game_called("fairy-school").id
    'fairy_school'
    """
    if not isinstance(name, str):
        return name
    known = GAMES.get("_".join(name.lower().replace("-", " ").replace("_", " ").split()))
    if known is None:
        raise BadOptions(f"there is no game {name!r}; there are {', '.join(shown(game) for game in GAMES)}")
    return known


def game_of(record: Record) -> Game:
    """The game that was recorded; BadRecord where it is none of these."""
    try:
        return game_called(record.game)
    except BadOptions as error:
        raise BadRecord(str(error)) from None


@cache
def action_numbers(game: str) -> Mapping[str, int]:
    """The number of every action of a game by its text: one that is known need not be parsed."""
    return {text: number for number, text in enumerate(GAMES[game].actions)}


def shown(game: str) -> str:
    """A game's id as one types it.

    >>> shown("fairy_school")
    'fairy-school'
    """
    return game.replace("_", "-")
