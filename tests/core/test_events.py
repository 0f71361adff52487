"""Events and their audiences."""

import pytest

from fabletop.core.events import EventKind, EventTable, Field

VALUES = {"seat": int, "card": "ABCDEFG".__getitem__}


def table(*fields, **kind):
    return EventTable({1: EventKind("gave", fields, **kind)}, VALUES)


GIFT = table(
    Field("seat", "seat"),
    Field("target", "seat"),
    Field("card", "card", eyes=("seat", "target")),
    Field("rest", "card*"),
)


def test_fields_are_named_and_lists_take_the_rest():
    event = GIFT.decode((1, 0, 2, 3, 4, 5))
    assert event.json() == {"event": "gave", "seat": 0, "target": 2, "card": "D", "rest": ["E", "F"]}


@pytest.mark.parametrize(("viewer", "sees"), [(0, True), (1, False), (2, True), (None, False)])
def test_private_fields_are_absent_for_other_eyes(viewer, sees):
    event = GIFT.redact((1, 0, 2, 3), viewer)
    assert ("card" in event.fields) is sees


def test_a_hidden_kind_is_not_told_at_all():
    hidden = table(Field("seat", "seat"), only=("seat",))
    assert hidden.redact((1, 0), 0) is not None
    assert hidden.redact((1, 0), 1) is None
    assert hidden.story([(1, 0)], None) == []


@pytest.mark.parametrize(
    ("fields", "kind", "message"),
    [
        ([Field("x", "planet")], {}, "unknown kind 'planet'"),
        ([Field("x", "card*"), Field("seat", "seat")], {}, "must come last"),
        ([Field("card", "card", eyes=("owner",))], {}, "eyes of card are not seats"),
        ([Field("card", "card")], {"only": ("card",)}, "audience is not made of seats"),
        ([Field("card", "card")], {"later": True}, "has no field `seat`"),
    ],
)
def test_a_table_that_leaves_an_audience_open_fails_at_import(fields, kind, message):
    with pytest.raises(TypeError, match=message):
        table(*fields, **kind)


def test_a_row_that_the_table_does_not_list_is_an_error():
    with pytest.raises(ValueError, match="has 3 values, its table lists 1"):
        table(Field("seat", "seat")).decode((1, 0, 1, 2))
