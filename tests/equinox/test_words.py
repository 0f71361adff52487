"""Questions, endings and settings in words."""

import pytest

from fabletop.core.sitting import steps
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import CHOICE_IDS, REASON_IDS
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller
from tests.equinox.recorded import records
from tests.equinox.scene import PEOPLE, scene


def asked(g, lang):
    return Teller(Lexicon(lang), EQUINOX, PEOPLE, g.choice.seat).prompt(g.choice)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_of_every_record_can_be_put(lang):
    seen = set()
    for record in records().values():
        for sitting in steps(EQUINOX, record):
            for seat, choice in sitting.pending.items():
                text = Teller(Lexicon(lang), EQUINOX, PEOPLE, seat).prompt(choice)
                assert text.endswith((".", "?"))
                assert not set(text) & set("{}_")
                assert "None" not in text
                seen.add(choice.kind)
    assert seen == set(CHOICE_IDS) - {"over"}


def test_the_question_says_who_asks_for_what():
    # E-7.6
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       .a
        ana: hoot 9     ben: stag 1, stag 7     cleo: stag 3
    """)
    g.ana("hoot 9")
    assert asked(g, "en") == "Hoot: whom do you ask for a card?"
    g.ana("ben")
    assert asked(g, "en") == "Hoot: which creature do you ask Ben for?"
    assert asked(g, "fr") == "Le Duc\u00a0: quelle créature demandez-vous à Ben\u202f?"
    g.ana("stag")
    assert asked(g, "en") == "Ana asks you for Stag. Which card do you give?"
    assert asked(g, "de") == "Ana fragt dich nach Cornu. Welche Karte gibst du her?"


def test_a_lone_pass_is_explained():
    # E-5.5, E-6.1, E-7.6
    g = scene("round 2   turn ana   out: stag   ana: stag 9     ben: fungy 1")
    assert asked(g, "en") == "You have no card to play, so you show your hand."
    assert asked(g, "fr") == "Vous n’avez aucune carte à jouer\u00a0: vous montrez votre main."
    hoot = scene("""
        round 1   turn ana
                   hoot
        row 1       .a
        ana: hoot 9     ben: fungy 1
    """).ana("hoot 9", "ben", "stag")
    assert asked(hoot, "en") == "Ana asks you for Stag. You have none, so you show your hand."
    discard = scene("round 2   turn ana   out: stag   ana: hoot 9, hoot 8     ben: fungy 1").ana("hoot 9")
    assert asked(discard, "en") == "You have no card that you could discard."


def test_the_question_of_phase_1_says_what_is_possible():
    # E-3.1, E-3.2, E-3.4
    first = scene("round 1   turn ana   phase predict   ana: hoot 9     ben: fungy 1")
    assert asked(first, "en") == "Bet on a creature, openly or secretly with one of your cards, or pass."
    later = scene("round 2   turn ana   phase predict   out: stag   ana: hoot 9     ben: fungy 1")
    assert asked(later, "en") == "Bet on a creature, or pass."
    secret = scene(
        "round 2  turn ana  phase predict  out: stag  ana: hoot 9   ben: fungy 1\nana secret: hoot 1"
    )
    assert asked(secret, "en") == "Bet on a creature, reveal your secret bet, or pass."


def test_a_borrowed_power_asks_in_its_own_name():
    # E-7.8
    g = scene("""
        round 2   turn ana   out: fiery_fang
                 fungy
        row 1      5a
        ana: fungy 9, fungy 2        ben: hoot 0
    """)
    g.ana("fungy 9")
    assert asked(g, "en") == "Fungy: whose power do you borrow?"
    g.ana("fiery_fang")
    assert asked(g, "en") == "Fiery Fang: which card do you take into your hand?"
    assert asked(g, "de") == "Lupino: Welche Karte nimmst du auf die Hand?"


def test_the_discards_left_are_counted():
    # E-6.1, E-7.7
    g = scene("round 2   turn ana   out: stag   ana: hoot 9, stag 8, stag 7     ben: fungy 1")
    g.ana("hoot 9", "stag 8")
    assert asked(g, "en") == "Discard a card of an eliminated creature, or pass. Still allowed: 2."
    carmen = scene("""
        round 1   turn ana
                   carmen
        row 1       .a
        ana: carmen 9, hoot 1     ben: hoot 8
    """).ana("carmen 9", "use")
    assert asked(carmen, "en") == "Discard any Creature card, unseen, or pass. Still allowed: 3."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_ending_and_every_setting_has_words(lang):
    lexicon = Lexicon(lang)
    for reason in REASON_IDS[1:]:
        assert EQUINOX.say("reason", reason, Teller(lexicon, EQUINOX, (), None).word)
    for setting in EQUINOX.settings:
        assert lexicon(f"equinox.setting.{setting.name}.name")
        assert lexicon(f"equinox.setting.{setting.name}.help")
        if setting.kind != "number":
            assert lexicon(f"equinox.setting.{setting.name}.{setting.default}")
    assert lexicon("equinox.name.title") == "Equinox"


def test_a_card_of_ursus_changes_hands_in_good_english():
    # E-7.6: an indefinite article would not suit every name
    g = scene("""
        round 1   turn ana
                   hoot
        row 1       .a
        ana: hoot 9     ben: ursus 1     cleo: stag 3
    """)
    g.ana("hoot 9", "ben", "ursus").ben("ursus 1")
    assert "Ben gives Ana one Ursus card" in g.log("cleo")
