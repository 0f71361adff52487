"""A hall for tests: real servers on loopback, in this process or in one of their own, and people who play at random."""

import asyncio
import contextlib
import inspect
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp

from fabletop import Chance
from fabletop.client import Client, Connection, ConnectionLost, RequestRefused
from fabletop.server.api.transport import Runner
from fabletop.server.app import Server
from fabletop.server.run import listening
from fabletop.server.settings import Settings
from fabletop.server.stores.base import Store
from fabletop.server.stores.sqlite import SqliteStore

FREE = Settings(
    bot_pause=0,
    bot_limit=5,
    tables_per_hour=1e9,
    requests_per_second=1e9,
    messages_per_second=1e9,
    chat_per_minute=1e9,
    sockets_per_address=10_000,
    looks_per_second=1e9,
    view_gap=0.0,
    hint_milliseconds=50,
    away=0.0,
    credit=0.0,
    sweep=0.05,
)
"""A server without limits, whose bots do not pause."""


class Hall:
    """A server in this process, reached over a real socket."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.port = 0

    async def open(self) -> None:
        """Start, on the port it had before if it had one."""
        self.server = Server(self.settings, self.store)
        self.runner = Runner(self.server.app(), access_log=None, shutdown_timeout=1)
        await self.runner.setup()
        listener = listening(replace(self.settings, host="127.0.0.1", port=self.port))
        self.port = listener.getsockname()[1]
        await self.server.listen(self.runner, listener)

    async def close(self) -> None:
        """Stop in good order."""
        await self.runner.cleanup()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def actor(self, table: str) -> Any:
        """A table in the memory of the server."""
        return self.server.registry.actors[table]


@contextlib.asynccontextmanager
async def hall(
    folder: Path, store: Store | None = None, **changed: Any
) -> AsyncIterator[tuple[Hall, Client]]:
    """An open hall and a client."""
    made = Hall(replace(FREE, **changed), store or SqliteStore(folder / "tables.sqlite"))
    await made.open()
    try:
        async with Client(made.address) as client:
            try:
                yield made, client
            finally:
                for line in RAWS:
                    await line.ws.close()
                RAWS.clear()
    finally:
        await made.close()


async def table_of(client: Client, game: str, people: int, **more: Any) -> tuple[str, list[str]]:
    """A table at which all seats are people's; its id and their tokens."""
    made = await client.make(game, ["open"] * people, name="Ana", **more)
    tokens = [made["token"]]
    for name in ("Ben", "Cleo", "Dov", "Eli", "Fay")[: people - 1]:
        tokens.append((await client.sit(made["table"], name))["token"])
    return made["table"], tokens


async def play(
    place: Connection, chance: Chance, until: Callable[[], bool] = lambda: False
) -> list[tuple[int, str]]:
    """Answer every choice at random; returns what was acknowledged, as choice and action."""
    done = []
    while not until() and (choice := await place.next_choice()) is not None:
        action = chance.pick(choice["options"])
        try:
            await place.act(action)
        except RequestRefused as refusal:
            if refusal.code not in ("stale", "not_asked"):
                raise
            continue
        except ConnectionLost:
            return done
        done.append((choice["id"], action))
    return done


PATIENCE = 30.0
"""Seconds after which a test stops waiting for something that should have happened: a busy machine is slow."""


async def until(holds: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Wait until something holds, or an awaitable says that it does."""
    async with asyncio.timeout(seconds):
        while not (await found if inspect.isawaitable(found := holds()) else found):
            await asyncio.sleep(0.005)


def alive(pid: int) -> bool:
    """Does this process run? A zombie that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def eventually(found: Callable[[], object], wanted: object) -> None:
    """Waits until something has a value; fails with the last one that it had."""
    with contextlib.suppress(TimeoutError):
        await until(lambda: found() == wanted)
    assert found() == wanted


class Raw:
    """A socket without any manners of its own."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws
        self.welcome: Any = None

    async def say(self, message: object) -> None:
        """Send a text, or an object as JSON."""
        await self.ws.send_str(message if isinstance(message, str) else json.dumps(message))

    async def text(self, timeout: float = PATIENCE) -> str | None:
        """The next message as it comes; None when the socket is closed."""
        message = await self.ws.receive(timeout=timeout)
        return message.data if message.type is aiohttp.WSMsgType.TEXT else None

    async def hear(self, kind: str | None = None, timeout: float = PATIENCE) -> Any:
        """The next message, or the next of a kind."""
        while True:
            text = await self.text(timeout)
            if text is None:
                return {"type": "closed", "code": self.ws.close_code}
            said = json.loads(text)
            if kind is None or said["type"] == kind or said["type"] == "bye":
                return said


RAWS: list[Raw] = []


async def raw(client: Client, table: str | None = None, token: str | None = None, **more: Any) -> Raw:
    """A raw socket; with a table, after hello and its answer."""
    line = Raw(await client.session.ws_connect(f"{client.address}/ws"))
    RAWS.append(line)
    if table is not None:
        await line.say({"type": "hello", "table": table, **({"token": token} if token else {}), **more})
        line.welcome = await line.hear()
    return line


class Process:
    """A server in a process of its own, to be killed."""

    program: tuple[str, ...] = ("-m", "fabletop")
    errors: Any = None
    """Where standard error goes; None: where the tests' goes."""

    def __init__(self, *arguments: str, port: int = 0, environment: dict[str, str] | None = None) -> None:
        self.arguments = arguments
        self.port = port
        self.environment = {**os.environ, **(environment or {})}

    async def start(self) -> None:
        """Start, and wait until it says where it is."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *(*self.program, "serve", "--port", str(self.port), "--open-limits", "--bot-pause", "0"),
            *("--log", "error", *self.arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=self.errors,
            env=self.environment,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(60):
                told = (await self.process.stdout.readline()).decode()
            found = re.match(r"Fabletop is at http://[^:]+:(\d+)", told)
            assert found is not None, told
        except BaseException:
            await self.kill()
            raise
        self.port = int(found[1])

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def workers(self) -> list[int]:
        """The processes that the supervisor has started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]

    async def kill(self, number: int = signal.SIGKILL) -> None:
        """End the process and all that it has started, without a word of warning."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
        await self.process.wait()
