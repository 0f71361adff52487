"""Records as files: complete, readable, safe."""

import json

import pytest

from fabletop.core.errors import BadRecord
from fabletop.core.records import Record, load, parse

RECORD = Record("toy", 1, {"seats": 3}, "seed", ((0, "keep"), (1, "swap")), ("Ana", "Éloïse"), {"bots": [1]})


def test_round_trip_through_a_file(tmp_path):
    path = tmp_path / "deep" / "game.json"
    RECORD.save(path)
    assert load(path) == RECORD
    assert list(path.parent.iterdir()) == [path]


def test_a_path_may_be_a_text(tmp_path):
    path = f"{tmp_path}/game.json"
    RECORD.save(path)
    assert load(path) == RECORD
    with pytest.raises(BadRecord, match=r"none\.json: cannot be read"):
        load(f"{tmp_path}/none.json")


def test_the_text_is_json_with_one_action_to_a_line():
    assert json.loads(RECORD.text())["actions"] == ["0 keep", "1 swap"]
    assert '    "1 swap"\n' in RECORD.text()
    assert parse(Record("toy", 1, {}, "s").text()).actions == ()


def test_saving_replaces_all_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    RECORD.save(path)
    monkeypatch.setattr(Record, "text", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        RECORD.save(path)
    monkeypatch.undo()
    assert load(path) == RECORD
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a JSON text in line 1, column 1"),
        ("{", "not a JSON text"),
        ("[" * 100_000, "not a JSON text"),
        ("[]", "no Fabletop record"),
        ('{"fabletop": "score"}', "no Fabletop record"),
        (RECORD.text().replace('"format": 1', '"format": 7'), "record format 7 is unknown"),
        (RECORD.text().replace('"seed"', '"sead"'), "'seed' is missing"),
        (RECORD.text().replace('"rules": 1', '"rules": "1"'), "'rules' should be of type int, not str"),
        (RECORD.text().replace('"rules": 1', '"rules": true'), "'rules' should be of type int, not bool"),
        (RECORD.text().replace("1 swap", "swap"), "action 2 is 'swap'"),
        (RECORD.text().replace('"1 swap"', "17"), "action 2 is 17"),
    ],
)
def test_a_damaged_or_foreign_text_gets_a_clear_error(text, message):
    with pytest.raises(BadRecord, match=message):
        parse(text)


def test_a_file_that_cannot_be_read_gets_a_clear_error(tmp_path):
    with pytest.raises(BadRecord, match=r"none.json: cannot be read \(No such file"):
        load(tmp_path / "none.json")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadRecord, match="not a text file"):
        load(tmp_path / "picture.png")
    (tmp_path / "half.json").write_text(RECORD.text()[:80])
    with pytest.raises(BadRecord, match=r"half.json: not a JSON text"):
        load(tmp_path / "half.json")
