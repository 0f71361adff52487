"""Section 7: the powers that deal with cards in hand: Squeak, Stag, Twinz, Hoot, Carmen, Goatman."""

import pytest

from tests.equinox.scene import scene


def of(creature, more="", head="round 1   turn ana"):
    """A scene in which Ana controls a creature and is about to play its card of strength 9."""
    return f"""
        {head}
                   {creature}
        row 1       .a
        {more}
    """


# ---- Squeak


def test_squeak_draws_exactly_three():
    # E-7.1
    g = scene(of("squeak", "ana: squeak 9, hoot 1     ben: hoot 8"))
    deck = g.deck
    g.ana("squeak 9", "use")
    assert g.deck == deck - 7  # three, and four more in phase 4
    assert g.log("ben")[1:4] == ["Ana uses the power of Squeak", "Ana draws 3 cards", "Ana draws 4 cards"]
    assert [event.fields["count"] for event in g.events("ana") if event.kind == "drew"] == [3, 4]


@pytest.mark.parametrize("draws", [1, 5])
def test_a_study_may_change_how_many_cards_squeak_draws(draws):
    # E-7.1
    head = f"round 1   turn ana   flow: squeak_draws={draws}"
    g = scene(of("squeak", "ana: squeak 9, hoot 1     ben: hoot 8", head))
    assert g.view("ana")["squeak_draws"] == draws
    g.ana("squeak 9", "use")
    drawn = [event.fields["count"] for event in g.events("ana") if event.kind == "drew"]
    assert drawn == [draws, 7 - draws]


def test_squeak_may_make_a_hand_of_more_than_eight():
    # E-7.1, E-6.3
    hand = "squeak 9, hoot 1, hoot 2, hoot 3, hoot 4, hoot 5, hoot 6, hoot 7"
    g = scene(of("squeak", f"ana: {hand}     ben: hoot 8"))
    g.ana("squeak 9", "use")
    assert g.player("ana")["hand"] == 10
    assert g.asked == "ben"


@pytest.mark.parametrize("left", [1, 2, 3])
def test_squeak_runs_out_the_deck_and_ends_the_game(left):
    # E-7.1, E-6.4
    g = scene(of("squeak", f"ana: squeak 9     ben: hoot 8    deck: {left}"))
    g.ana("squeak 9", "use")
    assert g.asked is None
    assert g.reason() == "deck_ran_out"
    assert g.player("ana")["hand"] == left
    assert g.log("ben")[3] == "Ana draws the last card: the game is over"


def test_with_four_cards_left_squeak_leaves_one_and_phase_4_takes_it():
    # E-7.1, E-6.4
    g = scene(of("squeak", "ana: squeak 9     ben: hoot 8    deck: 4"))
    g.ana("squeak 9", "use")
    assert g.log("ben")[2:5] == [
        "Ana draws 3 cards",
        "Ana draws a card",
        "Ana draws the last card: the game is over",
    ]


# ---- Stag


@pytest.mark.parametrize(("cards", "taken"), [(1, 1), (2, 1), (5, 3), (8, 4)])
def test_stag_sets_half_a_hand_aside_rounded_up(cards, taken):
    # E-7.3
    hand = ", ".join(f"hoot {k}" for k in range(cards))
    g = scene(of("stag", f"ana: stag 9     ben: {hand}"))
    g.ana("stag 9", "ben")
    assert (g.player("ben")["hand"], g.player("ben")["aside"]) == (cards - taken, taken)
    said = "one of Ben’s cards" if taken == 1 else f"{taken} of Ben’s cards"
    assert g.log("ana")[2] == f"You set aside {said}"
    assert g.log()[2] == f"Ana sets aside {said}"


