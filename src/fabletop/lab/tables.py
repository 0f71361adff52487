"""The tables of a result as Parquet. Needs pyarrow (the extra `lab`)."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fabletop.core.errors import FabletopError
from fabletop.core.files import write_file

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:  # reported when a study is run
    raise FabletopError("the lab needs pyarrow and scipy: pip install 'fabletop[lab]'") from None

WORD = pa.dictionary(pa.int32(), pa.string())
SCHEMAS = {
    "games": pa.schema(
        [
            ("index", pa.int32()),
            ("match", pa.int16()),
            ("game", WORD),
            ("rules", pa.int16()),
            ("digest", WORD),
            ("options", WORD),
            ("seats", pa.int8()),
            ("deal", pa.int32()),
            ("repeat", pa.int16()),
            ("turned", pa.int16()),
            ("seed", pa.string()),
            ("bots", pa.list_(pa.string())),
            ("points", pa.list_(pa.float32())),
            ("shares", pa.list_(pa.float32())),
            ("reason", WORD),
            ("turns", pa.int16()),
            ("actions", pa.int32()),
            ("choices", pa.list_(pa.int32())),
            ("record", pa.string()),
            ("seconds", pa.list_(pa.float32())),
        ]
    ),
    "facts": pa.schema(
        [
            ("index", pa.int32()),
            ("name", WORD),
            ("thing", WORD),
            ("seat", pa.int8()),
            ("value", pa.float32()),
        ]
    ),
    "decisions": pa.schema(
        [
            ("index", pa.int32()),
            ("step", pa.int32()),
            ("turn", pa.int16()),
            ("seat", pa.int8()),
            ("kind", WORD),
            ("options", pa.int16()),
            ("action", WORD),
            ("points", pa.list_(pa.float32())),
        ]
    ),
}
"""The columns; docs/lab.md says what each one means."""


def packed(name: str, rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as a Parquet file in memory."""
    schema = SCHEMAS[name]
    columns = [
        pa.array([row[field.name] for row in rows], pa.string()).dictionary_encode().cast(field.type)
        if field.type == WORD
        else pa.array([row[field.name] for row in rows], field.type)
        for field in schema
    ]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(columns, schema=schema), out, compression="zstd")
    return out.getvalue()


def joined(name: str, tables: Iterable[pa.Table]) -> pa.Table:
    """Some tables as one, with one dictionary a column, ordered by game; rows keep their order inside a game."""
    whole = pa.concat_tables([SCHEMAS[name].empty_table(), *tables])
    return whole.take(stable_order(whole["index"])).unify_dictionaries()


def stable_order(column: pa.ChunkedArray) -> pa.Array:
    """The order that sorts a column and keeps equal values as they come."""
    import numpy as np

    return pa.array(np.argsort(column.to_numpy(), kind="stable"))


def write(table: pa.Table, path: Path, about: Mapping[bytes, bytes]) -> None:
    """Write a table, all or nothing. The same rows give the same bytes."""
    plain = pa.Table.from_arrays(
        [sorted_words(column) if column.type == WORD else column for column in table.columns],
        table.column_names,
    )
    out = io.BytesIO()
    pq.write_table(plain.replace_schema_metadata(dict(about)), out, compression="zstd")
    write_file(path, out.getvalue())


def sorted_words(column: pa.ChunkedArray) -> pa.Array:
    """A column of words whose dictionary has a fixed order, so that it does not depend on who finished first."""
    words = column.cast(pa.string()).combine_chunks()
    values = pa.array(sorted(set(words.unique().to_pylist())), pa.string())
    import pyarrow.compute as pc

    return pa.DictionaryArray.from_arrays(pc.index_in(words, values).cast(pa.int32()), values)


def read(path: Path) -> pa.Table:
    """A table from its file; FabletopError says that it is damaged, and what to do."""
    try:
        return pq.read_table(path)
    except FileNotFoundError:
        raise FabletopError(f"{path}: there is no such file; `fabletop lab run` writes it") from None
    except (OSError, pa.ArrowInvalid) as error:
        raise FabletopError(
            f"{path}: cut off or no Parquet file ({str(error).splitlines()[0]}); delete it and run the study again, "
            "which keeps all other results"
        ) from None
