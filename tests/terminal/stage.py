"""What the terminal tests share: tables that play at once, a look at the screen as text, and patience."""

from pathlib import Path

from textual.pilot import Pilot

from fabletop.core.sitting import Sitting
from fabletop.games import GAMES
from fabletop.terminal.app import FabletopApp
from fabletop.terminal.preferences import NO_PAUSES, Preferences
from fabletop.terminal.screens.table import Table
from fabletop.terminal.seats import bot_in, seating
from fabletop.terminal.widgets.chooser import Chooser

SMALL, LARGE = (80, 24), (120, 40)
NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli", "Fay")


def table_app(
    game="equinox",
    seed="midsummer",
    seats=3,
    people=1,
    lang="en",
    auto_pass=False,
    bots=("uniform",),
    pauses=NO_PAUSES,
    **options,
):
    """An application that opens a table at once; Ana begins where the game can say who does."""
    app = FabletopApp(Preferences(lang, pauses, auto_pass))
    chosen = {"seats": seats, **options}
    if any(setting.kind == "first" for setting in GAMES[game].settings):
        chosen.setdefault("first", 0)
    app.first = app.table(GAMES[game], GAMES[game].options(chosen), seating(seats, people, bots=bots), seed)
    return app


def screen_text(app) -> str:
    """What is on the screen, as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def settled(pilot: Pilot, rounds=400) -> None:
    """Wait until a person is asked, hands over, or the game is over, and the screen shows it."""
    for _ in range(rounds):
        await pilot.pause()
        screen = pilot.app.screen
        if not isinstance(screen, Table) or (
            screen._timer is None and screen._thinking is None and screen.query_one(Chooser).entries
        ):
            await pilot.pause()
            return
        await pilot.pause(0.002)
    raise AssertionError("the table never came to rest")


async def press(pilot: Pilot, *keys: str) -> None:
    """Press keys one after the other, letting the table come to rest after each."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def questions(app) -> str:
    """The question on the screen."""
    return str(app.screen.query_one("#question").render())


UNIFORM = seating(6, 0, bots=["uniform"])


def bot_action(sitting, seat) -> int:
    """What a bot without any idea of the game answers."""
    return bot_in(sitting, UNIFORM, seat).choose(sitting.view(seat), sitting.pending[seat])


def played(game="equinox", seed="midsummer", seats=3, **options) -> Sitting:
    """A whole game of bots."""
    sitting = Sitting(GAMES[game], {"seats": seats, **options}, seed=seed, names=NAMES[:seats])
    while sitting.pending:
        seat = next(iter(sitting.pending))
        sitting.act(seat, bot_action(sitting, seat))
    return sitting


def saved_files(folder: Path) -> list[Path]:
    """The games kept in the data folder."""
    return sorted((folder / "fabletop").glob("*.json"))
