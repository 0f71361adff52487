"""Records of games of a study. They are played once more, since the same job gives the same game."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pyarrow.parquet as pq

from fabletop.lab.parallel import map_unordered
from fabletop.lab.study import Study
from fabletop.lab.work import Chunk, play_chunk


def records_of(study: Study, indices: Sequence[int]) -> dict[int, str]:
    """The records of some games, by their numbers."""
    wanted = set(indices)
    jobs = [replace(job, record=True, decisions=False) for job in study.jobs() if job.index in wanted]
    records: dict[int, str] = {}
    for match, some in groupby(jobs, key=lambda job: job.match):
        chunk = Chunk(tuple(some), study.matches[match].cards)
        for part in map_unordered(play_chunk, [chunk], 1, chunk.environment):
            rows = pq.read_table(io.BytesIO(part.tables["games"]), columns=["index", "record"]).to_pylist()
            records |= {row["index"]: row["record"] for row in rows}
    return records
