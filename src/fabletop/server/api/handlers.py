"""The HTTP handlers: tables are made, listed and read; every verb of the socket is here too."""

import asyncio
import gzip
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar, get_args

import msgspec
from aiohttp import web

from fabletop import __version__
from fabletop.bots.levels import DEFAULT, LEVELS
from fabletop.core.errors import BadRecord
from fabletop.core.game import offered
from fabletop.core.records import parse
from fabletop.games import GAMES
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.handbook import card_entries
from fabletop.server.api.courses import course_now
from fabletop.server.api.openapi import openapi
from fabletop.server.api.queries import QUERIES, Parameters
from fabletop.server.limits import CLIENT, Buckets
from fabletop.server.protocol import responses, wire
from fabletop.server.protocol.errors import ApiError, busy, unknown_table, worded
from fabletop.server.services import Services
from fabletop.server.stores.base import StoreDown, StoredTable
from fabletop.server.stores.entries import LONGEST_ID, LONGEST_NAME
from fabletop.server.tables.commands import run
from fabletop.server.tables.creation import (
    fresh_maker,
    from_record,
    game_named,
    lesson_table,
    maker_of,
    new_table,
)
from fabletop.server.tables.listing import KEY_PART, summary_of
from fabletop.server.tables.registry import Registry
from fabletop.server.tables.table import PLAYING
from fabletop.server.tables.tokens import hashed

T = TypeVar("T")
PAGE = 50
SECONDS_TO_READ = 10.0
"""A body that takes longer is refused."""


class Response(NamedTuple):
    """What a handler gives back: JSON bytes, or text of another kind. `packed` is the body compressed: only of what
    everybody may know, since the length of compressed data reveals something about it."""

    body: bytes
    kind: str = "application/json"
    status: int = 200
    file: str = ""
    packed: bytes = b""


def in_json(value: Any) -> Response:
    """A response in JSON."""
    return Response(wire.encode(value))


@cache
def cards_in(game: str, lang: str) -> Response:
    """The cards of a game in a language."""
    entries = card_entries(GAMES[game], Lexicon(lang))
    cards = [responses.Card(c.id, c.group, c.title, c.symbols, c.text, dict(c.data)) for c in entries]
    made = in_json(responses.Cards(cards))
    return made._replace(packed=gzip.compress(made.body, mtime=0))


class ApiRequest:
    """A request as handlers see it: checked, with its token already hashed. `http` is that of aiohttp."""

    def __init__(self, request: web.Request) -> None:
        self.http = request
        self.table = request.match_info.get("table", "")
        if self.table and not re.fullmatch(wire.TABLE_ID, self.table):
            raise unknown_table()
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme and (scheme.lower() != "bearer" or not token.strip()):
            raise ApiError(
                "bad_message", "the header Authorization should be: Bearer, a space, and the token"
            )
        self.token = token.strip()
        self.key = hashed(self.token)

    async def read(self, most: int) -> bytes:
        """The body, which must say how long it is and come soon: nobody may fill the memory with unfinished ones."""
        length = self.http.content_length
        if length is None and self.http.body_exists:
            raise ApiError("bad_message", "a body needs the header Content-Length")
        if length is not None and length > most:
            raise ApiError("too_large", f"at most {most} bytes are taken")
        try:
            async with asyncio.timeout(SECONDS_TO_READ):
                return await self.http.read()
        except TimeoutError:
            raise ApiError(
                "bad_message", f"the body did not come within {SECONDS_TO_READ:g} seconds"
            ) from None

    async def body(self, kind: type[T]) -> T:
        """The JSON body as a message of this kind."""
        data = await self.read(wire.LARGEST_BODY)
        try:
            return msgspec.json.decode(data or b"{}", type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ApiError("bad_message", str(error)) from None

    def number(self, name: str, most: int = 1_000_000_000) -> int | None:
        """A number of the query."""
        text = self.http.query.get(name)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit()) or int(text[:12]) > most or len(text) > 12:
            raise ApiError("bad_message", f"{name} should be a number from 0 to {most}")
        return int(text)

    def id(self, name: str) -> str | None:
        """The id of a table in the query."""
        text = self.http.query.get(name)
        if text is not None and not re.fullmatch(wire.TABLE_ID, text):
            raise ApiError("bad_message", f"{name} should be the id of a table")
        return text

    def request_id(self) -> str:
        """The id of the request in the query; empty where there is none."""
        text = self.http.query.get("id", "")
        if len(text) > LONGEST_ID:
            raise ApiError("bad_message", f"id has at most {LONGEST_ID} characters")
        return text

    def own_token(self) -> str | None:
        """A token that the client has made, from the header Authorization."""
        if self.token and not re.fullmatch(wire.OWN_TOKEN, self.token):
            raise ApiError("bad_message", "a token of your own has 22 to 64 characters of A-Z a-z 0-9 _ -")
        return self.token or None

    def choice(self, name: str, values: Any) -> str | None:
        """One of several words of the query."""
        text = self.http.query.get(name)
        if text is not None and text not in values:
            raise ApiError("bad_message", f"{name} should be one of {', '.join(values)}")
        return text

    def game(self) -> str | None:
        """The game that the query names, as people write it."""
        text = self.http.query.get("game")
        return None if text is None else game_named(text, "bad_message").id


