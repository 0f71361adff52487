"""The laws: what must hold for any game, checked on random play.

Every law is a function of a game, its options and a seed; it raises `LawBroken` with what it found. Laws do
not depend on the rules, so they apply to a new game without changes:

>>> from fabletop import GAMES
>>> from fabletop.core import laws
>>> laws.somebody_can_move(GAMES["equinox"], {"seats": 3}, seed="law")

The tenth law, that the compiled and the interpreted engine agree, compares the `digests` of two processes.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from itertools import cycle, product
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, BadText, NotOffered
from fabletop.core.game import Choice, Game, Options, Setting
from fabletop.core.planes import size_of
from fabletop.core.records import parse
from fabletop.core.sitting import Sitting, replay, steps

LONGEST = 100_000
"""A game with more actions than this counts as endless."""

LOOKS = 60
"""The costly laws are checked at this many random moments of a game."""

Law = Callable[[Game, Options, str], None]


class LawBroken(AssertionError):
    """A game breaks a law."""


def demand(holds: bool, law: int, message: str, sitting: Sitting | None = None) -> None:
    """Raise LawBroken unless it holds; the message has the seed and the number of actions."""
    if not holds:
        made = f"\nafter {len(sitting.actions)} actions, seed {sitting.seed!r}" if sitting else ""
        raise LawBroken(f"law {law}: {message}{made}")


def walk(game: Game, options: Options, seed: str) -> Iterator[tuple[Sitting, int, int]]:
    """Random play: yields the sitting with the seat and the action that come next, then carries them out."""
    sitting = Sitting(game, options, seed=seed)
    chance = Chance.from_text(f"walk {seed}")
    while pending := sitting.pending:
        seat = chance.pick(sorted(pending))
        action = chance.pick(pending[seat].options)
        yield sitting, seat, action
        sitting.act(seat, action)
        demand(len(sitting.actions) < LONGEST, 1, "the game does not end", sitting)


def played(game: Game, options: Options, seed: str) -> Sitting:
    """A whole game of random play."""
    sitting = Sitting(game, options, seed=seed)
    for sitting, _, _ in walk(game, options, seed):  # noqa: B007 - the last one is wanted
        pass
    return sitting


def looks(game: Game, options: Options, seed: str, chance: Chance) -> Iterator[tuple[Sitting, int, int]]:
    """Random play as in `walk`, but only some moments of it."""
    length = len(played(game, options, seed).actions)
    chosen = set(chance.shuffled(range(length))[:LOOKS])
    for moment in walk(game, options, seed):
        if len(moment[0].actions) in chosen:
            yield moment


def all_options(game: Game) -> list[dict[str, Any]]:
    """The option sets under which a game is tried, taken from its own settings.

    Every combination of seats and of the settings with few values; and for each other setting its extremes, one at a
    time, with the seat counts in turn. What the game does not accept is left out.
    """
    small = [s for s in game.settings if s.kind in ("one", "yes")]
    values = [s.values if s.kind == "one" else (False, True) for s in small]
    sets = [
        {"seats": seats, **{s.name: value for s, value in zip(small, combination, strict=True)}}
        for seats in game.seat_counts
        for combination in product(*values)
    ]
    counts = cycle(game.seat_counts)
    for setting in game.settings:
        for extreme in _extremes(setting):
            seats = next(counts)
            sets.append({"seats": seats, setting.name: seats - 1 if extreme == "last" else extreme})
    accepted = []
    for options in sets:
        try:
            accepted.append(game.options(options))
        except BadOptions:
            continue
    return accepted


def _extremes(setting: Setting) -> list[Any]:
    if setting.kind == "number":
        return [setting.low, setting.high]
    if setting.kind == "some":
        return [list(setting.values[: setting.count]), list(setting.values[-setting.count :])]
    return [0, "last"] if setting.kind == "first" else []


def bytes_of(value: Any) -> str:
    """A value as it would be sent."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def choice_bytes(choice: Choice | None) -> str:
    """A choice as it would be sent."""
    return bytes_of(
        None if choice is None else [choice.seat, choice.kind, choice.options, dict(choice.about)]
    )


def reason_bytes(game: Game, state: Any, viewer: int) -> str:
    """The reasons and previews that go with a choice, as they would be sent; nothing where the seat is not asked."""
    choice = game.pending(state).get(viewer)
    if choice is None:
        return ""
    view = game.view(state, viewer)
    return bytes_of([game.reasons(view, choice), game.previews(view, choice)])


