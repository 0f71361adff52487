"""The log tells the whole table: a bookkeeper who only hears what a spectator hears gets the same picture.

The bookkeeper knows the rules of sections 4, 6 and 8 in its own plain way, so this is a second opinion on who controls
what, who is eliminated and who wins.
"""

from collections import Counter

import pytest

from fabletop.core.chance import Chance
from fabletop.core.sitting import Sitting
from fabletop.games.equinox import EQUINOX
from tests.equinox.recorded import eager, hasty, secretive, uniform

VALUES = {0: 5, 1: 4, 2: 3, 3: 2, 4: 1, 5: 0}  # row 0 is the Champion card (E-4.1)


class Bookkeeper:
    """What can be known from the public log alone."""

    def __init__(self, seats):
        self.seats = seats
        self.creatures, self.out = [], []
        self.piles, self.pebbles = {}, []  # pebbles: (creature, row, seat)
        self.hand, self.aside, self.secrets = Counter(), Counter(), set()
        self.deck, self.discard, self.row = 102, 0, 0
        self.scores, self.winners = {}, None

    def hear(self, event):
        getattr(self, event.kind, lambda **_: None)(**event.fields)

    # ---- cards

    def game_began(self, creatures):
        self.creatures = creatures

    def drew(self, seat, count):
        self.hand[seat] += count
        self.deck -= count

    dealt = drew

    def played(self, seat, card, row):
        self.lay(seat, card, card.rpartition("-")[0], row)

    def chameleon_played(self, seat, card, creature, row):
        self.lay(seat, card, creature, row)

    def lay(self, seat, card, creature, row):
        self.hand[seat] -= 1
        self.piles.setdefault((creature, row), []).append(card)

    def tree_played(self, seat, card):
        self.hand[seat] -= 1
        self.discard += 1

    def discarded(self, seat, card=None):
        self.hand[seat] -= 1
        self.discard += 1

    discarded_unseen = discarded

    def took_card(self, seat, card, creature, row):
        assert self.piles[creature, row].pop() == card
        self.hand[seat] += 1

    def removed_card(self, seat, card, creature, row):
        assert self.piles[creature, row].pop() == card
        self.discard += 1

    def swapped(self, seat, creature, card, row, other, other_row):
        assert self.piles[creature, row].pop() == card
        assert self.piles[creature, other_row].pop() == other
        self.piles[creature, row].append(other)
        self.piles[creature, other_row].append(card)

    def gave(self, seat, target, creature):
        self.hand[seat] -= 1
        self.hand[target] += 1

    def kept_card(self, seat, target):
        self.hand[target] -= 1
        self.hand[seat] += 1

    def set_aside(self, seat, target, count):
        assert count == (self.hand[target] + 1) // 2  # E-7.3
        self.hand[target] -= count
        self.aside[target] += count

    def got_back(self, seat, count):
        assert self.aside.pop(seat) == count  # E-6.2
        self.hand[seat] += count

    # ---- pebbles

    def predicted(self, seat, creature, row):
        self.pebbles.append((creature, row, seat))

    placed_pebble = predicted

    def predicted_secretly(self, seat):
        self.secrets.add(seat)
        self.hand[seat] -= 1

    def revealed(self, seat, card, creature):
        self.secrets.remove(seat)
        self.discard += 1
        self.pebbles.append((creature, 0, seat))

    exposed = secret_at_end = revealed

    def took_back_pebble(self, seat, creature, row):
        self.pebbles.remove((creature, row, seat))

    def took_back_champion(self, seat, creature):
        self.pebbles.remove((creature, 0, seat))

    def took_back_secret(self, seat, card, creature):
        self.secrets.remove(seat)
        self.discard += 1

    # ---- rounds

    def round_began(self, round):  # noqa: A002
        self.row = round

    def eliminated(self, creature, round):  # noqa: A002
        assert self.weakest() == creature  # E-6.5
        self.out.append(creature)

    def scored(self, seat, points):
        self.scores[seat] = points

    def won(self, winners):
        self.winners = winners

    def strength(self, creature):
        pile = self.piles.get((creature, self.row), [])
        if not pile:
            return None
        name, _, number = pile[-1].rpartition("-")
        return int(number) + (0.5 if name == "ursus" else 0)  # E-7.13

    def weakest(self):
        """E-6.5: the one creature with the lowest strength, if all have one."""
        strengths = {c: self.strength(c) for c in self.creatures if c not in self.out}
        if None in strengths.values():
            return None
        lowest = [c for c in strengths if strengths[c] == min(strengths.values())]
        return lowest[0] if len(lowest) == 1 else None

    def controller(self, creature):
        """E-4.2, E-4.3: the best of those with a pebble in the column, unless tied."""
        totals = Counter()
        for column, row, seat in self.pebbles:
            if column == creature:
                totals[seat] += VALUES[row]
        best = [seat for seat in totals if totals[seat] == max(totals.values())]
        return best[0] if len(best) == 1 else None

    def points(self, seat):
        """E-8.1, E-7.13."""
        mine = [(c, row) for c, row, who in self.pebbles if who == seat and c not in self.out]
        return sum(VALUES[row] + (0.5 if c == "ursus" else 0) for c, row in mine)

    def rank(self, seat):
        """E-8.2: what is compared, in order."""
        rows = Counter(row for c, row, who in self.pebbles if who == seat and c not in self.out)
        return self.points(seat), rows[0], *(rows[row] for row in range(1, 6))


