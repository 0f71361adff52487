"""Equinox as a PettingZoo environment: `from fabletop.envs import equinox_v1`, then `equinox_v1.env()`, or
`pettingzoo.make("aec", "fabletop/equinox-v1")`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from fabletop.core.game import View
from fabletop.envs.pettingzoo import GameAECEnv, GameSession, add_to_registry
from fabletop.envs.picture import FADED, INK, SEATS, Picture

CELL, TOP = (96, 64), 56


def raw_env(**settings: Any) -> GameAECEnv:
    """The environment without a wrapper. The settings are those of `GameSession`: seats, options, render_mode, …"""
    return GameAECEnv(GameSession("equinox", picture, **settings), "equinox_v1")


def env(**settings: Any) -> OrderEnforcingWrapper[str, Any, int]:
    """The environment, with PettingZoo's check of the order of calls."""
    return OrderEnforcingWrapper(raw_env(**settings))


def picture(view: View) -> npt.NDArray[np.uint8]:
    """The columns with their cards and pebbles, and the players below."""
    width, height = CELL
    columns = view["columns"]
    rows = len(columns[0]["cells"])
    sheet = Picture(width * len(columns) + 16, TOP + height * rows + 24 * len(view["players"]) + 16)
    for n, column in enumerate(columns):
        x = 8 + n * width
        sheet.text(x + 4, 8, column["creature"].replace("_", " "), INK if column["in_play"] else FADED)
        for place, seat in enumerate(column["champion"]):
            sheet.pebble(x + 4 + 20 * place, 30, seat)
        for row, cell in enumerate(column["cells"]):
            y = TOP + row * height
            fill = "white" if row + 1 == view["round"] and column["in_play"] else "#ece5d3"
            sheet.box(x, y, width - 6, height - 6, cell["top"] or "", fill)
            if cell["pebble"] is not None:
                sheet.pebble(x + width - 30, y + height - 30, cell["pebble"])
    for seat, player in enumerate(view["players"]):
        words = f"seat {seat}: {player['hand']} cards, {player['pebbles']} pebbles"
        words += ", a secret prediction" if player["secret"] else ""
        sheet.text(12, TOP + height * rows + 8 + 24 * seat, words, SEATS[seat])
    return sheet.array()


add_to_registry("aec", "fabletop/equinox-v1", f"{__name__}:env")
