"""Cards in words and symbols, in three languages; the search; the printed list."""

import re
from pathlib import Path

import pytest

from fabletop.games.fairy_school.algebra import LETTERS, parse_effect, parse_price
from fabletop.games.fairy_school.cards import BY_NAME, CARDS, CREATURES, FINALS
from fabletop.games.fairy_school.catalogue import DESIGNS, cards_page, gives, search
from fabletop.games.fairy_school.words import (
    amounts_words,
    card_title,
    cost_symbols,
    effect_symbols,
    effect_words,
    legend,
    place_words,
)
from fabletop.lang import LANGUAGES, Lexicon

WORDS = {code: Lexicon(code).table("cards") for code in LANGUAGES}
ICONS = ("🪨", "🌿", "🔥", "💧", "💨")
DOCS = Path(__file__).parents[2] / "docs"

# No-break spaces are written plainly here; French puts them before its tall marks.
GOLDEN = {
    # F-6.1
    "5F": (
        "Take 5 fire.",
        "Prenez 5 feux.",
        "Nimm 5 Feuer.",
    ),
    "2F+W": (
        "Take 2 fire and 1 water.",
        "Prenez 2 feux et 1 eau.",
        "Nimm 2 Feuer und 1 Wasser.",
    ),
    "E/V/F/W": (
        "Take 1 element of your choice except air.",
        "Prenez 1 élément de votre choix, sauf l’air.",
        "Nimm 1 Element deiner Wahl außer Luft.",
    ),
    "2V or 2A or 3E": (
        "Take 2 plants, 2 air or 3 earth.",
        "Prenez 2 végétaux, 2 airs ou 3 terres.",
        "Nimm 2 Pflanzen, 2 Luft oder 3 Erde.",
    ),
    "2E+W or 3F": (
        "Take 2 earth and 1 water, or 3 fire.",
        "Prenez 2 terres et 1 eau, ou bien 3 feux.",
        "Nimm 2 Erde und 1 Wasser, oder aber 3 Feuer.",
    ),
    # F-6.2
    "W → 2F": (
        "Pay 1 water to take 2 fire.",
        "Payez 1 eau pour prendre 2 feux.",
        "Bezahle 1 Wasser und nimm dafür 2 Feuer.",
    ),
    "F ×2 → 4E or 4W or A": (
        "Pay 1 fire up to 2 times; each time take 4 earth, 4 water or 1 air.",
        "Payez jusqu’à 2 fois 1 feu et prenez à chaque fois 4 terres, 4 eaux ou 1 air.",
        "Bezahle bis zu 2-mal 1 Feuer und nimm jedes Mal 4 Erde, 4 Wasser oder 1 Luft.",
    ),
    "A ×2 → E+2V+F+W": (
        "Pay 1 air up to 2 times; each time take 1 earth, 2 plants, 1 fire and 1 water.",
        "Payez jusqu’à 2 fois 1 air et prenez à chaque fois 1 terre, 2 végétaux, 1 feu et 1 eau.",
        "Bezahle bis zu 2-mal 1 Luft und nimm jedes Mal 1 Erde, 2 Pflanzen, 1 Feuer und 1 Wasser.",
    ),
    # F-6.3
    "Recall 1": (
        "Pay 1 earth to bring 1 card from your discard into your personal zone.",
        "Payez 1 terre pour reprendre 1 carte de votre défausse dans votre zone personnelle.",
        "Bezahle 1 Erde und hole dir 1 Karte aus deiner Ablage in deinen persönlichen Bereich.",
    ),
    "Recall 2": (
        "Pay 1 earth to bring up to 2 cards from your discard into your personal zone.",
        "Payez 1 terre pour reprendre jusqu’à 2 cartes de votre défausse dans votre zone personnelle.",
        "Bezahle 1 Erde und hole dir bis zu 2 Karten aus deiner Ablage in deinen persönlichen Bereich.",
    ),
    # F-6.7: with an empty discard the exchange still happens
    "Recall 1 +W": (
        "Pay 1 earth to take 1 water, and bring 1 card from your discard, if there is one, into your personal zone.",
        (
            "Payez 1 terre pour prendre 1 eau et, si votre défausse n’est pas vide, en reprendre 1 carte dans votre "
            "zone personnelle."
        ),
        (
            "Bezahle 1 Erde und nimm dafür 1 Wasser; hole dir außerdem, falls vorhanden, 1 Karte aus deiner "
            "Ablage in deinen persönlichen Bereich."
        ),
    ),
    "Recall 2 +A": (
        (
            "Pay 1 earth to take 1 air, and bring up to 2 cards from your discard, if there are any, into your "
            "personal zone."
        ),
        (
            "Payez 1 terre pour prendre 1 air et, si votre défausse n’est pas vide, en reprendre jusqu’à 2 cartes dans "
            "votre zone personnelle."
        ),
        (
            "Bezahle 1 Erde und nimm dafür 1 Luft; hole dir außerdem, falls vorhanden, bis zu 2 Karten aus deiner "
            "Ablage in deinen persönlichen Bereich."
        ),
    ),
    "Scout 1": (
        "Pay 1 plant to draw 3 cards: put 1 into your personal zone and discard the rest.",
        "Payez 1 végétal pour piocher 3 cartes : placez-en 1 dans votre zone personnelle et défaussez les autres.",
        "Bezahle 1 Pflanze und ziehe 3 Karten: 1 davon kommt in deinen persönlichen Bereich, die übrigen legst du ab.",
    ),
    "Scout 2": (
        "Pay 1 plant to draw 3 cards: put 2 into your personal zone and discard the rest.",
        "Payez 1 végétal pour piocher 3 cartes : placez-en 2 dans votre zone personnelle et défaussez le reste.",
        "Bezahle 1 Pflanze und ziehe 3 Karten: 2 davon kommen in deinen persönlichen Bereich, den Rest legst du ab.",
    ),
    "Repeat": (
        "Pay 1 water to activate once more, with a further cube, another card that you have activated this turn.",
        (
            "Payez 1 eau pour activer encore une fois, avec un cube de plus, une autre carte que vous avez activée ce "
            "tour-ci."
        ),
        (
            "Bezahle 1 Wasser und aktiviere mit einem weiteren Würfel noch einmal eine andere Karte, die du in dieser "
            "Runde schon aktiviert hast."
        ),
    ),
    # F-6.8: the exchange may be taken without repeating
    "Repeat +E": (
        (
            "Pay 1 water to take 1 earth; then you may activate once more, with a further cube, another card that you "
            "have activated this turn."
        ),
        (
            "Payez 1 eau pour prendre 1 terre ; vous pouvez ensuite activer encore une fois, avec un cube de plus, une "
            "autre carte que vous avez activée ce tour-ci."
        ),
        (
            "Bezahle 1 Wasser und nimm dafür 1 Erde; dann darfst du mit einem weiteren Würfel noch einmal eine andere "
            "Karte aktivieren, die du in dieser Runde schon aktiviert hast."
        ),
    ),
    "Banish": (
        "Pay 1 fire to remove an unplayed card of your forest from the game.",
        "Payez 1 feu pour retirer du jeu une carte non jouée de votre forêt.",
        "Bezahle 1 Feuer und nimm eine noch nicht gespielte Karte deines Waldes aus dem Spiel.",
    ),
    "Banish +V": (
        "Pay 1 fire to take 1 plant; then you may remove an unplayed card of your forest from the game.",
        "Payez 1 feu pour prendre 1 végétal ; vous pouvez ensuite retirer du jeu une carte non jouée de votre forêt.",
        (
            "Bezahle 1 Feuer und nimm dafür 1 Pflanze; dann darfst du eine noch nicht gespielte Karte deines Waldes "
            "aus dem Spiel nehmen."
        ),
    ),
    "Study": (
        "Pay 1 plant, 1 fire, 1 water and 1 air to study any creature you have not studied yet.",
        (
            "Payez 1 végétal, 1 feu, 1 eau et 1 air pour étudier n’importe quelle créature que vous n’avez pas encore "
            "étudiée."
        ),
        (
            "Bezahle 1 Pflanze, 1 Feuer, 1 Wasser und 1 Luft und erforsche eine beliebige Kreatur, die du noch nicht "
            "erforscht hast."
        ),
    ),
    "4F | A": (
        "Take 4 fire. Or take 1 air.",
        "Prenez 4 feux. Ou bien prenez 1 air.",
        "Nimm 4 Feuer. Oder nimm 1 Luft.",
    ),
}


