"""Texts: every action has one that parses back, and a position can be drawn and read."""

import pytest

from fabletop.core.chance import Chance
from fabletop.core.errors import BadText
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CARD_IDS, CREATURE_IDS
from fabletop.games.equinox.position import NUMBERS
from fabletop.games.equinox.text import SPEECH
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller


def test_every_action_text_parses_back():
    assert [EQUINOX.parse(text) for text in EQUINOX.actions] == list(range(len(EQUINOX.actions)))
    assert len(set(EQUINOX.actions)) == len(EQUINOX.actions)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Hoot 7", "hoot-7"),
        ("play hoot 7", "hoot-7"),
        ("HOOT_7", "hoot-7"),
        ("  hoot-7  ", "hoot-7"),
        ("Fiery Fang 10", "fiery_fang-10"),
        ("fiery_fang", "fiery_fang"),
        ("predict Moss Man", "moss_man"),
        ("2 hoot", "2-hoot"),
        ("row 2 hoot", "2-hoot"),
        ("champion hoot", "champion-hoot"),
        ("seat 1", "seat-1"),
        ("the Dryad", "dryad"),
        ("skip", "pass"),
        ("yes", "use"),
    ],
)
def test_a_person_may_write_it_otherwise(text, action):
    assert EQUINOX.actions[EQUINOX.parse(text)] == action


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hoott 7", "did you mean hoot-7"),
        ("hoot 12", "'hoot 12' is no action of Equinox"),
        ("xyzzy", "an action is written like hoot-7"),
        ("", "is no action"),
        ("💥", "is no action"),
        ("7", "is no action"),
        ("seat 7", "is no action"),
    ],
)
def test_what_is_no_action_is_refused_with_a_hint(text, said):
    with pytest.raises(BadText) as caught:
        EQUINOX.parse(text)
    assert said in str(caught.value)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_position_reads_back_in_the_middle_of_anything(seats):
    sitting = Sitting(EQUINOX, {"seats": seats}, seed=f"drawn {seats}")
    chance = Chance.from_text("moves")
    while sitting.pending:
        (seat,) = sitting.pending
        if chance.below(5) == 0:
            text = EQUINOX.position(sitting.state)
            again = EQUINOX.from_position(text)
            assert EQUINOX.position(again) == text
            assert EQUINOX.pending(again) == sitting.pending
            assert EQUINOX.view(again, seat) == sitting.view(seat)
        sitting.act(seat, chance.pick(sitting.pending[seat].options))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("round 7   ana: hoot 1   ben: hoot 2", "round"),
        ("round 1   ana: hoot 1   ben: hoot 1", "hoot 1 is in two places"),
        ("round 1   ana: hoot 11   ben: hoot 1", "'hoot 11' is no card"),
        ("round 1   ana: hoot   ben: hoot 1", "'hoot' is no card"),
        ("   hoot\nrow 1   5x", "cannot read the cell '5x'"),
        ("   hoot\nrow 6   5", "row 6: the rows are 1 to 5"),
        ("   hoot\nrow 2   5\nround 1   ana: stag 1", "nothing in the rows after round 1"),
        ("   hoot\nrow 1   5 6", "row 1 has 2 cells under 1 creatures"),
        ("out: hoot 3\nround 2", "cannot have been eliminated"),
        ("ana: " + ", ".join(f"{creature} 1" for creature in CREATURE_IDS), "more than 8 creatures"),
        ("phase dance   ana: hoot 1", "'dance' is no phase"),
        ("turn zoe   ana: hoot 1", "'zoe' is no seat"),
        ("what is this", "cannot read 'what is this'"),
        ("   hoot\nchampion aaaaa\nrow 1  .a\n ana: hoot 1\npebbles: ana 5", "instead of 5"),
        ("ana secret: dryad", "a secret prediction is a Creature card"),
        ("phase stag   ana: hoot 1", "a power's question needs"),
        ("phase predict   turn ana   asks ben", "'predict' is asked of ana"),
        ("phase play   asks nobody", "'play' is asked of ana"),
        ("phase stag   flow: home=stag power=hoot   ana: hoot 1, stag 1", "'stag' is no question of hoot"),
        (
            "phase stag   flow: home=hoot power=stag   ana: hoot 1, stag 1",
            "hoot cannot use the power of stag",
        ),
        ("phase stag   flow: home=fungy power=stag   ana: fungy 1, stag 1", "stag is not out"),
        (
            "phase hoot_seat   out: hoot   round 2   flow: home=hoot power=hoot   ana: stag 1",
            "hoot is not in play",
        ),
        ("phase play   flow: home=hoot power=hoot   ana: hoot 1", "no power is in use at 'play'"),
        ("phase hoot_creature   flow: home=hoot power=hoot   ana: hoot 1", "another seat as 'target"),
        (
            "phase hoot_give   flow: home=hoot power=hoot target=ana named=hoot   ana: hoot 1",
            "another seat as 'target",
        ),
        (
            "phase hoot_give   flow: home=hoot power=hoot target=ben   ana: hoot 1",
            "creature in play as 'named",
        ),
        (
            "phase goatman_keep   flow: home=goatman power=goatman target=ben looked=1+2+999\nben: goatman 1",
            "three cards of the target",
        ),
        ("phase column   flow: held=999   ana: chameleon 3", "a Chameleon in hand"),
        ("phase column   flow: held=154   ana: chameleon 3", "a Chameleon in hand"),
        ("phase play   flow: held=157   ana: chameleon 3", "nothing is held at 'play'"),
        ("phase play   flow: looked=1+2+3", "nobody looks at cards at 'play'"),
        (
            "phase hopscotch_with   flow: home=hopscotch power=hopscotch held=999\n  hopscotch\nrow 1  3",
            "a visible Creature card",
        ),
        ("phase discard   flow: discards=3   ana: hoot 1", "discards=3: it can be 2 at most"),
        ("flow: stage=99999999999   ana: hoot 1", "stage=99999999999"),
        ("flow: resting=6   ana: hoot 1", "resting=6: it can be 5 at most"),
        ("chance: xyz", "hexadecimal"),
        ("chance: 12345678901234567", "hexadecimal"),
        ("ana secret: hoot 1, hoot 2", "one secret prediction"),
        ("deck: 0   ana: hoot 1", "the deck is empty"),
        ("round 5   out: hoot, stag, ursus, twinz, carmen, fungy 5", "only 2 creatures are in play"),
        ("   hoot\nrow 2   5\nround 2   out: hoot", "its column can have nothing in row 2"),
        ("ana: hoot 1   known hoot 2: hand-0", "it is hidden with no seat"),
        ("ana: hoot 1   known hoot 1: hand-1", "what is known of hoot-1 is wrong"),
        ("at least ana: hoot 2   ana: hoot 1", "fewer hoot cards than all know"),
        ("lacks ana hand: hoot   ana: hoot 1", "know ana to lack"),
        ("lacks ana secret: hoot   ana secret: hoot 1", "know ana to lack"),
    ],
)
def test_an_impossible_position_is_refused(text, said):
    with pytest.raises(BadText) as caught:
        EQUINOX.from_position(text)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_of_a_position_has_a_bound(name):
    with pytest.raises(BadText, match=f"{name}=99999999999: it can be "):
        EQUINOX.from_position(f"flow: {name}=99999999999   ana: hoot 1")


