"""The measure of single choices: what it finds, and that a file of it serves again."""

from pathlib import Path

import pytest

from bench import regret


def rows(text: str) -> dict[str, list[str]]:
    """The rows of the printed table by bot."""
    cells = [
        [cell.strip(" `") for cell in line.split("|")[1:-1]]
        for line in text.splitlines()
        if line[:3] == "| `"
    ]
    return {row[0]: row[1:] for row in cells}


def test_who_chooses_at_random_loses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Other bots meet the same positions, and what was played on once is not played on again."""
    out = tmp_path / "regret.jsonl"
    command = [
        "equinox",
        "greedy",
        "uniform",
        "--seats",
        "2",
        "--positions",
        "12",
        "--deals",
        "20",
        "--out",
        str(out),
    ]
    assert regret.main(command) == 0
    found = rows(capsys.readouterr().out)
    assert found["greedy"][:3] == ["0.00 % (0.00 to 0.00)", "0.000 (0.000 to 0.000)", "0%"]
    assert found["uniform"][0].startswith("-")
    assert found["uniform"][1].startswith("-")
    kept = out.read_text("utf-8")
    assert len(regret.Kept(out).positions) == 12
    assert regret.main(command) == 0
    assert out.read_text("utf-8") == kept
    again = rows(capsys.readouterr().out)
    assert [row[:3] for row in again.values()] == [row[:3] for row in found.values()]


@pytest.mark.parametrize("game", ["equinox", "fairy_school"])
def test_an_option_is_worth_what_follows_it(game: str) -> None:
    """All options in the same deals; a second look finds the same, whatever was looked at before."""
    position = regret.positions_of(regret.Source(game, 2, each=1), "worth")[0]
    options = position.reached().pending[position.seat].options
    assert len(options) >= regret.OPTIONS
    position.play_on(options[:2], 2)
    first, second = (position.values[option] for option in options[:2])
    assert 0 <= first[0] <= 1
    assert 0 <= second[0] <= 1
    assert abs(first[1]) < 40  # points, not the parts of points in which a world counts
    position.play_on(options[1:2], 2)
    assert position.values[options[1]] == second
