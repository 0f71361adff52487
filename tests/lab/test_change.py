"""What a change does: paired on the same deals, with intervals, corrected for the number of comparisons."""

from __future__ import annotations

import base64
import re
import zlib

import numpy as np
import pytest

from fabletop.cli import main
from fabletop.core.records import parse
from fabletop.games.fairy_school.cards import own_card_text
from fabletop.lab.effects import Effect, bootstrap, compare, corrected, mean_of, ratio_of
from fabletop.lab.fairy_school.measures import changed_things
from fabletop.lab.statistics import Estimate, mean


def side(values, deals):
    return np.asarray(values, float), np.ones(len(values)), np.asarray(deals)


def test_an_interval_takes_the_games_of_a_deal_together():
    chance = np.random.default_rng(3)
    deals = np.repeat(np.arange(30), 4)
    values = np.repeat(chance.normal(size=30), 4)
    found, plain = mean_of(values, deals), mean_of(values, np.arange(120))
    assert found.value == pytest.approx(plain.value)
    assert found.high - found.low > 1.8 * (plain.high - plain.low)
    clusters = [values[deals == deal].tolist() for deal in range(30)]
    assert found.low == pytest.approx(mean(clusters).low, abs=1e-3)  # the ladder approximates t


def test_pairs_show_what_the_noise_of_the_deals_would_hide():
    chance = np.random.default_rng(1)
    luck = chance.normal(0, 10, 200)
    found = compare("", "", "", side(luck, range(200)), side(luck + 1 + chance.normal(0, 1, 200), range(200)))
    assert found.difference.low < 1 < found.difference.high
    assert found.difference.high - found.difference.low < 0.5
    assert found.p < 1e-6


def test_a_ratio_is_of_sums_and_not_a_mean_of_ratios():
    kept, made = np.array([1.0, 0, 3]), np.array([1.0, 0, 0])
    assert ratio_of(made, kept, np.arange(3)).value == pytest.approx(0.25)


def test_the_bootstrap_draws_whole_deals():
    deals = np.repeat(np.arange(40), 3)
    values = np.repeat(np.random.default_rng(2).normal(size=40), 3)
    found = bootstrap(lambda rows: float(np.median(values[rows])), deals)
    alone = bootstrap(lambda rows: float(np.median(values[rows])), np.arange(120))
    assert found.low <= found.value <= found.high
    assert found.high - found.low > alone.high - alone.low
    assert bootstrap(lambda rows: float(np.median(values[rows])), deals) == found


def effect(p, low, high, margin=1.0):
    return Effect("", "", "", 0, 0, Estimate((low + high) / 2, low, high), p, margin)


def test_of_many_comparisons_few_small_ones_stand():
    alone = corrected([effect(0.04, 0.1, 2)])
    assert [one.verdict for one in alone] == ["up"]
    many = corrected([effect(0.04, 0.1, 2)] + [effect(0.5, -2, 2)] * 99)
    assert many[0].verdict == "open"
    sure = corrected([effect(1e-9, -2, -1)] + [effect(0.5, -2, 2)] * 99)
    assert sure[0].verdict == "down"


def test_no_difference_is_told_apart_from_not_knowing():
    assert effect(0.6, -0.2, 0.3).verdict == "same"
    assert effect(0.6, -2.0, 3.0).verdict == "open"
    assert effect(1.0, 0.0, 0.0, margin=0.0).verdict == "same"


def test_the_same_game_twice_differs_in_nothing():
    values = np.random.default_rng(4).normal(size=50)
    found = compare("", "", "", side(values, range(50)), side(values, range(50)))
    assert found.difference == Estimate(0, 0, 0)
    assert corrected([found])[0].verdict == "same"


def test_changed_cards_are_named_with_their_lines():
    text = own_card_text().replace(
        "5E 4V 4F 4W 1A    3E or 3V or 3F or 3W", "4E 4V 4F 4W 1A    3E or 3V or 3F or 3W"
    )
    assert changed_things(text, "x.txt") == {
        "145": (
            "III sphinx  5E 4V 4F 4W 1A  3E or 3V or 3F or 3W",
            "III sphinx  4E 4V 4F 4W 1A  3E or 3V or 3F or 3W",
        )
    }
    start = own_card_text().replace(
        "1     start   unicorn       -                 E ", "1     start   unicorn       -                 2E"
    )
    assert list(changed_things(start, "x.txt")) == ["1"]


def test_the_page_says_what_a_smaller_hand_does(tmp_path, capsys):
    page = tmp_path / "page.html"
    arguments = [
        "lab",
        "change",
        "--game=equinox",
        "--set=hand=6",
        "--with=first=0",
        "--seats=3",
        "--deals=60",
    ]
    assert main([*arguments, "--jobs=1", f"--out={page}"]) == 0
    told = capsys.readouterr().out
    assert "▲ turns" in told
    html = page.read_text()
    assert "<td>hand</td><td><code>8</code></td><td><code>6</code></td>" in html
    assert 'class="chip up"' in html
    assert "not decided" in html
    assert "http" not in re.sub(
        r"http://(127\.0\.0\.1:8000|www\.w3\.org)", "", html
    )  # nothing is loaded from elsewhere
    links = re.findall(r"#replay=([\w-]+)@(\d+)", html)
    assert len(links) == 6
    packed, step = links[0]
    record = parse(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))).decode())
    assert 0 <= int(step) <= len(record.actions)
    again = tmp_path / "again.html"
    assert main([*arguments, "--jobs=1", f"--out={again}"]) == 0
    assert again.read_text() == html


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game=equinox"], "nothing is changed"),
        (["--game=equinox", "--set=hand"], "should be a name and a value"),
        (["--game=equinox", "--set=hand=3"], "from 6 to 10"),
        (["--game=equinox", "--to=queen"], "queen:iterations=100"),
        (["cards.txt", "--game=equinox"], "cannot be read"),
        (["--game=equinox", "--set=hand=6", "--deals=1"], "--deals must be at least 2"),
    ],
)
def test_a_change_that_cannot_be_played_is_told_in_words(arguments, said, capsys):
    assert main(["lab", "change", *arguments]) == 1
    assert said in capsys.readouterr().err