# ---- everything has words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_action_has_a_label(lang):
    teller = Teller(Lexicon(lang), EQUINOX, ("Ana", "Ben", "Cleo", "Dov", "Eli"), None)
    labels = [teller.say("action", text) for text in EQUINOX.actions]
    assert len(set(labels)) == len(labels)
    assert not any("{" in label or "_" in label for label in labels)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            [
                "Hoot 7",
                "Moss Man",
                "Hoot, the 3 row",
                "Hoot, Champion card",
                "Pass",
                "Chameleon 10",
                "Ancestor",
            ],
        ),
        (
            "fr",
            [
                "Le Duc 7",
                "Lichen",
                "Le Duc, rangée à 3",
                "Le Duc, carte Champion",
                "Passer",
                "Caméléon 10",
                "L’Ancêtre",
            ],
        ),
        (
            "de",
            [
                "Noctia 7",
                "Moosmann",
                "Noctia, 3er-Reihe",
                "Noctia, Championkarte",
                "Passen",
                "Chamäleon 10",
                "Urvater",
            ],
        ),
    ],
)
def test_actions_in_words(lang, said):
    teller = Teller(Lexicon(lang), EQUINOX, ("Ana", "Ben"), 0)
    texts = ["hoot-7", "moss_man", "2-hoot", "champion-hoot", "pass", "chameleon-10", "ancestor"]
    assert [teller.say("action", text) for text in texts] == said


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["0 points", "½ point", "1 point", "1½ points", "2 points", "4½ points", "17 points"]),
        ("fr", ["0 point", "½ point", "1 point", "1½ point", "2 points", "4½ points", "17 points"]),
        ("de", ["0 Punkte", "½ Punkt", "1 Punkt", "1½ Punkte", "2 Punkte", "4½ Punkte", "17 Punkte"]),
    ],
)
def test_points_in_words(lang, said):
    # E-7.13: halves have the decimal mark of the language
    teller = Teller(Lexicon(lang), EQUINOX, ("Ana", "Ben"), 0)
    assert [teller.say("points", value) for value in (0.0, 0.5, 1.0, 1.5, 2.0, 4.5, 17.0)] == said


def test_an_unknown_kind_of_value_is_refused():
    with pytest.raises(BadText, match=f"it says {', '.join(sorted(SPEECH))}"):
        EQUINOX.say("colour", "red", str)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_card_list_has_all_cards(lang):
    # E-1.2, E-1.3, E-1.4
    teller = Teller(Lexicon(lang), EQUINOX, (), None)
    entries = list(EQUINOX.cards(teller.word))
    assert [entry.id for entry in entries] == [*CREATURE_IDS, "chameleon", "ancestor", "dryad"]
    assert {card.rpartition("-")[0] or card for card in CARD_IDS} == {entry.id for entry in entries}
    assert len({entry.text for entry in entries}) == len(entries)
    assert [entry.symbols for entry in entries[-3:]] == ["0–10", "×1", "×2"]
    assert entries[CREATURE_IDS.index("ursus")].symbols == "½–10½"