def plain(text: str) -> str:
    return re.sub("[\u00a0\u202f]", " ", text)


@pytest.mark.parametrize("shorthand", GOLDEN)
def test_effects_in_words(shorthand: str) -> None:
    # F-6.1, F-6.2, F-6.3
    effect = parse_effect(shorthand)
    assert tuple(plain(effect_words(effect, WORDS[code])) for code in ("en", "fr", "de")) == GOLDEN[shorthand]


def test_costs_in_words() -> None:
    cost = parse_price("3E 1V 3F")
    assert [amounts_words(cost, words) for words in WORDS.values()] == [
        "3 earth, 1 plant and 3 fire",
        "3 terres, 1 végétal et 3 feux",
        "3 Erde, 1 Pflanze und 3 Feuer",
    ]
    assert [amounts_words(CARDS[0].cost, words) for words in WORDS.values()] == [
        "free",
        "gratuit",
        "kostenlos",
    ]


def test_titles_and_places() -> None:
    # F-1.9, F-2.2
    assert [card_title(BY_NAME["88"], words) for words in WORDS.values()] == [
        "88 phoenix",
        "88 phénix",
        "88 Phönix",
    ]
    assert card_title(BY_NAME["5:3"], WORDS["fr"]) == "5:3 sirène"
    assert place_words(BY_NAME["49"], WORDS["en"]) == "starts in the discard"
    assert place_words(BY_NAME["58"], WORDS["de"]) == "beginnt in Spalte 2 der oberen Reihe"
    assert place_words(BY_NAME["88"], WORDS["en"]) == ""


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_card_has_whole_sentences_and_a_creature_with_a_name(code: str) -> None:
    words = WORDS[code]
    assert set(words["creature"]) == set(words["the_creature"]) == set(CREATURES)
    assert len(set(words["creature"].values())) == 12
    for card in DESIGNS:
        text = effect_words(card.effect, words)
        assert text[0].isupper()
        assert text.endswith(".")
        assert not re.search(r"[{}]|  |\bNone\b", text)


