"""The API described from the types it is made of: docs/protocol.md for people, the OpenAPI description for programs."""

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from fabletop import __version__
from fabletop.games import GAMES
from fabletop.lang import LANGUAGES
from fabletop.server.api.routes import ROUTES, TABLE_ID, Route
from fabletop.server.api.websocket import HEARTBEAT, MOST_BAD, SECONDS_TO_SAY_HELLO
from fabletop.server.protocol import responses, wire
from fabletop.server.protocol.errors import STATUS
from fabletop.server.protocol.views import all_game_schemas, game_schemas, prefix
from fabletop.server.settings import Settings
from fabletop.server.stores.entries import LONGEST_ID, LONGEST_NAME, Pace, SeatPlan
from fabletop.server.tables.clocks import LATE

INTRODUCTION = """# The protocol

The browser client uses only this protocol: HTTP under `/api` to make and find tables, one WebSocket per
table to play. All bodies and messages are JSON. The machine-readable description of the HTTP side is at
`/api/openapi.json`; [the Python client](client.md) is `fabletop.client`.

## In short

1. `POST /api/tables` makes a table. The answer holds the table's id (share it: `/t/{table}` is the page), a *host*
   token and, if you gave a name, the *token* of your seat. Tokens are sent once and stored hashed. A token is a
   secret: it goes into the header `Authorization: Bearer …` or into `hello`, never into a URL that is sent to a
   server or to a friend. A private link, with which a person returns on another device, has it after `#`, which
   browsers do not send.
2. `POST /api/tables/{table}/sit` with a name takes an open seat. When all seats are taken the cards are dealt.
3. Open a WebSocket at `/ws?table={table}` and say `hello` with the table and your token; without a token you are a
   spectator. The answer is a `welcome` with everything you may know. (`/ws` alone will do; with the table in the
   address, one of several workers that does not have the table passes the connection on to the one that has it.)
4. When `choice` is not null you are asked something: answer with `act`, giving the choice's `id`, one of its
   `options`, and an `id` of your own making. The acknowledgement is an `update` with `done`, or `done` itself; it
   comes when the action is durable. If no acknowledgement comes, send the same message again: see below.
5. Every change that you may know of is an `update` with `seq` one higher than the last. After a gap, or when the
   connection was cut, connect again and say `hello` with the last `seq` you have: `welcome` then holds only the events
   you missed. Your `seq` never goes down, whichever worker answers.

Numbers (`seq`, choice ids, counts of events) are counted for you alone; nothing can be read from them about what
others do unseen. Where several seats decide at once, nobody's answer disturbs another's. The `asked` of a table shows
who has still to decide, so clients can show who is done, but never what was decided: that is sent when all are done, in
the order of the seats.

## Answers, and what to do without one

Every verb takes an `id`: at most {id} characters, made by the client and new for everything that it asks. `act`, `undo`
and `hint` must have one, the others should. **To match:** the answer carries the id: `done`, `error` and `hint` as
`id`, an `update` that acknowledges as `done`, the `welcome` that answers a `look` as `id`. Answers to messages without
an id come in the order in which these were sent.

**To retry:** where no answer has come, because the connection broke, after a timeout, or with the codes `busy` and
`moved`, send the same message with the same id again, over a new socket or over HTTP. It is carried out once, and
answered as the first time, also after a restart of the server. The same id with another message is refused with
`bad_message`. An id counts for the token that sent it: for `sit`, which has none yet, for the token in the message.
Any other code is an answer: the message was refused and nothing has changed.

- `sit` and `renew` give you a token, which the server stores only as a hash. With an `id` they therefore need a `token`
  that you have made at random: at least 22 characters of `A-Z a-z 0-9 _ -`. It opens your seat from then on; keep it
  before you send it.
- After `renew` and `stand` the old token no longer opens the table, so `hello` with it is refused. Retry them over
  HTTP, or, after `renew`, say `hello` with the new token: if it is refused, the renewal was not done.
- A line of `chat` is delivered once. `rematch` is the same table for everybody. `hint` and `look` change nothing and
  may be repeated; `react` stores nothing and is shown each time.
- `POST /api/tables`, `branch` and `POST /api/records` make a table each time they are sent without an `id`. With one
  they need a `token` that you have made, and the same request again gets the same answer. `POST /api/records` takes the
  `id` in the query and the token in the header `Authorization`, since its body is the record.
- A seat whose token is lost: before the game the host frees it with `stand` and its `seat`; during the game a bot takes
  over with `replace`.

## Words

With `lang` in `hello`, events carry `line` (their line of the log, or null), and choices `prompt` and `labels` (one
for each option). `GET /api/words/{lang}` and `GET /api/cards/{game}` have the words for everything else. Events are
described in [events.md](events.md), records in [records.md](records.md).
"""

