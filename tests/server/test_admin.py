"""The database over time: schema versions, backup and restore, replay-all, delete."""

import json
import sqlite3
import subprocess
import sys

import pytest

from fabletop import Chance
from fabletop.core.errors import FabletopError
from fabletop.server import admin, schema
from fabletop.server.entries import Acted, Head, Sat, encode
from fabletop.server.postgres import PostgresStore
from fabletop.server.sqlite import SqliteStore, connect, migrate
from fabletop.server.store import Listing, StoreDown
from tests.server.hall import hall, play


@pytest.fixture
async def played(tmp_path):
    """A database with a finished game, one that is on, and one that waits."""
    async with hall(tmp_path) as (_, client):
        one = await client.make("equinox", ["hot", "hot"], seed="admin")
        async with client.sit_at(one["table"], one["token"]) as place:
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
        async with client.sit_at(two["table"], two["token"]) as place:
            await place.say("hello")
            await play(place, Chance(1), until=lambda: len(place.story) > 8)
        three = await client.make("equinox", ["open", "open"], name="Ana", listed=True)
    return tmp_path / "tables.sqlite", (one, two, three)


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
    assert [row.id for row in await new.open_tables(None, 9, None)] == [tables[2]["table"]]
    await old.close()
    await new.close()
    (tmp_path / "again").mkdir()
    async with hall(tmp_path / "again", SqliteStore(tmp_path / "new.sqlite")) as (_, client):
        async with client.sit_at(tables[1]["table"], tables[1]["token"]) as place:
            assert place.view["viewer"] == 0, "tokens open the same seats"
        assert (await client.get(tables[0]["table"], "verify"))["replays"]


async def test_tables_move_from_sqlite_to_postgres_and_back(played, postgres, tmp_path):
    file, tables = played
    address = await postgres.fresh()
    await admin.backup(SqliteStore(file), tmp_path / "one")
    assert "restored 3 tables" in (await admin.restore(PostgresStore(address), tmp_path / "one")).text
    assert (await admin.replay_all(PostgresStore(address))).good
    await admin.backup(PostgresStore(address), tmp_path / "two")
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
        Head("bad", "equinox", 1, {"seats": 2}, "s", 1.0, "h"), wrong, Listing("playing", 0, None, 1.0), []
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
    head = Head("bad", "equinox", 1, {"seats": 2}, "s", 1.0, "h", listed=True)
    await store.create(head, bad, Listing("open", 1, 1.0, 1.0), ["k"])
    await store.close()
    async with hall(file.parent) as (hall_, client):
        listed = (await client.call("GET", "/api/tables"))["tables"]
        assert {row["table"] for row in listed} == {"bad", tables[2]["table"]}
        async with client.session.get(f"{client.address}/api/tables/bad") as answer:
            assert (answer.status, (await answer.json())["code"]) == (500, "fault")
        assert (await client.get(tables[1]["table"]))["status"] == "playing"
        assert hall_.server.desk._broken == {"bad"}


def old_database(file, version):
    """A database as an earlier Fabletop made it."""
    connection = sqlite3.connect(file)
    for step in schema.STEPS[:version]:
        for text in step:
            connection.execute(text.format(**schema.SQLITE))
    connection.execute(f"PRAGMA user_version={version}")
    connection.execute(
        "INSERT INTO tables (id, head, game, listed, made, length, status, free, updated, asked)"
        " VALUES ('old', ?, 'equinox', 1, 5, 1, 'open', 1, 5, 0)",
        (encode(Head("old", "equinox", 1, {"seats": 2}, "s", 5.0, "h", listed=True)).decode(),),
    )
    connection.execute(
        "INSERT INTO log VALUES ('old', 0, ?)", (encode(Sat(5.0, 0, "Ana", key="k")).decode(),)
    )
    connection.commit()
    connection.close()


@pytest.mark.parametrize("version", range(1, schema.VERSION + 1))
async def test_a_database_of_any_earlier_version_is_brought_up_to_date(tmp_path, version):
    old_database(tmp_path / "old.sqlite", version)
    for _ in range(2):
        store = SqliteStore(tmp_path / "old.sqlite")
        await store.open()
        loaded = await store.load("old")
        assert loaded.entries == [Sat(5.0, 0, "Ana", key="k")]
        assert await store.hooks("old") == []
        assert await store.due(10.0, 5) == []
        await store.close()
    names = {row[0] for row in connect(tmp_path / "old.sqlite").execute("SELECT name FROM sqlite_master")}
    assert {"hooks", "tables_due"} <= names


async def test_a_step_that_fails_leaves_the_database_as_it_was(tmp_path, monkeypatch):
    old_database(tmp_path / "old.sqlite", 1)
    monkeypatch.setattr(schema, "STEPS", (schema.STEPS[0], (*schema.STEPS[1], "CREATE NONSENSE")))
    connection = connect(tmp_path / "old.sqlite")
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert "hooks" not in {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()


async def test_a_newer_database_is_not_touched(tmp_path):
    connection = sqlite3.connect(tmp_path / "new.sqlite")
    connection.execute(f"PRAGMA user_version={schema.VERSION + 3}")
    connection.close()
    told = run("replay-all", "--database", tmp_path / "new.sqlite")
    assert told.returncode == 1
    assert "use a newer Fabletop" in told.stderr
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
