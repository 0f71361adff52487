"""Thousands of games stepped at once into numpy arrays: `fabletop.envs.vector`. docs/envs.md says how to use it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import combinations, pairwise
from typing import Any, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from fabletop.core.batch import AFTER, COMPILED, KINDS, Batch, Share
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions
from fabletop.core.game import Game, whole
from fabletop.envs.observation import Space, space
from fabletop.games import game_called

ARRAYS: dict[str, tuple[type[np.generic], str]] = {
    "observation": (np.uint8, "(n, space.size)"),
    "mask": (np.uint8, "(n, space.actions)"),
    "seat": (np.int8, "(n,)"),
    "reward": (np.float32, "(n, seats)"),
    "score": (np.float32, "(n, seats)"),
    "done": (np.bool_, "(n,)"),
}
"""What the games are written into: the type of each array, and its shape in words."""
SETTINGS = ("seed", "threads", "autoreset", "out")
"""What `VectorGames` takes besides the options of the game."""
CHECK, PLAY, DRAW, STEP, STOP = KINDS
END, SLEEP, WAKE = AFTER


class VectorGames:
    """Games side by side, stepped together. Every array has one row for each game and keeps its place in memory."""

    observation: npt.NDArray[np.uint8]
    """What the seat that acts next may know."""
    mask: npt.NDArray[np.uint8]
    """A 1 for each action that it is offered."""
    seat: npt.NDArray[np.int8]
    """The seat that acts next; -1 in a game that is over."""
    reward: npt.NDArray[np.float32]
    """The share of the victory of each seat where `done`, else 0."""
    score: npt.NDArray[np.float32]
    """The points of each seat in the last game that ended here."""
    done: npt.NDArray[np.bool_]
    """Whether the last step ended a game here."""

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        seed: int | Sequence[int] | None = 0,
        threads: int = 1,
        autoreset: bool = True,
        out: dict[str, npt.NDArray[Any]] | None = None,
        **options: Any,
    ) -> None:
        self.game = game_called(game)
        self.n = at_least_one("n", n)
        check_options(self.game, options, SETTINGS)
        self.options = self.game.options(options)
        self.seats: int = self.options["seats"]
        self.space: Space = space(self.game)
        if not isinstance(autoreset, bool | np.bool_):
            raise ValueError(f"autoreset is {autoreset!r}; it should be True or False")
        self.autoreset = bool(autoreset)
        self.actions: npt.NDArray[np.int64] = np.zeros(self.n, np.int64)
        self._take_arrays({} if out is None else out)
        self._batch = Batch(
            [self.game.slot(self.options) for _ in range(self.n)],
            (self.space.size, self.space.actions, self.seats),
            tuple(memoryview(self._flat(name)) for name in ARRAYS),  # type: ignore[arg-type]
            self.autoreset,
        )
        self._run = self._batch.run
        self._workers: WorkerThreads | None = None
        several = min(at_least_one("threads", threads), self.n)
        if several > 1 and COMPILED:  # interpreted, one thread has the interpreter's lock anyway
            self._workers = WorkerThreads(self._batch, several)
            self._run = self._workers.run
        self.reset(int.from_bytes(os.urandom(8), "big") if seed is None else seed)

    def _take_arrays(self, given: dict[str, npt.NDArray[Any]]) -> None:
        """The caller's arrays, checked, and new ones for the rest."""
        if not isinstance(given, Mapping):
            raise ValueError(f"out should be a dict of arrays by name, not {type(given).__name__}")
        for name in given:
            if name not in ARRAYS:
                raise ValueError(f"there is no array {name!r}; there are {', '.join(ARRAYS)}")
        widths = {"observation": self.space.size, "mask": self.space.actions}
        for name, (dtype, shape_in_words) in ARRAYS.items():
            width = widths.get(name, self.seats)
            shape = (self.n,) if shape_in_words == "(n,)" else (self.n, width)
            array = given.get(name)
            if array is None:
                array = np.zeros(shape, dtype)
            check(name, array, shape, dtype)
            setattr(self, name, array)
        for first, second in combinations(given, 2):
            if np.may_share_memory(given[first], given[second]):
                raise ValueError(f"{first} and {second} share memory; each should have its own")

    def _flat(self, name: str) -> npt.NDArray[Any]:
        """An array as one row, bool as the bytes it consists of."""
        flat = getattr(self, name).reshape(-1)
        return flat.view(np.uint8) if flat.dtype == np.bool_ else flat  # type: ignore[no-any-return]

    def reset(self, seed: int | Sequence[int] | None = None, *, where: Any = None) -> None:
        """Begin again: with a seed (or one for each game) from its first game on; without one, or in the games where
        `where` is true, with the next game of the seed."""
        if seed is not None:
            if where is not None:
                raise ValueError("either a seed for all games, or `where` for the next game in some")
            self._batch.start(self._seeds(seed))
            return
        which: Sequence[int] = range(self.n)
        if where is not None:
            chosen = np.asarray(where)
            if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
                raise ValueError(
                    f"`where` should be {self.n} bools, not {chosen.dtype} of the shape {chosen.shape}"
                )
            which = chosen.nonzero()[0].tolist()
        self._batch.renew(which)

    def _seeds(self, seed: int | Sequence[int]) -> list[int]:
        """A seed for each game."""
        single = whole(seed)
        if single is not None:
            chance = Chance(single)
            return [chance.word() for _ in range(self.n)]
        several = isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str)
        seeds = [whole(number) for number in seed] if several else []  # type: ignore[union-attr]
        if len(seeds) != self.n or None in seeds:
            raise ValueError(f"seed should be a whole number, or {self.n} of them")
        return [number & (1 << 64) - 1 for number in seeds if number is not None]

    def step(
        self, actions: npt.NDArray[np.int64] | None = None, *, where: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """Carry out one action in each game, by default `self.actions`, and write every array.

        With `where`, only the games where it is true act; the rows of the others stay as they are. All actions are
        checked first: `NotOffered` names the first that is wrong, and nothing has changed.
        """
        if actions is None:
            actions = self.actions
        elif actions is not self.actions:
            check("actions", actions, (self.n,), np.int64, writable=False)
        if where is not None:
            check("where", where, (self.n,), np.bool_, writable=False)
            where = where.view(np.uint8)
        self._batch.take(actions, where)
        wrong = self._run(STEP)
        if wrong < self.n:
            self._batch.refuse(wrong)

    def sample(self, out: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """A random legal action for each game (0 where it is over), each from the game's own stream; into
        `self.actions`, or `out`."""
        if out is None:
            out = self.actions
        else:
            check("out", out, (self.n,), np.int64)
        self._batch.draw_into(out)
        self._run(DRAW)
        return out

    def observe(self, i: int, seat: int, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:
        """What any seat of one game may know."""
        if out is None:
            out = np.empty(self.space.size, np.uint8)
        self.game.observe(self.state(i), seat, out)
        return out

    def state(self, i: int) -> Any:
        """A copy of the state of one game: everything true, secrets included."""
        return self._slot(i).copy()

    def word(self, i: int) -> int:
        """The word of chance of the game under way in a row: `game.new(options, words)` begins the same game with the
        first numbers of `Chance(word)` as words, one per seat and one for the table."""
        return int(self._slot(i).word)

    def _slot(self, i: int) -> Any:
        if whole(i) is None or not 0 <= i < self.n:
            raise IndexError(f"there is no game {i!r}: the games are 0 to {self.n - 1}")
        return self._batch.slots[i]

    def close(self) -> None:
        """End the threads; afterwards the caller's thread does all the work. The arrays stay as they are."""
        if self._workers is not None:
            self._workers.close()
            self._workers, self._run = None, self._batch.run

    def __del__(self) -> None:
        if getattr(self, "_workers", None) is not None:
            self.close()

    def __enter__(self) -> VectorGames:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "these games cannot be pickled or copied; make new ones with the same seed, or pickle copies of single "
            "states: state(i)"
        )

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game.id} for {self.seats}>"


def check_options(game: Game, given: Iterable[str], settings: Sequence[str]) -> None:
    """BadOptions for a name that is neither an option of the game nor one of the environment's own settings."""
    options = ("seats", *(setting.name for setting in game.settings))
    for name in given:
        if name not in options:
            near = get_close_matches(name, (*settings, *options), 1)
            every = f"there are {', '.join(settings)}, and the options of the game: {', '.join(options)}"
            raise BadOptions(
                f"there is no option {name!r}; {f'did you mean {near[0]!r}?' if near else every}"
            )


def check_illegal(illegal: Any) -> Any:
    """What to do with an action outside the mask, checked."""
    if illegal not in ("raise", "replace"):
        raise BadOptions(f"illegal is {illegal!r}; it should be 'raise' or 'replace'")
    return illegal


def at_least_one(name: str, value: object) -> int:
    """A whole number from 1 on."""
    number = whole(value)
    if number is None or number < 1:
        raise ValueError(f"{name} should be a whole number from 1 on, not {value!r}")
    return number


def check(
    name: str, array: Any, shape: tuple[int, ...], dtype: type[np.generic], writable: bool = True
) -> None:
    """ValueError that says what would be right, unless the array is it."""
    kind = "writable C-contiguous" if writable else "C-contiguous"
    wanted = f"{name} should be a {kind} numpy array of {np.dtype(dtype)} with the shape {shape}"
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{wanted}, not {type(array).__name__}")
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"{wanted}; this one is {array.dtype} with the shape {array.shape}")
    if not array.flags.c_contiguous or (writable and not array.flags.writeable):
        raise ValueError(
            f"{wanted}; this one is {'read-only' if array.flags.c_contiguous else 'not contiguous'}"
        )


