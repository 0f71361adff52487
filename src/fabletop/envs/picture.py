"""Simple pictures of a table for `rgb_array`: boxes, texts and pebbles, drawn with Pillow."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

PAPER, INK, LINE, FADED = "#f6f1e4", "#2b2b33", "#b9ae95", "#8d8672"
SEATS = ("#c2452d", "#2d6cc2", "#3c8c40", "#b8860b", "#7d4ba6", "#148f8f")
"""A colour for each seat; the number of the seat stands beside it."""


class Picture:
    """A sheet to draw on."""

    def __init__(self, width: int, height: int) -> None:
        self.image = Image.new("RGB", (width, height), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.font = ImageFont.load_default(13)

    def text(self, x: float, y: float, words: str, colour: str = INK) -> None:
        """A line of text."""
        self.pen.text((x, y), words, colour, self.font)

    def box(
        self, x: float, y: float, width: float, height: float, words: str = "", fill: str = "white"
    ) -> None:
        """A card or a cell, with a text in it."""
        self.pen.rounded_rectangle((x, y, x + width, y + height), 5, fill, LINE)
        if words:
            self.text(x + 6, y + 5, words)

    def pebble(self, x: float, y: float, seat: int) -> None:
        """A pebble of a seat, with its number."""
        self.pen.ellipse((x, y, x + 18, y + 18), SEATS[seat])
        self.text(x + 5, y + 1, str(seat), "white")

    def array(self) -> npt.NDArray[np.uint8]:
        """The picture as rows of pixels."""
        return np.asarray(self.image, np.uint8).copy()
