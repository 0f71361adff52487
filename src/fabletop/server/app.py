"""The web application: routes, headers, errors, start and end."""

import asyncio
import errno
import ipaddress
import logging
import socket
from functools import partial
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler

from fabletop.core.errors import FabletopError
from fabletop.server.api.handlers import Handlers, guarded
from fabletop.server.api.pages import PACKAGED, add_pages
from fabletop.server.api.routes import ROUTES
from fabletop.server.api.transport import Runner, add_headers, language_of, refusal
from fabletop.server.api.websocket import Socket
from fabletop.server.cluster.fd_passing import Accepted, Passing, start_passing
from fabletop.server.cluster.forwarding import Forwarder, trusting
from fabletop.server.limits import CLIENT, address, household
from fabletop.server.metrics import SECONDS_TO_COLLECT, joined
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError, worded
from fabletop.server.services import Services
from fabletop.server.settings import Settings
from fabletop.server.stores.base import Store
from fabletop.server.stores.sqlite import SqliteStore
from fabletop.server.tables.registry import OwnedElsewhere, Registry
from fabletop.server.tables.sweeper import Sweeper

log = logging.getLogger("fabletop.server")
LARGEST_REQUEST = wire.LARGEST_RECORD
"""Bytes of a request."""
PRIVATE_NETWORKS = [
    ipaddress.ip_network(net)
    for net in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
]
"""Loopback, private and link-local. Not what Python calls private, which has more in it and changes."""


