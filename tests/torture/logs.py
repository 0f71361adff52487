"""The logs of a store as the checker wants them: folded, with the sequence numbers of every viewer."""

from fabletop.server.stores.base import Loaded, Store
from fabletop.server.stores.entries import Acted, Undid
from fabletop.server.tables.table import Table
from tests.torture.checker import Entry, Log

_folds: dict[tuple[str, tuple[object, ...]], Log] = {}
"""The same logs are seen after many power cuts."""


def folded(loaded: Loaded) -> Log:
    """A log with the sequence numbers of its viewers."""
    key = (loaded.head.id, tuple(loaded.entries))
    if key not in _folds:
        if len(_folds) >= 1000:
            _folds.clear()
        _folds[key] = _fold(loaded)
    return _folds[key]


def _fold(loaded: Loaded) -> Log:
    """Fold a log from its first entry; raises where an entry does not fit."""
    table = Table(loaded.head)
    viewers: list[int | None] = [*range(len(table.seats)), None]
    seqs: dict[int | None, list[int]] = {viewer: [0] for viewer in viewers}
    entries: list[Entry | None] = []
    for entry in loaded.entries:
        table.fold(entry)
        match entry:
            case Acted():
                entries.append(Entry(entry.seat, entry.id, entry.action, entry.by))
            case Undid():
                entries.append(Entry(entry.seat, entry.id, ""))
            case _:
                entries.append(None)
        for viewer in viewers:
            seqs[viewer].append(table.cursor(viewer).seq)
    return Log(entries, seqs)


async def logs_of(store: Store) -> dict[str, Log]:
    """All tables of a database."""
    await store.open()
    try:
        found = {}
        for table in await store.every_table():
            loaded = await store.load(table)
            assert loaded is not None
            found[table] = folded(loaded)
        return found
    finally:
        await store.close()