def compare(book, view):
    """Everything public is as the bookkeeper has it."""
    assert (view["deck"], view["discard"]) == (book.deck, book.discard)
    for column in view["columns"]:
        creature = column["creature"]
        assert column["in_play"] == (creature not in book.out)
        assert column["controller"] == book.controller(creature), creature
        assert column["champion"] == sorted(s for c, row, s in book.pebbles if (c, row) == (creature, 0))
        for row, cell in enumerate(column["cells"], start=1):
            pile = [*cell["covered"], *([cell["top"]] if cell["top"] else [])]
            assert pile == book.piles.get((creature, row), [])
            there = [s for c, r, s in book.pebbles if (c, r) == (creature, row)]
            assert there == ([] if cell["pebble"] is None else [cell["pebble"]])  # E-1.6
    for seat, player in enumerate(view["players"]):
        assert (player["hand"], player["aside"]) == (book.hand[seat], book.aside[seat])
        assert player["secret"] == (seat in book.secrets)
        mine = sum(who == seat for _, _, who in book.pebbles) + (seat in book.secrets)
        assert player["pebbles"] == 5 - mine  # E-1.1


@pytest.mark.parametrize("players", [(uniform,), (eager,), (hasty, uniform), (secretive, eager)])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_public_log_tells_the_whole_table(seats, players):
    # E-4.1, E-4.2, E-4.3, E-6.5, E-7.17, E-8.1, E-8.2, E-9
    for n in range(2):
        sitting = Sitting(EQUINOX, {"seats": seats}, seed=f"story {n}")
        chance, book, heard = Chance.from_text(f"story {n}"), Bookkeeper(seats), 0
        while True:
            for row in sitting.rows[heard:]:
                book.hear(EQUINOX.events.redact(row, None))
            heard = len(sitting.rows)
            compare(book, sitting.view(None))
            if not sitting.pending:
                break
            ((seat, choice),) = sitting.pending.items()
            sitting.act(seat, players[seat % len(players)](sitting, choice, chance))
        outcome = sitting.outcome
        assert list(outcome.scores) == [book.points(seat) for seat in range(seats)]
        assert list(outcome.scores) == [book.scores[seat] for seat in range(seats)]
        best = max(book.rank(seat) for seat in range(seats))
        assert list(outcome.winners) == [seat for seat in range(seats) if book.rank(seat) == best]
        assert list(outcome.winners) == book.winners
