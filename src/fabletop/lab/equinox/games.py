"""Games of Equinox, watched with open cards.

Every game is played by copies of one bot. While it is played, some of the moments at which a seat may use a power are
*tried both ways*: the game goes on as the bot wants it, and as if the seat had declined, each way many times to the
end, by the knowledge of the game, with the hidden cards dealt anew as far as the seat does not know them. The
difference for that seat is what the chance to use the power was worth.
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
"""Points that a choice may be worse to be taken half as often: those who play on take all but the best."""
WHOLE = 65536
"""A whole victory, and half points in a point, as a play-out counts them."""
HALVES = 2


@dataclass(frozen=True, slots=True)
class Ordered:
    """A game to be played: copies of one bot in all seats."""

    bot: str
    seats: int
    seed: str
    tried: int
    """One moment in so many is tried both ways; 0 for none."""
    times: int = 1
    """How often the game is played on each way."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A moment tried both ways: by how much the seat's share of the victory and its lead in points were better with the
    chance to use the power than without. Both are 0 where the bot declined of its own accord."""

    creature: str
    used: bool
    victory: float
    lead: float


@dataclass(slots=True)
class Story:
    """What is kept of a game. Places count from the seat that began; rounds in `out` from 1."""

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


def watch(ordered: Ordered) -> Story:
    """Play one game and keep what the report needs."""
    sitting = Sitting(EQUINOX, {"seats": ordered.seats}, seed=ordered.seed)
    story = Story(ordered.bot, ordered.seats)
    spec = Spec.read(ordered.bot)
    bots = [spec.made(Chance.from_text(f"{ordered.seed} {seat}")) for seat in range(ordered.seats)]
    chance = Chance.from_text(f"trials {ordered.seed}")
    while sitting.pending:
        ((seat, choice),) = sitting.pending.items()
        action = bots[seat].choose(sitting.view(seat), choice)
        if may_decline(choice):
            creature = choice.about["creature"]
            story.offered[creature] = story.offered.get(creature, 0) + 1
            story.used[creature] = story.used.get(creature, 0) + (action != PASS)
            if ordered.tried and chance.below(ordered.tried) == 0:
                story.trials.append(tried_both_ways(ordered, sitting, seat, action, chance.word()))
        sitting.act(seat, action)
    fill(story, sitting)
    return story


def tried_both_ways(ordered: Ordered, sitting: Sitting, seat: int, action: int, word: int) -> Trial:
    """Play on with the answer of the bot, and with declining."""
    creature = sitting.pending[seat].about["creature"]
    if action == PASS:
        return Trial(creature, False, 0.0, 0.0)
    (victory, lead), (victory_without, lead_without) = (
        played_on(sitting, seat, answer, ordered.times, Chance(word)) for answer in (action, PASS)
    )
    return Trial(creature, True, victory - victory_without, lead - lead_without)


def played_on(sitting: Sitting, seat: int, answer: int, times: int, chance: Chance) -> tuple[float, float]:
    """What a seat can expect after an answer: its share of the victory, and its points less the mean of the others."""
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


def fill(story: Story, sitting: Sitting) -> None:
    """How the game went, from its events and its outcome."""
    outcome = sitting.outcome
    assert outcome is not None, "the game is over"
    first = None
    for row in sitting.rows:
        event = EQUINOX.events.decode(row)
        if event.kind == "game_began":
            story.creatures = tuple(event["creatures"])
        elif event.kind == "turn_began":
            first = event["seat"] if first is None else first
            story.turns += 1
        elif event.kind == "eliminated":
            story.out[event["creature"]] = event["round"]
    assert first is not None, "somebody had a turn"
    order = [(first + place) % story.seats for place in range(story.seats)]
    shares = shares_of(outcome)
    story.scores = tuple(outcome.scores[seat] for seat in order)
    story.shares = tuple(shares[seat] for seat in order)
    story.reason = outcome.reason
    story.deck = sitting.view(None)["deck"]
