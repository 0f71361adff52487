"""Events and their audiences."""

import pytest

from fabletop.core.chance import Chance
from fabletop.core.events import CLOSED, Event, EventKind, EventTable, Field, Listener, hear_all
from fabletop.core.sitting import Sitting
from fabletop.games import GAMES

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


# ---- the quick path: rows, places, all viewers at once ---------------------------------------------------------------


def told_slowly(events, rows, viewer):
    """The audiences by the words of the module's docstring, from decoded events and nothing else."""

    def stands_in(names, whole):
        return viewer is not None and any(whole[name] == viewer for name in names)

    told, held = [], []
    for row in rows:
        if row[0] == CLOSED:
            told += [event for _, event in sorted(held, key=lambda pair: pair[0])]
            held = []
            continue
        kind, whole = events.kinds[row[0]], events.decode(row).fields
        if kind.only is not None and not stands_in(kind.only, whole):
            continue
        eyes = {f.name: f.eyes for f in kind.fields}
        shown = {n: v for n, v in whole.items() if eyes[n] is None or stands_in(eyes[n], whole)}
        if kind.later and whole["seat"] != viewer:
            held.append((whole["seat"], Event(kind.name, shown)))
        else:
            told.append(Event(kind.name, shown))
    return told


def differences(events, steps, seats):
    """Where the quick path and the slow one disagree for some viewer; `steps` are lists of rows that only grow."""
    viewers = [*range(seats), None]
    listeners = [Listener(events, viewer) for viewer in viewers]
    for rows in steps:
        hear_all(listeners, rows)
        for listener in listeners:
            quick = [events.redact(rows[place], listener.viewer) for place in listener.heard]
            if quick != told_slowly(events, rows, listener.viewer):
                yield listener.viewer, "told"
    for row in rows:
        if row[0] != CLOSED:
            concerned = events.concerned(row)
            for viewer in viewers:
                if viewer not in concerned and events.redact(row, viewer) != events.redact(row, None):
                    yield viewer, "concerned"
                if row[0] in events.alike and events.redact(row, viewer) != events.redact(row, None):
                    yield viewer, "alike"


def random_play(game, seats, seed, actions):
    """The rows of a game after each of N random actions."""
    sitting, chance = Sitting(game, {"seats": seats}, seed=seed), Chance.from_text(seed)
    for _ in range(actions):
        asked = sitting.state.asked()
        if not asked:
            break
        seat = chance.pick(asked)
        sitting.act(seat, chance.pick(sitting.state.legal(seat)))
        yield list(sitting.rows)


PLAYED = [(name, seats) for name, game in GAMES.items() for seats in game.seat_counts]


@pytest.mark.parametrize(("name", "seats"), PLAYED)
def test_the_quick_path_tells_every_viewer_what_the_slow_one_tells(name, seats):
    game = GAMES[name]
    for seed in ("spring", "autumn"):
        assert not [*differences(game.events, random_play(game, seats, seed, 120), seats)]


TALES = EventTable(
    {
        1: EventKind("gave", (Field("seat", "seat"), Field("card", "card", eyes=("seat",)))),
        2: EventKind("peeked", (Field("seat", "seat"), Field("card", "card")), only=("seat",)),
        3: EventKind("chose", (Field("seat", "seat"), Field("card", "card", eyes=("seat",))), later=True),
    },
    VALUES,
)
TALE = [[(3, 1, 4), (3, 0, 2)], [(3, 1, 4), (3, 0, 2), (1, 2, 3), (2, 1, 5), (CLOSED,), (1, 0, 6)]]


def test_a_stage_is_told_when_it_closes_and_by_seat():
    assert not [*differences(TALES, TALE, 3)]
    listener = Listener(TALES, 2)
    assert list(listener.hear(TALE[0])) == []
    assert list(listener.hear(TALE[1])) == [2, 1, 0, 5]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda t: t._only.pop(2), "told"),
        (lambda t: t._later.pop(3), "told"),
        (lambda t: t._eyes.update({1: []}), "told"),
        (lambda t: setattr(t, "at_once", t.at_once | {2}), "told"),
        (lambda t: t._seats.update({1: ((), 0)}), "concerned"),
        (lambda t: setattr(t, "alike", t.alike | {1}), "alike"),
    ],
)
def test_a_wrong_quick_path_is_noticed(change, where):
    wrong = EventTable(TALES.kinds, VALUES)
    change(wrong)
    steps = [[TALE[1][3]], [TALE[1][3], *TALE[1]]]  # the first step holds one kind alone, so `at_once` counts
    assert where in {what for _, what in differences(wrong, steps, 3)}
