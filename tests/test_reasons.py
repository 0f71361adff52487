"""Why something cannot be chosen: for both games, in three languages, with a rule of the rules page."""

import re
from pathlib import Path

import pytest

from fabletop import GAMES
from fabletop.core import laws
from fabletop.core.game import ANYTHING_ELSE, Reason
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller
from fabletop.lang.reasons import in_words

ROOT = Path(__file__).resolve().parent.parent
WORLDS = [
    ("equinox", {"seats": 3}),
    ("equinox", {"seats": 5}),
    ("fairy_school", {"seats": 2}),
    ("fairy_school", {"seats": 3, "setup": "expert", "length": "short"}),
    ("fairy_school", {"seats": 4, "wider": True, "length": "short"}),
]


@pytest.mark.parametrize(("name", "options"), WORLDS)
def test_reasons_are_about_known_things_and_can_be_said_with_their_rule(name, options):
    game = GAMES[name]
    page = (ROOT / "docs" / "rules" / f"{name.replace('_', '-')}.md").read_text("utf-8")
    rules = set(re.findall(r"\b[EF]-\d+\.\d+", page))
    tellers = [Teller(Lexicon(code), game, ("Ana", "Ben", "Cleo", "Dov", "Eli"), 0) for code in LANGUAGES]
    things = {*game.actions, ANYTHING_ELSE, *(f"power-{action}" for action in game.actions)}
    asked = 0
    for sitting, seat, _ in laws.walk(game, options, "reasons"):
        choice = sitting.pending[seat]
        offered = {game.actions[action] for action in choice.options}
        found = game.reasons(sitting.view(seat), choice)
        assert set(found) <= things
        assert not offered & set(found), f"{choice.kind}: a reason against an option"
        for teller in tellers:
            told = in_words(teller, found)
            assert sorted(thing for why in told for thing in why.things) == sorted(found)
            assert all(why.text.endswith(".") and "{" not in why.text and why.rule in rules for why in told)
        asked += 1
    assert asked > 100


@pytest.mark.parametrize("name", GAMES)
def test_every_text_is_used_and_every_reason_has_one(name):
    source = (ROOT / "src" / "fabletop" / "games" / name / "reasons.py").read_text("utf-8")
    texts = Lexicon("en").table(f"{name}.why")
    assert [key for key in texts if f'"{key}"' not in source] == []
    assert [key for key in re.findall(r'Reason\("(\w+)"', source) if key not in texts] == []


@pytest.mark.parametrize(("name", "options"), WORLDS[::2])
def test_a_reason_that_shows_something_hidden_breaks_law_5(name, options, monkeypatch):
    game = GAMES[name]
    hidden: list[str] = []
    view = type(game).view

    def noticing(self, state, viewer):
        hidden[:] = [game.position(state)]
        return view(self, state, viewer)

    monkeypatch.setattr(type(game), "view", noticing)
    monkeypatch.setattr(
        type(game), "reasons", lambda *_: {"pass": Reason("use", "E-5.2", (("state", hidden[0]),))}
    )
    with pytest.raises(laws.LawBroken, match="law 5: reasons of"):
        laws.non_interference(game, options, "leak")
