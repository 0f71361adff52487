"""A simple player for tests: it works towards its projects, so that a year has everything in it.

`answer` looks only at what its seat may see. It counts an element that a current project or the next step still needs
three times as much as any other, activates what pays by that count (a neighbour's card only when it pays well),
realises what it can pay, studies what it can. Drafts, placements and final projects are at random.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fabletop.core.chance import Chance
from fabletop.core.game import Choice
from fabletop.core.sitting import Sitting
from fabletop.games.fairy_school.algebra import ELEMENTS, Line, Special
from fabletop.games.fairy_school.cards import BY_NAME, FINAL_BY_NAME, worth
from fabletop.games.fairy_school.constants import COLUMN_COST
from tests.fairy_school.scene import GAME

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli", "Fay")
IDLE = ("convert", "cancel", "done", "pass")
NEIGHBOURLY = 5
"""What a neighbour's card must bring before a cube is given away for good."""
WHIM = 6
"""Once in this many times a line, a column or a card to repeat is chosen at random, so that nothing stays untried."""

Purse = Sequence[int]


class Situation:
    """A choice with the own area as the view shows it."""

    def __init__(self, choice: Choice, view: Mapping[str, Any], chance: Chance) -> None:
        self.choice = choice
        self.chance = chance
        self.area = view["players"][choice.seat]
        self.options = {GAME.actions[action]: action for action in choice.options}
        self.held = [self.area["elements"][name] for name in ELEMENTS]
        goals: list[Purse] = [BY_NAME[name].cost for name in self.area["projects"]]
        if self.next_step:
            goals = [self.next_step, *goals]
        # Towards the nearest goal; without one everything is equally welcome.
        goal = min(goals, key=self.missing) if goals else (0, 0, 0, 0, 0)
        self.weights = [3 if need > have else 1 for need, have in zip(goal, self.held, strict=True)]

    @property
    def next_step(self) -> Purse | None:
        """What the next step of the final project costs."""
        steps = FINAL_BY_NAME[self.area["final"]].steps if self.area["final"] else ()
        return steps[self.area["steps"]] if self.area["steps"] < len(steps) else None

    def missing(self, cost: Purse) -> int:
        """How many elements there are too few."""
        return sum(max(0, need - have) for need, have in zip(cost, self.held, strict=True))

    def value(self, amounts: Purse) -> int:
        """What elements are worth to this seat now."""
        return sum(n * weight for n, weight in zip(amounts, self.weights, strict=True))

    def line_value(self, line: Line) -> int:
        """What a line brings, net; a line that cannot be paid as it is brings nothing."""
        if self.missing(line.cost):
            return -1
        if isinstance(line, Special):
            return worth(line) // 2 + 1
        return max(map(self.value, line.options)) - self.value(line.cost)

    def pick(self, options: Sequence[str]) -> int:
        """One of the options at random."""
        return self.options[self.chance.pick(options)]

    def best(self, values: Mapping[str, int]) -> int:
        """The option with the highest value; equal ones at random."""
        top = max(values.values())
        return self.pick([option for option, value in values.items() if value == top])


def answer(choice: Choice, view: Mapping[str, Any], chance: Chance) -> int:
    """An option that gets the seat on."""
    now = Situation(choice, view, chance)
    work = [option for option in now.options if option not in IDLE]
    if not work:
        return now.options["done" if "done" in now.options else "pass"]
    whim = choice.kind in ("line", "repeat", "select") and chance.below(WHIM) == 0
    if choice.kind in ANSWERS and not whim:
        return ANSWERS[choice.kind](now, work)
    return now.pick(work)


def _activate(now: Situation, work: list[str]) -> int:
    own = {*now.area["personal"], *now.area["shared"]}
    values = {}
    for name in work:
        value = max(map(now.line_value, BY_NAME[name].effect.lines))
        if value > 0 and (name in own or value >= NEIGHBOURLY):
            values[name] = value
    return now.best(values) if values else now.options["done"]


