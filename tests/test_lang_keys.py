"""The language files say the same things in English, French and German."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
LANG = ROOT / "src" / "fabletop" / "lang"
FILES = sorted(path.name for path in (LANG / "en").glob("*.toml"))
OTHERS = ("fr", "de")
PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)")
NAME_COLUMNS = {"en": 1, "fr": 2, "de": 3}


def load(language: str, file: str) -> dict[str, Any]:
    return tomllib.loads((LANG / language / file).read_text(encoding="utf-8"))


def phrases(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a table with their dotted keys; the forms in a list count as one text."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from phrases(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            yield prefix + key, "\n".join(str(form) for form in value)
        else:
            yield prefix + key, str(value)


def differences(english: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Missing keys, extra keys and different placeholders of a translation."""
    ours, theirs = dict(phrases(english)), dict(phrases(other))
    found = [f"{key} is missing" for key in ours if key not in theirs]
    found += [f"{key} is not in English" for key in theirs if key not in ours]
    for key in ours.keys() & theirs.keys():
        here, there = set(PLACEHOLDER.findall(ours[key])), set(PLACEHOLDER.findall(theirs[key]))
        if here != there:
            found.append(f"{key} has placeholders {sorted(there)}, English has {sorted(here)}")
    return sorted(found)


def loose_marks(text: str) -> list[str]:
    """Places where a French mark lacks the no-break space before it, or a quote the one inside."""
    return re.findall(r"[^\s:;?!.…] ?[:;?!](?=\s|$)|«(?![\u00a0\u202f])\w*|\w*(?<![\u00a0\u202f])»", text)


def test_there_is_something_to_compare() -> None:
    assert "equinox.toml" in FILES


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("file", FILES)
def test_translation_has_the_same_keys_and_placeholders(file: str, language: str) -> None:
    assert (LANG / language / file).is_file(), f"lang/{language}/{file} is missing"
    assert not differences(load("en", file), load(language, file))


@pytest.mark.parametrize("language", OTHERS)
def test_no_language_has_a_file_of_its_own(language: str) -> None:
    assert {path.name for path in (LANG / language).glob("*.toml")} <= set(FILES)


@pytest.mark.parametrize("language", ["en", *OTHERS])
@pytest.mark.parametrize("file", FILES)
def test_texts_have_no_straight_double_quotes_or_double_spaces(file: str, language: str) -> None:
    for key, text in phrases(load(language, file)):
        assert '"' not in text, f"{key}: use the quotation marks of the language"
        assert "  " not in text, f"{key}: two spaces"


@pytest.mark.parametrize("file", FILES)
def test_french_marks_have_their_space(file: str) -> None:
    loose = {key: loose_marks(text) for key, text in phrases(load("fr", file)) if loose_marks(text)}
    assert not loose, f"put a no-break space (U+00A0 or U+202F) before the mark: {loose}"


@pytest.mark.parametrize("file", FILES)
def test_french_marks_have_the_space_of_their_kind(file: str) -> None:
    """Narrow before ; ? ! and %, a whole one before a colon and inside quotation marks."""
    wrong = re.compile(r"\u00a0[;?!%]|\u202f[:»]|«\u202f")
    found = {key: text for key, text in phrases(load("fr", file)) if wrong.search(text)}
    assert not found


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("file", FILES)
def test_an_ellipsis_is_set_as_the_language_sets_it(file: str, language: str) -> None:
    """German puts a no-break space before it, French nothing."""
    wrong = re.compile(r"[^\u00a0]…" if language == "de" else r"\s…")
    found = {key: text for key, text in phrases(load(language, file)) if wrong.search(text)}
    assert not found


@pytest.mark.parametrize("language", NAME_COLUMNS)
def test_equinox_names_are_those_of_the_rules_page(language: str) -> None:
    page = (ROOT / "docs" / "rules" / "equinox.md").read_text(encoding="utf-8")
    section = page.split("### The names")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line
    ]
    official = {row[0]: row[NAME_COLUMNS[language]] for row in rows[2:]}
    table = load(language, "equinox.toml")
    assert table["creature"] | table["card"] == official
    assert len(table["creature"]) == 14


def test_every_equinox_card_says_what_it_does() -> None:
    table = load("en", "equinox.toml")
    assert table["power"].keys() == table["creature"].keys() | table["card"].keys()
    assert all(text.endswith(".") for text in table["power"].values())


def test_differences_are_noticed() -> None:
    english = {"a": {"x": "{seat} plays {card}", "y": "yes"}, "forms": ["card", "cards"]}
    assert (
        differences(english, {"a": {"x": "{card} spielt {seat}", "y": "ja"}, "forms": ["Karte", "Karten"]})
        == []
    )
    assert differences(english, {"a": {"x": "{seat} spielt", "z": "?"}, "forms": []}) == [
        "a.x has placeholders ['seat'], English has ['card', 'seat']",
        "a.y is missing",
        "a.z is not in English",
    ]


@pytest.mark.parametrize(
    "text", ["Qui commence?", "Qui commence ?", "Attention : oui", "{seat} : oui", "«oui»"]
)
def test_a_loose_french_mark_is_noticed(text: str) -> None:
    assert loose_marks(text)


@pytest.mark.parametrize(
    "text", ["Qui commence\u202f?", "À 12:30", "Oui\u00a0: «\u00a0non\u00a0»", "{n:d} cartes"]
)
def test_right_french_marks_pass(text: str) -> None:
    assert loose_marks(text) == []
