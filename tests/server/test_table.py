"""The fold of a log: who hears of what, snapshots, undo. No network, no store."""

import itertools

import msgspec
import pytest

from fabletop import GAMES, Chance
from fabletop.lang import Lexicon
from fabletop.lang.lines import Teller
from fabletop.server.protocol.errors import ApiError
from fabletop.server.stores.entries import Acted, Began, Head, Left, Sat, Undid, encode, entry_of
from fabletop.server.tables.messages import Preferences, Renderer
from fabletop.server.tables.table import PLAYING, opened

GAMES_AND_SEATS = [
    ("equinox", {"seats": 3}),
    ("fairy_school", {"seats": 3, "length": "short", "setup": "beginners"}),
]


def new(game="equinox", seats=2, seed="table", **options):
    """A table with people in all seats, dealt, and its log."""
    rules = GAMES[game]
    head = Head("t", game, rules.rules, rules.options({"seats": seats, **options}), seed, 0.0, "host")
    log = [Sat(1.0, seat, f"N{seat}", key=f"k{seat}") for seat in range(seats)] + [Began(2.0)]
    return opened(head, log), log


def test_a_table_whose_cards_have_changed_is_refused_in_words():
    table, log = new()
    assert opened(msgspec.structs.replace(table.head, digest=GAMES["equinox"].digest), log).status == PLAYING
    with pytest.raises(ApiError, match="this table plays with other cards") as refused:
        opened(msgspec.structs.replace(table.head, digest="0123"), log)
    assert refused.value.code == "not_playing"


def story_of(table, viewer, told=0):
    """What a viewer is told after the first `told` events, as it goes over the wire."""
    places = table.cursor(viewer).heard[told:]
    return [msgspec.json.decode(event) for event in Renderer(table, 0.0).events(viewer, places, None)]