def test_nobody_but_their_owner_can_tell_which_cards_are_set_aside():
    # E-7.3
    g = scene(of("stag", "ana: stag 9     ben: hoot 1, hoot 2     cleo: hoot 3"))
    g.ana("stag 9", "ben")
    (taken,) = g.view("ben")["own"]["aside"]
    assert g.log("ben")[2] == f"Ana sets aside {taken.replace('-', ' ').capitalize()} from your hand"
    for other in ("ana", "cleo", None):
        assert "hoot-1" not in str(g.view(other)["known"])
        assert g.log(other)[2].endswith("one of Ben’s cards")
        assert "hoot-1" not in str(g.events(other))
        assert "hoot-2" not in str(g.events(other))


def test_the_cards_are_drawn_at_random():
    # E-7.3
    text = of("stag", "ana: stag 9     ben: hoot 1, hoot 2, hoot 3, hoot 4")
    seen = {scene(f"{text}\nchance: {n:x}").ana("stag 9", "ben").aside("ben") for n in range(40)}
    assert len(seen) == 6  # all pairs


def test_stag_needs_another_player_with_cards_in_hand():
    # E-7.3
    g = scene(of("stag", "ana: stag 9     ben: none    cleo: hoot 1"))
    g.ana("stag 9")
    assert g.options == "seat-2, pass"
    nobody = scene(of("stag", "ana: stag 9     ben: none"))
    nobody.ana("stag 9")
    assert nobody.asked == "ben"  # no target, so the power is not offered


def test_set_aside_cards_are_out_of_reach_for_a_turn():
    # E-7.3, E-6.2
    g = scene(of("stag", "ana: stag 9     ben: hoot 1, hoot 2, hoot 3, hoot 4"))
    g.ana("stag 9", "ben")
    left, gone = g.hand("ben").split(", "), g.aside("ben").split(", ")
    assert all(g.offers(card) for card in left)  # for a secret bet
    assert not any(g.offers(card) for card in gone)
    g.ben("pass")
    assert not any(g.offers(card) for card in gone)
    g.ben(left[0])
    assert set(gone) <= set(g.hand("ben").split(", "))


def test_a_second_stag_halves_what_is_left():
    # E-7.3
    g = scene("""
        round 1   turn ana
                   stag
        champion    .
        row 1       .a
        ana: stag 9     ben: hoot 8     cleo: hoot 1, hoot 2, hoot 3, hoot 4, hoot 5
    """)
    g.ana("stag 9", "cleo")
    assert (g.player("cleo")["hand"], g.player("cleo")["aside"]) == (2, 3)
    again = scene("""
        round 1   turn ana
                   stag
        row 1       .a
        ana: stag 9     ben: hoot 8     cleo: hoot 1, hoot 2
        cleo aside: hoot 3, hoot 4, hoot 5
    """)
    again.ana("stag 9", "cleo")
    assert (again.player("cleo")["hand"], again.player("cleo")["aside"]) == (1, 4)
    again.ben("pass", "hoot 8")
    again.cleo("pass", "*")
    assert again.player("cleo")["aside"] == 0  # all of them come back


# ---- Twinz


def test_twinz_plays_a_second_card_with_its_power():
    # E-7.5
    g = scene("""
        round 1   turn ana
                   twinz   squeak
        row 1       .a      .a
        ana: twinz 9, squeak 2, hoot 1     ben: hoot 8
    """)
    g.ana("twinz 9", "use")
    assert (g.asks, g.options) == ("play", "squeak-2, hoot-1")  # must play if able
    g.ana("squeak 2", "use")
    assert g.top("twinz", 1) == "twinz-9"
    assert g.top("squeak", 1) == "squeak-2"
    assert g.log("ben")[:5] == [
        "Ana plays Twinz 9",
        "Ana uses the power of Twinz",
        "Ana plays Squeak 2",
        "Ana uses the power of Squeak",
        "Ana draws 3 cards",
    ]


def test_twinz_works_once_a_turn():
    # E-7.5
    g = scene(of("twinz", "ana: twinz 9, twinz 8, hoot 1     ben: hoot 8"))
    g.ana("twinz 9", "use", "twinz 8")
    assert g.asked == "ben"


