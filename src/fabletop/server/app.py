"""The web application: routes, headers, errors, start and end."""

import asyncio
import errno
import gc
import ipaddress
import logging
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec
from aiohttp import web

from fabletop.server.api.handlers import Handlers, guarded
from fabletop.server.api.routes import ROUTES
from fabletop.server.api.websocket import Socket
from fabletop.server.cluster.bus import Bus
from fabletop.server.cluster.fd_passing import Handover, Serve
from fabletop.server.cluster.remote import Peers
from fabletop.server.cluster.routing import Router
from fabletop.server.limits import address, household
from fabletop.server.metrics import Machine
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError
from fabletop.server.services import Services
from fabletop.server.settings import Settings
from fabletop.server.stores.base import Store
from fabletop.server.stores.sqlite import SqliteStore
from fabletop.server.tables.registry import OwnedElsewhere, Registry

log = logging.getLogger("fabletop.server")
PACKAGED = Path(__file__).resolve().parent / "static"
NEAR = [
    ipaddress.ip_network(net)
    for net in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
]
"""Loopback, private and link-local. Not what Python calls private, which has more in it and changes."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

PLAIN_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Fabletop</title>
<h1>Fabletop</h1><p>The server is running. The browser client is not built into this installation; programs can use the
<a href="/api/openapi.json">API</a>.</p></html>
"""


