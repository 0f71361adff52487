"""Who may look at a table and act at it: one function decides for sockets and HTTP."""

import pytest

from fabletop.client import RequestRefused
from fabletop.games import GAMES
from fabletop.server.protocol.errors import ApiError
from fabletop.server.stores.entries import Began, Closed, Head, Sat
from fabletop.server.tables.access import need_everything, need_host, seat_for, viewer_for
from fabletop.server.tables.table import opened
from tests.server.hall import raw


def table_with(*more, spectators=True, keys=("ana", "ben")):
    head = Head(
        "t", "equinox", GAMES["equinox"].rules, {"seats": 2}, "seed", 1.0, "host", spectators=spectators
    )
    return opened(head, [*(Sat(2.0, n, f"Seat {n}", key=key) for n, key in enumerate(keys)), *more])


NO_SEAT, NO_TOKEN, SHUT = "no seat at this table", "seat is not yours", "not open to spectators"


@pytest.mark.parametrize(
    ("key", "seat", "spectators", "found"),
    [
        ("ana", None, True, 0),
        ("ana", 0, False, 0),
        ("ana", 1, True, "seat is not yours"),
        ("", None, True, None),
        ("", None, False, SHUT),
        ("", 0, True, NO_TOKEN),
        ("", 0, False, SHUT),
        ("host", None, True, None),
        ("host", None, False, None),
        ("host", 0, True, NO_TOKEN),
        ("cleo", None, True, NO_SEAT),
        ("cleo", 0, True, NO_SEAT),
    ],
)
def test_through_whose_eyes(key, seat, spectators, found):
    table = table_with(Began(3.0), spectators=spectators)
    if not isinstance(found, str):
        assert viewer_for(table, key, seat) == found
        return
    with pytest.raises(ApiError, match=found) as caught:
        viewer_for(table, key, seat)
    assert caught.value.code == "not_allowed"


def test_for_whom_one_may_act():
    hot = table_with(Began(3.0), keys=("ana", "ana"))
    assert seat_for(hot, "ana", 1) == 1
    (asked,) = hot.asked()
    assert seat_for(hot, "ana", None) == asked
    for key in ("", "host", "ben"):
        with pytest.raises(ApiError, match=NO_SEAT):
            seat_for(hot, key, None)
    need_host(hot, "host")
    for key in ("", "ana"):
        with pytest.raises(ApiError, match="only the host"):
            need_host(hot, key)


def test_who_may_know_everything():
    need_everything(table_with(Began(3.0), keys=("ana", "ana")), "ana")
    need_everything(table_with(Began(3.0), Closed(4.0, "closed")), "")
    for key in ("ana", "host", ""):
        with pytest.raises(ApiError, match="everybody’s secrets"):
            need_everything(table_with(Began(3.0)), key)
    with pytest.raises(ApiError, match=NO_SEAT):
        need_everything(table_with(Began(3.0), Closed(4.0, "closed")), "cleo")
    with pytest.raises(ApiError, match="not begun"):
        need_everything(table_with(), "ana")


async def test_sockets_and_http_refuse_in_the_same_words(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "thumbling"], name="Ana", spectators=False)
    table = made["table"]
    for token, seat in ((made["token"], 1), ("", None), ("", 0), (made["host"], 0), ("x" * 24, None)):
        query = {} if seat is None else {"seat": seat}
        with pytest.raises(RequestRefused) as http:
            await client.get(table, "view", token, **query)
        with pytest.raises(RequestRefused) as socket:
            async with client.connect(table, token, **query):
                pass
        assert str(http.value) == str(socket.value)
    assert (await raw(client, table, made["token"])).welcome["viewer"] == 0