CLOSES = """## Limits and the end of a socket

| what | how much |
|---|---|
| a message to the server | fewer than {message} bytes |
| the body of a request | {body} bytes |
| an imported record | {record} bytes |
| a line of chat | {chat} characters |
| a name | {name} characters, one of which can be seen; not that of another seat, nor one that looks like it |
| messages on a socket | {messages:g} a second, {burst:g} at once after a pause; more close it |
| requests from an address | {requests:g} a second, three times as many at once; then `too_many` |
| new tables from an address | {tables:g} an hour; then `too_many` |
| lines of chat of a seat | {lines:g} a minute; then `too_many` |
| a choice when the time of a `game` clock is used up | {late:g} seconds |

The rates are the defaults; a host can set others, and `limits` in `GET /api/about` has those of a server. Lengths and
ranges of single fields are given with the messages above; other values are refused with `bad_message`. `lang` is one of
{languages} everywhere; another one is refused, over HTTP and in `hello`.

Before the server closes a socket it says `bye`. The close code is 1012 (and `again`: true) where it restarts or the
table has moved: connect again and go on. It is 1008 (and `again`: false) in these cases:

- no `hello` has come within {hello:g} seconds;
- {bad} messages were invalid;
- messages came faster than the rate limit allows: then `code` is `too_many`; wait a second, connect again, go on from
  your last `seq`, and send less;
- your token was changed, or you left a table that is not open to spectators.

Without `bye` the socket is closed by a message that is too large (1009), where the client reads so slowly that messages
pile up, and where nothing was received between two pings: the server sends a WebSocket ping every {heartbeat:g} seconds
and the client must answer it with a pong, which WebSocket libraries do by themselves. Connect again then.
"""

BODIES: tuple[type, ...] = (
    wire.NewTable,
    SeatPlan,
    Pace,
    wire.NewLesson,
    wire.Sit,
    wire.Mine,
    wire.Branch,
)
RESPONSES: tuple[type, ...] = (
    responses.About,
    responses.GameNow,
    responses.SettingNow,
    responses.Limits,
    responses.Words,
    responses.Cards,
    responses.Card,
    responses.OpenTables,
    responses.ListedTable,
    responses.ListedSeat,
    responses.OwnTables,
    responses.OwnTable,
    responses.Seen,
    responses.Story,
    responses.RecordFile,
    responses.Verified,
    responses.Point,
    responses.Chances,
    responses.ChancesPoint,
    responses.CourseNow,
    responses.LessonNow,
    responses.StepNow,
    responses.TipNow,
    responses.Taught,
)
"""Responses that only HTTP has; the others are messages of the socket too."""

OPEN = """Some objects are the game's own, and open here: an event has its name as `event` and the fields that
[events.md](events.md) lists; `options` are the settings in `/api/about`. Views are described in
[views.md](views.md).
"""


VIEWS = """# Views

What one seat or a spectator may see of a game: the `view` of [the protocol](protocol.md), and what `Game.view` gives in
Python. A view is plain JSON and always complete; `null` means that there is none. Bots get a view and nothing else.
After the view and its parts come those of a preview (`previews` of a choice) and of the `data` of a card.
"""


MESSAGES: dict[str, type] = {kind.__name__: kind for kind in get_args(wire.ServerMessage)}
"""The server's messages, by the names of their types."""


