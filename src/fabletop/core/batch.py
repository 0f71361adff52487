"""Many games stepped at once into buffers of the caller, without the interpreter where this is compiled.

A `Slot` is one game after another; a game's own slot says how its engine begins, acts and is observed. A `Batch` steps
all slots: one action for each, checked before the first of them acts. Where several seats are asked at once, the lowest
one acts first, so one seat acts at a time in every slot.

Worker threads may share the work of a batch: each has its share of the slots and works without the interpreter's
lock. A thread that waits spins for a few dozen microseconds, since waking a sleeping thread takes about as long as
stepping a hundred games; then it sleeps.

Interpreted, buffers are memoryviews; compiled with `batch.pxd`, they are pointers and the same text is C.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabletop.core.chance import GOLDEN as GOLDEN_RATIO
from fabletop.core.chance import MASK64 as ALL_BITS
from fabletop.core.chance import scramble as scrambled
from fabletop.core.errors import NotOffered

# The functions below that nobody defines are C where this is compiled, and set by `globals` where it is not.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined,no-any-return"
NOBODY = -1
MASK64 = ALL_BITS
GOLDEN = GOLDEN_RATIO
DICE = 0x5851F42D4C957F2D
"""Keeps the stream of the sampler apart from the games' own."""

CHECK = 1
PLAY = 2
DRAW = 3
STEP = 4
STOP = 5
KINDS = (CHECK, PLAY, DRAW, STEP, STOP)
"""The kinds of work, for other modules: compiled, the names above are C."""

END = 0
SLEEP = 1
WAKE = 2
AFTER = (END, SLEEP, WAKE)
"""What a worker thread does after `Share.serve`; for other modules too."""

COMPILED = not __file__.endswith(".py")
if not COMPILED:  # there are no worker threads then
    globals().update(
        scramble=scrambled,
        bytes_of=lambda view: view,
        chars_of=lambda view: view,
        floats_of=lambda view: view,
        longs_of=lambda view: view,
        addresses=lambda slots, room: slots,
        from_byte=lambda view, start: view[start:],
        from_float=lambda view, start: view[start:],
        among=lambda options, n, action: action in options[:n],
        run_alone=lambda batch, kind: batch.work(kind, 0, batch.n),
        slot_play=lambda slots, i, *rest: slots[i].play(*rest),
        slot_start=lambda slots, i, seed: slots[i].start(seed),
        slot_renew=lambda slots, i: slots[i].renew(),
        slot_write=lambda slots, i, *rest: slots[i].write(*rest),
        slot_allows=lambda slots, i, action: slots[i].allows(action),
        slot_draw=lambda slots, i: slots[i].draw(),
        slot_seat=lambda slots, i: slots[i].seat,
    )


class Slot:
    """One game after another. A game's own slot replaces the methods of the first half, and sets `options` to where its
    engine lists the options of a seat: an array with room for a multiple of eight."""

    def __init__(self) -> None:
        self.seat = NOBODY
        self.seed = 0
        self.number = 0
        self.word = 0
        self.dice = 0
        self.count = 0

    # ---------------------------------------------------------------- what a game says

    def begin(self, word: int) -> int:
        """Begin a new game; its streams of chance are the first numbers of `Chance(word)`, the table's the last.
        Returns the lowest seat that has something to decide."""
        return NOBODY

    def act(self, seat: int, action: int) -> int:
        """Carry out an action that is offered; returns the lowest seat that has something to decide now, or NOBODY."""
        return NOBODY

    def show(self, seat: int, seen: Any, mask: Any) -> int:
        """Write the observation and the mask of a seat; returns how many options it has. They stay in `options` until
        the next action."""
        return 0

    def reckon(self, reward: Any, score: Any) -> None:
        """Write each seat's share of the victory, and its points."""

    def why_not(self, action: int) -> str:
        """What is wrong with an action, and what would be right."""
        return ""

    def copy(self) -> Any:
        """A copy of the state."""
        return None

    # ---------------------------------------------------------------- what follows from it

    def start(self, seed: int) -> None:
        """Begin the first game of a seed."""
        self.seed = seed & MASK64
        self.dice = scramble(self.seed ^ DICE)
        self.number = 0
        self.renew()

    def renew(self) -> None:
        """Begin the next game of the seed."""
        self.number += 1
        self.word = scramble((self.seed + self.number * GOLDEN) & MASK64)
        self.seat = self.begin(self.word)

    def write(self, seen: Any, mask: Any) -> None:
        """Write the observation and the mask of the seat that acts next; after the end, seat 0's and no option."""
        self.count = self.show(0 if self.seat == NOBODY else self.seat, seen, mask)

    def allows(self, action: int) -> bool:
        """Is the action one of the options?"""
        return among(self.options, self.count, action)  # type: ignore[attr-defined]

    def draw(self) -> int:
        """An option at random, from the slot's own stream of the sampler; 0 after the end."""
        if self.count == 0:
            return 0
        self.dice = (self.dice + GOLDEN) & MASK64
        z: int = scramble(self.dice)
        return self.options[((z >> 32) * self.count) >> 32]  # type: ignore[attr-defined]

    def play(self, action: int, seen: Any, mask: Any, reward: Any, score: Any, autoreset: int) -> int:
        """Carry out an action and write everything; returns whether it ended the game."""
        self.seat = self.act(self.seat, action)
        done = self.seat == NOBODY
        if done:
            self.reckon(reward, score)
            if autoreset:
                self.renew()
        self.write(seen, mask)
        return 1 if done else 0


