"""The games of one match as arrays, and the numbers that a page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fabletop.lab.facts import ALL
from fabletop.lab.results import Results

Array = Any
"""A numpy array of floats."""


@dataclass
class Frame:
    """The games of a match. Arrays have one entry a game, in the order of the games."""

    games: pa.Table
    facts: pa.Table
    decisions: pa.Table

    @classmethod
    def of(cls, results: Results, match: int) -> Frame:
        """The games of one match of some results."""
        games = results.table("games")
        games = games.filter(pc.equal(games["match"], match))
        low, high = (pc.min(games["index"]).as_py() or 0, pc.max(games["index"]).as_py() or 0)

        def part(name: str) -> pa.Table:
            table = results.table(name)
            inside = pc.and_(
                pc.greater_equal(table["index"], low), pc.less_equal(table["index"], high)
            )  # the games of a match stand together
            return table.filter(inside)

        return cls(games, part("facts"), part("decisions"))

    def only(self, rows: Array) -> Frame:
        """Some of the games."""
        games = self.games.filter(pa.array(rows))
        keep = games["index"].combine_chunks()
        return Frame(
            games,
            self.facts.filter(pc.is_in(self.facts["index"], keep)),
            self.decisions.filter(pc.is_in(self.decisions["index"], keep)),
        )

    def __len__(self) -> int:
        return len(self.games)

    def column(self, name: str) -> Array:
        """A column of numbers."""
        return self.games[name].to_numpy()

    @cached_property
    def deals(self) -> Array:
        """The deal of each game: games of one deal belong together."""
        return self.column("deal")

    @cached_property
    def seats(self) -> Array:
        """How many sat at each table."""
        return self.column("seats").astype(int)

    @cached_property
    def options(self) -> Sequence[str]:
        """The options of each game, as JSON."""
        options: list[str] = self.games["options"].to_pylist()
        return options

    @cached_property
    def points(self) -> Array:
        """Game by seat; NaN where there is no such seat."""
        return self._wide("points")

    @cached_property
    def shares(self) -> Array:
        """The share of the victory, game by seat."""
        return self._wide("shares")

    @cached_property
    def bots(self) -> Sequence[Sequence[str]]:
        """The bots by seat."""
        bots: list[list[str]] = self.games["bots"].to_pylist()
        return bots

    @cached_property
    def reasons(self) -> Array:
        """Why each game ended."""
        return np.array(self.games["reason"].to_pylist(), dtype=object)

    def _wide(self, name: str) -> Array:
        rows = self.games[name].to_pylist()
        wide = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
        for number, row in enumerate(rows):
            wide[number, : len(row)] = row
        return wide

    @cached_property
    def leads(self) -> Array:
        """By how many points each seat is above the mean of the others."""
        total = np.nansum(self.points, axis=1, keepdims=True)
        return self.points - (total - self.points) / (self.seats[:, None] - 1)

    # ------------------------------------------------------------------------------------------ facts

    @cached_property
    def _facts(self) -> dict[str, tuple[Array, Array, Array, Array]]:
        """By name: the row of the game, the thing, the seat and the value of each fact."""
        rows = np.searchsorted(self.column("index"), self.facts["index"].to_numpy())
        names, things = (self.facts[name].combine_chunks() for name in ("name", "thing"))
        codes = names.indices.to_numpy()
        seats, values = self.facts["seat"].to_numpy(), self.facts["value"].to_numpy()
        kinds = np.array(things.dictionary.to_pylist(), dtype=object)[things.indices.to_numpy()]
        facts = {}
        for code, name in enumerate(names.dictionary.to_pylist()):
            some = codes == code
            if some.any():
                facts[name] = (rows[some], kinds[some], seats[some], values[some])
        return facts

    def fact_names(self) -> list[str]:
        """The names of all facts."""
        return sorted(self._facts)

    def things(self, name: str) -> list[str]:
        """What the facts of a name are about."""
        return sorted(set(self._facts[name][1])) if name in self._facts else []

    def by_thing(self, name: str) -> dict[str, Array]:
        """The value of each thing in each game, all seats together."""
        if name not in self._facts:
            return {}
        rows, things, _, values = self._facts[name]
        kinds, codes = np.unique(things.astype(str), return_inverse=True)
        flat = np.bincount(codes * len(self) + rows, values, minlength=len(kinds) * len(self))
        return dict(zip(kinds.tolist(), flat.reshape(len(kinds), len(self)), strict=True))

    def by_seat(self, name: str, thing: str) -> Array:
        """The value of a thing, game by seat."""
        totals = np.zeros(self.points.shape)
        if name in self._facts:
            rows, things, seats, values = self._facts[name]
            some = (things == thing) & (seats != ALL)
            np.add.at(totals, (rows[some], seats[some]), values[some])
        return totals

    def plain(self, name: str) -> Array:
        """A fact that is about nothing in particular: its value, or the mean of the seats, in each game."""
        rows, _, seats, values = self._facts[name]
        whole = np.bincount(rows, values, minlength=len(self))
        return whole / np.where(np.bincount(rows, seats != ALL, minlength=len(self)) > 0, self.seats, 1)

    def plain_names(self) -> list[str]:
        """The facts of which there is one value a game or a seat."""
        return [name for name in self.fact_names() if self.things(name) == [""]]
