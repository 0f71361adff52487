"""Reports: the figures behind their sections, the marks, and one page that needs nothing else."""

from __future__ import annotations

import re
import sys

import numpy as np
import pyarrow as pa
import pytest

from fabletop.cli import main
from fabletop.games import GAMES
from fabletop.games.fairy_school.cards import BY_NAME, parse_card_table
from fabletop.lab import report, sections
from fabletop.lab.effects import mean_of, share_of
from fabletop.lab.fairy_school.measures import blanks
from fabletop.lab.frames import Frame
from fabletop.lab.leads import Leads
from fabletop.lab.marks import estimates_of, judged
from fabletop.lab.plots import need_plots
from fabletop.lab.runner import Executor, run_study
from fabletop.lab.study import Mark, read_study

STUDY = """
seed = "report"
[[match]]
name = "alike"
game = "equinox"
bots = ["greedy"]
seats = 3
deals = 50
decisions = true
[[match]]
name = "pairs"
game = "equinox"
bots = ["uniform", "greedy"]
pairing = "matrix"
seats = 3
deals = 6
[[match]]
name = "again"
game = "equinox"
bots = ["uniform", "greedy"]
seats = 4
deals = 6
repeats = 2
[[mark]]
match = "alike"
value = "turns"
statistic = "median"
low = 10
high = 100
[[mark]]
match = "alike"
value = "points"
low = 1000
high = 2000
[[mark]]
match = "alike"
value = "survived"
statistic = "rate"
low = 0.55
high = 0.6
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "small.toml").write_text(STUDY)
    study = read_study(folder / "small.toml")
    return study, run_study(study, folder / "small", Executor(1), lambda done, total: None)


def test_results_know_their_study(played):
    study, results = played
    assert results.study() == study


def test_facts_by_thing_and_by_seat_agree(played):
    frame = Frame.of(played[1], 0)
    predicted = frame.by_thing("predicted")
    for creature, values in predicted.items():
        assert values.tolist() == frame.by_seat("predicted", creature).sum(axis=1).tolist()
    left = frame.plain("creatures_left")
    assert sum(frame.by_thing("survived").values()).tolist() == left.tolist()
    some = frame.only(frame.deals < 3)
    assert len(some) == 3
    assert some.plain("creatures_left").tolist() == left[:3].tolist()


def test_places_count_from_who_begins(played):
    frame = Frame.of(played[1], 0)
    shares = sections.places(frame)
    first = frame.by_seat("first", "").argmax(axis=1)
    assert shares[:, 0].tolist() == [frame.shares[row, seat] for row, seat in enumerate(first)]
    assert shares.sum() == pytest.approx(len(frame))


def test_the_leads_in_a_game_by_hand():
    # two seats, four decisions: the first leads, then both, then the second, who wins
    games = pa.table(
        {
            "index": [5],
            "deal": [0],
            "seats": [2],
            "points": [[2.0, 3.0]],
            "shares": [[0.0, 1.0]],
            "match": [0],
        }
    )
    points = [[2.0, 0.0], [2.0, 0.5], [2.0, 2.0], [2.0, 3.0]]
    decisions = pa.table({"index": [5] * 4, "points": points})
    found = Leads.of(Frame(games, pa.table({"index": pa.array([], pa.int32())}), decisions))
    assert found.changes.tolist() == [1]
    assert found.deficit.tolist() == [2.0]
    assert found.moments.tolist() == [0]
    assert found.turning.tolist() == [2]
    assert found.decided.tolist() == [0.5]
    assert found.leader_wins(0).tolist() == [0.0]
    assert found.leader_wins(0.5).tolist() == [0.5]
    assert found.leader_wins(1).tolist() == [1.0]


def test_luck_and_skill_are_told_apart():
    """Leads that are made of a known skill, a known deal and known noise come apart again."""

    class Made:
        """As much of a frame as the section uses."""

    chance = np.random.default_rng(1)
    deals, seats, repeats = 150, 2, 3
    made = Made()
    rows, bots, leads = [], [], []
    for deal in range(deals):
        cards = chance.normal(0, 2, seats)
        for turn in range(seats):
            for _ in range(repeats):
                who = ["a", "b"] if turn == 0 else ["b", "a"]
                leads.append(
                    [3 * (w == "b") + card + chance.normal(0, 1) for w, card in zip(who, cards, strict=True)]
                )
                bots.append(who)
                rows.append(deal)
    made.leads, made.bots, made.deals = np.array(leads), bots, np.array(rows)
    Made.__len__ = lambda self: len(rows)
    drawn = {}

    def ranges(axes, names, estimates, **more):
        drawn.update(zip(names, estimates, strict=True))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections.plots, "ranges", ranges)
        patch.setattr("fabletop.lab.effects.DRAWS", 50)
        sections.luck(made)
    skill, deal, rest = (one.value for one in drawn.values())
    total = 2.25 + 4 + 1
    assert skill == pytest.approx(2.25 / total, abs=0.05)
    assert deal == pytest.approx(4 / total, abs=0.07)
    assert rest == pytest.approx(1 / total, abs=0.03)


def test_a_share_of_none_or_all_is_not_taken_for_certain():
    none = share_of(np.zeros(20), np.arange(20))
    assert none.value == none.low == 0
    assert 0.1 < none.high < 0.25
    half = share_of(np.tile([0.0, 1.0], 50), np.arange(100))
    assert 0.38 < half.low < 0.42


def test_a_share_counts_the_deals_in_which_there_was_a_case():
    kept = np.zeros(1000)
    kept[:10] = 1
    all_of_ten = share_of(kept, np.arange(1000), kept)
    assert all_of_ten.value == 1
    assert 0.65 < all_of_ten.low < 0.8


def test_many_intervals_of_one_mark_hold_together(played):
    _, results = played
    frame = Frame.of(results, 0)
    (first, *_) = estimates_of(Mark("alike", "victory", "seats", -1, 1), frame).values()
    alone = mean_of(sections.places(frame)[:, 0] - 1 / 3, frame.deals)
    assert first.value == pytest.approx(alone.value)
    assert first.low < alone.low < alone.high < first.high


def test_marks_are_met_or_not_or_not_decided(played):
    study, results = played
    frames = [Frame.of(results, number) for number in range(3)]
    verdicts = [verdict for _, _, _, verdict in judged(study, frames)]
    assert verdicts[:2] == ["met", "not met"]
    assert verdicts[2] in ("not met", "not decided")
    share = Mark("alike", "turns", "share", 0, 1, least=0, most=1000)
    assert estimates_of(share, frames[0])[""].value == 1
    assert set(estimates_of(Mark("alike", "victory", "seats", -1, 1), frames[0])) == {
        "place 1",
        "place 2",
        "place 3",
    }


def test_the_page_has_its_sections_and_needs_nothing_else(played, capsys):
    _, results = played
    assert main(["lab", "report", str(results.folder), "--jobs=1"]) == 0
    told = capsys.readouterr().out
    assert "met: median of turns" in told
    html = (results.folder / "report.html").read_text()
    headings = re.findall(r"<h2>(.*?)</h2>", html)
    assert headings == [
        "Findings", "The marks", "Does skill pay?", "Luck and skill", "Does it matter where one sits?",
        "Who survives", "Which powers are used", "How long a game is", "When it is decided",
        "How much there is to choose", "Never used",
    ]  # fmt: skip
    assert html.count("#replay=") == 15
    outside = re.sub(r"http://(127\.0\.0\.1:8000|www\.w3\.org)", "", html)
    assert "http" not in outside
    assert "<script" not in html
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert main(["lab", "report", str(results.folder), "--jobs=1"]) == 0
    assert (results.folder / "report.html").read_text() == html


def test_a_report_on_a_game_plays_what_it_needs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fabletop.lab.equinox.measures.LEVELS", ("thumbling", "gretel"))
    assert main(["lab", "report", "equinox", "--games=20", "--jobs=1"]) == 0
    assert "What a power is worth" in (tmp_path / "equinox.html").read_text()


def test_every_card_but_those_of_the_start_has_a_blank_twin():
    found = blanks()
    assert len(found) == 28 + 28 + 29 + 30
    own = {card.name: card for card in BY_NAME.values()}
    for name in ("49", "88", "145", "159"):
        table = parse_card_table(found[name])
        other = [card for card in table.cards if card.effect != own[card.name].effect]
        assert [card.name for card in other] == [name]
        assert other[0].effect.lines == ()
        assert (other[0].cost, other[0].creature) == (own[name].cost, own[name].creature)


def test_marks_of_the_rules_are_those_of_the_report():
    study = report.study_on_game("fairy_school", 20, "x")
    values = {(mark.value, mark.low, mark.high) for mark in study.marks}
    assert {("points", 85, 95), ("last_turns", 0.9, 1), ("realised", 0.05, 0.95)} <= values
    assert not report.study_on_game("equinox", 20, "x").marks
    assert GAMES["fairy_school"].id == study.matches[0].game


def test_without_the_libraries_a_report_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Exception, match=r"fabletop\[lab\]"):
        need_plots()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ludo"], "there is no game 'ludo'"),
        (["ludo"], "there is no folder 'ludo' with results"),
        (["equinox", "--games=3"], "--games must be at least 20"),
    ],
)
def test_a_report_that_cannot_be_made_is_told_in_words(arguments, said, capsys):
    assert main(["lab", "report", *arguments]) == 1
    assert said in capsys.readouterr().err
