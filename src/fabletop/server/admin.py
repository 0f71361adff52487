"""Looking after the database: backup, restore, replay-all, delete. A backup is JSON lines, one table each."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fabletop.core.errors import FabletopError
from fabletop.server.entries import Head, encode, entry_of
from fabletop.server.live import listing_of
from fabletop.server.store import Line, Store, StoreDown
from fabletop.server.table import opened

MARK = "fabletop backup"
FORMAT = 1


class Report(NamedTuple):
    """What an action has to say, and whether all is well."""

    text: str
    good: bool = True


class Kept(msgspec.Struct, omit_defaults=True):
    """A table in a backup."""

    head: Head
    entries: list[msgspec.Raw]
    chat: list[list[Any]] = []


async def _opened(store: Store) -> None:
    try:
        await store.open()
    except StoreDown as error:
        raise FabletopError(f"the database cannot be opened: {error}") from None


async def backup(store: Store, file: Path) -> Report:
    """Save every table; all or nothing."""
    await _opened(store)
    draft = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    count = 0
    try:
        with draft.open("wb") as out:
            out.write(msgspec.json.encode({"mark": MARK, "format": FORMAT}) + b"\n")
            for table in await store.every_table():
                loaded = await store.load(table)
                if loaded is None:
                    continue
                entries = [msgspec.Raw(encode(entry)) for entry in loaded.entries]
                chat = [list(line) for line in await store.chat(table, 10_000)]
                out.write(msgspec.json.encode(Kept(loaded.head, entries, chat)) + b"\n")
                count += 1
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
        await store.close()
    return Report(f"saved {count} tables in {file}")


def _tables(file: Path) -> Iterator[Kept]:
    try:
        with file.open("rb") as lines:
            first = msgspec.json.decode(next(lines, b"null"))
            if not isinstance(first, dict) or first.get("mark") != MARK:
                raise FabletopError(f"{file} is no backup of Fabletop")
            if first.get("format") != FORMAT:
                raise FabletopError(f"{file} has format {first.get('format')}; this version reads {FORMAT}")
            decode = msgspec.json.Decoder(Kept).decode
            for number, line in enumerate(lines, 2):
                try:
                    yield decode(line)
                except msgspec.DecodeError as error:
                    raise FabletopError(f"{file}, line {number}: {error}") from None
    except (OSError, msgspec.DecodeError) as error:
        raise FabletopError(f"{file} cannot be read: {error}") from None


async def restore(store: Store, file: Path) -> Report:
    """Bring back the tables of a backup; those that are there already stay as they are."""
    kept_tables = list(_tables(file))  # a damaged file is found before anything is written
    await _opened(store)
    try:
        there = set(await store.every_table())
        count = 0
        for kept in kept_tables:
            if kept.head.id in there:
                continue
            entries = [entry_of(bytes(raw)) for raw in kept.entries]
            table = opened(kept.head, entries)
            keys = sorted({seat.key for seat in table.seats if seat.key})
            await store.create(kept.head, [bytes(raw) for raw in kept.entries], listing_of(table), keys)
            for line in kept.chat:
                await store.say(kept.head.id, Line(*line))
            count += 1
    finally:
        await store.close()
    return Report(f"restored {count} tables, {len(kept_tables) - count} were there already")


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
