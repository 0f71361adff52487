"""A Model Context Protocol server: a language model sits down at a table, reads, and answers with tools.

Needs the extra `mcp`. `fabletop mcp` runs it over standard input and output; docs/language-models.md shows how to set
up a client. Tools give what the model's own seat may know, and nothing else.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from fabletop import __version__
from fabletop.bots.levels import LEVELS
from fabletop.bots.specs import Spec
from fabletop.core.errors import FabletopError
from fabletop.core.game import Setting
from fabletop.envs.tables import LocalTable, RemoteTable, TextTable
from fabletop.envs.text import TextEnv
from fabletop.games import GAMES, game_called, shown
from fabletop.lang import Lexicon, handbook

LONGEST_WAIT = 300.0
"""Seconds that `wait` takes at most: clients give up on a call that takes longer."""

INSTRUCTIONS = """Play board games with hidden information. Call `games` to see what there is, then `new_game` to play
against bots or `join_table` to sit down with others. Then repeat: `look`, decide, `act`. Answer with the word of an
option. An answer that is not an option changes nothing and comes back with the reason. `rules` and `cards` explain the
game."""


class Session:
    """The table at which this model sits, if it sits at one."""

    def __init__(self, lang: str, seed: str | None) -> None:
        self.lang = lang
        self.seed = seed
        self.table: TextTable | None = None
        self.games_begun = 0

    def table_or_error(self) -> TextTable:
        """The table; ToolError where there is none."""
        if self.table is None:
            raise ToolError("you sit at no table; call `new_game` or `join_table` first")
        return self.table

    async def sit(self, table: TextTable) -> str:
        """Sit down at a table; returns what there is to see."""
        await self.leave()
        self.table = table
        return await table.look()

    async def leave(self) -> None:
        """Leave the table, if there is one."""
        table, self.table = self.table, None
        if table is not None:
            await table.leave()

    def next_seed(self) -> str | None:
        """The seed of the next game: new every time, and the same for the same `--seed`."""
        self.games_begun += 1
        return None if self.seed is None else f"{self.seed} {self.games_begun}"


def build(lang: str = "en", seed: str | None = None) -> MCPServer[Any]:
    """The server with its tools."""
    session = Session(lang, seed)

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncIterator[None]:
        yield
        await session.leave()

    server: MCPServer[Any] = MCPServer(
        "fabletop", instructions=INSTRUCTIONS, version=__version__, lifespan=lifespan, log_level="WARNING"
    )
    add_tools(server, session)
    return server


def add_tools(server: MCPServer[Any], session: Session) -> None:
    """Register the tools. Their docstrings are what the model reads."""

    @server.tool(structured_output=False)
    def games() -> str:
        """The games, how many can play each, their settings, and the bots to play against."""
        return about_games(Lexicon(session.lang))

    @server.tool(structured_output=False)
    async def new_game(
        game: str,
        seats: int | None = None,
        opponents: str | list[str] = "gretel",
        seat: int = 0,
        options: dict[str, Any] | None = None,
    ) -> str:
        """Begin a game against bots and leave the table you sit at. `opponents` is one bot for all other seats, or one
        for each, as a list or separated by commas. `seat` is yours, counted from 0. `options` are settings that `games`
        lists."""
        given = {**(options or {}), **({} if seats is None else {"seats": seats})}
        with clear_errors():
            # without `own`: a model must not name modules to import
            named = opponents.split(",") if isinstance(opponents, str) else opponents
            bots = [Spec.read(bot).text for bot in named]
            env = TextEnv(
                game,
                given,
                seat=seat,
                against=bots[0] if len(bots) == 1 else bots,
                lang=session.lang,
                seed=session.next_seed(),
            )
            return await session.sit(LocalTable(env))

    @server.tool(structured_output=False)
    async def join_table(link: str, name: str = "Model", seat: int | None = None) -> str:
        """Sit down at a table of a running Fabletop server, with people, bots or other models. `link` is the address
        that the browser shows, such as http://127.0.0.1:8000/t/TABLE; a private link takes its seat again."""
        with clear_errors():
            return await session.sit(await RemoteTable.join(link, name=name, seat=seat, lang=session.lang))

    @server.tool(structured_output=False)
    async def look() -> str:
        """What has happened since your last look, the table, your question and its options."""
        with clear_errors():
            return await session.table_or_error().look()

    @server.tool(structured_output=False)
    async def list_options() -> str:
        """Your question and its options alone; or whom the table waits for; or how the game ended."""
        with clear_errors():
            return await session.table_or_error().question()

    @server.tool(structured_output=False)
    async def act(answer: str | int) -> str:
        """Answer your question with the word of an option. Returns what was done and your next question. An answer that
        is not an option changes nothing; the error says why, and what would be right."""
        table = session.table_or_error()
        with clear_errors():
            done = await table.act(str(answer))  # the word of a Fairy School card is its number
            return f"{done}\n\n{await table.question()}"

    @server.tool(structured_output=False)
    async def why_not(thing: str | int) -> str:
        """Why you cannot choose a card, creature, seat or other thing now, with the number of the rule."""
        with clear_errors():
            return await session.table_or_error().why_not(str(thing))

    @server.tool(structured_output=False)
    async def wait(seconds: float = 30.0) -> str:
        """Wait until you are asked something or the game is over, but no longer than `seconds`; then look."""
        if not 0 <= seconds <= LONGEST_WAIT:
            raise ToolError(f"seconds is {seconds:g}; it should be 0 to {LONGEST_WAIT:g}")
        with clear_errors():
            table = session.table_or_error()
            await table.wait(seconds)
            return await table.look()

    @server.tool(structured_output=False)
    async def log() -> str:
        """The whole log of the game, as you may know it."""
        with clear_errors():
            return await session.table_or_error().log()

    @server.tool(structured_output=False)
    def rules(game: str = "") -> str:
        """How a game is played; without a name, the game at your table."""
        with clear_errors():
            subject = game_called(game) if game else session.table_or_error().game
            return handbook.rules(subject, Lexicon(session.lang))

    @server.tool(structured_output=False)
    def cards(words: str | int = "", game: str = "") -> str:
        """What the cards of a game do: all, or those in whose line all the words occur."""
        with clear_errors():
            subject = game_called(game) if game else session.table_or_error().game
            lines = handbook.cards(subject, Lexicon(session.lang), str(words).split())
            return lines or f"no card of {shown(subject.id)} has all the words {words!r}; leave some out"

    @server.tool(structured_output=False)
    async def leave_table() -> str:
        """Leave the table."""
        session.table_or_error()
        await session.leave()
        return "You have left the table."


@contextmanager
def clear_errors() -> Iterator[None]:
    """Errors that are meant for the user reach the model as text."""
    try:
        yield
    except FabletopError as error:
        raise ToolError(str(error)) from error


def about_games(lexicon: Lexicon) -> str:
    """The games, their settings and the levels, in words."""
    parts = []
    for game in GAMES.values():
        lines = [
            f"## {lexicon(f'{game.id}.name.title')}: {shown(game.id)}",
            f"seats: {game.seat_counts[0]} to {game.seat_counts[-1]}",
        ]
        lines += [
            f"option {setting.name} (default {setting.default}): {values_of(setting)}"
            for setting in game.settings
        ]
        parts.append("\n".join(lines))
    levels = [f"{level}: {lexicon(f'common.level.{level}.text')}" for level in LEVELS]
    return "\n\n".join((*parts, "\n".join(("## Bots", *levels))))


def values_of(setting: Setting) -> str:
    """What an option of a game may be."""
    values = ", ".join(setting.values)
    return {
        "one": values,
        "yes": "true or false",
        "some": f"a list of {setting.count} of {values}",
        "first": "the seat that begins",
        "number": f"{setting.low} to {setting.high}",
    }[setting.kind]
