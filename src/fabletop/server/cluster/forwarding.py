"""Forwarding: a worker that gets a request for a table of another worker passes it on, and returns the answer.

Every worker has an internal listener in addition to the public one; its address is in the database. It trusts requests
that carry the secret of the database, and the client's address that they name. Nothing is forwarded twice: a worker
that is asked for a table that it no longer owns answers `moved`, and the client connects again.
"""

import asyncio
import hmac

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from yarl import URL

from fabletop.server.limits import CLIENT
from fabletop.server.protocol.errors import ApiError, moved
from fabletop.server.stores.lease import Lease
from fabletop.server.tables.registry import OwnedElsewhere

SECRET = "X-Fabletop-Secret"  # noqa: S105 - the name of a header
FOR = "X-Fabletop-For"
SECONDS_TO_CONNECT = 3.0
SECONDS_TO_ANSWER = 20.0
"""The longest that a forwarded request may take. One whose owner falls silent is refused sooner: when its lease has run
out, and another worker can take the table over."""
LOOKS_PER_LEASE = 12
"""How often in a lease a request that waits asks whether the owner's has run out."""
REQUEST_HEADERS = ("Authorization", "Content-Type", "Accept-Language")
RESPONSE_HEADERS = ("Content-Type", "Content-Disposition", "Cache-Control")
"""The headers that pass."""


class Forwarder:
    """A client of the internal listeners of other workers."""

    def __init__(self, secret: str, lease: Lease) -> None:
        self._secret = secret
        self._lease = lease
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=SECONDS_TO_ANSWER, sock_connect=SECONDS_TO_CONNECT),
            auto_decompress=False,
            trust_env=False,
        )

    def _headers(self) -> dict[str, str]:
        return {SECRET: self._secret, FOR: CLIENT.get()}

    async def request(self, request: web.Request, where: OwnedElsewhere) -> web.Response:
        """Have a request answered by the worker that owns the table."""
        asking = asyncio.ensure_future(self._request(request, where))
        try:
            while not asking.done():
                await asyncio.wait([asking], timeout=self._lease.seconds / LOOKS_PER_LEASE)
                if not asking.done() and self._lease.has_lapsed(where.home):
                    raise unreachable(where)
            return await asking
        finally:
            asking.cancel()

    async def _request(self, request: web.Request, where: OwnedElsewhere) -> web.Response:
        headers = {name: request.headers[name] for name in REQUEST_HEADERS if name in request.headers}
        try:
            async with self._session.request(
                request.method,
                URL(f"http://{where.address}").join(request.rel_url),
                data=await request.read(),
                headers={**headers, **self._headers()},
                allow_redirects=False,
            ) as answer:
                kept = {name: answer.headers[name] for name in RESPONSE_HEADERS if name in answer.headers}
                return web.Response(body=await answer.read(), status=answer.status, headers=kept)
        except (aiohttp.ClientError, OSError, TimeoutError):
            raise unreachable(where) from None

    async def connect(self, where: OwnedElsewhere) -> "aiohttp.ClientWebSocketResponse[bool]":
        """A WebSocket to the worker that owns a table. One that does not answer pings is closed."""
        try:
            async with asyncio.timeout(SECONDS_TO_CONNECT):
                return await self._session.ws_connect(
                    f"http://{where.address}/ws",
                    headers=self._headers(),
                    heartbeat=self._lease.seconds / 2,
                    max_msg_size=0,
                    decode_text=False,
                )
        except (aiohttp.ClientError, OSError, TimeoutError):
            raise unreachable(where) from None

    async def metrics(self, address: str, seconds: float) -> str | None:
        """The metrics of another worker; None where it does not answer in time."""
        try:
            async with self._session.get(
                f"http://{address}/metrics",
                headers=self._headers(),
                timeout=aiohttp.ClientTimeout(total=seconds),
            ) as answer:
                return await answer.text() if answer.status == 200 else None
        except (aiohttp.ClientError, OSError, TimeoutError, UnicodeDecodeError):
            return None

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()


def unreachable(where: OwnedElsewhere) -> ApiError:
    """The owner of a table does not answer. If it is dead, another worker takes over when its lease runs out."""
    return ApiError("busy", f"the table is open at {where.home}, which does not answer; try again shortly")


def trusting(secret: str) -> Middleware:
    """The middleware of the internal listener: it refuses requests without the secret."""
    known = secret.encode()

    @web.middleware
    async def trusted(request: web.Request, handler: Handler) -> web.StreamResponse:
        given = request.headers.get(SECRET, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, known):
            raise ApiError("not_allowed", "this address is for the workers of this server only")
        CLIENT.set(request.headers.get(FOR, "?"))
        try:
            return await handler(request)
        except OwnedElsewhere:
            raise moved() from None

    return trusted