def row_of(row: StoredTable, key: str = "") -> dict[str, Any]:
    """What a list says about a table to the person with this key, or to anybody."""
    head, summary, mine = row.head, summary_of(row.listing), key[:KEY_PART]
    return {
        "table": row.id,
        "game": head.game,
        "options": head.options,
        "status": row.listing.status,
        "free": row.listing.free,
        "asked": [seat for seat in range(head.options["seats"]) if row.listing.asked >> seat & 1],
        "pace": head.pace,
        "made": int(head.at),
        # while people act at once and unseen, the time of the last entry would reveal it
        "updated": int(row.listing.updated if row.listing.status != PLAYING else head.at),
        "host": head.maker,
        "seats": [
            responses.ListedSeat(seat.name, seat.level, bool(mine) and seat.key == mine)
            for seat in summary.seats
        ],
        "progress": summary.progress,
    }


class Handlers:
    """All handlers; each takes a request and answers it, or raises ApiError. One that needs a table of another worker
    raises OwnedElsewhere, and the request is forwarded."""

    def __init__(self, services: Services, registry: Registry) -> None:
        self.services = services
        self.registry = registry
        settings = services.settings
        self.requests = Buckets(settings.requests_per_second, 3 * settings.requests_per_second)

    async def about(self, request: ApiRequest) -> Response:
        """Games, options, bots, languages and limits of this server."""
        games = {
            name: responses.GameNow(
                rules=game.rules,
                seats=list(game.seat_counts),
                settings=[
                    responses.SettingNow(s.name, s.kind, list(s.values), s.default, s.count, s.low, s.high)
                    for s in offered(game.settings)
                ],
                actions=len(game.actions),
            )
            for name, game in GAMES.items()
        }
        settings = self.services.settings
        return in_json(
            responses.About(
                version=__version__,
                run=self.services.run,
                games=games,
                levels=list(LEVELS),
                level=DEFAULT,
                languages=LANGUAGES,
                reactions=list(get_args(wire.Reaction)),
                push="" if self.services.notifier.key is None else self.services.notifier.key.public,
                limits=responses.Limits(
                    message=wire.LARGEST_MESSAGE,
                    record=wire.LARGEST_RECORD,
                    chat=wire.LONGEST_CHAT,
                    name=LONGEST_NAME,
                    messages_per_second=settings.messages_per_second,
                    message_burst=settings.message_burst,
                    requests_per_second=settings.requests_per_second,
                    tables_per_hour=settings.tables_per_hour,
                    chat_per_minute=settings.chat_per_minute,
                    reactions_per_minute=settings.reactions_per_minute,
                    away=settings.away,
                ),
            )
        )

    async def openapi(self, request: ApiRequest) -> Response:
        """This API, described for programs."""
        return in_json(openapi(Handlers))

    async def words(self, request: ApiRequest) -> Response:
        """The words of a language, for clients that speak themselves."""
        lang = request.http.match_info["lang"]
        if lang not in LANGUAGES:
            raise ApiError("unknown", f"there is no language {lang!r}; there are {', '.join(LANGUAGES)}")
        lexicon = Lexicon(lang)
        return in_json(responses.Words(**{name: lexicon.table(name) for name in responses.WORDS}))

    async def cards(self, request: ApiRequest) -> Response:
        """The cards of a game in words."""
        game = game_named(request.http.match_info["game"], "unknown")
        return cards_in(game.id, request.choice("lang", LANGUAGES) or "en")

    async def lessons(self, request: ApiRequest) -> Response:
        """What a game teaches, in words."""
        game = game_named(request.http.match_info["game"], "unknown")
        return in_json(course_now(game.id, request.choice("lang", LANGUAGES) or "en"))

    async def make_lesson(self, request: ApiRequest) -> Response:
        """A table for a lesson."""
        message = await request.body(wire.NewLesson)
        maker, now = fresh_maker(), self.services.now()
        done = await self.registry.make(maker, lambda: lesson_table(message, maker, now))
        return in_json(done)._replace(status=201)

    async def make(self, request: ApiRequest) -> Response:
        """A new table."""
        message = await request.body(wire.NewTable)
        maker, now = maker_of(message.id, message.token, "tables", wire.encode(message)), self.services.now()
        done = await self.registry.make(maker, lambda: new_table(message, maker, now))
        return in_json(done)._replace(status=201)

    async def open_tables(self, request: ApiRequest) -> Response:
        """Listed tables with free seats, newest first; `before`, the id of the last one, gives the next page."""
        rows = await self.services.store.open_tables(request.game(), PAGE, request.id("before"))
        return in_json(responses.OpenTables([responses.ListedTable(**row_of(row)) for row in rows]))

    async def mine(self, request: ApiRequest) -> Response:
        """The tables that some tokens open, newest first; `token` is the place of the token in the request."""
        message = await request.body(wire.Mine)
        keys = {hashed(token): number for number, token in enumerate(message.tokens)}
        rows = await self.services.store.tables_of(list(keys), 2 * PAGE) if keys else []
        games = [(key, row) for key, row in rows if not row.head.lesson]
        return in_json(
            responses.OwnTables(
                [responses.OwnTable(**row_of(row, key), token=keys[key]) for key, row in games]
            )
        )

    async def import_record(self, request: ApiRequest) -> Response:
        """A table from a record; all seats are the importer's. With an `id` it can be sent again; then it needs a
        token of your own making in the header Authorization."""
        data = await request.read(wire.LARGEST_RECORD)
        maker = maker_of(request.request_id(), request.own_token(), "records", data)
        try:
            record = parse(data.decode())
        except UnicodeDecodeError:
            raise ApiError("bad_record", "a record is a text in UTF-8, and this is none") from None
        except BadRecord as error:
            raise ApiError("bad_record", str(error)) from None
        now, most = self.services.now(), self.services.settings.most_actions
        done = await self.registry.make(maker, lambda: from_record(record, maker, now, most))
        return in_json(done)._replace(status=201)

    async def query(self, request: ApiRequest, name: str, **more: Any) -> Response:
        """Something about one table."""
        seat, lang = request.number("seat", 15), request.choice("lang", LANGUAGES)
        parameters = Parameters(seat, lang, **more)
        actor = await self.registry.actor(request.table)
        await actor.caught_up()
        response = in_json(await QUERIES[name](self.registry, actor, request.key, parameters))
        self.registry.check(actor)
        return response

    async def table(self, request: ApiRequest) -> Response:
        """A table as everybody sees it."""
        return await self.query(request, "table")

    async def view(self, request: ApiRequest) -> Response:
        """What you may see, and what you are asked."""
        return await self.query(request, "view")

    async def story(self, request: ApiRequest) -> Response:
        """The events that you have received."""
        return await self.query(request, "story", first=request.number("from") or 0)

    async def taught(self, request: ApiRequest) -> Response:
        """How far a lesson has come, and which tips fit."""
        first, told = request.number("from") or 0, request.number("told")
        return await self.query(request, "taught", first=first, told=told)

    async def record(self, request: ApiRequest) -> Response:
        """The record, when the game has ended."""
        return (await self.query(request, "record"))._replace(file=f"fabletop-{request.table}.json")

    async def verify(self, request: ApiRequest) -> Response:
        """Was the deal honest? To be asked when the game has ended."""
        return await self.query(request, "verify")

    async def at(self, request: ApiRequest) -> Response:
        """A finished game after the first `at` actions."""
        return await self.query(request, "at", at=request.number("at", 1_000_000) or 0)

    async def chances(self, request: ApiRequest) -> Response:
        """How the chances of the seats went in a finished game, as bots judge them. It takes some seconds."""
        return await self.query(request, "chances")

    async def branch(self, request: ApiRequest) -> Response:
        """Go on from a point of a finished game."""
        message = await request.body(wire.Branch)
        return (await self.query(request, "branch", branch=message))._replace(status=201)

    async def sit(self, request: ApiRequest) -> Response:
        """Sit down."""
        message = await request.body(wire.Sit)
        actor = await self.registry.actor(request.table)
        await actor.caught_up()
        return in_json(await run(self.registry, actor, "", message, None))._replace(status=201)

    async def verb(self, request: ApiRequest) -> Response:
        """Any verb of the socket."""
        name = request.http.match_info["verb"]
        kind = wire.VERBS.get(name)
        if kind is None:
            raise ApiError("unknown", f"there is no verb {name!r}; there are {', '.join(wire.VERBS)}")
        message = await request.body(kind)
        if not request.key:
            raise ApiError("not_allowed", "this needs your token: Authorization: Bearer …")
        actor = await self.registry.actor(request.table)
        return in_json(await run(self.registry, actor, request.key, message, None))


ApiHandler = Callable[[ApiRequest], Awaitable[Response]]


def guarded(handlers: Handlers, handler: ApiHandler) -> Callable[[web.Request], Awaitable[web.Response]]:
    """A handler as aiohttp wants it: limited, and with refusals as JSON."""

    async def handle(request: web.Request) -> web.Response:
        if not handlers.requests.take(CLIENT.get()):
            raise worded("too_many", "requests_limit")
        try:
            response = await handler(ApiRequest(request))
        except StoreDown:
            raise busy() from None
        headers = {"Cache-Control": "no-store"}
        if response.file:
            headers["Content-Disposition"] = f'attachment; filename="{response.file}"'
        body = response.body
        if response.packed and "gzip" in request.headers.get("Accept-Encoding", ""):
            body, headers["Content-Encoding"] = response.packed, "gzip"
        return web.Response(
            body=body,
            status=response.status,
            content_type=response.kind,
            charset="utf-8",
            headers=headers,
        )

    return handle
