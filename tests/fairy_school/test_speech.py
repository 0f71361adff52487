"""Fairy School in words: every event, question, answer and option can be said, in three languages, to any reader."""

import re
from typing import Any

import pytest

from fabletop.core.events import Event
from fabletop.core.game import Choice
from fabletop.games import GAMES
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school.cards import CARDS, FINALS
from fabletop.games.fairy_school.notation import ACTION_TEXTS
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller

GAME = GAMES["fairy_school"]
NAMES = ("Ana", "Ben", "Cleo")
UNTOLD = {
    "hand_got", "placed", "paid", "rested", "paws_discarded", "closed_up", "scout_discarded", "dropped",
}  # fmt: skip


def teller(code: str, reader: int | None = 0) -> Teller:
    return Teller(Lexicon(code), GAME, NAMES, reader)


def line(code: str, kind: str, reader: int | None = 0, **fields: Any) -> str | None:
    return teller(code, reader).line(Event(kind, fields))


def sample(kind: str) -> dict[str, Any]:
    """An event of this kind with values that its fields may have."""
    values = {
        "seat": 1, "count": 2, "card": "88", "forest": "12", "final": "F3", "set": "C", "space": "bottom-4",
        "column": 3, "line": 2, "element": "fire", "creature": "sea_serpent", "trimester": 2,
        "end": "twelfth_turn",
    }  # fmt: skip
    fields = next(k for k in GAME.events.kinds.values() if k.name == kind).fields
    return {f.name: [values[f.kind[:-1]]] * 2 if f.kind.endswith("*") else values[f.kind] for f in fields}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", [kind.name for kind in GAME.events.kinds.values()])
def test_every_event_has_a_line_for_every_reader_or_is_known_to_have_none(kind: str, code: str) -> None:
    fields = sample(kind)
    for reader in (None, 0, 1):
        told = line(code, kind, reader, **fields)
        assert (told is None) == (kind in UNTOLD)
        if told is not None:
            assert told == told.strip()
            assert not re.search(r"[{}]|None", told)
    assert not UNTOLD & Lexicon(code).table("fairy_school.event").keys()


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_action_has_a_label_and_no_two_the_same(code: str) -> None:
    labels = [teller(code).say("action", text) for text in ACTION_TEXTS]
    assert all(label and label == label.strip() and "{" not in label for label in labels)
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_question_phase_and_reason_has_its_words(code: str) -> None:
    book = Lexicon(code).table("fairy_school")
    assert book["choice"].keys() == set(c.question_names)
    assert book["phase"].keys() == set(c.phase_names)
    assert book["reason"].keys() == set(c.end_names)
    assert book["setting"].keys() == {"seats", *(setting.name for setting in GAME.settings)}
    for setting in GAME.settings:
        values = setting.values or ("yes", "no")
        assert book["setting"][setting.name].keys() == {
            "name",
            "help",
            *values,
            *(f"{v}_help" for v in values),
        }


@pytest.mark.parametrize(
    ("code", "prompt"),
    [
        ("en", "You owe 2 earth and 1 fire and lack 1 fire. Which element do you convert? (1 of 3 given)"),
        (
            "fr",
            "À payer\u00a0: 2 terres et 1 feu. Il vous manque 1 feu. Quel élément convertissez-vous\u202f? (1 sur 3)",
        ),
        (
            "de",
            "Zu bezahlen: 2 Erde und 1 Feuer. Dir fehlt 1 Feuer. Welches Element wandelst du um? (1 von 3)",
        ),
    ],
)
def test_what_is_owed_is_said_in_words(code: str, prompt: str) -> None:
    cost = {"earth": 2, "plant": 0, "fire": 1, "water": 0, "air": 0}
    about = {"for": "line", "card": "9", "cost": cost, "making": "fire", "rate": 3, "spent": 1}
    assert teller(code).prompt(Choice(0, "pay", (0,), about)) == prompt


@pytest.mark.parametrize(
    ("reader", "owner", "english"),
    [
        (1, 1, "You activate Phoenix 88"),
        (1, 2, "You activate Cleo’s Phoenix 88"),
        (0, 1, "Ben activates Phoenix 88"),
        (2, 2, "Ben activates your Phoenix 88"),
        (0, 2, "Ben activates Cleo’s Phoenix 88"),
        (None, 2, "Ben activates Cleo’s Phoenix 88"),
    ],
)
def test_an_activation_reads_well_for_everybody(reader: int | None, owner: int, english: str) -> None:
    assert line("en", "activated", reader, seat=1, owner=owner, card="88", line=1) == english