class Server:
    """One worker: house, desk and routes."""

    def __init__(self, settings: Settings, store: Store, bus: Bus | None = None) -> None:
        self.settings = settings
        self.services = Services(settings, store)
        self.registry = Registry(self.services)
        self.router = Router(self.registry)
        self.peers = None if bus is None else Peers(self.services, self.router, bus)
        self.router.peers = self.peers
        self.handlers = Handlers(self.services, self.router)
        self.machine = Machine(self.services.metrics, settings.worker, settings.doors)
        self.handover: Handover | None = None
        self.sockets: dict[str, int] = {}
        self.ready = False

    def app(self) -> web.Application:
        """The application, to be run by aiohttp."""
        app = web.Application(middlewares=[self._shell], client_max_size=wire.LARGEST_RECORD)
        handlers = self.handlers
        for route in ROUTES:
            app.router.add_route(
                route.method, route.path, guarded(handlers, getattr(handlers, route.handler))
            )
        app.router.add_route("*", "/api/{rest:.*}", self._nothing)
        app.router.add_get("/ws", self._socket)
        app.router.add_get("/healthz", self._health)
        app.router.add_get("/readyz", self._ready)
        app.router.add_get("/metrics", self._metrics)
        self._static(app)
        app.on_response_prepare.append(self._headers)
        app.on_startup.append(self._start)
        app.on_shutdown.append(self._stop)
        return app

    # ---- start and end ----------------------------------------------------------------------

    async def _start(self, _: web.Application) -> None:
        # Collecting garbage is the tail of the latency: while people play only what is young is collected, a little at
        # a time; the desk sees to the rest. And the thread that writes to SQLite must not wait long for its turn.
        gc.set_threshold(2_000, 1_000_000, 1_000)
        sys.setswitchinterval(0.0005)
        await self.services.store.open()
        await self.services.store.alive(self.settings.worker, self.services.now() + self.settings.lease)
        if self.peers is not None:
            await self.peers.open()
        await self.machine.open()
        self.registry.start()
        self.ready = True
        log.info("ready", extra={"run": self.services.run, "worker": self.settings.worker})

    async def _stop(self, _: web.Application) -> None:
        self.ready = False
        self.machine.close()
        if self.handover is not None:
            self.handover.close()
        await self.registry.close()
        if self.peers is not None:
            await self.peers.close()
        await self.services.close()
        await self.services.store.close()
        log.info("stopped")

    def take_from_others(self, serve: Serve) -> None:
        """Take connections that other workers of this machine pass on; `serve` speaks with a client."""
        if self.settings.doors is None:
            return
        handover = Handover(self.settings.doors, self.settings.worker, self.services.spawn)
        try:
            handover.open(serve)
        except OSError as error:  # such as a folder with too long a name; the bus is slower, but works
            log.warning("no connections can be taken from other workers: %s", error)
        else:
            self.handover = handover

    # ---- what surrounds every request -------------------------------------------------------

    async def _headers(self, request: web.Request, response: web.StreamResponse) -> None:
        if request.path.startswith("/assets/") and response.status == 200:
            # their names carry a digest of what is in them
            response.headers.setdefault("Cache-Control", "public, max-age=31536000, immutable")
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers["Server"] = "fabletop"

    @web.middleware
    async def _shell(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        try:
            return await handler(request)
        except ApiError as refused:
            self.services.metrics.refused.labels(refused.code).inc()
            return refusal(refused)
        except web.HTTPRequestEntityTooLarge:
            return refusal(ApiError("too_large", f"at most {wire.LARGEST_RECORD} bytes are taken"))
        except (web.HTTPException, asyncio.CancelledError, ConnectionError):
            raise
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                return self._fault()
            raise web.HTTPNotFound from None  # a file with such a name cannot be
        except Exception:
            return self._fault()

    def _fault(self) -> web.Response:
        """Something that should not happen has happened."""
        log.exception("a request could not be handled")
        self.services.metrics.faults.inc()
        return refusal(ApiError("fault", "something went wrong here"))

    # ---- the other routes -------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        who = household(request, self.settings.behind_proxy)
        if sum(self.sockets.values()) >= self.settings.sockets:
            raise ApiError("busy", "this server has as many sockets open as it can; try again later")
        if self.sockets.get(who, 0) >= self.settings.sockets_per_address:
            raise ApiError("too_many", "too many sockets from your address")
        if request.headers.get("Upgrade", "").lower() != "websocket":
            raise ApiError("bad_message", "this address is for WebSockets")
        self.sockets[who] = self.sockets.get(who, 0) + 1
        try:
            if await self._handed_over(request) or request.transport is None:
                return web.Response()  # nobody hears it: the connection is another worker's now, or closed
            return await Socket(request, self.services, self.router).run()
        finally:
            self.sockets[who] -= 1
            if not self.sockets[who]:
                del self.sockets[who]

    async def _handed_over(self, request: web.Request) -> bool:
        """Does another worker of this machine have the table that this socket is for, and now the socket too?"""
        if self.handover is None or "table" not in request.query:
            return False
        try:
            await self.registry.actor(msgspec.convert(request.query["table"], wire.TableId))
        except OwnedElsewhere as where:
            return self.handover.give(request, where.home)
        except (ApiError, msgspec.ValidationError):
            pass  # it is said when the client has said hello
        return False

    async def _nothing(self, _: web.Request) -> web.Response:
        raise ApiError("unknown", "there is nothing at this address, or not with this method")

    async def _health(self, _: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _ready(self, _: web.Request) -> web.Response:
        good = (
            self.ready
            and await self.services.store.ready()
            and (self.peers is None or self.peers.bus.connected)
        )
        return web.Response(text="ready\n" if good else "not ready\n", status=200 if good else 503)

    async def _metrics(self, request: web.Request) -> web.Response:
        # they count at once what a table tells only later, so they are not for the players
        if not is_near(request, self.settings.behind_proxy):
            raise ApiError(
                "not_allowed", "the figures are told on this machine and in its private network only"
            )
        return web.Response(
            body=await self.machine.text(),
            headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"},
        )

    def _static(self, app: web.Application) -> None:
        """The browser client, if it is there; every page of it is the same file, and so is one that there is not."""
        folder = self.settings.static or PACKAGED
        index = folder / "index.html"

        async def page(request: web.Request) -> web.StreamResponse:
            status = 404 if "lost" in request.match_info else 200
            if index.exists():
                return web.FileResponse(index, status=status, headers={"Cache-Control": "no-cache"})
            return web.Response(text=PLAIN_PAGE, status=status, content_type="text/html")

        app.router.add_get("/", page)
        app.router.add_get("/t/{table}", page)
        for path in folder.glob("*"):
            if path.is_symlink():
                continue
            if path.is_dir():
                app.router.add_static(f"/{path.name}", path, follow_symlinks=False)
            elif path.suffix not in (".html", ".br", ".gz"):
                app.router.add_get(f"/{path.name}", partial(served, path))
        app.router.add_get("/{lost:.*}", page)


async def served(path: Path, _: web.Request) -> web.FileResponse:
    """A file of the client."""
    return web.FileResponse(path)


def is_near(request: web.Request, behind_proxy: bool) -> bool:
    """Does a request come from this machine or from its private network? If in doubt, no."""
    # without --behind-proxy this header means that a proxy is there after all, and the true address unknown
    if not behind_proxy and "X-Forwarded-For" in request.headers:
        return False
    try:
        found = ipaddress.ip_address(address(request, behind_proxy))
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found in net for net in NEAR)


def refusal(refused: ApiError) -> web.Response:
    """A refusal as JSON."""
    return web.Response(
        body=wire.encode(wire.Error(refused.code, refused.message)),
        status=refused.status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def store_for(database: str, folder: Path) -> Store:
    """The store that an address means: a path, or postgresql://…"""
    if database.startswith(("postgresql://", "postgres://")):
        from fabletop.server.stores.postgres import PostgresStore

        return PostgresStore(database)
    return SqliteStore(Path(database) if database else folder / "tables.sqlite")
