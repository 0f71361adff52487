"""The database over time: schema versions, backup and restore, replay-all, delete."""

import json
import shutil
import sqlite3
import subprocess
import sys

import asyncpg
import pytest
import pytest_asyncio

from fabletop import Chance
from fabletop.core.errors import FabletopError
from fabletop.games import GAMES
from fabletop.server import admin
from fabletop.server.stores import schema
from fabletop.server.stores.base import ChatLine, Hook, Listing, StoreDown
from fabletop.server.stores.entries import Acted, Head, Sat, encode
from fabletop.server.stores.postgres import PostgresStore
from fabletop.server.stores.sqlite import SqliteStore
from fabletop.server.tables.tokens import hashed
from tests.server.hall import hall, play, until

RULES = GAMES["equinox"].rules


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def once_played(tmp_path_factory):
    """A database with a finished game, one that is on, and one that waits: made once, and copied for each test."""
    folder = tmp_path_factory.mktemp("played")
    async with hall(folder) as (_, client):
        one = await client.make("equinox", ["hot", "hot"], seed="admin")
        async with client.connect(one["table"], one["token"]) as place:
            while not place.over:
                await place._ws.send_json(
                    {"type": "look", "seat": place.table["asked"][0] if place.table["asked"] else 0}
                )
                seat = (await client.get(one["table"]))["asked"]
                if not seat:
                    break
                told = await client.get(one["table"], "view", one["token"], seat=seat[0])
                action = Chance(told["seq"]).pick(told["choice"]["options"])
                body = {
                    "id": f"{told['seq']}",
                    "choice": told["choice"]["id"],
                    "action": action,
                    "seat": seat[0],
                }
                await client.do(one["table"], "act", one["token"], **body)
        two = await client.make("fairy_school", ["open", "gretel"], name="Ana")
        async with client.connect(two["table"], two["token"]) as place:
            await place.say("hello")
            await play(place, Chance(1), until=lambda: len(place.story) > 8)
        three = await client.make("equinox", ["open", "open"], name="Ana", listed=True)
        await client.do(three["table"], "webhook", three["token"], url="https://a.example/hook")
    return folder / "tables.sqlite", (one, two, three)


@pytest.fixture
def played(once_played, tmp_path):
    """A copy of that database."""
    file, tables = once_played
    shutil.copy(file, tmp_path / file.name)
    return tmp_path / file.name, tables