def test_lines_in_three_languages() -> None:
    converted = {"seat": 1, "made": "earth", "earth": 0, "plant": 1, "fire": 2, "water": 0, "air": 0}
    assert [line(code, "converted", **converted) for code in LANGUAGES] == [
        "Ben converts 1 plant and 2 fire into 1 earth",
        "Ben convertit 1 végétal et 2 feux en 1 terre",
        "Ben wandelt 1 Pflanze und 2 Feuer in 1 Erde um",
    ]
    assert [line(code, "studied", seat=1, creature="elf") for code in LANGUAGES] == [
        "Ben studies the elf",
        "Ben étudie l’elfe",
        "Ben erforscht den Elfen",
    ]
    assert [line(code, "kindness_got", seat=0, giver=1, count=1) for code in LANGUAGES] == [
        "Ben leaves you a cube: your kindness grows",
        "Ben vous laisse un cube\u00a0: votre reconnaissance grandit",
        "Ben lässt dir einen Würfel da: Deine Anerkennung wächst",
    ]
    assert [line(code, "activated", seat=1, owner=0, card="88", line=1) for code in LANGUAGES] == [
        "Ben activates your Phoenix 88",
        "Ben active Phénix 88 chez vous",
        "Ben aktiviert Phönix 88 bei dir",
    ]


def test_drawn_cards_are_told_to_their_own_seat_alone() -> None:  # F-5.1
    assert line("en", "drew", 1, seat=1, count=2, cards=["3", "9"]) == "You draw Siren 3 and Sphinx 9"
    assert line("en", "drew", 0, seat=1, count=2) == "Ben draws 2 cards"
    assert line("en", "drew", None, seat=1, count=1) == "Ben draws a card"


def test_labels_say_what_a_thing_costs_and_does() -> None:  # F-1.5, F-1.9
    say = teller("en").say
    assert say("action", "88") == "88 Phoenix (3E 1V 3F): W → E+2F"
    assert say("action", "9") == "9 Sphinx: F | Recall 1"
    columns = [say("action", f"column-{n}") for n in range(1, 6)]
    assert columns == [
        "Column 1 (1 earth)", "Column 2 (1 plant)", "Column 3 (free)", "Column 4 (1 fire)", "Column 5 (1 water)",
    ]  # fmt: skip
    assert say("action", "f1").startswith("Final project f1: 3E 2V / 4E 3V 2F 2W / ")


def test_options_that_depend_on_the_card_say_what_it_does() -> None:
    say = teller("en").say
    assert say("option", {"action": "line-2", "card": "9"}) == "Recall 1"
    assert say("option", {"action": "gain-3", "card": "117", "line": 1}) == "A"
    assert say("option", {"action": "done", "card": "9"}) == "Done"
    assert teller("fr").say("option", {"action": "line-2", "card": "9"}) == "Rappel 1"


def test_amounts_in_words_and_symbols() -> None:
    say = teller("en").say
    assert say("amounts", [3, 1, 0, 0, 2]) == "3 earth, 1 plant and 2 air"
    assert say("amounts", {"water": 1}) == "1 water"
    assert say("symbols", [3, 1, 0, 0, 2]) == "3E 1V 2A"
    assert teller("de").say("amounts", [0, 2, 0, 0, 0]) == "2 Pflanzen"


def test_the_school_report() -> None:  # F-8.2
    assert [
        teller("en").say("report", mark) for mark in ("", "passed", "distinction", "congratulations")
    ] == [
        "not passed yet",
        "passed",
        "passed with distinction",
        "passed with the congratulations of the jury",
    ]


def test_what_has_no_words_says_so() -> None:
    with pytest.raises(KeyError, match="no words for the kind 'colour'"):
        teller("en").say("colour", "red")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_card_list_has_every_printed_card_once(code: str) -> None:  # F-1.8, F-1.9
    entries = list(GAME.cards(teller(code).word))
    printed = [card.name for card in CARDS if re.fullmatch(r"[1-9]|1[0-2]|49|[5-9]\d|1\d\d", card.name)]
    assert [entry.id for entry in entries] == printed + [final.name for final in FINALS]
    assert all(entry.group and entry.title and entry.symbols and entry.text for entry in entries)
    phoenix = next(entry for entry in entries if entry.id == "88")
    assert phoenix.symbols == "3E 1V 3F · W → E+2F"