def test_twinz_works_once_a_turn_also_through_fungy():
    # E-7.5, E-7.8
    first = scene("""
        round 2   turn ana   out: twinz
                   fungy
        row 1       .a
        ana: fungy 9, fungy 8, hoot 1     ben: hoot 8
    """)
    first.ana("fungy 9", "twinz")  # borrowed
    assert first.asks == "play"
    first.ana("fungy 8")
    assert first.asks == "discard"  # not again, and there is nothing else to borrow
    assert first.log("ben")[1] == "Ana uses the power of Twinz (through Fungy)"
    assert first.log("ben", "fr")[1] == "Ana utilise un pouvoir : Bicéphale (grâce à Bolet)"


def test_twinz_may_be_used_without_a_playable_second_card():
    # E-7.5, E-5.5
    g = scene("""
        round 2   turn ana   out: stag
                   twinz
        row 1       .a
        ana: twinz 9, stag 1     ben: hoot 8
    """)
    g.ana("twinz 9", "use")
    assert (g.asks, g.options) == ("play", "pass")
    g.ana("pass")
    assert g.log("ben")[-1] == "Ana has no card to play and shows their hand: Stag 1"


# ---- Hoot


def test_hoot_gets_a_card_of_the_givers_choice():
    # E-7.6
    g = scene(of("hoot", "ana: hoot 9     ben: stag 1, stag 7, fungy 2     cleo: stag 3"))
    g.ana("hoot 9", "ben", "stag")
    assert (g.asked, g.asks, g.options) == ("ben", "hoot_give", "stag-1, stag-7")
    g.ben("stag 1")
    assert "stag 1" in g.hand("ana")
    assert g.hand("ben") == "stag 7, fungy 2"
    assert g.log("ana")[2:4] == ["You ask Ben for Stag", "Ben gives you Stag 1"]
    assert g.log("ben")[2:4] == ["Ana asks you for Stag", "You give Stag 1 to Ana"]
    for other in ("cleo", None):
        assert g.log(other)[2:4] == ["Ana asks Ben for Stag", "Ben gives Ana one Stag card"]
        assert "stag-1" not in str(g.events(other))
        assert "stag-1" not in str(g.view(other))
    assert g.log("cleo", "fr")[2:4] == ["Ana demande Panache à Ben", "Ben donne une carte Panache à Ana"]
    assert g.log("cleo", "de")[2:4] == ["Ana fragt Ben nach Cornu", "Ben gibt Ana eine Cornu-Karte"]
    assert g.log("ben", "fr")[3] == "Vous donnez Panache 1 à Ana"


def test_without_such_a_card_the_hand_is_shown_to_the_asker_alone():
    # E-7.6
    g = scene(of("hoot", "ana: hoot 9     ben: fungy 2, dryad     cleo: stag 3"))
    g.ana("hoot 9", "ben", "stag")
    assert (g.asked, g.asks, g.options) == (
        "ben",
        "hoot_give",
        "pass",
    )  # asked, so that the pause tells nothing
    g.ben("pass")
    assert g.log("ana")[3] == "Ben has no Stag card and shows you their hand: Fungy 2 and Dryad"
    assert g.log("ben")[3] == "You have no Stag card and show Ana your hand: Fungy 2 and Dryad"
    for other in ("cleo", None):
        assert g.log(other)[3] == "Ben has no Stag card and shows Ana their hand"
        assert "fungy-2" not in str(g.events(other))
        assert "fungy-2" not in str(g.view(other))
    known = {entry["card"]: entry["places"] for entry in g.view("ana")["known"]}
    assert known == {"fungy-2": ["hand-1"], "dryad": ["hand-1"]}


def test_hoot_asks_for_a_creature_still_in_play():
    # E-7.6
    g = scene(of("hoot", "ana: hoot 9     ben: stag 1", head="round 2   turn ana   out: stag"))
    g.ana("hoot 9", "ben")
    assert g.options == "squeak, moss_man, rubble, twinz, hoot, carmen, fungy"