def observed(game: Game, state: Any, seat: int) -> tuple[bytes, bytes]:
    """The observation and the mask of a seat, into buffers that held something else before."""
    seen, offered = (bytearray(b"\xa5" * size) for size in (size_of(game.planes), len(game.actions)))
    game.observe(state, seat, seen)
    game.mask(state, seat, offered)
    return bytes(seen), bytes(offered)


def somebody_can_move(game: Game, options: Options, seed: str) -> None:
    """Law 1: somebody can move or the game is over, and it ends."""
    last = None
    for sitting, _, _ in walk(game, options, seed):
        last = sitting
        pending = sitting.pending
        demand(sitting.outcome is None, 1, "an outcome while seats are still asked", sitting)
        demand(sorted(pending) == sitting.state.asked(), 1, "pending and asked differ", sitting)
        for seat, choice in pending.items():
            offered = choice.options
            demand(len(offered) > 0, 1, f"seat {seat} is asked {choice.kind} without an option", sitting)
            demand(
                list(offered) == sorted(set(offered)), 1, "options are not ascending and distinct", sitting
            )
            demand(list(offered) == sitting.state.legal(seat), 1, "options and legal differ", sitting)
            mask = observed(game, sitting.state, seat)[1]
            demand(mask == bytes(a in offered for a in range(len(mask))), 1, "the mask is wrong", sitting)
            demand(
                offered[0] >= 0 and offered[-1] < len(game.actions), 1, "option not in the catalogue", sitting
            )
    demand(last is not None, 1, "the game was over before it began")
    assert last is not None
    outcome = last.outcome
    demand(outcome is not None, 1, "nobody can move, yet there is no outcome", last)
    assert outcome is not None
    demand(len(outcome.scores) == last.state.seats and len(outcome.winners) > 0, 1, "nobody has won", last)


def refused_is_unchanged(game: Game, options: Options, seed: str) -> None:
    """Law 2: what was not offered is refused and changes nothing."""
    chance = Chance.from_text(f"law 2 {seed}")
    for sitting, _, _ in looks(game, options, seed, chance):
        before = game.position(sitting.state)
        pending = sitting.pending
        for seat in (-1, *range(sitting.state.seats + 1)):
            offered = pending[seat].options if seat in pending else ()
            wrong = [chance.below(len(game.actions)) for _ in range(4)] + [-1, len(game.actions), 2**40]
            for action in wrong:
                demand(
                    sitting.state.offers(seat, action) == (action in offered), 2, "offers is wrong", sitting
                )
                if action not in offered:
                    _expect_refusal(sitting, seat, action)
        try:
            sitting.act(min(pending), "no such action")
        except BadText:
            pass
        else:
            raise LawBroken("law 2: a text that is no action was accepted")
        demand(game.position(sitting.state) == before, 2, "a refused action changed the state", sitting)


def _expect_refusal(sitting: Sitting, seat: int, action: int) -> None:
    try:
        sitting.act(seat, action)
    except NotOffered as error:
        demand(len(str(error)) > 10, 2, "a refusal without a reason", sitting)
    else:
        raise LawBroken(f"law 2: seat {seat} was not offered action {action}, yet it was accepted")


def digests(game: Game, options: Options, seed: str) -> Iterator[str]:
    """A short print of what is offered and said before every action of a random game and at its end, and of the whole
    state and what each seat observes of it at every eighth."""
    sitting = Sitting(game, options, seed=seed)
    for sitting, seat, action in walk(game, options, seed):
        yield _digest(sitting, (seat, action))
    yield _digest(sitting, sitting.outcome)


def _digest(sitting: Sitting, extra: object) -> str:
    state = sitting.state
    legal = [state.legal(seat) for seat in range(state.seats)]
    position: Any = ""
    if len(sitting.actions) % 8 == 0:
        seen = [observed(sitting.game, state, seat) for seat in range(state.seats)]
        position = (sitting.game.position(state), seen)
    whole = (position, legal, sitting.rows[-12:], state.learned, state.stage, extra)
    return hashlib.sha256(repr(whole).encode()).hexdigest()[:16]


