"""Settings: numbers with bounds, settings for studies alone, and the option sets that laws and fuzzer try."""

import argparse

import pytest

from fabletop import GAMES
from fabletop.arguments import add_setting
from fabletop.core.errors import BadOptions
from fabletop.core.game import Setting, offered
from fabletop.core.laws import all_options
from tests.core.toy import Toy

DEPTH = Setting("depth", "number", default=3, low=2, high=9, study=True)


class Deep(Toy):
    """A toy game that somebody has given a new option, and told nobody."""

    settings = (DEPTH, Setting("first", "first", default="lot"))

    def options(self, given):
        depth = DEPTH.number(given.get("depth", DEPTH.default))
        return {"seats": 3, "depth": depth, "first": given.get("first", "lot")}


def test_a_new_option_is_tried_without_anybody_listing_it():
    tried = all_options(Deep())
    assert {options["depth"] for options in tried} == {2, 3, 9}
    assert {options["first"] for options in tried} == {"lot", 0, 2}


@pytest.mark.parametrize("name", GAMES)
def test_every_setting_of_a_game_is_tried_with_more_than_its_default(name):
    game = GAMES[name]
    tried = all_options(game)
    for setting in game.settings:
        assert [one for one in tried if one[setting.name] != game.options({})[setting.name]], setting.name


@pytest.mark.parametrize("value", [1, 10, 2.5, "3", True, None])
def test_a_number_keeps_its_bounds(value):
    with pytest.raises(BadOptions, match=r"depth is .*; it should be a whole number from 2 to 9"):
        DEPTH.number(value)
    assert DEPTH.number(9) == 9


def test_nobody_is_asked_for_a_setting_of_studies():
    assert [setting.name for setting in offered(Deep.settings)] == ["first"]


def test_a_number_is_an_option_of_the_command_line(capsys):
    command = argparse.ArgumentParser()
    add_setting(command, DEPTH, {"help": "How deep."})
    assert command.parse_args(["--depth", "4"]).depth == 4
    assert "2 to 9 (default: 3)" in command.format_help()
