"""The forward pass of a small net that scores the options of a choice, in whole numbers.

What the net sees of a choice is three kinds of inputs, bytes with 64 for one: the *table* (one row), *parts* of it (one
row each, such as a creature of Equinox) and *options* (one row each, with the part that it is about):

    part      = relu(parts · PART)
    together  = the sum of all parts
    table     = relu(table · TABLE + together · TOGETHER)
    option    = relu(option · OPTION + part · ABOUT + table · FRAME)
    score     = option · SCORE

Every layer has a bias. Weights are 16 bits wide with 12 bits behind the point, values between layers have 10 bits
behind it and stay below 16. Sums fit into 32 bits, which is checked when the weights are read. So the compiled text
(`net.pxd`, `net_sums.pxd`) and the interpreted one agree to the last bit on every machine. Scores are points of the
game in `POINT`s.

A game describes its choices in `bots/<game>/learned.py`; `fabletop.lab.train` finds the weights.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from sys import byteorder
from typing import Any, NamedTuple

from fabletop.core.errors import FabletopError

COMPILED = not __file__.endswith(".py")

INPUTS = 256  # the longest row of inputs; the arrays of net.pxd have these sizes
PARTS = 16
HIDDEN = 128
ONE = 64  # of an input
FINER = 16  # inside there are 10 bits behind the point
WEIGHT_BITS = 12
MOST = (1 << 14) - 1  # no value between layers is larger
MOST_VALUE = MOST / (FINER * ONE)
UNIT = FINER * ONE


class Shape(NamedTuple):
    """The lengths of the rows of inputs, and the widths of the layers."""

    table: int
    part: int
    option: int
    wide_part: int
    wide_table: int
    wide_option: int

    def blocks(self) -> list[tuple[str, int, int]]:
        """The matrices in the order of the file: name, inputs (the bias is the last one), outputs."""
        return [
            ("part", self.part + 1, self.wide_part),
            ("table", self.table + 1, self.wide_table),
            ("together", self.wide_part, self.wide_table),
            ("option", self.option + 1, self.wide_option),
            ("about", self.wide_part, self.wide_option),
            ("frame", self.wide_table, self.wide_option),
            ("score", self.wide_option + 1, 1),
        ]

    def size(self) -> int:
        """How many weights there are."""
        return sum(inputs * outputs for _, inputs, outputs in self.blocks())


class Weights(NamedTuple):
    """A trained net: its shape, its numbers, and the notes of its training."""

    shape: Shape
    numbers: array[int]
    notes: dict[str, Any]


def written(weights: Weights) -> bytes:
    """A line of JSON, then the numbers, 16 bits each with the low byte first."""
    numbers = array("h", weights.numbers)
    if byteorder == "big":
        numbers.byteswap()
    head = {"shape": weights.shape._asdict(), **weights.notes}
    return json.dumps(head).encode() + b"\n" + numbers.tobytes()


@cache
def read(path: Path) -> Weights:
    """The weights in a file; ValueError where they do not fit together or a sum could overflow.

    A file that is not there is a FabletopError that says how to make it.
    """
    if not path.exists():
        game = path.parent.name.replace("_", "-")
        raise FabletopError(
            f"there is no trained net for {game}; python -m fabletop.lab.train {game} --keep makes one"
        )
    head, _, body = path.read_bytes().partition(b"\n")
    notes = json.loads(head)
    shape = Shape(**notes.pop("shape"))
    numbers = array("h", body)
    if byteorder == "big":
        numbers.byteswap()
    check(shape, numbers)
    return Weights(shape, numbers, notes)


def check(shape: Shape, numbers: Sequence[int]) -> None:
    """ValueError unless there are as many numbers as the shape says, and no sum can reach 31 bits."""
    if max(shape.table, shape.part, shape.option) >= INPUTS or max(shape[3:]) > HIDDEN:
        raise ValueError(f"the shape {shape} is larger than {INPUTS - 1} inputs or {HIDDEN} units")
    if len(numbers) != shape.size():
        raise ValueError(f"{len(numbers)} weights for a shape with {shape.size()}")
    sums: dict[str, list[int]] = {}
    at = 0
    for name, inputs, outputs in shape.blocks():
        most = 255 * FINER if name in ("part", "table", "option") else MOST
        sums[name] = [
            most * sum(abs(w) for w in numbers[at + k : at + inputs * outputs : outputs])
            for k in range(outputs)
        ]
        at += inputs * outputs
    for names in (("part",), ("table", "together"), ("option", "about", "frame"), ("score",)):
        largest = max(map(sum, zip(*(sums[name] for name in names), strict=True)))
        if largest >= 2**31:
            raise ValueError(
                f"a sum of {' and '.join(names)} could reach {largest}, which has more than 31 bits"
            )


def _add(weights: Any, at: int, x: Any, first: int, n: int, y: Any, to: int, width: int) -> None:
    """Add a row of inputs times a matrix to a row of outputs; most inputs are 0."""
    for k in range(n):
        value = x[first + k]
        if value != 0:
            start = at + k * width
            for h in range(width):
                y[to + h] += value * weights[start + h]


def _settle(y: Any, to: int, width: int) -> None:
    """Bring sums back to values: none is negative, none is too large."""
    for h in range(to, to + width):
        value = y[h]
        y[h] = 0 if value < 0 else min(value >> WEIGHT_BITS, MOST)


if not COMPILED:  # compiled, both are C, in net_sums.pxd
    globals().update(add=_add, settle=_settle)
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"


class Net:
    """A net at work: fill `table`, `parts` and `n_parts`, `open`; then fill `option` and ask for its `score`."""

    def __init__(self, weights: Weights) -> None:
        shape = weights.shape
        self.numbers = weights.numbers
        self.n_table = shape.table
        self.n_part = shape.part
        self.n_option = shape.option
        self.wide_part = shape.wide_part
        self.wide_table = shape.wide_table
        self.wide_option = shape.wide_option
        starts = [0]
        for _, inputs, outputs in shape.blocks():
            starts.append(starts[len(starts) - 1] + inputs * outputs)
        self.at = list(starts)
        self.n_parts = 0
        self.table = list([0] * INPUTS)
        self.parts = list([0] * (PARTS * INPUTS))
        self.option = list([0] * INPUTS)
        self.row = list([0] * (INPUTS + 1))
        self.part_values = list([0] * (PARTS * HIDDEN))
        self.together = list([0] * HIDDEN)
        self.frame = list([0] * HIDDEN)
        self.start = list([0] * HIDDEN)
        self.values = list([0] * (HIDDEN + 1))
        self.out = list([0] * 1)

    def take(self, inputs: Any, first: int, n: int) -> None:
        """A row of inputs as values, and a one for the bias behind it."""
        for k in range(n):
            self.row[k] = FINER * inputs[first + k]
        self.row[n] = UNIT

    def open(self) -> None:
        """Work out what all options share."""
        for h in range(self.wide_part):
            self.together[h] = 0
        for part in range(self.n_parts):
            to = part * HIDDEN
            for h in range(self.wide_part):
                self.part_values[to + h] = 0
            self.take(self.parts, part * INPUTS, self.n_part)
            add(self.numbers, self.at[0], self.row, 0, self.n_part + 1, self.part_values, to, self.wide_part)
            settle(self.part_values, to, self.wide_part)
            for h in range(self.wide_part):
                self.together[h] += self.part_values[to + h]
        for h in range(self.wide_part):
            self.together[h] = min(self.together[h], MOST)
        for h in range(self.wide_table):
            self.frame[h] = 0
        self.take(self.table, 0, self.n_table)
        add(self.numbers, self.at[1], self.row, 0, self.n_table + 1, self.frame, 0, self.wide_table)
        add(self.numbers, self.at[2], self.together, 0, self.wide_part, self.frame, 0, self.wide_table)
        settle(self.frame, 0, self.wide_table)
        for h in range(self.wide_option):
            self.start[h] = 0
        add(self.numbers, self.at[5], self.frame, 0, self.wide_table, self.start, 0, self.wide_option)

    def score(self, part: int) -> int:
        """The score of the option, about this part or about none (-1)."""
        for h in range(self.wide_option):
            self.values[h] = self.start[h]
        self.take(self.option, 0, self.n_option)
        add(self.numbers, self.at[3], self.row, 0, self.n_option + 1, self.values, 0, self.wide_option)
        if part >= 0:
            add(
                self.numbers,
                self.at[4],
                self.part_values,
                part * HIDDEN,
                self.wide_part,
                self.values,
                0,
                self.wide_option,
            )
        settle(self.values, 0, self.wide_option)
        self.values[self.wide_option] = UNIT
        self.out[0] = 0
        add(self.numbers, self.at[6], self.values, 0, self.wide_option + 1, self.out, 0, 1)
        return self.out[0] >> 4 if self.out[0] >= 0 else -(-self.out[0] >> 4)

    # ---------------------------------------------------------------- for training

    def copy(self, table: Any, parts: Any) -> None:
        """The inputs of the table and of its parts, row after row."""
        for k in range(self.n_table):
            table[k] = self.table[k]
        for part in range(self.n_parts):
            for k in range(self.n_part):
                parts[part * self.n_part + k] = self.parts[part * INPUTS + k]

    def copy_option(self, options: Any, i: int) -> None:
        """The inputs of the option, as a row of many."""
        for k in range(self.n_option):
            options[i * self.n_option + k] = self.option[k]