def doc(kind: type) -> str:
    """The docstring of a message, as paragraphs of one line."""
    text = inspect.cleandoc(kind.__doc__ or "")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def type_name(schema: dict[str, Any]) -> str:
    """A JSON schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return named(MESSAGES.get(name)) or f"`{name}`"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_name(part) for part in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items")
        most = f"at most {schema['maxItems']} of " if "maxItems" in schema else "list of "
        return most + (type_name(items) if items else "anything")
    if kind == "object" and "properties" in schema:
        return "object with " + ", ".join(f"`{name}`" for name in schema["properties"])
    if kind == "object" and schema.get("additionalProperties"):
        return "object of " + type_name(schema["additionalProperties"])
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if kind == "string" and "maxLength" in schema:
        least = f"{schema['minLength']} to " if schema.get("minLength", 0) > 1 else "at most "
        return f"text, {least}{schema['maxLength']}"
    if kind == "string" and set(schema.get("pattern", "")) & {"|"}:
        return " or ".join(f"`{word}`" for word in schema["pattern"].strip("^()$").split("|"))
    if kind == "integer" and "maximum" in schema:
        return f"{schema.get('minimum', 0)} to {schema['maximum']:,}"
    names = {
        "string": "text",
        "boolean": "true or false",
        "null": "null",
        "object": "object",
        "integer": "whole number",
    }
    return names.get(str(kind), str(kind) if kind else "anything")


def fields(kind: type) -> Iterator[str]:
    """The fields of a message as lines of a table."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="#/components/schemas/{name}")
    body = parts[schema["$ref"].rpartition("/")[2]]
    for name, field in body.get("properties", {}).items():
        if name == "type":
            continue
        must = "" if name in body.get("required", ()) else "optional"
        yield f"| `{name}` | {type_name(field)} | {must} |"


def message_section(kind: type) -> list[str]:
    """One message: what it is for, and its fields."""
    rows = list(fields(kind))
    lines = [f"### {named(kind)}", "", doc(kind), ""]
    if rows:
        lines += ["| field | type | |", "|---|---|---|", *rows, ""]
    return lines


