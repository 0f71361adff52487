"""A table at which a program sits down in words: a game in this process against bots, or a table of a server.

Both read the same, since both go through `Reader`.
"""

import asyncio
import re
from typing import Any, Protocol

from fabletop.client import AnswerTimeout, Client, Connection, ConnectionLost, RequestRefused
from fabletop.core.errors import BadOptions, FabletopError, NotOffered
from fabletop.core.events import Event
from fabletop.core.game import Choice, Game
from fabletop.envs.reader import Reader
from fabletop.envs.text import TextEnv
from fabletop.games import game_called
from fabletop.lang import Lexicon

LINK = re.compile(r"(https?://[^\s#]+?)/t/([\w-]+)(?:#token=([\w-]+))?/?")
"""The address of a table as the browser shows it: the server, the table, and in a private link the seat's token."""


class TextTable(Protocol):
    """A seat at a table, in words. What cannot be done raises FabletopError, which says what would be right."""

    game: Game

    async def look(self) -> str:
        """What is new in the log, the table, and the question with its options."""

    async def question(self) -> str:
        """The question with its options, or whom the table waits for, or how the game ended."""

    async def act(self, text: str) -> str:
        """Answer the question."""

    async def why_not(self, thing: str) -> str:
        """Why something cannot be chosen now."""

    async def log(self) -> str:
        """The whole log."""

    async def wait(self, seconds: float) -> None:
        """Wait until something is asked or the game is over, but no longer than this."""

    async def leave(self) -> None:
        """Leave the table."""


class LocalTable:
    """A game against bots in this process."""

    def __init__(self, env: TextEnv) -> None:
        self.env = env
        self.game = env.game

    async def look(self) -> str:
        """What is new, the table and the question."""
        return self.env.observe()[1]

    async def question(self) -> str:
        """The question with its options."""
        return self.env.question()

    async def act(self, text: str) -> str:
        """Answer; the bots answer in their turn."""
        answered = await asyncio.to_thread(self.env.act, text)  # bots may think for a while
        if not answered.done:
            raise NotOffered(answered.text)
        return answered.text

    async def why_not(self, thing: str) -> str:
        """Why something cannot be chosen now."""
        return self.env.why_not(thing)

    async def log(self) -> str:
        """The whole log."""
        return self.env.log()

    async def wait(self, seconds: float) -> None:
        """Bots have answered already."""

    async def leave(self) -> None:
        """Nobody is left behind."""


class RemoteTable:
    """A seat at a table of a running server: real opponents, simultaneous phases, clocks."""

    def __init__(self, client: Client, connection: Connection, lang: str) -> None:
        self.client = client
        self.connection = connection
        self.lang = lang
        self.game = game_called(connection.table["game"])
        self._read = 0

    @classmethod
    async def join(cls, link: str, *, name: str, seat: int | None = None, lang: str = "en") -> "RemoteTable":
        """Sit down at the table with this link; a private link takes its seat."""
        match = LINK.fullmatch(link.strip())
        if match is None:
            raise BadOptions(f"{link!r} is no link to a table; it should look like http://HOST:PORT/t/TABLE")
        address, table, token = match.groups()
        client = await Client(address).__aenter__()
        try:
            if not token:
                token = (await client.sit(table, name, seat, numbered=True))["token"]
            connection = await client.connect(table, token).__aenter__()
            mine = cls(client, connection, lang)
            if connection.table["rules"] != mine.game.rules:
                raise BadOptions(
                    f"the server plays version {connection.table['rules']} of the rules, this program version "
                    f"{mine.game.rules}; use the same Fabletop on both sides"
                )
        except BaseException as error:
            await client.__aexit__()
            if isinstance(error, RequestRefused | ConnectionLost | AnswerTimeout | OSError):
                raise BadOptions(f"cannot sit down at {address}/t/{table}: {error}") from None
            raise
        return mine

    @property
    def _started(self) -> bool:
        return self.connection.view is not None

    def _reader(self) -> Reader:
        names = [seat.get("name") or f"seat {n}" for n, seat in enumerate(self.connection.table["seats"])]
        return Reader(self.game, self.connection.view["viewer"], names, self.lang)

    def _choice(self) -> Choice | None:
        asked: Any = self.connection.choice
        if asked is None:
            return None
        options = tuple(self.game.parse(text) for text in asked["options"])
        return Choice(self.connection.view["viewer"], asked["kind"], options, asked["about"])

    def _asked(self) -> Choice:
        """The choice; NotOffered where nothing is asked."""
        choice = self._choice() if self._started else None
        if choice is None:
            raise NotOffered(self._now())
        return choice

    def _events(self) -> list[Event]:
        return [
            Event(fields["event"], {name: value for name, value in fields.items() if name != "event"})
            for fields in self.connection.story
        ]

    def _now(self) -> str:
        """The question, whom the table waits for, or how the game ended."""
        if not self._started:
            free = sum(
                seat["kind"] == "open" and not seat.get("name") for seat in self.connection.table["seats"]
            )
            return Lexicon(self.lang)("text.say.open", free=free)
        reader, choice = self._reader(), self._choice()
        if choice is not None:
            return reader.question(choice)
        outcome = self.connection.table.get("outcome")
        if outcome:
            return reader.end(outcome["scores"], outcome["winners"])
        if self.connection.over:
            return reader.text("say.closed")
        return reader.waiting(self.connection.table["asked"])

    async def look(self) -> str:
        """What is new, the table and the question."""
        if not self._started:
            return self._now()
        reader, story = self._reader(), self._events()
        new, self._read = story[min(self._read, len(story)) :], len(story)
        return "\n\n".join(
            (reader.introduction(), reader.log(new), reader.table(self.connection.view), self._now())
        )

    async def question(self) -> str:
        """The question with its options."""
        return self._now()

    async def act(self, text: str) -> str:
        """Answer the question; the answer is stored when this returns."""
        choice = self._asked()
        reader = self._reader()
        action = reader.answer(self.connection.view, choice, text)
        try:
            await self.connection.act(self.game.actions[action])
        except (RequestRefused, ConnectionLost, AnswerTimeout) as error:
            raise FabletopError(f"the server has not taken the answer: {error}; look again") from None
        return reader.done(action)

    async def why_not(self, thing: str) -> str:
        """Why something cannot be chosen now."""
        return self._reader().why_not(self.connection.view, self._asked(), thing.strip())

    async def log(self) -> str:
        """The whole log."""
        return "\n".join(self._reader().lines(self._events())) if self._started else ""

    async def wait(self, seconds: float) -> None:
        """Wait for the others."""
        try:
            await self.connection.until(
                lambda: self.connection.choice is not None or self.connection.over, seconds
            )
        except TimeoutError:
            return
        except (RequestRefused, ConnectionLost) as error:
            raise FabletopError(f"the connection to the table is lost: {error}") from None

    async def leave(self) -> None:
        """Close the connection. The seat stays ours; a clock of the table goes on."""
        await self.connection.__aexit__()
        await self.client.__aexit__()
