"""The HTTP side keeps what its description says: requests made from it, right ones and wrong ones."""

import asyncio
import re

import msgspec
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from fabletop import Chance
from fabletop.client import RequestRefused
from fabletop.games import GAMES
from fabletop.server.api.handlers import Handlers
from fabletop.server.api.openapi import openapi, protocol_page
from fabletop.server.api.routes import ROUTES
from fabletop.server.protocol import responses, wire
from fabletop.server.protocol.errors import STATUS
from fabletop.server.protocol.views import prefix
from tests.server.hall import PATIENCE, hall, play, table_of

QUIET = settings(
    max_examples=10,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

EXCLUDED = [positive_data_acceptance, negative_data_rejection]  # since tables and tokens are put in by hand


def ask(address, table, token, where=""):
    """Cases for every operation with `where` in its path, both those that fit its description and those that do not;
    what went wrong."""
    failures = []
    for result in schemathesis.openapi.from_dict(openapi(Handlers)).get_all_operations():
        operation = result.ok()
        if where not in operation.path:
            continue
        right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        wrong = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
        count = 0

        @QUIET
        @given(case=right | wrong)
        def check(case):
            nonlocal count
            count += 1
            if "table" in (case.path_parameters or {}) and count % 2:
                case.path_parameters["table"] = table
            headers = {"Authorization": f"Bearer {token}"} if count % 3 else {}
            response = case.call(base_url=address, headers=headers, timeout=PATIENCE)
            if response.status_code >= 500 and response.status_code != 503:
                raise AssertionError(f"{response.status_code}: {response.text}")
            case.validate_response(response, excluded_checks=EXCLUDED)

        try:
            check()
        except BaseException as error:  # schemathesis groups its findings
            failures.append(
                "\n".join([f"{operation.label}: {error}", *map(repr, getattr(error, "exceptions", ()))])
            )
    return failures


async def finished(client):
    """A game that is over: its table and the token of its first seat."""
    made = await client.make("equinox", ["open", "thumbling"], name="Ana")
    async with client.connect(made["table"], made["token"]) as place:
        await play(place, Chance(1))
    return made["table"], made["token"]


async def answered(client, method, path, body, token):
    """The answer to a request; one that a busy server refuses is made again, as its message says."""
    async with asyncio.timeout(4 * PATIENCE):
        while True:
            try:
                return await client.call(method, path, body, token=token)
            except RequestRefused as refused:
                if refused.code != "busy":
                    raise


async def test_no_request_makes_a_fault_or_an_answer_that_is_not_described(tmp_path):
    async with hall(tmp_path, hint_milliseconds=5) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        failures = await asyncio.to_thread(ask, hall_.address, table, tokens[0])
        table, token = await finished(client)
        failures += await asyncio.to_thread(ask, hall_.address, table, token, "{table}")
        assert not failures, "\n\n".join(failures)
        assert hall_.server.services.metrics.faults._value.get() == 0


async def test_the_description_is_served_and_names_every_route_and_code(open_hall):
    _, client = open_hall
    told = await client.call("GET", "/api/openapi.json")
    assert told == openapi(Handlers)
    for route in ROUTES:
        if "{verb}" not in route.path:
            assert route.method.lower() in told["paths"][route.path]
        assert set(route.refuses) <= set(STATUS)


def told(answer, kind):
    """Is this just what is described: every field there, of its type, and no field besides?"""
    schema = msgspec.json.schema(kind, ref_template="{name}")
    parts = schema.get("$defs", {})

    def check(value, schema):
        schema = parts.get(schema.get("$ref"), schema)
        if "anyOf" in schema:
            kinds = [one for one in schema["anyOf"] if (one.get("type") == "null") == (value is None)]
            return any(check(value, one) for one in kinds)
        if isinstance(value, list):
            return all(check(one, schema.get("items", {})) for one in value)
        if not isinstance(value, dict):
            return True  # types are for msgspec to check
        if "title" not in schema:  # no message of ours, but an object by names, or an open one
            return all(check(one, schema.get("additionalProperties") or {}) for one in value.values())
        return value.keys() <= schema["properties"].keys() and all(
            check(one, schema["properties"][name]) for name, one in value.items()
        )

    msgspec.convert(answer, kind)
    return check(answer, schema)


async def test_every_answer_has_a_description_and_no_field_beside_it(open_hall):
    _, client = open_hall
    table, token = await finished(client)
    await client.make("equinox", ["open", "open"], name="Ben", listed=True)
    bodies = {
        "make": {"game": "equinox"},
        "make_lesson": {"game": "equinox", "lesson": "goodbye", "name": "Ana"},
        "mine": {"tokens": [token]},
        "branch": {"at": 3},
        "sit": {"name": "Cleo"},
        "import_record": await client.get(table, "record", token),
    }
    for route in ROUTES:
        if route.handler in ("openapi", "verb"):
            continue
        assert route.answer is not None, f"{route.path} has no described answer"
        at = (await client.make("equinox", ["open"] * 3))["table"] if route.handler == "sit" else table
        path = route.path.format(table=at, lang="fr", game="fairy_school")
        key = "" if route.handler == "sit" else token
        answer = await answered(client, route.method, path, bodies.get(route.handler), key)
        assert told(answer, route.answer), f"{path} tells more than is described: {answer}"
        for name in ("tables", "events", "cards"):
            assert answer.get(name) != [], f"{path} shows nothing to check"


async def test_a_table_that_has_not_begun_or_is_being_played_answers_as_described(open_hall):
    _, client = open_hall
    waiting = await client.make("equinox", ["open", "open"], name="Ana")
    playing = await client.make("equinox", ["open", "thumbling"], name="Ana", options={"first": 0})
    for made in (waiting, playing):
        for what, kind in (("", wire.TableNow), ("view", responses.Seen), ("story", responses.Story)):
            assert told(await client.get(made["table"], what, made["token"]), kind)
    hint = await client.do(playing["table"], "hint", playing["token"], id="one")
    assert told(hint, wire.Hinted)
    assert set(hint["options"][0]) == {"action", "victory", "points", "visits"}


def test_the_protocol_page_describes_every_type_that_it_names():
    page = protocol_page(Handlers)
    cells = [" ".join(line.split(" | ")[1:3]) for line in page.splitlines() if line.startswith("| ")]
    names = {name for cell in cells for name in re.findall(r"`([A-Z]\w+)`", cell)}
    headings = set(re.findall(r"^### `(\w+)`", page, re.MULTILINE))
    views = {f"{prefix(game)}View" for game in GAMES.values()}
    assert {"Taught", "NewLesson", "ListedSeat"} <= names
    assert names - headings == views, "docs/views.md describes views"


def test_the_description_is_not_satisfied_with_just_any_object():
    limits = dict.fromkeys(responses.Limits.__struct_fields__, 1)
    game = {"rules": 1, "seats": [2], "settings": [], "actions": 9}
    about = {"version": "", "run": "", "games": {"chess": game}, "levels": [], "level": "", "languages": {}}
    about |= {"reactions": [], "push": "", "limits": limits}
    assert told(about, responses.About)
    assert not told(about | {"more": 1}, responses.About)
    assert not told(about | {"limits": limits | {"more": 1}}, responses.About)
    assert not told(about | {"games": {"chess": game | {"more": 1}}}, responses.About)
    schemas = openapi(Handlers)["components"]["schemas"]
    for route in ROUTES:
        if route.answer is not None:
            assert schemas[route.answer.__name__]["properties"]
    assert set(schemas["Advice"]["required"]) == {
        "action",
        "victory",
        "points",
        "visits",
    }
