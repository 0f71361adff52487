"""Games of Equinox for the report, seen with open cards.

Every game is played by copies of one bot. While it is played, some of the moments at which a seat may use a power are
*tried both ways*: the game goes on as the bot wants it, and as if the seat had declined, each way many times to the
end, by the knowledge of the game, with the hidden cards drawn again as far as the seat does not know them. The
difference for that seat is the value of the option to use the power.
"""

from dataclasses import dataclass, field

from fabletop.bots.greedy import knowledge_of
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.game import Choice, Outcome
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from fabletop.games.equinox.constants import PASS

HEAT = 0.02
"""An option this many points below the best is chosen half as often in the play-outs."""
WHOLE = 65536
"""A whole victory, and half points in a point, as a play-out counts them."""
HALVES = 2


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game to play: copies of one bot in all seats."""

    bot: str
    seats: int
    seed: str
    tried: int
    """One moment in N is tried both ways; 0 for none."""
    times: int = 1
    """How often the game is played on each way."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A moment tried both ways: by how much the seat's share of the victory and its lead in points were better with the
    chance to use the power than without. Both are 0 where the bot declined unprompted."""

    creature: str
    used: bool
    victory: float
    lead: float


@dataclass(slots=True)
class GameSummary:
    """What the report keeps of a game. Places count from the first seat; rounds in `out` from 1."""

    bot: str
    seats: int
    creatures: tuple[str, ...] = ()
    out: dict[str, int] = field(default_factory=dict)
    offered: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    trials: list[Trial] = field(default_factory=list)
    reason: str = ""
    turns: int = 0
    deck: int = 0
    scores: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()


def shares_of(outcome: Outcome) -> tuple[float, ...]:
    """Each seat's share of the victory."""
    return tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(len(outcome.scores)))


def may_decline(choice: Choice) -> bool:
    """Is this the question whether to use a power?"""
    return bool(choice.about.get("optional")) and PASS in choice.options and len(choice.options) > 1


def watch(planned: PlannedGame) -> GameSummary:
    """Play one game and keep what the report needs."""
    sitting = Sitting(EQUINOX, {"seats": planned.seats}, seed=planned.seed)
    summary = GameSummary(planned.bot, planned.seats)
    spec = Spec.read(planned.bot)
    bots = [spec.made(Chance.from_text(f"{planned.seed} {seat}")) for seat in range(planned.seats)]
    chance = Chance.from_text(f"trials {planned.seed}")
    while sitting.pending:
        ((seat, choice),) = sitting.pending.items()
        action = bots[seat].choose(sitting.view(seat), choice)
        if may_decline(choice):
            creature = choice.about["creature"]
            summary.offered[creature] = summary.offered.get(creature, 0) + 1
            summary.used[creature] = summary.used.get(creature, 0) + (action != PASS)
            if planned.tried and chance.below(planned.tried) == 0:
                summary.trials.append(tried_both_ways(planned, sitting, seat, action, chance.word()))
        sitting.act(seat, action)
    fill(summary, sitting)
    return summary


def tried_both_ways(planned: PlannedGame, sitting: Sitting, seat: int, action: int, word: int) -> Trial:
    """Play on with the answer of the bot, and with declining."""
    creature = sitting.pending[seat].about["creature"]
    if action == PASS:
        return Trial(creature, False, 0.0, 0.0)
    (victory, lead), (victory_without, lead_without) = (
        played_on(sitting, seat, answer, planned.times, Chance(word)) for answer in (action, PASS)
    )
    return Trial(creature, True, victory - victory_without, lead - lead_without)


def played_on(sitting: Sitting, seat: int, answer: int, times: int, chance: Chance) -> tuple[float, float]:
    """The expected share of the victory and lead in points of a seat after an answer."""
    copy = sitting.fork()
    copy.act(seat, answer)
    world = knowledge_of(copy.view(seat))
    victory, lead = 0.0, 0.0
    for _ in range(times):
        _, shares, halves = world.finish(chance.word(), 0, HEAT, -1)
        own = halves[seat]
        victory += shares[seat] / WHOLE
        lead += (own - (sum(halves) - own) / (len(halves) - 1)) / HALVES
    return victory / times, lead / times


def fill(summary: GameSummary, sitting: Sitting) -> None:
    """How the game went, from its events and its outcome."""
    outcome = sitting.outcome
    assert outcome is not None, "the game is over"
    first = None
    for row in sitting.rows:
        event = EQUINOX.events.decode(row)
        if event.kind == "game_began":
            summary.creatures = tuple(event["creatures"])
        elif event.kind == "turn_began":
            first = event["seat"] if first is None else first
            summary.turns += 1
        elif event.kind == "eliminated":
            summary.out[event["creature"]] = event["round"]
    assert first is not None, "somebody had a turn"
    order = [(first + place) % summary.seats for place in range(summary.seats)]
    shares = shares_of(outcome)
    summary.scores = tuple(outcome.scores[seat] for seat in order)
    summary.shares = tuple(shares[seat] for seat in order)
    summary.reason = outcome.reason
    summary.deck = sitting.view(None)["deck"]
