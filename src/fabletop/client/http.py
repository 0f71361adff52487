"""The HTTP side of a server."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Self

import aiohttp

from fabletop.client.connection import RETRY_DELAY, Connection, Json
from fabletop.client.errors import RequestRefused

SEAT_KINDS = ("open", "hot")
SIT_ATTEMPTS = 5
"""How often `sit` is sent when the connection breaks before the answer."""
USUAL_LIMITS: Json = {"messages_per_second": 30.0, "message_burst": 90.0}
"""Of a server that does not state them."""
LIMITS_WITHIN = 5.0
"""Seconds in which a server should answer with its limits."""


class Client:
    """The HTTP side of a server."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self._limits: Json | None = None
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    @property
    def session(self) -> aiohttp.ClientSession:
        """The connections; there are some only inside `async with`."""
        if self._session is None:
            raise RuntimeError("use the client with `async with Client(…) as client:`")
        return self._session

    async def call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str = "",
        query: Mapping[str, str] | None = None,
    ) -> Any:
        """Ask something; what the server refuses raises RequestRefused."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.session.request(
            method, f"{self.address}{path}", json=body, headers=headers, params=query
        ) as answer:
            text = await answer.text()
            try:
                data = json.loads(text)
            except ValueError:  # not our server, but something in front of it
                raise RequestRefused(str(answer.status), f"no JSON, but {text[:80]!r}") from None
            if answer.status >= 400:
                raise RequestRefused(data.get("code", str(answer.status)), data.get("message", ""))
            return data

    async def make(self, game: str, seats: Sequence[str | Json] = (), **more: Any) -> Json:
        """A new table. A seat is `open`, `hot`, a level of bots, `bot`, or an object as in docs/protocol.md."""
        plans = [seat_plan(seat) for seat in seats]
        return dict(await self.call("POST", "/api/tables", {"game": game, "seats": plans, **more}))

    async def sit(self, table: str, name: str, seat: int | None = None, *, numbered: bool = False) -> Json:
        """Sit down; the answer holds the token of the seat. The token is ours, so a lost answer is asked for again.
        With `numbered`, a name that somebody at the table has already gets a number: Dov 2, Dov 3, …"""
        body: Json = {"name": name, "token": secrets.token_urlsafe(24)}
        if seat is not None:
            body["seat"] = seat
        while True:
            try:
                return await self._sit(table, {**body, "id": secrets.token_hex(8)})
            except RequestRefused as error:
                taken = {row.get("name", "").casefold() for row in (await self.get(table))["seats"]}
                if not numbered or error.code != "taken" or body["name"].casefold() not in taken:
                    raise
            body["name"] = next(f"{name} {n}" for n in count(2) if f"{name} {n}".casefold() not in taken)

    async def _sit(self, table: str, body: Json) -> Json:
        for left in reversed(range(SIT_ATTEMPTS)):
            try:
                return dict(await self.call("POST", f"/api/tables/{table}/sit", body))
            except (aiohttp.ClientError, ConnectionError):
                if not left:
                    raise
            await asyncio.sleep(RETRY_DELAY)
        raise AssertionError  # the last try returns or raises

    async def limits(self) -> Json:
        """The limits that the server states in `/api/about`, requested once; the defaults where it states none."""
        if self._limits is None:
            with contextlib.suppress(RequestRefused, aiohttp.ClientError, ConnectionError, TimeoutError):
                async with asyncio.timeout(LIMITS_WITHIN):
                    self._limits = {**USUAL_LIMITS, **(await self.call("GET", "/api/about"))["limits"]}
        return self._limits or USUAL_LIMITS

    async def do(self, table: str, verb: str, token: str, /, **body: Any) -> Any:
        """Any verb."""
        return await self.call("POST", f"/api/tables/{table}/{verb}", body, token=token)

    async def get(self, table: str, what: str = "", token: str = "", **query: object) -> Any:
        """The table, or its view, story, record, verify or at."""
        path = f"/api/tables/{table}" + (f"/{what}" if what else "")
        return await self.call("GET", path, token=token, query={k: str(v) for k, v in query.items()})

    def connect(self, table: str, token: str = "", **more: Any) -> Connection:
        """A connection to a table: a seat's with its token, a spectator's without."""
        return Connection(self, table, token, **more)


def seat_plan(seat: str | Json) -> Json:
    """A seat in words as the server wants it."""
    if not isinstance(seat, str):
        return seat
    if seat in SEAT_KINDS:
        return {"kind": seat}
    return {"kind": "bot", "level": "" if seat == "bot" else seat}