def same_record_same_states(game: Game, options: Options, seed: str) -> None:
    """Law 3: the same record gives the same states."""
    first: list[str] = []
    last = Sitting(game, options, seed=seed)
    for last, _, _ in walk(game, options, seed):
        first.append(game.position(last.state) if len(first) % 16 == 0 else "")
    record = parse(last.record().text())
    for index, again in enumerate(steps(game, record)):
        if index < len(first) and first[index]:
            demand(game.position(again.state) == first[index], 3, "a replayed state differs", again)
    demand(game.position(again.state) == game.position(last.state), 3, "the last state differs", again)
    demand(again.rows == last.rows and again.outcome == last.outcome, 3, "the story differs", again)


def arrival_is_irrelevant(game: Game, options: Options, seed: str) -> None:
    """Law 4: in a stage that all play at once, the order of arrival changes nothing."""
    stages: list[tuple[int, list[tuple[int, int]]]] = []
    sitting = Sitting(game, options, seed=seed)
    for sitting, seat, action in walk(game, options, seed):
        if not stages or stages[-1][0] != sitting.state.stage:
            stages.append((sitting.state.stage, []))
        stages[-1][1].append((seat, action))
    chance = Chance.from_text(f"law 4 {seed}")
    again = Sitting(game, options, seed=seed)
    for _, made in stages:
        queues = {seat: [a for who, a in made if who == seat] for seat, _ in made}
        while queues:
            seat = chance.pick(sorted(queues))
            again.act(seat, queues[seat].pop(0))
            if not queues[seat]:
                del queues[seat]
    demand(game.position(again.state) == game.position(sitting.state), 4, "the states differ", sitting)
    for viewer in (None, *range(sitting.state.seats)):
        demand(
            again.events(viewer) == sitting.events(viewer),
            4,
            f"viewer {viewer} was told another story",
            sitting,
        )


def non_interference(game: Game, options: Options, seed: str) -> int:
    """Law 5: change only what a viewer may not know, and the bytes sent to that viewer are the same.

    The changed world is imagined from the viewer's own view. The same action is made in both worlds; unless the engine
    says that the viewer thereby learned something hidden, view, choice, reasons, observation, mask, events and errors
    must be the same. Returns how many actions were compared.
    """
    compared = 0
    chance = Chance.from_text(f"law 5 {seed}")
    for sitting, _, _ in looks(game, options, seed, chance):
        state = sitting.state
        viewer = chance.below(state.seats + 1)
        seen = viewer if viewer < state.seats else None
        twin = game.imagine(json.loads(bytes_of(game.view(state, seen))), chance)
        _same_to(game, state, twin, seen, sitting)
        if seen is not None:
            _same_errors(game, state, twin, seen, chance, sitting)
        for seat in state.asked():
            both = sorted(set(state.legal(seat)) & set(twin.legal(seat)))
            if not both:
                continue
            action, words = chance.pick(both), (chance.word(), chance.word())
            worlds = [state.clone(), twin.clone()]
            for world in worlds:
                world.listen(True)
                world.stir(seat, words[0])
                world.stir(world.seats, words[1])
                world.apply(seat, action)
            if any(world.learned >> viewer & 1 for world in worlds):
                continue
            compared += 1
            told = [bytes_of([e.json() for e in game.events.story(w.heard(), seen)]) for w in worlds]
            demand(
                told[0] == told[1], 5, f"{game.actions[action]} tells {seen} {told[0]} or {told[1]}", sitting
            )
            _same_to(game, worlds[0], worlds[1], seen, sitting)
    return compared


def _same_to(game: Game, state: Any, twin: Any, viewer: int | None, sitting: Sitting) -> None:
    ours, theirs = (bytes_of(game.view(world, viewer)) for world in (state, twin))
    demand(ours == theirs, 5, f"views of {viewer} differ:\n{ours}\n{theirs}", sitting)
    if viewer is not None:
        a, b = (choice_bytes(game.pending(world).get(viewer)) for world in (state, twin))
        demand(a == b, 5, f"choices of {viewer} differ:\n{a}\n{b}", sitting)
        a, b = (reason_bytes(game, world, viewer) for world in (state, twin))
        demand(a == b, 5, f"reasons of {viewer} differ:\n{a}\n{b}", sitting)
        (ours_seen, ours_mask), (seen, mask) = (observed(game, world, viewer) for world in (state, twin))
        wrong = [p.name for p in game.planes if ours_seen[p.part] != seen[p.part]]
        demand(ours_seen == seen, 5, f"observations of {viewer} differ in {wrong}", sitting)
        demand(ours_mask == mask, 5, f"masks of {viewer} differ", sitting)


