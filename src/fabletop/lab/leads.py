"""Who leads when in the games of a frame, and when they are decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fabletop.lab.frames import Frame

Array = Any


@dataclass
class Leads:
    """For each game: the deal, the leads over time, and what follows from them. `moments` are the steps of interest."""

    deals: Array
    indices: Array
    ahead: list[Array]
    """By decision: is the later winner in front?"""
    won: list[Array]
    """By decision: the share of the victory that the leader of the moment gets in the end; the mean of several."""
    changes: Array
    deficit: Array
    comebacks: Array
    decided: Array
    moments: Array
    """The step of the largest deficit of the later winner."""
    turning: Array
    """The step after which the winner stays in front."""

    @classmethod
    def of(cls, frame: Frame) -> Leads:
        """The leads in every game of a frame."""
        decisions = frame.decisions
        starts: Array = np.searchsorted(decisions["index"].to_numpy(), frame.column("index"))
        ends = np.append(starts[1:], len(decisions))
        flat: Any = decisions["points"].combine_chunks()
        values, offsets = flat.values.to_numpy(), flat.offsets.to_numpy()
        columns: dict[str, list[Any]] = {
            name: [] for name in ("ahead", "won", "changes", "deficit", "back", "moment", "turn")
        }
        for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
            seats = int(frame.seats[row])
            points = values[offsets[start] : offsets[end]].reshape(end - start, seats)
            best = points.max(axis=1)
            leads = points == best[:, None]
            winners = frame.shares[row, :seats] > 0
            ahead = (leads & winners).any(axis=1)
            single = np.where(leads.sum(axis=1) == 1, leads.argmax(axis=1), -1)
            single = single[single >= 0]
            gap = best - np.where(winners, points, -np.inf).max(axis=1)
            half = points[len(points) // 2]
            behind = np.flatnonzero(~ahead)
            columns["ahead"].append(ahead)
            columns["won"].append((leads * frame.shares[row, :seats]).sum(axis=1) / leads.sum(axis=1))
            columns["changes"].append(int((single[1:] != single[:-1]).sum()))
            columns["deficit"].append(float(gap.max()))
            columns["moment"].append(int(gap.argmax()))
            columns["turn"].append(int(behind[-1]) + 1 if len(behind) else 0)
            columns["back"].append(bool((half[winners] == half.min()).any() and half.max() > half.min()))
        sizes = ends - starts
        return cls(
            frame.deals,
            frame.column("index"),
            columns["ahead"],
            columns["won"],
            np.array(columns["changes"]),
            np.array(columns["deficit"]),
            np.array(columns["back"]),
            np.array(columns["turn"]) / np.maximum(1, sizes),
            np.array(columns["moment"]),
            np.array(columns["turn"]),
        )

    def __len__(self) -> int:
        return len(self.deals)

    def leader_wins(self, part: float) -> Array:
        """For each game: the share of the victory of who leads after a part of it."""
        return np.array([won[min(len(won) - 1, int(part * len(won)))] for won in self.won])
