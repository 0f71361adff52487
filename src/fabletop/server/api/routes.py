"""Everything under /api as data: the application, docs/protocol.md and the OpenAPI description are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabletop.games import GAMES
from fabletop.lang import LANGUAGES
from fabletop.server.protocol import responses, wire
from fabletop.server.stores.entries import LONGEST_ID

ALWAYS = ("bad_message", "too_many", "busy")
OF_A_TABLE = (*ALWAYS, "unknown", "not_allowed", "not_playing", "moved")
SEAT = {"type": "integer", "minimum": 0, "maximum": 15}
LANG = {"type": "string", "enum": list(LANGUAGES)}
PLACE = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
"""In a story: how many events come before."""
TABLE_ID = {"type": "string", "pattern": f"^{wire.TABLE_ID}$"}


@dataclass(frozen=True, slots=True)
class Route:
    """One request: `handler` is a method of Handlers, `body` the message it takes (`raw`: one that the handler reads by
    itself), `answer` what it answers with, `refuses` the codes it may answer with instead."""

    method: str
    path: str
    handler: str
    body: type | None = None
    raw: bool = False
    status: int = 200
    answer: type | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    refuses: tuple[str, ...] = ALWAYS


TABLE = "/api/tables/{table}"
LOOK = {"seat": SEAT, "lang": LANG}

ROUTES = (
    Route("GET", "/api/about", "about", answer=responses.About),
    Route("GET", "/api/openapi.json", "openapi"),
    Route("GET", "/api/words/{lang}", "words", answer=responses.Words, refuses=(*ALWAYS, "unknown")),
    Route(
        "GET",
        "/api/cards/{game}",
        "cards",
        answer=responses.Cards,
        query={"lang": LANG},
        refuses=(*ALWAYS, "unknown"),
    ),
    Route(
        "GET",
        "/api/lessons/{game}",
        "lessons",
        answer=responses.CourseNow,
        query={"lang": LANG},
        refuses=(*ALWAYS, "unknown"),
    ),
    Route(
        "POST",
        "/api/lessons",
        "make_lesson",
        wire.NewLesson,
        status=201,
        answer=wire.Done,
        refuses=(*ALWAYS, "unknown", "taken", "too_large"),
    ),
    Route(
        "POST",
        "/api/tables",
        "make",
        wire.NewTable,
        status=201,
        answer=wire.Done,
        refuses=(*ALWAYS, "bad_options", "taken", "too_large"),
    ),
    Route(
        "GET",
        "/api/tables",
        "open_tables",
        answer=responses.OpenTables,
        query={"game": {"type": "string", "enum": list(GAMES)}, "before": TABLE_ID},
    ),
    Route("POST", "/api/mine", "mine", wire.Mine, answer=responses.OwnTables, refuses=(*ALWAYS, "too_large")),
    Route(
        "POST",
        "/api/records",
        "import_record",
        responses.RecordFile,
        raw=True,
        status=201,
        answer=wire.Done,
        query={"id": {"type": "string", "maxLength": LONGEST_ID}},
        refuses=(*ALWAYS, "bad_record", "too_large"),
    ),
    Route("GET", TABLE, "table", answer=wire.TableNow, refuses=OF_A_TABLE),
    Route("GET", f"{TABLE}/view", "view", answer=responses.Seen, query=LOOK, refuses=OF_A_TABLE),
    Route(
        "GET",
        f"{TABLE}/story",
        "story",
        answer=responses.Story,
        query={**LOOK, "from": PLACE},
        refuses=OF_A_TABLE,
    ),
    Route(
        "GET",
        f"{TABLE}/taught",
        "taught",
        answer=responses.Taught,
        query={"seat": SEAT, "from": PLACE, "told": PLACE},
        refuses=OF_A_TABLE,
    ),
    Route("GET", f"{TABLE}/record", "record", answer=responses.RecordFile, refuses=OF_A_TABLE),
    Route("GET", f"{TABLE}/verify", "verify", answer=responses.Verified, refuses=OF_A_TABLE),
    Route(
        "GET",
        f"{TABLE}/at",
        "at",
        answer=responses.Point,
        query={"at": {"type": "integer", "minimum": 0, "maximum": 1_000_000}, "seat": SEAT},
        refuses=OF_A_TABLE,
    ),
    Route(
        "GET",
        f"{TABLE}/chances",
        "chances",
        answer=responses.Chances,
        query={"seat": SEAT},
        refuses=(*OF_A_TABLE, "busy"),
    ),
    Route(
        "POST",
        f"{TABLE}/branch",
        "branch",
        wire.Branch,
        status=201,
        answer=wire.Done,
        refuses=(*OF_A_TABLE, "bad_record", "too_large"),
    ),
    Route(
        "POST",
        f"{TABLE}/sit",
        "sit",
        wire.Sit,
        status=201,
        answer=wire.Done,
        refuses=(*OF_A_TABLE, "taken", "too_large"),
    ),
    Route(
        "POST",
        f"{TABLE}/{{verb}}",
        "verb",
        refuses=(
            *OF_A_TABLE,
            "not_asked",
            "stale",
            "not_offered",
            "cannot_undo",
            "taken",
            "no_hint",
            "too_large",
        ),
    ),
)