def protocol_page(handlers: type) -> str:
    """docs/protocol.md."""
    lines = [
        INTRODUCTION.replace("{id}", str(LONGEST_ID)),
        "## HTTP",
        "",
        "| request | body | answer | |",
        "|---|---|---|---|",
    ]
    for route in ROUTES:
        body, answer = named(route.body), named(route.answer)
        if "{verb}" in route.path:
            body, answer = "the verb", "`done` or `hint`"
        queries = f" Query: {', '.join(f'`{name}`' for name in route.query)}." if route.query else ""
        lines.append(
            f"| `{route.method} {route.path}` | {body} | {answer} | {summary(handlers, route)}{queries} |"
        )
    verbs = ", ".join(f"`{name}`" for name in wire.VERBS)
    lines += ["", f"Verbs: {verbs}. Their bodies are the messages of the same name without `type`.", ""]
    for kind in BODIES:
        lines += message_section(kind)
    lines += ["## What HTTP answers", "", OPEN]
    for kind in RESPONSES:
        lines += message_section(kind)
    lines += ["## What a client says over the socket", ""]
    for kind in wire.MESSAGES:
        lines += message_section(kind)
    lines += ["## What the server says", ""]
    for kind in (
        *get_args(wire.ServerMessage),
        wire.TableNow,
        wire.SeatNow,
        wire.ChoiceNow,
        wire.ReasonNow,
        wire.Result,
        wire.Advice,
    ):
        lines += message_section(kind)
    lines += ["## Error codes", "", "| code | HTTP status |", "|---|---|"]
    lines += [f"| `{code}` | {status} |" for code, status in STATUS.items()]
    settings = Settings()
    lines += [
        "",
        CLOSES.format(
            message=wire.LARGEST_MESSAGE,
            body=wire.LARGEST_BODY,
            record=wire.LARGEST_RECORD,
            chat=wire.LONGEST_CHAT,
            name=LONGEST_NAME,
            late=LATE,
            messages=settings.messages_per_second,
            burst=settings.message_burst,
            requests=settings.requests_per_second,
            tables=settings.tables_per_hour,
            lines=settings.chat_per_minute,
            languages=", ".join(f"`{lang}`" for lang in LANGUAGES),
            hello=SECONDS_TO_SAY_HELLO,
            bad=MOST_BAD,
            heartbeat=HEARTBEAT,
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


def views_page() -> str:
    """docs/views.md."""
    lines = [VIEWS]
    for game in GAMES.values():
        title = game.id.replace("_", " ").title()
        reference = f"{prefix(game)}{{name}}"
        for name, schema in game_schemas(game, reference).items():
            text = " ".join(schema["description"].split())
            level, heading = ("##", title) if name == "View" else ("###", f"{prefix(game)}{name}")
            lines += [f"{level} {heading}", "", text, "", "| field | type | meaning |", "|---|---|---|"]
            lines += [
                f"| `{field}` | {type_name(part)} | {part['description']} |"
                for field, part in schema["properties"].items()
            ]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def named(kind: type | None) -> str:
    """A message by the name under which it is described."""
    return "" if kind is None else f"`{tag_of(kind) or kind.__name__}`"


def tag_of(kind: type) -> str | None:
    """What a message has as `type`, if it has one."""
    tag: str | None = kind.__struct_config__.tag  # type: ignore[attr-defined]
    return tag


def summary(handlers: type, route: Route) -> str:
    """What a route is for: the docstring of its handler."""
    return " ".join((getattr(handlers, route.handler).__doc__ or "").split())


def openapi(handlers: type) -> dict[str, Any]:
    """The OpenAPI description of everything under /api, with the docstrings of the handlers."""
    kinds: list[Any] = [kind for route in ROUTES for kind in (route.body, route.answer) if kind]
    kinds += [*wire.VERBS.values(), wire.Hinted, wire.Error]
    _, schemas = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    for kind in wire.VERBS.values():  # over HTTP the address says which verb it is
        body = schemas[kind.__name__]
        body["required"] = [name for name in body.get("required", ()) if name != "type"]
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        if "{verb}" in route.path:
            for name, kind in wire.VERBS.items():
                path = route.path.replace("{verb}", name)
                paths.setdefault(path, {})[route.method.lower()] = operation(route, kind, doc(kind))
        else:
            paths.setdefault(route.path, {})[route.method.lower()] = operation(
                route, route.body, summary(handlers, route)
            )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Fabletop",
            "version": __version__,
            "description": "Tables for fairy-tale board games.",
        },
        "paths": paths,
        "components": {
            "schemas": {**schemas, **all_game_schemas()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def operation(route: Route, body: type | None, text: str) -> dict[str, Any]:
    """One method of one path."""
    error = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    reasons: dict[int, list[str]] = {}
    for code in route.refuses:
        reasons.setdefault(STATUS[code], []).append(code)
    answers: dict[str, Any] = {
        str(status): {"description": ", ".join(codes), **error} for status, codes in sorted(reasons.items())
    }
    kind: dict[str, Any] = {"type": "object"}
    if route.answer is not None:
        kind = {"$ref": f"#/components/schemas/{route.answer.__name__}"}
    if "{verb}" in route.path:
        names = ("Done", "Hinted")
        kind = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}
    answers[str(route.status)] = {"description": "done", "content": {"application/json": {"schema": kind}}}
    description: dict[str, Any] = {"summary": text.split("\n", maxsplit=1)[0], "responses": answers}
    if "{table}" in route.path:
        description["security"] = [{"token": []}] if "{verb}" in route.path else [{}, {"token": []}]
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": TABLE_ID,
        }
        for name in re.findall(r"{(\w+)}", route.path)
        if name != "verb"
    ]
    parameters += [{"name": name, "in": "query", "schema": schema} for name, schema in route.query.items()]
    if parameters:
        description["parameters"] = parameters
    if body is not None:
        schema = {"$ref": f"#/components/schemas/{body.__name__}"}
        description["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return description
