"""The options of a new game of Equinox: how many seats, which creatures, who begins."""

import difflib
from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, date
from typing import Any

from fabletop.core.errors import BadOptions
from fabletop.core.game import Options, Setting, whole
from fabletop.games.equinox import constants as c

SEAT_COUNTS = range(2, c.SEATS_MAX + 1)
SETTINGS = (
    Setting("creatures", "some", c.CREATURE_IDS, default="random", count=c.IN_GAME),
    Setting("first", "first", default="lot"),
    Setting("hand", "number", default=c.HAND, low=6, high=10, study=True),
    Setting("squeak_draws", "number", default=c.SQUEAK_DRAWS, low=1, high=6, study=True),
    Setting("ursus_halves", "number", default=c.URSUS_HALVES, low=0, high=4, study=True),
)
DEFAULTS: dict[str, Any] = {"seats": 4, **{setting.name: setting.default for setting in SETTINGS}}
EQUINOXES = ((3, 21), (9, 23))
"""The rulebook says "around" these two days; we take them at their word, so that nobody needs an almanac (E-2.2)."""


def study_numbers(options: Options) -> tuple[int, ...]:
    """The numbers of the rules that a study may change, as the engine takes them."""
    return tuple(options[setting.name] for setting in SETTINGS if setting.study)


def checked(given: Options) -> dict[str, Any]:
    """The options completed with the defaults; BadOptions says what would be right."""
    for key in given:
        if key not in DEFAULTS:
            near = difflib.get_close_matches(str(key), DEFAULTS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; the options are {', '.join(DEFAULTS)}"
            raise BadOptions(f"Equinox has no option {key!r}{hint}")
    options = {**DEFAULTS, **given}
    options["seats"] = _seats(options["seats"])
    options["creatures"] = _creatures(options["creatures"])
    options["first"] = _first(options["first"], options["seats"])
    for setting in SETTINGS:
        if setting.kind == "number":
            options[setting.name] = setting.number(options[setting.name])
    return options


def _seats(value: Any) -> int:
    """E-1.1: two to five."""
    seats = whole(value)
    if seats is None or seats not in SEAT_COUNTS:
        raise BadOptions(f"seats is {value!r}; Equinox is for {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}")
    return seats


def _creatures(value: Any) -> str | list[str]:
    """E-1.2: eight of the fourteen, in the order of the rules page; or `random`."""
    if value == "random":
        return "random"
    if not isinstance(value, list | tuple):
        raise BadOptions(f"creatures should be 'random' or a list of {c.IN_GAME} ids, not {value!r}")
    for creature in value:
        if creature not in c.CREATURE_IDS:
            near = difflib.get_close_matches(str(creature).lower(), c.CREATURE_IDS, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(c.CREATURE_IDS)}"
            raise BadOptions(f"there is no creature {creature!r}{hint}")
        if list(value).count(creature) > 1:
            raise BadOptions(f"{creature!r} stands twice among the creatures")
    if len(value) != c.IN_GAME:
        raise BadOptions(f"{len(value)} creatures: a game has exactly {c.IN_GAME}")
    return sorted(value, key=c.CREATURE_IDS.index)


def _first(value: Any, seats: int) -> Any:
    """E-2.2: at random, a seat, or by birthdays."""
    if isinstance(value, str) and value == "lot":
        return value
    seat = whole(value)
    if seat is not None:
        if not 0 <= seat < seats:
            raise BadOptions(f"the first seat is {seat}, but the seats are 0 to {seats - 1}")
        return seat
    if not isinstance(value, Mapping) or set(value) != {"birthdays", "today"}:
        raise BadOptions(
            "first should be 'lot', a seat, or {'birthdays': ['MM-DD', …], 'today': 'YYYY-MM-DD'}, "
            f"not {value!r}"
        )
    birthdays = value["birthdays"]
    if not isinstance(birthdays, list | tuple) or len(birthdays) != seats:
        raise BadOptions(f"birthdays should be a list of {seats}, one for each seat, not {birthdays!r}")
    for birthday in birthdays:
        _birthday(birthday)
    return {"birthdays": list(birthdays), "today": _today(value["today"]).isoformat()}


def _today(text: Any) -> date:
    try:
        day = date.fromisoformat(text)
    except (TypeError, ValueError):
        raise BadOptions(f"today should be a date like '2024-06-01', not {text!r}") from None
    if not MINYEAR + 1 < day.year < MAXYEAR:  # the equinoxes and birthdays around it must be dates as well
        raise BadOptions(f"today should be a date of our time, like '2024-06-01', not {text!r}")
    return day


def _birthday(text: Any) -> tuple[int, int]:
    """Month and day; a leap year is taken, so that nobody is left out."""
    try:
        day = date.fromisoformat(f"2024-{text}")
    except ValueError:
        day = None
    if day is None or day.isoformat() != f"2024-{text}":  # Python also reads weeks, such as W10-1
        raise BadOptions(f"a birthday should be written MM-DD, like '09-23', not {text!r}")
    return day.month, day.day


def next_equinox(today: date) -> date:
    """The next equinox that falls after the day of play."""
    years = (today.year, today.year + 1)
    return min(day for y in years for day in (date(y, m, d) for m, d in EQUINOXES) if day > today)


def distance(birthday: str, equinox: date) -> int:
    """Days from the nearest such birthday to the equinox, in either direction; 29 February may count as 1 March."""
    month, day = _birthday(birthday)
    distances = []
    for year in (equinox.year - 1, equinox.year, equinox.year + 1):
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        when = date(year, month, day) if leap or (month, day) != (2, 29) else date(year, 3, 1)
        distances.append(abs((when - equinox).days))
    return min(distances)


def first_seat(options: Options) -> int:
    """E-2.2: the seat that begins, NONE where the lot decides; a tie of birthdays goes to the lower seat."""
    first = options["first"]
    if first == "lot":
        return c.NONE
    if isinstance(first, int):
        return first
    equinox = next_equinox(_today(first["today"]))
    far = [distance(birthday, equinox) for birthday in first["birthdays"]]
    return far.index(min(far))