def _repeat(now: Situation, work: list[str]) -> int:
    return now.best({name: max(map(now.line_value, BY_NAME[name].effect.lines)) for name in work})


def _line(now: Situation, work: list[str]) -> int:
    lines = BY_NAME[now.choice.about["card"]].effect.lines
    return now.best({option: now.line_value(lines[int(option[-1]) - 1]) for option in work})


def _times(now: Situation, work: list[str]) -> int:
    """As often as it can be paid without converting."""
    line = BY_NAME[now.choice.about["card"]].effect.lines[now.choice.about["line"] - 1]
    direct = [option for option in work if not now.missing([n * int(option[-1]) for n in line.cost])]
    return now.options[(direct or work)[-1]]


def _gain(now: Situation, work: list[str]) -> int:
    gains = now.choice.about["gains"]
    return now.best({o: now.value([gains[int(o[-1]) - 1][name] for name in ELEMENTS]) for o in work})


def _element(now: Situation, work: list[str]) -> int:
    return now.best({option: now.weights[ELEMENTS.index(option)] for option in work})


def _keep(now: Situation, work: list[str]) -> int:
    """The most expensive card, or any: dear projects should be tried too."""
    if now.chance.below(2):
        return now.pick(work)
    return now.best({name: sum(BY_NAME[name].cost) for name in work})


def _worthiest(now: Situation, work: list[str]) -> int:
    return now.best({name: worth(BY_NAME[name]) for name in work})


def _banish(now: Situation, work: list[str]) -> int:
    """Away with the starting cards, unless there are few cards left."""
    starting = [name for name in work if BY_NAME[name].deck == "start"]
    if "pass" in now.options and (not starting or now.area["pile"]["count"] < 4):
        return now.options["pass"]
    return now.pick(starting or work)


def _select(now: Situation, work: list[str]) -> int:
    """Two columns with cards in them, paid for as they are."""
    values = {}
    for option in work:
        column = int(option[-1]) - 1
        cost = COLUMN_COST[column]
        if cost == len(ELEMENTS) or now.held[cost]:
            cards = [now.area["forest"][row][column] for row in ("top", "bottom")]
            values[option] = sum(max(0, worth(BY_NAME[name])) for name in cards if name is not None)
    return now.best(values) if values else now.options["done"]


def _realise(now: Situation, work: list[str]) -> int:
    """A step before a project; by conversion only out of plenty, or when the year is ending."""
    for option in sorted(work, key=lambda option: option != "step"):
        cost = now.next_step if option == "step" else BY_NAME[option].cost
        assert cost is not None
        if not now.missing(cost) or now.choice.kind == "spend" or sum(now.held) > 2 * sum(cost):
            return now.options[option]
    return now.options["done"]


def _pay(now: Situation, work: list[str]) -> int:
    """From what there is most of."""
    owed = now.choice.about["cost"]
    spare = {f"spend-{name}": now.held[i] - owed[name] for i, name in enumerate(ELEMENTS)}
    return now.best({option: spare[option] for option in work})


ANSWERS = {
    "activate": _activate, "repeat": _repeat, "line": _line, "times": _times, "gain": _gain, "any": _element,
    "bonus": _element, "drop": _keep, "recall": _worthiest, "scout": _worthiest, "banish": _banish, "select": _select,
    "realise": _realise, "spend": _realise, "pay": _pay,
}  # fmt: skip


def play_on(sitting: Sitting, chance: Chance) -> None:
    """Play to the end of the year, every seat asked answering once in turn."""
    while pending := sitting.pending:
        for seat in pending:
            choice = sitting.pending.get(seat)
            if choice is not None:
                sitting.act(seat, answer(choice, sitting.view(seat), chance))


def played(seed: str, **options: Any) -> Sitting:
    """A whole year of such players."""
    sitting = Sitting(GAME, options, seed=seed, names=NAMES[: options.get("seats", 4)])
    play_on(sitting, Chance.from_text(f"bot {seed}"))
    return sitting