class Server:
    """One worker: services, registry, the public listener and the internal one."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.services = Services(settings, store)
        self.registry = Registry(self.services)
        self.sweeper = Sweeper(self.registry)
        self.handlers = Handlers(self.services, self.registry)
        self.forwarder: Forwarder | None = None
        self.internal: Runner | None = None
        self.passing: Passing | None = None
        self.listener: asyncio.Server | None = None
        self.sockets: dict[str, int] = {}
        self.ready = False

    def app(self) -> web.Application:
        """The public application; it starts and stops everything else."""
        app = web.Application(
            middlewares=[self._handle_errors, self._forward], client_max_size=LARGEST_REQUEST
        )
        self._routes(app, forwards=True)
        app.router.add_route("*", "/api/{rest:.*}", self._unknown)
        app.router.add_get("/healthz", self._health)
        app.router.add_get("/readyz", self._ready)
        app.router.add_get("/metrics", self._metrics)
        add_pages(app, self.settings.static or PACKAGED, self._game_of)
        app.on_startup.append(self._start)
        app.on_shutdown.append(self._stop)
        return app

    def _internal_app(self, secret: str) -> web.Application:
        """What other workers are answered."""
        app = web.Application(
            middlewares=[self._handle_errors, trusting(secret)], client_max_size=LARGEST_REQUEST
        )
        self._routes(app, forwards=False)
        app.router.add_get("/metrics", self._own_metrics)
        return app

    def _routes(self, app: web.Application, *, forwards: bool) -> None:
        """The API and the socket. What has been forwarded is not forwarded again."""
        for route in ROUTES:
            handler = getattr(self.handlers, route.handler)
            app.router.add_route(route.method, route.path, guarded(self.handlers, handler))
        app.router.add_get("/ws", partial(self._socket, forwards))
        app.on_response_prepare.append(self._headers)

    # ---- start and end ----------------------------------------------------------------------

    async def _start(self, _: web.Application) -> None:
        await self.services.store.open()
        secret = await self.services.store.secret()
        self.forwarder = Forwarder(secret, self.services.lease)
        await self.services.lease.start(await self._open_internal(secret))
        self.services.began = self.services.now()
        self.sweeper.start()
        self.ready = True
        log.info("ready", extra={"run": self.services.run, "worker": self.settings.worker})

    async def _open_internal(self, secret: str) -> str:
        """Open the internal listener; its address."""
        self.internal = Runner(self._internal_app(secret), access_log=None, handle_signals=False)
        await self.internal.setup()
        host, port = internal_address(self.settings.internal)
        try:
            await web.TCPSite(self.internal, host, port).start()
        except OSError as error:
            raise FabletopError(
                f"cannot listen on {self.settings.internal} for other workers ({error.strerror}); choose another"
                " --internal"
            ) from None
        return f"[{host}]:{port_of(self.internal)}" if ":" in host else f"{host}:{port_of(self.internal)}"

    async def listen(self, runner: Runner, listener: socket.socket) -> None:
        """Serve the public address."""
        assert runner.server is not None
        if self.settings.passing is not None:
            self.passing = start_passing(Passing(self.settings.passing, self.registry, runner.server))
        if self.passing is None:
            await web.SockSite(runner, listener).start()
            return
        first = partial(Accepted, self.passing, self.settings.behind_proxy)
        self.listener = await asyncio.get_running_loop().create_server(first, sock=listener)

    async def _stop(self, _: web.Application) -> None:
        self.ready = False
        if self.listener is not None:
            self.listener.close()
        if self.passing is not None:
            self.passing.close()
        await self.sweeper.close()
        await self.registry.close()
        await self.services.lease.close()
        if self.internal is not None:
            await self.internal.cleanup()
        if self.forwarder is not None:
            await self.forwarder.close()
        await self.services.close()
        await self.services.store.close()
        log.info("stopped")

    # ---- what surrounds every request -------------------------------------------------------

    async def _headers(self, request: web.Request, response: web.StreamResponse) -> None:
        if request.path.startswith("/assets/") and response.status == 200:
            # their names carry a digest of what is in them
            response.headers.setdefault("Cache-Control", "public, max-age=31536000, immutable")
        add_headers(response)

    @web.middleware
    async def _forward(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Notes who asks, and forwards what another worker must answer."""
        CLIENT.set(household(request, self.settings.behind_proxy))
        try:
            return await handler(request)
        except OwnedElsewhere as where:
            assert self.forwarder is not None
            return await self.forwarder.request(request, where)

    @web.middleware
    async def _handle_errors(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turns errors into answers."""
        try:
            return await handler(request)
        except ApiError as refused:
            self.services.metrics.refused.labels(refused.code).inc()
            return refusal(refused, language_of(request))
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
        """An error that should not happen: logged, counted, and answered without details."""
        log.exception("a request could not be handled")
        self.services.metrics.faults.inc()
        return refusal(ApiError("fault", "something went wrong here"))

    # ---- the other routes -------------------------------------------------------------------

    async def _socket(self, forwards: bool, request: web.Request) -> web.StreamResponse:
        who = CLIENT.get()
        if sum(self.sockets.values()) >= self.settings.sockets:
            raise ApiError("busy", "this server has as many sockets open as it can; try again later")
        if self.sockets.get(who, 0) >= self.settings.sockets_per_address:
            raise worded("too_many", "sockets_limit")
        if request.headers.get("Upgrade", "").lower() != "websocket":
            raise ApiError("bad_message", "this address is for WebSockets")
        assert self.forwarder is not None
        connect = self.forwarder.connect if forwards else None
        self.sockets[who] = self.sockets.get(who, 0) + 1
        try:
            return await Socket(request, self.registry, connect).run()
        finally:
            self.sockets[who] -= 1
            if not self.sockets[who]:
                del self.sockets[who]

    async def _unknown(self, _: web.Request) -> web.Response:
        raise ApiError("unknown", "there is nothing at this address, or not with this method")

    async def _health(self, _: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _ready(self, _: web.Request) -> web.Response:
        """Ready while writes succeed; the heartbeat is the probe, so asking often costs nothing."""
        good = self.ready and self.services.store.writable and self.services.lease.fresh
        return web.Response(text="ready\n" if good else "not ready\n", status=200 if good else 503)

    async def _metrics(self, request: web.Request) -> web.Response:
        # they count at once what a table reveals only later, so they are not for the players
        if not is_private(request, self.settings.behind_proxy):
            raise ApiError(
                "not_allowed", "the metrics are served to this machine and its private network only"
            )
        assert self.forwarder is not None
        peers = self.services.lease.peers()
        answers = (self.forwarder.metrics(peer.address, SECONDS_TO_COLLECT) for peer in peers)
        texts = dict(zip((peer.id for peer in peers), await asyncio.gather(*answers), strict=True))
        texts[self.settings.worker] = self.services.metrics.text()
        return metrics_response(joined({name: text for name, text in texts.items() if text is not None}))

    async def _own_metrics(self, _: web.Request) -> web.Response:
        return metrics_response(self.services.metrics.text())

    def _game_of(self, table: str) -> str | None:
        """The game of a table that is in memory here."""
        actor = self.registry.actors.get(table)
        return None if actor is None else actor.table.game.id


def metrics_response(text: str) -> web.Response:
    """Metrics as Prometheus reads them."""
    headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"}
    return web.Response(body=text.encode(), headers=headers)


def internal_address(text: str) -> tuple[str, int]:
    """Host and port of the internal listener, from HOST or HOST:PORT; an IPv6 host before a port is in brackets."""
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        host, port = text, "0"
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise FabletopError(
            f"{text!r} is no address; --internal takes HOST or HOST:PORT, such as 10.0.0.5:8100"
        )
    return host, int(port)


def place(host: str, port: int) -> str:
    """Host and port as they are written in an address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def port_of(runner: Runner) -> int:
    """The port on which a runner listens."""
    return int(runner.addresses[0][1])


def is_private(request: web.Request, behind_proxy: bool) -> bool:
    """Does a request come from this machine or its private network? No, if that is unknown."""
    # without --behind-proxy this header means that there is a proxy after all, so the true address is unknown
    if not behind_proxy and "X-Forwarded-For" in request.headers:
        return False
    try:
        client = ipaddress.ip_address(address(request, behind_proxy))
    except ValueError:
        return False
    if isinstance(client, ipaddress.IPv6Address) and client.ipv4_mapped is not None:
        client = client.ipv4_mapped
    return any(client in net for net in PRIVATE_NETWORKS)


def store_for(database: str, folder: Path) -> Store:
    """The store that an address means: a path, or postgresql://…"""
    if database.startswith(("postgresql://", "postgres://")):
        from fabletop.server.stores.postgres import PostgresStore

        return PostgresStore(database)
    return SqliteStore(Path(database) if database else folder / "tables.sqlite")
