"""The games, by id. Everything outside this package reaches a game through `GAMES`, `COURSES` or
`game_called`."""

from fabletop.core.errors import BadOptions
from fabletop.core.game import Game
from fabletop.core.lessons import Course
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.lessons import COURSE as EQUINOX_COURSE
from fabletop.games.fairy_school import FAIRY_SCHOOL
from fabletop.games.fairy_school.lessons import COURSE as FAIRY_SCHOOL_COURSE

GAMES: dict[str, Game] = {game.id: game for game in (EQUINOX, FAIRY_SCHOOL)}
COURSES: dict[str, Course] = {EQUINOX.id: EQUINOX_COURSE, FAIRY_SCHOOL.id: FAIRY_SCHOOL_COURSE}
"""What each game teaches."""


def game_called(name: str) -> Game:
    """A game by its id as people write it: `fairy_school`, `fairy-school` and `Fairy School` are the same.

    >>> game_called("fairy-school").id
    'fairy_school'
    """
    found = GAMES.get("_".join(name.lower().replace("-", " ").replace("_", " ").split()))
    if found is None:
        raise BadOptions(f"there is no game {name!r}; there are {', '.join(shown(game) for game in GAMES)}")
    return found


def shown(game: str) -> str:
    """A game's id as one types it.

    >>> shown("fairy_school")
    'fairy-school'
    """
    return game.replace("_", "-")