class Batch:
    """Slots side by side, and the caller's buffers: one row for each slot, without gaps."""

    def __init__(
        self,
        slots: Sequence[Slot],
        sizes: tuple[int, int, int],
        buffers: tuple[Any, Any, Any, Any, Any, Any],
        autoreset: bool,
    ) -> None:
        seen, mask, seat, reward, score, done = buffers
        self.slots = list(slots)
        self.n = len(self.slots)
        self.size, self.actions, self.seats = sizes
        self.autoreset = autoreset
        self.kept = buffers
        self.room = bytearray(8 * self.n)
        self.at = addresses(self.slots, bytes_of(memoryview(self.room)))
        self.seen = bytes_of(seen)
        self.mask = bytes_of(mask)
        self.seat = chars_of(seat)
        self.reward = floats_of(reward)
        self.score = floats_of(score)
        self.done = bytes_of(done)
        self.all = bytearray(b"\1" * self.n)
        self.everywhere = bytes_of(memoryview(self.all))
        self.last = None
        self.last_drawn = None

    # ---------------------------------------------------------------- without the interpreter

    def play(self, first: int, end: int) -> None:
        """Step the slots from one index to another with the actions given."""
        for i in range(first, end):
            if not self.chosen[i]:
                continue
            if self.done[i]:
                for k in range(i * self.seats, (i + 1) * self.seats):
                    self.reward[k] = 0
            self.done[i] = slot_play(
                self.at,
                i,
                self.given[i],
                from_byte(self.seen, i * self.size),
                from_byte(self.mask, i * self.actions),
                from_float(self.reward, i * self.seats),
                from_float(self.score, i * self.seats),
                self.autoreset,
            )
            self.seat[i] = slot_seat(self.at, i)

    def write(self, i: int) -> None:
        """Write the row of a slot that has begun a new game."""
        slot_write(self.at, i, from_byte(self.seen, i * self.size), from_byte(self.mask, i * self.actions))
        self.seat[i] = slot_seat(self.at, i)
        self.done[i] = 0
        for k in range(i * self.seats, (i + 1) * self.seats):
            self.reward[k] = 0
            self.score[k] = 0

    def wrong(self, first: int, end: int) -> int:
        """The first slot of a range whose action is not offered, or how many slots there are."""
        for i in range(first, end):
            if self.chosen[i] and not slot_allows(self.at, i, self.given[i]):
                return i
        return self.n

    def draw(self, first: int, end: int) -> None:
        """A random option for each slot of a range."""
        for i in range(first, end):
            self.drawn[i] = slot_draw(self.at, i)

    def work(self, kind: int, first: int, end: int) -> int:
        """One kind of work on a range of slots. CHECK returns the first slot whose action is not offered, or how many
        slots there are; STEP does too, and plays if there is none."""
        wrong = self.n
        if kind == CHECK or kind == STEP:
            wrong = self.wrong(first, end)
        if kind == PLAY or (kind == STEP and wrong == self.n):
            self.play(first, end)
        if kind == DRAW:
            self.draw(first, end)
        return wrong

    # ---------------------------------------------------------------- the boundary, checked

    def start(self, seeds: Sequence[int]) -> None:
        """Begin every slot with a seed of its own."""
        for i in range(self.n):
            slot_start(self.at, i, seeds[i])
            self.write(i)

    def renew(self, which: Sequence[int]) -> None:
        """Begin the next game in some slots."""
        for i in which:
            slot_renew(self.at, i)
            self.write(i)

    def take(self, actions: Any, where: Any) -> None:
        """Take one action for each slot where there is a 1 (None: everywhere), for CHECK, PLAY and STEP."""
        if actions is not self.last:  # a view of it is kept, so it cannot move
            self.given = longs_of(actions)
            self.last, self.kept_actions = actions, memoryview(actions)
        self.chosen = self.everywhere if where is None else bytes_of(where)

    def draw_into(self, out: Any) -> None:
        """Where DRAW writes."""
        if out is not self.last_drawn:
            self.drawn = longs_of(out)
            self.last_drawn, self.kept_drawn = out, memoryview(out)

    def run(self, kind: int) -> int:
        """One kind of work on all slots in the caller's thread, without the interpreter's lock; as `work`."""
        return run_alone(self, kind)

    def refuse(self, i: int) -> None:
        """NotOffered: what is wrong with the action of a slot."""
        action = self.last[i]  # type: ignore[index]
        raise NotOffered(f"game {i}: {self.slots[i].why_not(action)}")


class Share:
    """The share of a batch that one worker thread has, and what it and the caller signal to each other."""

    def __init__(self, batch: Batch, first: int, end: int) -> None:
        self.batch = batch
        self.first = first
        self.end = end
        self.kind = 0
        self.asked = 0
        self.answered = 0
        self.asleep = 0
        self.caller_asleep = 0
        self.found = 0

    def work(self, kind: int) -> int:
        """In the caller's thread: the same for its own share, without the interpreter's lock."""
        return run_share(self, kind)

    def serve(self) -> int:
        """In the worker's thread: do what the caller asks for. Returns SLEEP where nothing came for a while and the
        caller will wake the worker, WAKE where the caller sleeps and has to be woken, END where it said so."""
        return serve_share(self)

    def ask(self, kind: int) -> bool:
        """In the caller's thread: ask for one kind of work. True: the worker sleeps and has to be woken."""
        self.kind = kind
        return ask_share(self)

    def must_sleep(self) -> bool:
        """In the caller's thread: wait for the work, but not for long. True: it is not done, and the worker will wake
        the caller."""
        return wait_for_share(self)