def run(*arguments):
    """The command, as one types it."""
    return subprocess.run(
        [sys.executable, "-m", "fabletop", "admin", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
    )


async def test_a_backup_brings_everything_back(played, tmp_path):
    file, tables = played
    told = run("backup", tmp_path / "b.jsonl", "--database", file)
    assert told.returncode == 0, told.stderr
    assert "saved 3 tables" in told.stdout
    told = run("restore", tmp_path / "b.jsonl", "--database", tmp_path / "new.sqlite")
    assert "restored 3 tables" in told.stdout, told.stderr
    told = run("restore", tmp_path / "b.jsonl", "--database", tmp_path / "new.sqlite")
    assert "restored 0 tables, 3 were there already" in told.stdout
    old, new = SqliteStore(file), SqliteStore(tmp_path / "new.sqlite")
    await old.open()
    await new.open()
    for made in tables:
        before, after = await old.load(made["table"]), await new.load(made["table"])
        assert (before.head, before.entries) == (after.head, after.entries)
        assert await old.chat(made["table"], 9) == await new.chat(made["table"], 9)
        assert await old.hooks(made["table"]) == await new.hooks(made["table"])
    assert [hook.url for hook in await new.hooks(tables[2]["table"])] == ["https://a.example/hook"]
    assert [row.id for row in await new.open_tables(None, 9, None)] == [tables[2]["table"]]
    await old.close()
    await new.close()
    (tmp_path / "again").mkdir()
    async with hall(tmp_path / "again", SqliteStore(tmp_path / "new.sqlite")) as (_, client):
        async with client.connect(tables[1]["table"], tables[1]["token"]) as place:
            assert place.view["viewer"] == 0, "tokens open the same seats"
        assert (await client.get(tables[0]["table"], "verify"))["replays"]


async def test_tables_move_from_sqlite_to_postgres_and_back(played, postgres, tmp_path):
    file, tables = played
    address = await postgres.fresh()
    await admin.backup(SqliteStore(file), tmp_path / "one")
    assert "restored 3 tables" in (await admin.restore(PostgresStore(address), tmp_path / "one")).text
    assert (await admin.replay_all(PostgresStore(address))).good
    await admin.backup(PostgresStore(address), tmp_path / "two")
    assert b"https://a.example/hook" in (tmp_path / "two").read_bytes()
    assert sorted((tmp_path / "one").read_bytes().splitlines()) == sorted(
        (tmp_path / "two").read_bytes().splitlines()
    )
    assert (await admin.delete(PostgresStore(address), tables[0]["table"])).good


async def test_replay_all_finds_what_no_longer_replays(played, tmp_path):
    file, _ = played
    assert "all 3 games replay" in run("replay-all", "--database", file).stdout
    store = SqliteStore(file)
    await store.open()
    head = Head("odd", "equinox", 99, {"seats": 2}, "s", 1.0, "h")
    await store.create(head, [], Listing("playing", 0, None, 1.0), [])
    wrong = [encode(Sat(1.0, 0, "Ana", key="k")), encode(Acted(1.0, 0, "jump"))]
    await store.create(
        Head("bad", "equinox", RULES, {"seats": 2}, "s", 1.0, "h"),
        wrong,
        Listing("playing", 0, None, 1.0),
        [],
    )
    await store.close()
    told = run("replay-all", "--database", file)
    assert told.returncode == 1
    assert "odd: played under version 99" in told.stderr
    assert "2 of 5 games do not replay" in told.stderr
    for name in ("odd", "bad"):
        assert run("delete", name, "--database", file).returncode == 0
    assert "all 3 games replay" in run("replay-all", "--database", file).stdout
    assert run("delete", "odd", "--database", file).returncode == 1


async def test_one_bad_table_does_not_spoil_the_others(played, tmp_path):
    # 18xx: poison games must not kill lists
    file, tables = played
    store = SqliteStore(file)
    await store.open()
    bad = [encode(Sat(1.0, 0, "Ana", key="k")), encode(Acted(1.0, 0, "jump"))]
    head = Head("bad", "equinox", RULES, {"seats": 2}, "s", 1.0, "h", listed=True)
    await store.create(head, bad, Listing("open", 1, 1.0, 1.0), ["k"])
    await store.close()
    async with hall(file.parent) as (hall_, client):
        listed = (await client.call("GET", "/api/tables"))["tables"]
        assert {row["table"] for row in listed} == {"bad", tables[2]["table"]}
        async with client.session.get(f"{client.address}/api/tables/bad") as answer:
            assert (answer.status, (await answer.json())["code"]) == (500, "fault")
        assert (await client.get(tables[1]["table"]))["status"] == "playing"
        assert hall_.server.registry.broken == {"bad"}


BAD = ("nonsense", '"a string"', '{"type": "flew", "at": 1}', "[1,\\n2]")
"""What no version of Fabletop has written."""


async def spoilt(file, *entries):
    """Put a table into a database whose entries cannot be read."""
    store = SqliteStore(file)
    await store.open()
    head = Head("bad", "equinox", RULES, {"seats": 2}, "s", 1.0, "h", listed=True)
    first = encode(Sat(1.0, 0, "Ana", key="k"))
    await store.create(
        head, [first, *(entry.encode() for entry in entries)], Listing("open", 1, 1.0, 1.0), ["k"]
    )
    await store.say("bad", ChatLine(1, 1.0, 0, "Ana", "hello"))
    await store.hook(Hook("bad", "k", "https://a.example/", 1, "answered 500", True))
    await store.close()


async def test_a_table_that_cannot_be_read_is_saved_and_brought_back_as_it_was(played, new_store, tmp_path):
    file, tables = played
    file = file.rename(tmp_path / "old.sqlite")
    await spoilt(file, *BAD)
    told = await admin.backup(SqliteStore(file), tmp_path / "b")
    assert told == admin.Report(f"saved 4 tables in {tmp_path / 'b'}")
    told = await admin.restore(new_store(), tmp_path / "b")
    assert not told.good
    assert told.text.startswith("bad: ")
    assert "restored 4 tables, 0 were there already; 1 are not as they should be" in told.text
    old, new = SqliteStore(file), new_store()
    await old.open()
    await new.open()
    for table in await old.every_table():
        assert await new.written(table) == await old.written(table)
        assert await new.hooks(table) == await old.hooks(table)
        assert await new.chat(table, 9) == await old.chat(table, 9)
    assert [row.id for row in await new.open_tables(None, 9, None)] == [tables[2]["table"]], "closed to lists"
    ((_, row),) = await new.tables_of(["k"], 9)
    assert (row.id, row.listing.status, row.listing.due) == ("bad", "closed", None)
    await old.close()
    await new.close()
    again = await admin.backup(new_store(), tmp_path / "c")
    assert again.good
    assert sorted((tmp_path / "b").read_bytes().splitlines()) == sorted(
        (tmp_path / "c").read_bytes().splitlines()
    )


async def test_a_table_of_other_rules_is_brought_back_and_named(played, tmp_path):
    file, _ = played
    store = SqliteStore(file)
    await store.open()
    head = Head("odd", "equinox", 99, {"seats": 2}, "s", 1.0, "h")
    await store.create(head, [encode(Sat(1.0, 0, "Ana", key="k"))], Listing("playing", 0, None, 1.0), ["k"])
    await store.close()
    assert run("backup", tmp_path / "b", "--database", file).returncode == 0
    told = run("restore", tmp_path / "b", "--database", tmp_path / "new.sqlite")
    assert told.returncode == 1
    assert "odd: played under version 99" in told.stderr
    assert "restored 4 tables" in told.stderr


async def test_what_cannot_be_saved_or_brought_back_is_named_and_the_others_are(played, tmp_path):
    file, _ = played
    await spoilt(file)
    connection = sqlite3.connect(file)
    connection.execute("UPDATE tables SET head = 'no head' WHERE id = 'bad'")
    connection.commit()
    assert (await admin.backup(SqliteStore(file), tmp_path / "b")).good
    told = await admin.restore(SqliteStore(tmp_path / "new.sqlite"), tmp_path / "b")
    assert not told.good
    assert "(not restored)" in told.text
    assert "restored 3 tables" in told.text
    connection.execute("UPDATE log SET entry = CAST(X'22FF22' AS TEXT) WHERE table_id = 'bad'")
    connection.commit()
    connection.close()
    told = await admin.backup(SqliteStore(file), tmp_path / "b")
    assert not told.good
    assert told.text.startswith("bad: ")
    assert "saved 3 tables" in told.text
    assert (
        "restored 3 tables" in (await admin.restore(SqliteStore(tmp_path / "x.sqlite"), tmp_path / "b")).text
    )


async def test_a_backup_of_earlier_versions_is_still_read(played, tmp_path):
    file, _ = played
    await admin.backup(SqliteStore(file), tmp_path / "b")
    lines = [json.loads(line) for line in (tmp_path / "b").read_bytes().splitlines()]
    assert sum("hooks" in line for line in lines) == 1
    old = [{name: part for name, part in line.items() if name != "hooks"} for line in lines]
    (tmp_path / "b").write_text("\n".join(map(json.dumps, old)))
    told = await admin.restore(SqliteStore(tmp_path / "new.sqlite"), tmp_path / "b")
    assert told == admin.Report("restored 3 tables, 0 were there already")


async def test_lists_are_shown_although_a_head_cannot_be_read(played):
    file, tables = played
    await spoilt(file)
    connection = sqlite3.connect(file)
    connection.execute("UPDATE tables SET head = X'FF00' WHERE id = 'bad'")
    connection.execute("UPDATE keys SET key = ? WHERE table_id = 'bad'", (hashed(tables[2]["token"]),))
    connection.commit()
    connection.close()
    async with hall(file.parent) as (_, client):
        listed = (await client.call("GET", "/api/tables"))["tables"]
        assert [row["table"] for row in listed] == [tables[2]["table"]]
        mine = await client.call("POST", "/api/mine", {"tokens": [tables[2]["token"]]})
        assert [row["table"] for row in mine["tables"]] == [tables[2]["table"]]


async def test_a_table_whose_log_cannot_be_read_keeps_no_other_from_being_swept(played):
    file, tables = played
    await spoilt(file, *BAD)
    connection = sqlite3.connect(file)
    connection.execute("UPDATE tables SET due = 2 WHERE id = ?", (tables[1]["table"],))
    connection.commit()
    connection.close()
    async with hall(file.parent) as (hall_, _):
        await until(lambda: tables[1]["table"] in hall_.server.registry.actors)
        assert hall_.server.registry.broken == {"bad"}


# ---- versions of the schema -----------------------------------------------------------------

OLD = (
    (
        "INSERT INTO tables (id, head, game, listed, made, length, status, free, updated, asked)"
        " VALUES ('old', '{head}', 'equinox', 1, 5, 1, 'open', 1, 5, 0)"
    ),
    "INSERT INTO log VALUES ('old', 0, '{entry}')",
    "INSERT INTO hooks (table_id, key, url, failures, error) VALUES ('old', 'k', 'https://a.example/', 1, 'no')",
)


def old_database(version, dialect):
    """The statements by which an earlier Fabletop made a database, with a table in it."""
    for step in schema.STEPS[:version]:
        for text in step:
            yield text.format(**dialect)
    head = encode(Head("old", "equinox", 1, {"seats": 2}, "s", 5.0, "h", listed=True)).decode()
    for text in OLD if version > 1 else OLD[:2]:
        yield text.format(head=head, entry=encode(Sat(5.0, 0, "Ana", key="k")).decode())


class OldSqlite:
    """A file of an earlier version."""

    def __init__(self, file):
        self.file = file

    async def make(self, version):
        await self.run(*old_database(version, schema.SQLITE), f"PRAGMA user_version={version}")

    async def run(self, *statements):
        connection = sqlite3.connect(self.file)
        found = [connection.execute(text).fetchall() for text in statements]
        connection.commit()
        connection.close()
        return found[-1]

    async def version(self):
        return (await self.run("PRAGMA user_version"))[0][0]

    async def indexes(self):
        rows = await self.run("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        return dict(rows)

    def store(self):
        return SqliteStore(self.file)


class OldPostgres:
    """A database of an earlier version on PostgreSQL."""

    def __init__(self, address):
        self.address = address

    async def make(self, version):
        meta = ("CREATE TABLE meta (version INTEGER NOT NULL)", f"INSERT INTO meta VALUES ({version})")
        await self.run(*old_database(version, schema.POSTGRES), *meta)

    async def run(self, *statements):
        connection = await asyncpg.connect(self.address)
        try:
            return [await connection.fetch(text) for text in statements][-1]
        finally:
            await connection.close()

    async def version(self):
        return (await self.run("SELECT version FROM meta"))[0][0]

    async def indexes(self):
        rows = await self.run("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'")
        return {name: text for name, text in rows if not name.endswith("_pkey")}

    def store(self):
        return PostgresStore(self.address)


@pytest.fixture(params=["sqlite", "postgres"])
async def old(request, tmp_path):
    """A database that is yet to be made."""
    if request.param == "sqlite":
        return OldSqlite(tmp_path / "old.sqlite")
    return OldPostgres(await request.getfixturevalue("postgres").fresh())


@pytest.mark.parametrize("version", range(1, schema.VERSION + 1))
async def test_a_database_of_any_earlier_version_is_brought_up_to_date(old, version):
    await old.make(version)
    hooks = [] if version == 1 else [Hook("old", "k", "https://a.example/", 1, "no")]
    for _ in range(2):
        store = old.store()
        await store.open()
        loaded = await store.load("old")
        assert loaded.entries == [Sat(5.0, 0, "Ana", key="k")]
        assert await store.hooks("old") == hooks
        assert await store.due(10.0, 5) == []
        assert [row.id for row in await store.open_tables(None, 5, None)] == ["old"]
        await store.close()
    assert await old.version() == schema.VERSION
    indexes = await old.indexes()
    assert set(indexes) == {"tables_due", "tables_open", "keys_table", "hooks_untold"}
    assert "(made, id)" in indexes["tables_open"]


async def test_a_step_that_fails_leaves_the_database_as_it_was(old, monkeypatch):
    await old.make(1)
    before = await old.indexes()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "STEPS", (schema.STEPS[0], (*schema.STEPS[1], "CREATE NONSENSE")))
        with pytest.raises(StoreDown, match="NONSENSE"):
            await old.store().open()
    assert await old.version() == 1
    assert await old.indexes() == before
    store = old.store()
    await store.open()
    assert await store.hooks("old") == []
    await store.close()


async def test_a_newer_database_is_not_touched(old, tmp_path):
    await old.make(2)
    newer = schema.VERSION + 3
    await old.run(
        f"PRAGMA user_version={newer}" if isinstance(old, OldSqlite) else f"UPDATE meta SET version = {newer}"
    )
    before = await old.indexes()
    told = run("replay-all", "--database", old.file if isinstance(old, OldSqlite) else old.address)
    assert told.returncode == 1
    assert "use a newer Fabletop" in told.stderr
    assert (await old.version(), await old.indexes()) == (newer, before)


async def test_a_file_that_is_no_database_is_said_clearly(tmp_path):
    (tmp_path / "text.sqlite").write_text("no database" * 1000)
    with pytest.raises(StoreDown, match="not a database"):
        await SqliteStore(tmp_path / "text.sqlite").open()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no backup"),
        ("{}", "no backup"),
        ("nonsense", "cannot be read"),
        (json.dumps({"mark": admin.MARK, "format": 9}), "format 9"),
        (json.dumps({"mark": admin.MARK, "format": 1}) + "\n{}", "line 2"),
    ],
)
async def test_a_file_that_is_no_backup_is_refused_before_anything_is_written(tmp_path, text, says):
    (tmp_path / "b").write_text(text)
    with pytest.raises(FabletopError, match=says):
        await admin.restore(SqliteStore(tmp_path / "x.sqlite"), tmp_path / "b")
    assert not (tmp_path / "x.sqlite").exists()