def walk(table, log, seed, undos=8, limit=None):
    """Random play with undos; yields before each entry, then folds it and yields what changed."""
    chance = Chance.from_text(seed)
    for n in itertools.count():
        if table.status != PLAYING or n == limit:
            return
        entry = None
        if undos and chance.below(undos) == 0:
            seat = chance.below(len(table.seats))
            if table.sitting.undo_barrier(seat) is None:
                entry = Undid(3.0 + n, seat, id=f"u{n}")
        if entry is None:
            seat = chance.pick(table.asked())
            entry = Acted(
                3.0 + n, seat, table.game.actions[chance.pick(table.choice(seat).options)], id=f"a{n}"
            )
        log.append(entry)
        yield entry


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_a_view_that_is_written_in_two_parts_is_the_view(game, options):
    table, log = new(game, seed="parts", **options)
    for entry in walk(table, log, "parts", undos=0):
        table.fold(entry)
        renderer, state = Renderer(table, 0.0), table.sitting.state
        common = table.game.views(state, lambda part: part).common()
        for viewer in (None, *range(len(table.seats))):
            view = table.game.view(state, viewer)
            assert msgspec.json.decode(renderer.view(viewer)) == view
            assert common.items() <= view.items()


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_who_is_not_told_sees_no_difference_and_numbers_tell_nothing(game, options):
    table, log = new(game, seed="silence", **options)
    rules = table.game
    silent = 0
    for entry in walk(table, log, "silence", limit=400):
        before = [(rules.view(table.sitting.state, r.viewer), r.seq, r.choice, r.told) for r in table.cursors]
        heard = set(table.fold(entry).updates)
        assert entry.seat in heard
        for (view, seq, choice, told), cursor in zip(before, table.cursors, strict=True):
            if cursor.viewer in heard:
                assert cursor.seq == seq + 1
            else:
                silent += 1
                assert (cursor.seq, cursor.choice, cursor.told) == (seq, choice, told)
                assert rules.view(table.sitting.state, cursor.viewer) == view
    assert silent > 0, "somebody must have acted unseen"


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_the_options_that_reveal_are_those_that_cannot_be_taken_back(game, options):
    table, log = new(game, seed="reveals", **options)
    counts = [0, 0]
    for n, entry in enumerate(walk(table, log, "reveals", undos=0, limit=700)):
        if n % 4 == 0:
            now = Renderer(table, 0.0).choice(entry.seat, Preferences(reveals=True))
            assert not Renderer(table, 0.0).choice(entry.seat, Preferences()).reveals
            for option in now.options:
                after = table.sitting.fork()
                after.act(entry.seat, option)
                assert (option in now.reveals) == (after.undo_barrier(entry.seat) is not None)
                counts[option in now.reveals] += 1
        table.fold(entry)
    assert min(counts) > 10


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_a_choice_in_words_says_why_something_else_cannot_be_chosen(game, options):
    table, log = new(game, seed="reasons", **options)
    said = 0
    for entry in walk(table, log, "reasons", undos=0, limit=200):
        assert not Renderer(table, 0.0).choice(entry.seat, Preferences()).reasons
        now = Renderer(table, 0.0).choice(entry.seat, Preferences("de"))
        assert all(why.text and why.rule and why.things for why in now.reasons)
        said += len(now.reasons)
        table.fold(entry)
    assert said > 200


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_what_is_shared_between_viewers_is_what_each_would_get_alone(game, options, lang):
    table, log = new(game, seed="shared", **options)
    for entry in walk(table, log, "shared", undos=0, limit=400):
        table.fold(entry)
    renderer, rows = Renderer(table, 0.0), table.sitting.rows
    for viewer in (*range(3), None):
        teller, places = Teller(Lexicon(lang), table.game, table.names, viewer), table.cursor(viewer).heard
        told = [table.game.events.redact(rows[place], viewer) for place in places]
        alone = [{**event.json(), "line": teller.line(event)} for event in told]
        assert [msgspec.json.decode(event) for event in renderer.events(viewer, places, lang)] == alone
        assert msgspec.json.decode(renderer.view(viewer)) == table.sitting.view(viewer)


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_a_reader_tells_the_story_of_the_event_table(game, options):
    table, log = new(game, seed="story", **options)
    for n, entry in enumerate(walk(table, log, "story", limit=300)):
        table.fold(entry)
        if n % 20 and n > 10:
            continue
        for cursor in table.cursors:
            whole = [event.json() for event in table.game.events.story(table.sitting.rows, cursor.viewer)]
            assert cursor.told == len(whole)
            for told in {0, 1, len(whole) // 2, max(0, len(whole) - 2), len(whole)}:
                assert story_of(table, cursor.viewer, told) == whole[told:]


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_reconnecting_viewers_receive_what_they_missed_also_over_undos(game, options):
    table, log = new(game, seed="missed", **options)
    seen = [{r.seq: story_of(table, r.viewer)} for r in table.cursors]
    for entry in walk(table, log, "missed", undos=4, limit=150):
        table.fold(entry)
        for known, cursor in zip(seen, table.cursors, strict=True):
            known[cursor.seq] = story_of(table, cursor.viewer)
    for known, cursor in zip(seen, table.cursors, strict=True):
        checked = 0
        for seq, story in known.items():
            keep = cursor.kept_since(seq)
            checked += 1
            assert story[:keep] + story_of(table, cursor.viewer, keep) == story_of(table, cursor.viewer)
        assert checked > 5


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_a_snapshot_goes_on_as_if_nothing_had_happened(game, options):
    table, log = new(game, seed="snap", **options)
    for n, entry in enumerate(walk(table, log, "snap", limit=250)):
        table.fold(entry)
        if n % 41 == 40:
            stored = [entry_of(encode(e)) for e in log]
            loaded = opened(table.head, stored, table.snapshot())
            replayed = opened(table.head, stored)
            for other in (loaded, replayed):
                assert other.snapshot() == table.snapshot()
                assert other.ids == table.ids
                for a, b in zip(other.cursors, table.cursors, strict=True):
                    assert all(
                        getattr(a, name) == getattr(b, name) for name in a.__slots__ if name != "audience"
                    )
            table.__dict__.update(loaded.__dict__)  # go on with the one that was loaded


def test_a_snapshot_ahead_of_the_log_is_not_used():
    table, log = new()
    for entry in walk(table, log, "ahead", limit=20):
        table.fold(entry)
    snapshot = table.snapshot()
    assert opened(table.head, log[:-3], snapshot).length == len(log) - 3


def test_a_snapshot_of_another_form_is_not_used():
    table, log = new()
    for entry in walk(table, log, "form", limit=20):
        table.fold(entry)
    other = msgspec.json.encode({"length": len(log), "sitting": "as it once was"})
    assert opened(table.head, log, other).snapshot() == table.snapshot()


def test_a_choice_that_is_answered_or_was_never_put_is_refused():
    table, _ = new()
    (seat,) = table.asked()
    choice = table.cursors[seat].choice
    option = table.choice(seat).options[0]
    table.fold(Acted(3.0, seat, table.game.actions[option]))
    for wrong in (choice, choice + 40):
        with pytest.raises(ApiError, match="choice") as refused:
            table.checked_action(seat, wrong, option)
        assert refused.value.code == "stale"
    with pytest.raises(ApiError):
        table.checked_action(1 - seat, None, 0) if 1 - seat not in table.asked() else table.checked_action(
            seat, None, 10**6
        )


def test_seats_that_decide_at_once_do_not_make_each_others_choices_stale():
    table, _ = new("fairy_school", 3, seed="together")
    assert table.asked() == [0, 1, 2]
    put = [cursor.choice for cursor in table.cursors[:3]]
    first = table.game.actions[table.choice(0).options[0]]
    for n, seat in enumerate((0, 2)):
        table.fold(
            Acted(3.0 + n, seat, first if seat == 0 else table.game.actions[table.choice(2).options[-1]])
        )
    assert table.cursors[1].choice == put[1]
    if table.sitting.undo_barrier(0) is None:
        table.fold(Undid(9.0, 0))
    assert table.cursors[1].choice == put[1]
    table.checked_action(1, put[1], table.choice(1).options[0])


def test_a_bot_in_the_seat_changes_nothing_about_the_seat():
    table, _ = new()
    (seat,) = table.asked()
    choice = table.cursors[seat].choice
    assert table.fold(Left(5.0, seat, "gretel")).table
    assert table.seats[seat].bot == "gretel"
    assert table.seats[seat].key == f"k{seat}"
    assert table.cursors[seat].choice == choice


@pytest.mark.parametrize(("game", "options"), GAMES_AND_SEATS)
def test_a_viewer_that_hears_nothing_sees_nothing_new(game, options):
    # what no event tells must still reach those who see it; and a step that nobody sees must not be announced
    halves = 0
    for seed in range(25 if game == "equinox" else 3):
        table, log = new(game, seed=f"half {seed}", **options)
        for entry in walk(table, log, f"half {seed}", undos=0, limit=150):
            state = table.sitting.state
            before, half = [table.sitting.view(c.viewer) for c in table.cursors], table.game.half_step(state)
            updates = table.fold(entry).updates
            for cursor, view in zip(table.cursors, before, strict=True):
                if cursor.viewer not in updates:
                    assert table.sitting.view(cursor.viewer) == view
            if table.game.half_step(table.sitting.state) != half:
                halves += 1
                assert table.sitting.view(None) != before[-1]
    assert halves or game != "equinox"


def test_a_checked_action_is_folded_as_its_text_is():
    for game, options in (case.values if hasattr(case, "values") else case for case in GAMES_AND_SEATS):
        table, log = new(game, seed="numbers", **options)
        other = opened(table.head, log)
        for entry in walk(table, log, "numbers", undos=0, limit=60):
            number = other.checked_action(entry.seat, None, entry.action)
            assert other.fold(entry, number) == table.fold(entry)
        assert other.snapshot() == table.snapshot()