@pytest.mark.parametrize("code", LANGUAGES)
def test_different_effects_read_differently(code: str) -> None:
    effects = {card.effect for card in CARDS}
    assert len({effect_words(effect, WORDS[code]) for effect in effects}) == len(effects)
    assert len({effect_symbols(effect, WORDS[code]) for effect in effects}) == len(effects)


def test_symbols() -> None:
    effect = parse_effect("E+W ×2 → V or A | Recall 2 +F")
    assert [effect_symbols(effect, words) for words in WORDS.values()] == [
        "E+W ×2 → V or A | Recall 2 +F",
        "E+W ×2 → V ou A | Rappel 2 +F",
        "E+W ×2 → V oder A | Rückruf 2 +F",
    ]
    assert effect_symbols(effect, WORDS["en"], ICONS) == "🪨+💧 ×2 → 🌿 or 💨 | Recall 2 +🔥"
    assert cost_symbols(BY_NAME["88"].cost) == "3E 1V 3F"
    assert cost_symbols(BY_NAME["88"].cost, ICONS) == "3🪨 1🌿 3🔥"
    assert cost_symbols(CARDS[0].cost) == "-"
    assert legend(WORDS["fr"]) == "E terre · V végétal · F feu · W eau · A air"


def test_english_symbols_are_the_shorthand() -> None:
    for card in CARDS:
        assert effect_symbols(card.effect, WORDS["en"]) == str(card.effect)


# -------------------------------------------------------------------------------------------- search, page


def names(**asked: str) -> list[str]:
    return [card.name for card in search(WORDS, **asked)]


def test_search_by_what_a_card_is() -> None:
    assert names(kind="study") == ["156", "157", "159", "162", "163"]
    assert names(deck="I", creature="phoenix") == ["88", "90"]
    assert (
        names(deck="I", kind="banish", element="air")
        == names(deck="I", kind="banish", element="a")
        == ["102"]
    )
    assert names(deck="start", element="V") == ["5", "6", "10", "12"]
    with pytest.raises(
        ValueError, match="'aether' is no element: it should be earth, plant, fire, water, air"
    ):
        search(WORDS, element="aether")


def test_search_by_text_in_any_language() -> None:
    for text in ("phoenix", "PHÉNIX", "phenix", "Phönix"):
        assert names(text=text) == [card.name for card in DESIGNS if card.creature == "phoenix"]
    assert names(text="3e 1v 3f w → e+2f") == ["88"]
    assert names(text="bis 5-mal") == names(text="×5") == ["103"]
    assert "115" in names(text="sphinx 4F")
    assert names(text="Étude cocatrice") == names(text="study cockatrice") == ["159"]
    assert names(text="nothing such") == []
    assert len(names()) == 12 + 28 + 28 + 29 + 30


def test_gives_is_what_can_be_gained() -> None:
    effect = parse_effect("E → V or 2W | Banish +A")
    assert "".join(LETTERS[e] for e in sorted(gives(effect))) == "VWA"


def test_the_printed_list_is_up_to_date() -> None:
    # F-1.8, F-1.9
    page = cards_page(WORDS)
    assert (DOCS / "cards.md").read_text(encoding="utf-8").endswith(page), "run `make docs`"
    rows = [row for row in page.splitlines() if row.startswith("| ") and not row.startswith("| no.")]
    assert len(rows) == len(DESIGNS) + len(FINALS)
    assert sum("**known**" in row for row in rows) == 12 + 23 + 1
    for card in DESIGNS:
        row = next(row for row in rows if row.startswith(f"| {card.name} |"))
        assert all(effect_words(card.effect, words) in row for words in WORDS.values())


def test_the_guide_to_the_shorthand_is_right() -> None:
    guide = (DOCS / "design-cards.md").read_text(encoding="utf-8")
    section = guide.split("## Effects")[1].split("## ")[0]
    rows = [row.split(" | ")[0] for row in section.splitlines() if row.startswith("| `")]
    written = [cell for row in rows for cell in re.findall(r"`([^`]+)`", row)]
    assert len(written) == 17
    for shorthand in written:
        text = shorthand.replace("\\|", "|")
        assert str(parse_effect(text)) == text
    for name in ("88", "49", "58", "9", "F6"):
        row = next(row for row in guide.splitlines() if re.match(rf"{name} ", row))
        assert row.split() in [line.split() for line in _card_file()]


def _card_file() -> list[str]:
    from importlib.resources import files

    return files("fabletop.games.fairy_school").joinpath("cards.txt").read_text(encoding="utf-8").splitlines()
