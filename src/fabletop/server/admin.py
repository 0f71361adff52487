"""Maintenance of the database: backup, restore, replay-all, delete. A backup is JSON lines, one table each.

A table is saved as it was written, and one that this version cannot read or replay is saved and brought back like any
other: one bad table must not cost a host all others, nor itself, since the next version may read it.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from fabletop.core.errors import FabletopError
from fabletop.server.stores.base import ChatLine, Hook, Listing, Store, StoreDown
from fabletop.server.stores.entries import Entry, Head, Renewed, Sat, entry_of, head_of
from fabletop.server.stores.private import private_file
from fabletop.server.tables.listing import listing_of
from fabletop.server.tables.table import CLOSED, opened

MARK = "fabletop backup"
FORMAT = 1


class Report(NamedTuple):
    """The result of an action in words, and whether it succeeded."""

    text: str
    good: bool = True


class Kept(msgspec.Struct, omit_defaults=True):
    """A table in a backup. The head or an entry that is no JSON object is kept as a string."""

    head: msgspec.Raw
    entries: list[msgspec.Raw]
    chat: list[ChatLine] = []
    hooks: list[Hook] = []


def _kept(data: bytes) -> msgspec.Raw:
    """What was written, as it is kept; UnicodeDecodeError where it is not even text."""
    text = data.decode()
    try:
        whole = isinstance(msgspec.json.decode(data), dict) and b"\n" not in data
    except msgspec.DecodeError:
        whole = False
    return msgspec.Raw(data if whole else msgspec.json.encode(text))


def _written(raw: msgspec.Raw) -> bytes:
    """What is kept, as it was written."""
    data = bytes(raw)
    return msgspec.json.decode(data, type=str).encode() if data.startswith(b'"') else data


async def _opened(store: Store) -> None:
    try:
        await store.open()
    except StoreDown as error:
        raise FabletopError(f"the database cannot be opened: {error}") from None


async def _about(table: str, error: Exception, store: Store) -> str:
    """What is wrong with a table; FabletopError where it is the whole database."""
    try:
        await store.chat("", 1)
    except StoreDown:
        raise FabletopError(f"the database does not answer: {error}") from None
    return f"{table}: {error}"


def _report(bad: Sequence[str], good: str, not_so: str) -> Report:
    """Bad tables, each on a line, before the sum."""
    if not bad:
        return Report(good)
    return Report("\n".join([*bad, f"{good}; {len(bad)} {not_so}"]), good=False)


async def _line(store: Store, table: str) -> bytes | None:
    """A table as a line of a backup; None if it has been deleted meanwhile."""
    written = await store.written(table)
    if written is None:
        return None
    kept = Kept(
        _kept(written.head),
        [_kept(entry) for entry in written.entries],
        await store.chat(table, 10_000),
        await store.hooks(table),
    )
    return msgspec.json.encode(kept) + b"\n"


async def backup(store: Store, file: Path) -> Report:
    """Save every table. The file appears when it is complete; a table that cannot be saved is named."""
    await _opened(store)
    draft = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    count, bad = 0, list[str]()
    try:
        private_file(draft)
        with draft.open("wb") as out:
            out.write(msgspec.json.encode({"mark": MARK, "format": FORMAT}) + b"\n")
            for table in await store.every_table():
                try:
                    line = await _line(store, table)
                except (StoreDown, UnicodeDecodeError) as error:
                    bad.append(await _about(table, error, store))
                    continue
                if line is not None:
                    out.write(line)
                    count += 1
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
        await store.close()
    return _report(bad, f"saved {count} tables in {file}", "could not be saved")


def _tables(file: Path) -> Iterator[Kept]:
    try:
        with file.open("rb") as lines:
            first = msgspec.json.decode(next(lines, b"null"))
            if not isinstance(first, dict) or first.get("mark") != MARK:
                raise FabletopError(f"{file} is no backup of Fabletop")
            if first.get("format") != FORMAT:
                raise FabletopError(f"{file} has format {first.get('format')}; this version reads {FORMAT}")
            decode = msgspec.json.Decoder(Kept).decode  # heads and entries are read later, each for itself
            for number, line in enumerate(lines, 2):
                try:
                    yield decode(line)
                except msgspec.DecodeError as error:
                    raise FabletopError(f"{file}, line {number}: {error}") from None
    except (OSError, msgspec.DecodeError) as error:
        raise FabletopError(f"{file} cannot be read: {error}") from None


def _listed(head: Head, entries: Sequence[bytes]) -> tuple[Listing, list[str], str]:
    """How lists show a table, the keys that open it, and what is wrong with it: one that cannot be replayed is closed
    to lists, and opens to every key that is named in what can be read of it."""
    try:
        table = opened(head, [entry_of(entry) for entry in entries])
    except Exception as error:  # whatever it is, the table is kept for a version that can read it
        keys = {entry.key for entry in _readable(entries) if isinstance(entry, Sat | Renewed) and entry.key}
        return Listing(CLOSED, 0, None, head.at), sorted(keys), f"{head.id}: {error}"
    return listing_of(table), sorted({seat.key for seat in table.seats if seat.key}), ""


def _readable(entries: Sequence[bytes]) -> Iterator[Entry]:
    """The entries that can be read."""
    for entry in entries:
        try:
            yield entry_of(entry)
        except msgspec.DecodeError:
            continue


async def _bring_back(store: Store, head: Head, kept: Kept) -> str:
    """Store a table of a backup with all that belongs to it; what is wrong with it, if anything."""
    entries = [_written(raw) for raw in kept.entries]
    listing, keys, wrong = _listed(head, entries)
    await store.create(head, entries, listing, keys)
    for line in kept.chat:
        await store.say(head.id, line)
    for hook in kept.hooks:
        await store.hook(hook._replace(table=head.id))
    return wrong


async def restore(store: Store, file: Path) -> Report:
    """Bring back the tables of a backup; those that are there already stay as they are. One that does not replay is
    brought back closed to lists, and named; so is one that cannot be brought back."""
    kept_tables = list(_tables(file))  # a damaged file is found before anything is written
    await _opened(store)
    count, there_already, bad = 0, 0, list[str]()
    try:
        there = set(await store.every_table())
        for number, kept in enumerate(kept_tables, 2):
            name = f"line {number}"
            try:
                head = head_of(_written(kept.head))
                if head.id in there:
                    there_already += 1
                    continue
                name = head.id
                wrong = await _bring_back(store, head, kept)
            except (StoreDown, msgspec.DecodeError) as error:
                bad.append(f"{await _about(name, error, store)} (not restored)")
                continue
            count += 1
            if wrong:
                bad.append(f"{wrong} (restored, but does not replay)")
    finally:
        await store.close()
    good = f"restored {count} tables, {there_already} were there already"
    return _report(bad, good, "are not as they should be")


async def replay_all(store: Store) -> Report:
    """Does every stored game still replay on this version?"""
    await _opened(store)
    bad: list[str] = []
    count = 0
    try:
        for table in await store.every_table():
            count += 1
            try:
                loaded = await store.load(table)
                assert loaded is not None
                opened(loaded.head, loaded.entries)
            except Exception as error:  # whatever it is, the table must be listed and the next one tried
                bad.append(f"{table}: {error}")
    finally:
        await store.close()
    if bad:
        return Report("\n".join([*bad, f"{len(bad)} of {count} games do not replay"]), good=False)
    return Report(f"all {count} games replay")


async def delete(store: Store, table: str) -> Report:
    """Delete a table."""
    await _opened(store)
    try:
        gone = await store.delete(table)
    finally:
        await store.close()
    return Report(f"deleted {table}") if gone else Report(f"there is no table {table}", good=False)
