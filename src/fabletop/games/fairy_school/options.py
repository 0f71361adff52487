"""The options of a new year of Fairy School: how many seats, which set-up, how long, which neighbourhood (F-2.9)."""

import difflib
from typing import Any

from fabletop.core.errors import BadOptions
from fabletop.core.game import Options, Setting, whole
from fabletop.games.fairy_school import constants as c

SEAT_COUNTS = range(2, c.SEATS_MAX + 1)
SETTINGS = (
    Setting("setup", "one", c.setup_names, "normal"),
    Setting("length", "one", c.length_names, "full"),
    Setting("wider", "yes", default=False),
)
DEFAULTS: dict[str, Any] = {"seats": 4, **{setting.name: setting.default for setting in SETTINGS}}


def checked(given: Options) -> dict[str, Any]:
    """The options completed with the defaults; BadOptions says what would be right."""
    for key in given:
        if key not in DEFAULTS:
            near = difflib.get_close_matches(str(key), DEFAULTS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(DEFAULTS)}"
            raise BadOptions(f"Fairy School has no option {key!r}{hint}")
    options = {**DEFAULTS, **given}
    seats = whole(options["seats"])
    if seats is None or seats not in SEAT_COUNTS:
        raise BadOptions(f"seats is {options['seats']!r}; Fairy School is for 2 to 6")
    options["seats"] = seats
    for key, values in (("setup", c.setup_names), ("length", c.length_names)):
        if options[key] not in values:
            raise BadOptions(
                f"{key} is {options[key]!r}; it should be {', '.join(values[:-1])} or {values[-1]}"
            )
    if not isinstance(options["wider"], bool):
        raise BadOptions(f"wider is {options['wider']!r}; it should be true or false")
    if options["setup"] == "beginners" and seats > c.SETS:
        raise BadOptions(
            "there are five predefined sets, so a beginners' game is for 2 to 5; six play normal or expert"
        )
    if options["wider"] and seats < 4:
        raise BadOptions(f"the wider neighbourhood needs four seats or more, not {seats}")
    return options