def test_cards_set_aside_are_neither_given_nor_shown():
    # E-7.6, E-7.3
    g = scene(of("hoot", "ana: hoot 9     ben: fungy 2     cleo: stag 3\nben aside: stag 1, stag 2"))
    g.ana("hoot 9", "ben", "stag")
    assert g.options == "pass"
    g.ben("pass")
    assert g.log("ana")[3] == "Ben has no Stag card and shows you their hand: Fungy 2"
    assert "stag-1" not in str(g.view("ana"))


def test_a_player_with_an_empty_hand_may_be_asked():
    # E-7.6
    g = scene(of("hoot", "ana: hoot 9     ben: none     cleo: stag 3"))
    g.ana("hoot 9")
    assert g.options == "seat-1, seat-2, pass"
    g.ana("ben", "stag")
    assert g.asked == "ben"
    assert g.asks == "predict"  # there was nothing to decide: it is his turn already
    assert g.log("ana")[3] == "Ben has no Stag card and shows you their hand: nothing"


def test_hoot_asks_another_player():
    # E-7.6
    g = scene(of("hoot", "ana: hoot 9, stag 3     ben: stag 1"))
    g.ana("hoot 9")
    assert not g.offers("seat-0")


# ---- Carmen


def test_carmen_discards_cards_of_any_creature_unseen():
    # E-7.7
    g = scene(
        of("carmen", "ana: carmen 9, hoot 1, stag 2, fungy 3, rubble 4, chameleon 1, dryad     ben: hoot 8")
    )
    g.ana("carmen 9", "use")
    assert g.view("ben")["carmen"]
    assert (g.asks, g.options) == ("discard", "stag-2, rubble-4, hoot-1, fungy-3, pass")
    g.ana("hoot 1", "stag 2", "fungy 3")
    assert g.asked == "ben"  # still three at most
    assert g.discard == 3
    assert g.view("ben")["discarded"] == []
    assert g.view("ana")["own"]["unseen"] == ["stag-2", "hoot-1", "fungy-3"]
    assert g.log("ana")[2:4] == ["You discard Hoot 1 unseen", "You discard Stag 2 unseen"]
    for other in ("ben", None):
        assert g.log(other)[2:5] == ["Ana discards a card unseen"] * 3
        assert "hoot-1" not in str(g.events(other))
        assert "hoot-1" not in str(g.view(other))
    assert g.log("ben", "fr")[2] == "Ana défausse une carte face cachée"


def test_carmen_makes_all_discards_of_the_turn_unseen():
    # E-7.7: also those of eliminated creatures
    g = scene(
        of("carmen", "ana: carmen 9, stag 1, stag 2     ben: hoot 8", head="round 2   turn ana   out: stag")
    )
    g.ana("carmen 9", "use", "stag 1")
    assert g.log("ben")[-1] == "Ana discards a card unseen"
    assert "stag-1" not in g.view()["discarded"]


def test_carmen_is_decided_when_the_card_is_played():
    # E-7.7
    g = scene(of("carmen", "ana: carmen 9, hoot 1     ben: hoot 8"))
    g.ana("carmen 9", "pass")
    assert g.asked == "ben"  # nobody is out, so there is nothing to discard
    again = scene(
        of("carmen", "ana: carmen 9, hoot 1, stag 2     ben: hoot 8", head="round 2   turn ana  out: stag")
    )
    again.ana("carmen 9", "pass")
    assert again.options == "stag-2, pass"
    again.ana("stag 2")
    assert again.log("ben")[-1] == "Ana discards Stag 2"


def test_carmen_may_be_used_with_no_creature_card_left():
    # E-7.7
    g = scene(of("carmen", "ana: carmen 9, chameleon 1     ben: hoot 8"))
    g.ana("carmen 9")
    assert g.options == "use, pass"
    g.ana("use")
    assert (g.asks, g.options) == ("discard", "pass")


