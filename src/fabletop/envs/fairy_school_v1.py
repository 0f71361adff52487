"""Fairy School as PettingZoo environments: `from fabletop.envs import fairy_school_v1`.

`fairy_school_v1.parallel_env()` has all seats act at once, as the phases of the game are; `fairy_school_v1.env()` is
the same game with one seat after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from fabletop.core.game import View
from fabletop.envs.pettingzoo import GameAECEnv, GameParallelEnv, GameSession, add_to_registry
from fabletop.envs.picture import SEATS, Picture

CELL, PLAYER = (64, 44), 150


def raw_env(**settings: Any) -> GameAECEnv:
    """The environment without a wrapper. The settings are those of `GameSession`: seats, options, render_mode, …"""
    return GameAECEnv(GameSession("fairy_school", picture, **settings), "fairy_school_v1")


def env(**settings: Any) -> OrderEnforcingWrapper[str, Any, int]:
    """The environment, with PettingZoo's check of the order of calls."""
    return OrderEnforcingWrapper(raw_env(**settings))


def parallel_env(**settings: Any) -> GameParallelEnv:
    """All seats at once."""
    return GameParallelEnv(GameSession("fairy_school", picture, **settings), "fairy_school_v1")


def picture(view: View) -> npt.NDArray[np.uint8]:
    """For each player the forest, the zones, the elements and the points so far."""
    width, height = CELL
    sheet = Picture(720, 30 + PLAYER * len(view["players"]))
    sheet.text(
        10, 8, f"trimester {view['trimester']}, turn {view['turn']} of {view['turns']}: {view['phase']}"
    )
    for seat, player in enumerate(view["players"]):
        y = 30 + seat * PLAYER
        elements = ", ".join(f"{count} {name}" for name, count in player["elements"].items())
        sheet.text(10, y, f"seat {seat}: {elements}; {player['cubes']} cubes", SEATS[seat])
        for row, name in enumerate(("top", "bottom")):
            for column, card in enumerate(player["forest"][name]):
                sheet.box(10 + column * width, y + 22 + row * height, width - 6, height - 6, card or "")
        for line, name in enumerate(("shared", "personal", "projects", "realised", "studied")):
            cards = " ".join(map(str, player[name])) or "-"
            sheet.text(20 + 5 * width, y + 24 + 18 * line, f"{name}: {cards}")
    return sheet.array()


add_to_registry("aec", "fabletop/fairy-school-v1", f"{__name__}:env")
add_to_registry("parallel", "fabletop/fairy-school-v1", f"{__name__}:parallel_env")
