"""The card list in the terminal, and the words and signs that all screens share."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from fabletop.games import GAMES
from fabletop.lang.handbook import plain
from fabletop.terminal.cards import print_cards
from fabletop.terminal.glyphs import (
    ASCII,
    SEAT_COLOURS,
    UNICODE,
    coloured,
    glyphs,
    seat_names,
    speaks_unicode,
    use_glyphs,
)
from fabletop.terminal.seats import seating, seating_of
from fabletop.terminal.widgets.chooser import Entry, shortcuts
from fabletop.terminal.widgets.log import folded


def printed(game, *words, lang="en"):
    out = io.StringIO()
    code = print_cards(GAMES[game], words, lang, Console(file=out, width=120, highlight=False))
    return code, out.getvalue()


def test_all_cards_are_printed_in_all_languages():
    for lang, name in (("en", "Feather Fox"), ("fr", "Plume de velours"), ("de", "Vulpa")):
        code, text = printed("equinox", lang=lang)
        assert code == 0
        assert name in text
        assert text.count("0–10") == 14, "thirteen creatures and the Chameleon; Ursus has halves"


def test_words_search_whatever_the_accents_and_capitals():
    code, text = printed("equinox", "BICEPHALE", lang="fr")
    assert code == 0
    assert "Bicéphale" in text
    assert "Ursus" not in text
    code, text = printed("equinox", "pebble", "earlier")
    assert "Rubble" in text
    assert "Moss Man" not in text, "all words must occur"


def test_nothing_matches():
    code, text = printed("equinox", "unicorn")
    assert code == 1
    assert "No card matches “unicorn”" in text
    assert plain("Élan ÇA Ötzi") == "elan ca otzi"


def test_the_other_game_has_a_list_too():
    code, text = printed("fairy_school", lang="de")
    assert code == 0
    assert len(text.splitlines()) > 100


def test_seats_have_a_shape_and_a_colour_each():
    assert len(set(UNICODE.seats)) == len(set(ASCII.seats)) == len(set(SEAT_COLOURS)) == 6
    line = coloured("◆ Ben gives ● Ana a card", ("Ana", "Ben"))
    styles = {line.plain[span.start : span.end]: span.style for span in line.spans}
    assert styles == {"● Ana": SEAT_COLOURS[0], "◆ Ben": SEAT_COLOURS[1]}


@pytest.mark.parametrize(
    ("encoding", "can"), [("utf-8", True), ("ascii", False), ("latin-1", False), ("no-such", False)]
)
def test_a_terminal_without_unicode_gets_other_signs(encoding, can):
    assert speaks_unicode(encoding) is can


def test_other_signs_are_used_everywhere():
    use_glyphs(ASCII)
    try:
        assert seat_names(("Ana", "Ben")) == ("o Ana", "v Ben")
        everything = "".join(ASCII.seats) + "".join(
            value for name in ASCII.__slots__ if isinstance(value := getattr(ASCII, name), str)
        )
        assert everything.isascii()
    finally:
        use_glyphs(UNICODE)
    assert glyphs() is UNICODE


def test_what_an_encoding_lacks_is_written_more_plainly():
    line = "Cleo révèle sa prédiction\u00a0: « Bolet » … → 3 ½ 水"
    plainer = line.encode("ascii", "fabletop.plainer").decode()
    assert plainer == 'Cleo revele sa prediction : " Bolet " ~ > 3 1 ?'
    assert len(plainer) == len(line)


def test_shortcuts_leave_the_commands_alone():
    entries = [Entry(str(n), lambda: None) for n in range(40)] + [Entry("Pass", lambda: None, 1, "pass")]
    keys = shortcuts(entries)
    assert keys[0] == "1"
    assert keys[-1] == "p"
    given = [key for key in keys if key]
    assert len(given) == len(set(given))
    assert not set(given) & set("alqu?")


def test_long_lines_are_folded_at_spaces_only():
    pieces = folded(Text("Cleo révèle sa mise secrète\u00a0: Le Pèlerin 8"), 30)
    assert [piece.plain for piece in pieces] == ["Cleo révèle sa mise secrète\u00a0:", "  Le Pèlerin 8"]
    assert [piece.plain for piece in folded(Text("short"), 30)] == ["short"]


def test_a_company_has_names_and_people():
    assert seating(3, 2, ["Zoë"]).names == ("Zoë", "Ana", "Ben")
    assert seating(3, 2).people == (0, 1)
    with pytest.raises(ValueError, match="0 to 3"):
        seating(3, 4)
    with pytest.raises(ValueError, match="at most 2"):
        seating(2, 1, ["a", "b", "c"])
    with pytest.raises(ValueError, match="same name"):
        seating(2, 1, ["a", "a"])
    assert seating_of(["Ana", "Ana"], 2, {"people": [1, 7]}).people == (0,), "what makes no sense is left out"
