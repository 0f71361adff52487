"""Contact sheets: every state of the tables at every size, to be looked at before a release.

    python -m tests.web.sheets [folder [state …]]

Three sheets for each state: phones, laptops, and other screens. Language, day and night change from sheet to sheet.
Without a folder they go to build/sheets; what is there already is not made again.
"""

import io
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Page

from tests.web import scenes
from tests.web.camera import LANGS, Look
from tests.web.conftest import ROOT
from tests.web.fit import SIZES, sizes
from tests.web.screenshots import STATES, studio, take

GROUPS = {"phones": SIZES[:3], "laptops": SIZES[5:9], "others": SIZES[3:5] + SIZES[9:]}
COLUMNS, WIDEST, CAPTION = 2, 950, 14


def at_every_size(page: Page, file: Path, group: Sequence[tuple[int, int]]) -> None:
    """Take a page at several sizes, side by side."""
    pictures: list[tuple[str, Image.Image]] = []
    for size in sizes(page, group):
        page.wait_for_timeout(400)
        picture = Image.open(io.BytesIO(page.screenshot(scale="css"))).convert("RGB")
        picture.thumbnail((WIDEST, picture.height))
        pictures.append((size, picture))
    across = len(pictures) if group == GROUPS["phones"] else COLUMNS
    rows = [pictures[start : start + across] for start in range(0, len(pictures), across)]
    wide = max(sum(picture.width for _, picture in row) for row in rows)
    tall = sum(max(picture.height for _, picture in row) + CAPTION for row in rows)
    made = Image.new("RGB", (wide, tall), "grey")
    top = 0
    for row in rows:
        left = 0
        for size, picture in row:
            ImageDraw.Draw(made).text((left + 2, top + 1), size.replace("×", "x"), "white")
            made.paste(picture, (left, top + CAPTION))
            left += picture.width
        top += max(picture.height for _, picture in row) + CAPTION
    made.save(file)


def main() -> int:
    """Make the sheets; 1 where one could not be made."""
    given = sys.argv[1:]
    if {"-h", "--help"} & set(given):
        print(__doc__)
        return 0
    folder = Path(given[0]) if given else ROOT / "build" / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    missed = 0
    with studio() as camera:
        for number, (state, show) in enumerate({**STATES, **scenes.STATES}.items()):
            for turn, (name, group) in enumerate(GROUPS.items(), number):
                file = folder / f"{state}-{name}.png"
                if file.exists() or (given[1:] and state not in given[1:]):
                    continue
                look = Look(*group[-1], night=turn % 2 == 0, lang=LANGS[turn % 3])
                missed += not take(camera(look), show, file, partial(at_every_size, group=group))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
