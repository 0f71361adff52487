"""The HTTP side keeps what its description says: requests made from it, right ones and wrong ones."""

import asyncio

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from fabletop.server.describe import openapi
from fabletop.server.refusals import STATUS
from fabletop.server.routes import ROUTES
from tests.server.hall import hall, table_of

QUIET = settings(
    max_examples=14,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

EXCLUDED = [positive_data_acceptance, negative_data_rejection]  # since tables and tokens are put in by hand


def ask(address, table, token):
    """Cases for every operation, both those that fit its description and those that do not; what went wrong."""
    failures = []
    for result in schemathesis.openapi.from_dict(openapi()).get_all_operations():
        operation = result.ok()
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
            response = case.call(base_url=address, headers=headers)
            if response.status_code >= 500 and response.status_code != 503:
                raise AssertionError(f"{response.status_code}: {response.text}")
            case.validate_response(response, excluded_checks=EXCLUDED)

        try:
            check()
        except BaseException as error:  # schemathesis groups its findings
            failures.append(f"{operation.label}: {error}")
    return failures


async def test_no_request_makes_a_fault_or_an_answer_that_is_not_described(tmp_path):
    async with hall(tmp_path, hint_milliseconds=5) as (hall_, client):
        table, tokens = await table_of(client, "equinox", 2)
        failures = await asyncio.to_thread(ask, hall_.address, table, tokens[0])
        assert not failures, "\n\n".join(failures)
        assert hall_.server.house.metrics.faults._value.get() == 0


async def test_the_description_is_served_and_names_every_route_and_code(open_hall):
    _, client = open_hall
    told = await client.call("GET", "/api/openapi.json")
    assert told == openapi()
    for route in ROUTES:
        if "{verb}" not in route.path:
            assert route.method.lower() in told["paths"][route.path]
        assert set(route.refuses) <= set(STATUS)
