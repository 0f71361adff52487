"""Names at a table: visible, and no imitation of another."""

import pytest

from fabletop.server.protocol.errors import ApiError
from fabletop.server.tables.names import checked_name, free_name, imitated, numbered
from tests.server.test_commands import refused


@pytest.mark.parametrize(
    "text",
    [
        "   ",
        "\u200b\u200d\u2060\ufeff",  # zero width
        "\u00ad",  # soft hyphen
        "\u3164",  # Hangul filler, a letter by its category
        "\u115f\u1160\uffa0",
        "\u2800",  # Braille blank, a symbol by its category
        "\u0301\u0308",  # combining marks and nothing to stand on
        "\ufe0f",
        "\U000e0041",
        "\u2028",
    ],
)
def test_a_name_that_looks_empty_is_refused(text):
    with pytest.raises(ApiError, match="at least one letter that can be seen"):
        checked_name(text)


def test_marks_that_cover_other_lines_are_refused():
    assert checked_name("Thảo") == "Thảo"  # Vietnamese has two at most
    with pytest.raises(ApiError, match="at most 2 marks"):
        checked_name("A\u0301\u0302\u0303\u0304na")


@pytest.mark.parametrize("name", ["Ana", "Zoë", "李雷", "Анна", "محمد", "O'Neil", "🦊", "नमस्ते", "Ana 2", "x"])
def test_names_of_all_scripts_are_taken(name):
    assert checked_name(name) == name


def test_what_cannot_be_seen_is_left_out_of_a_name():
    assert checked_name("  A\u200bn\u202ea \n B\u3164en ") == "Ana Ben"


@pytest.mark.parametrize(
    "other",
    [
        "ana", "ANA", "A na", "A\u200bna", "\uff21\uff4e\uff41", "\U0001d400\U0001d427\U0001d41a",  # case, width, form
        "\u0410na", "An\u0430", "\u0391na", "\u0410n\u0430",  # Cyrillic, Greek
    ],
)  # fmt: skip
def test_an_imitation_is_known(other):
    assert imitated(other, ["Ben", "Ana"]) == "Ana"
    assert imitated("Ana", ["Ben", other]) == other


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ali", "AIi", True),  # a capital i for a small L
        ("Ali", "A1i", True),
        ("Сор", "Cop", True),  # all Cyrillic, all Latin
        ("straße", "STRASSE", True),
        ("Lia", "Ila", False),
        ("Ana", "Anna", False),
        ("Zoe", "Zoë", False),
        ("Ben", "Bea", False),
        ("Анна", "Ana", False),
    ],
)
def test_names_that_differ_to_the_eye_are_different(one, other, alike):
    assert (imitated(one, [other]) is not None) is alike
    assert (imitated(other, [one]) is not None) is alike


def test_names_that_the_server_makes_are_no_imitations():
    assert free_name(["Вramble", "clover"]) == "Fern"
    assert numbered("Ana", 2, ["АNA 2"]) == "Ana 3"


async def test_nobody_sits_down_under_a_name_like_that(open_hall):
    _, client = open_hall
    made = await client.make("equinox", ["open", "open", "open"], name="Ana")
    assert "called Ana already" in await refused("taken", client.sit(made["table"], "ana"))
    assert "looks like Ana" in await refused("taken", client.sit(made["table"], "\u0410na"))
    assert "can be seen" in await refused("bad_message", client.sit(made["table"], "\u200b"))
    await client.sit(made["table"], "Anna")
    hot = {"kind": "hot", "name": "Ben"}
    await refused("taken", client.make("equinox", [hot, {**hot, "name": "\u0412en"}]))