class WorkerThreads:
    """The threads of a batch: each works on its share of the games, and the caller's thread on the first share."""

    def __init__(self, batch: Batch, threads: int) -> None:
        self.n = batch.n
        bounds = [batch.n * k // threads for k in range(threads + 1)]
        self.own, *self.others = [Share(batch, first, end) for first, end in pairwise(bounds)]
        self.wake = [threading.Lock() for _ in self.others]
        self.done = [threading.Lock() for _ in self.others]
        for lock in (*self.wake, *self.done):
            lock.acquire()
        self.threads = [
            threading.Thread(target=serve, args=each, daemon=True, name="fabletop-games")
            for each in zip(self.others, self.wake, self.done, strict=True)
        ]
        for thread in self.threads:
            thread.start()

    def ask(self, kind: int) -> None:
        """Ask every worker for one kind of work."""
        for share, lock in zip(self.others, self.wake, strict=True):
            if share.ask(kind):
                lock.release()

    def run(self, kind: int) -> int:
        """Let every thread work on its share of the games; as `Batch.run`."""
        if kind == STEP:  # all actions are checked before the first one is carried out
            wrong = self.run(CHECK)
            return wrong if wrong < self.n else self.run(PLAY)
        self.ask(kind)
        first = self.own.work(kind)
        for share, done in zip(self.others, self.done, strict=True):
            if share.must_sleep():
                done.acquire()
            first = min(first, share.found)
        return first

    def close(self) -> None:
        """End the threads."""
        self.ask(STOP)
        for thread in self.threads:
            thread.join()


def serve(share: Share, wake: threading.Lock, done: threading.Lock) -> None:
    """What a worker thread does."""
    while (after := share.serve()) != END:
        if after == SLEEP:
            wake.acquire()
        else:
            done.release()