def _same_errors(game: Game, state: Any, twin: Any, viewer: int, chance: Chance, sitting: Sitting) -> None:
    action = chance.below(len(game.actions))
    said = []
    for world in (state.clone(), twin.clone()):
        try:
            world.apply(viewer, action)
            said.append("")
        except NotOffered as error:
            said.append(str(error))
    demand(said[0] == said[1], 5, f"errors of {viewer} differ: {said}", sitting)


def imagined_twin(game: Game, options: Options, seed: str) -> None:
    """Law 6: a viewer cannot tell a state from its imagined twin, and the twin can be played to its end."""
    chance = Chance.from_text(f"law 6 {seed}")
    for sitting, _, _ in looks(game, options, seed, chance):
        for viewer in (None, *range(sitting.state.seats)):
            view = bytes_of(sitting.view(viewer))
            twin = game.imagine(json.loads(view), chance)
            demand(bytes_of(game.view(twin, viewer)) == view, 6, f"{viewer} can tell its twin", sitting)
            demand(game.counts(twin) == game.counts(sitting.state), 6, "the twin is not complete", sitting)
            demand(twin.asked() == sitting.state.asked(), 6, "the twin asks others", sitting)
        for _ in range(LONGEST):
            if not (asked := twin.asked()):
                break
            seat = chance.pick(asked)
            twin.apply(seat, chance.pick(twin.legal(seat)))
        demand(game.outcome(twin) is not None, 6, "the twin does not come to an end", sitting)


def round_trips(game: Game, options: Options, seed: str) -> None:
    """Law 7: texts and codecs round-trip."""
    for number, text in enumerate(game.actions):
        demand(game.parse(text) == number, 7, f"the action {text!r} does not parse back")
    chance = Chance.from_text(f"law 7 {seed}")
    sitting = Sitting(game, options, seed=seed)
    for sitting, _, _ in looks(game, options, seed, chance):
        text = game.position(sitting.state)
        again = game.from_position(text)
        demand(game.position(again) == text, 7, f"the position does not parse back:\n{text}", sitting)
        for seat in range(sitting.state.seats):
            demand(again.legal(seat) == sitting.state.legal(seat), 7, "its options differ", sitting)
        for viewer in (None, *range(sitting.state.seats)):
            view = sitting.view(viewer)
            demand(json.loads(bytes_of(view)) == view, 7, "a view is not plain JSON", sitting)
            same = bytes_of(game.view(again, viewer)) == bytes_of(view)
            demand(same, 7, f"the view of {viewer} differs after reading the position:\n{text}", sitting)
    record = sitting.record(level="none")
    demand(parse(record.text()) == record, 7, "the record does not parse back", sitting)
    demand(replay(game, record).outcome == sitting.outcome, 7, "the record plays another game", sitting)


def conserved(game: Game, options: Options, seed: str) -> None:
    """Law 8: cards, pebbles and cubes are conserved."""
    counts = None
    for sitting, _, _ in walk(game, options, seed):
        now = dict(game.counts(sitting.state))
        counts = counts or now
        demand(now == counts, 8, f"{now} where there were {counts}", sitting)


def independent_copies(game: Game, options: Options, seed: str) -> None:
    """Law 9: copies are independent, and equal until they are played on."""
    chance = Chance.from_text(f"law 9 {seed}")
    for sitting, seat, action in looks(game, options, seed, chance):
        before = game.position(sitting.state)
        one, other = sitting.state.clone(), sitting.state.clone()
        for _ in range(12):
            if not one.asked():
                break
            who = chance.pick(one.asked())
            one.apply(who, chance.pick(one.legal(who)))
        demand(game.position(sitting.state) == before, 9, "playing on a copy changed the original", sitting)
        demand(game.position(other) == before, 9, "playing on a copy changed another copy", sitting)
        original = sitting.state.clone()
        for world in (other, original):
            world.apply(seat, action)
        demand(game.position(other) == game.position(original), 9, "a copy goes on differently", sitting)


LAWS: dict[int, Law] = {
    1: somebody_can_move,
    2: refused_is_unchanged,
    3: same_record_same_states,
    4: arrival_is_irrelevant,
    5: lambda game, options, seed: demand(
        non_interference(game, options, seed) > 0, 5, "there was nothing to compare"
    ),
    6: imagined_twin,
    7: round_trips,
    8: conserved,
    9: independent_copies,
}
"""The laws that one process can check, by number."""
