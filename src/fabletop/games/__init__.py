"""The games, by id. Everything outside this package reaches a game through `GAMES`."""

from fabletop.core.game import Game
from fabletop.games.equinox import EQUINOX
from fabletop.games.fairy_school import FAIRY_SCHOOL

GAMES: dict[str, Game] = {game.id: game for game in (EQUINOX, FAIRY_SCHOOL)}