def test_carmen_lasts_one_turn():
    # E-7.7
    g = scene(of("carmen", "ana: carmen 9, hoot 1     ben: rubble 8, rubble 7"))
    g.ana("carmen 9", "use", "pass")
    assert not g.view()["carmen"]
    g.ben("pass", "rubble 8")
    assert g.asked == "ana"  # Ben was not asked to discard


# ---- Goatman


def test_goatman_sees_three_random_cards_and_keeps_one():
    # E-7.9
    g = scene(of("goatman", "ana: goatman 9     ben: hoot 1, hoot 2, hoot 3, hoot 4     cleo: stag 3"))
    g.ana("goatman 9", "ben")
    looked = g.view("ana")["looked"]
    assert len(looked) == 3
    assert set(looked) < {"hoot-1", "hoot-2", "hoot-3", "hoot-4"}
    assert g.view("ben")["looked"] == looked
    assert g.view("cleo")["looked"] is None
    assert g.view()["looked"] is None
    assert g.options == ", ".join(looked)
    kept = looked[1]
    g.ana(kept)
    assert kept.replace("-", " ") in g.hand("ana")
    assert g.player("ben")["hand"] == 3
    said = kept.replace("-", " ").capitalize()
    assert g.log("ana")[2].startswith("You look at three of Ben’s cards: Hoot ")
    assert g.log("ana")[3] == f"You keep {said} and return the other two"
    assert g.log("ben")[3] == f"Ana keeps {said} and returns the other two"
    for other in ("cleo", None):
        assert g.log(other)[2:4] == [
            "Ana looks at three of Ben’s cards",
            "Ana keeps one of them and returns the other two",
        ]
        assert "hoot-" not in str(g.events(other))
        assert "hoot-" not in str(g.view(other))


def test_goatman_draws_at_random():
    # E-7.9
    text = of("goatman", "ana: goatman 9     ben: hoot 1, hoot 2, hoot 3, hoot 4")
    seen = {
        tuple(scene(f"{text}\nchance: {n:x}").ana("goatman 9", "ben").view("ana")["looked"])
        for n in range(40)
    }
    assert len(seen) == 4


def test_goatman_needs_another_player_with_three_cards_in_hand():
    # E-7.9, E-7.3: set-aside cards do not count
    g = scene(
        of(
            "goatman",
            "ana: goatman 9     ben: hoot 1, hoot 2     cleo: stag 1, stag 2, stag 3\nben aside: stag 4",
        )
    )
    g.ana("goatman 9")
    assert g.options == "seat-2, pass"
    nobody = scene(of("goatman", "ana: goatman 9     ben: hoot 1, hoot 2\nben aside: stag 4"))
    nobody.ana("goatman 9")
    assert nobody.asked == "ben"


def test_goatman_knows_afterwards_what_was_returned():
    # E-7.9
    g = scene(of("goatman", "ana: goatman 9     ben: hoot 1, hoot 2, hoot 3     cleo: stag 3"))
    g.ana("goatman 9", "ben", "hoot 2")
    assert {entry["card"]: entry["places"] for entry in g.view("ana")["known"]} == {
        "hoot-1": ["hand-1"],
        "hoot-3": ["hand-1"],
    }
    assert {entry["card"]: entry["places"] for entry in g.view("ben")["known"]} == {"hoot-2": ["hand-0"]}
    assert g.view("cleo")["known"] == []


def test_two_dryads_are_one_option_for_goatman():
    # E-7.9, E-7.16
    g = scene(of("goatman", "ana: goatman 9     ben: dryad, dryad, hoot 3     cleo: stag 3"))
    g.ana("goatman 9", "ben")
    assert g.options == "hoot-3, dryad"
    g.ana("dryad")
    assert g.hand("ben") == "hoot 3, dryad"
