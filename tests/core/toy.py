"""A toy game that keeps every law, small enough to break in one line: three seats, six cards, two stages.

First all seats at once keep their secret card or swap it for one of the bag, then say done; the cards swapped away are
shown when the stage closes. Then in seat order each shows its card or passes. A shown card scores its number.
"""

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, BadText, NotOffered
from fabletop.core.events import CLOSED, EventKind, EventTable, Field
from fabletop.core.game import ANYTHING_ELSE, Choice, Outcome, Reason
from fabletop.core.planes import planes

KEEP, SWAP, DONE, SHOW, PASS = range(5)
ACTIONS = ("keep", "swap", "done", "show", "pass")
CARDS = 9  # three to hold, two for each seat's own bag


class ToyState:
    def __init__(self, seats, words):
        self.seats, self.stage, self.learned, self.together = seats, 0, 0, True
        self.words = list(words)
        self.hands, self.bags, self.away, self.shown = [], [], [None] * seats, [None] * seats
        cards = Chance(words[-1]).shuffled(range(CARDS))
        for s in range(seats):
            self.hands.append(cards[3 * s])
            self.bags.append(sorted(cards[3 * s + 1 : 3 * s + 3]))
        self.flow = [0] * seats  # 0 keep or swap, 1 done, 2 finished
        self.turn = 0
        self.on, self.rows = False, []

    def clone(self):
        other = object.__new__(type(self))
        other.__dict__ = {k: v[:] if isinstance(v, list) else v for k, v in self.__dict__.items()}
        other.bags = [bag[:] for bag in self.bags]
        return other

    def asked(self):
        if self.stage == 0:
            return [s for s in range(self.seats) if self.flow[s] < 2]
        return [self.turn] if self.turn < self.seats else []

    def legal(self, seat):
        if seat not in self.asked():
            return []
        if self.stage == 0:
            return [KEEP, SWAP] if self.flow[seat] == 0 else [DONE]
        return [SHOW, PASS]

    def offers(self, seat, action):
        return action in self.legal(seat)

    def apply(self, seat, action):
        if action not in self.legal(seat):
            raise NotOffered(f"seat {seat} is offered {self.legal(seat)}, not {action}")
        self.apply_offered(seat, action)

    def apply_offered(self, seat, action):
        self.learned = 0
        if action == SWAP:
            self.swap(seat)
        if action == DONE:
            self.flow[seat] = 2
            if all(f == 2 for f in self.flow):
                self.close()
        elif self.stage == 0:
            self.flow[seat] = 1
        else:
            self.answer(seat, action)

    def swap(self, seat):
        chance = Chance(self.words[seat])
        self.away[seat], self.hands[seat] = self.hands[seat], self.bags[seat].pop(chance.below(2))
        self.words[seat] = chance.state
        self.learned |= 1 << seat
        self.say(1, seat, self.away[seat], self.hands[seat])

    def close(self):
        self.say(CLOSED)
        self.stage, self.together = 1, False
        self.learned = (1 << self.seats + 1) - 1

    def answer(self, seat, action):
        if action == SHOW:
            self.shown[seat] = self.hands[seat]
            self.learned = (1 << self.seats + 1) - 1
            self.say(2, seat, self.hands[seat])
        else:
            self.say(3, seat)
        self.stage += 1
        self.turn += 1

    def stir(self, stream, word):
        self.words[stream] = word

    def listen(self, on):
        self.on = on

    def say(self, *row):
        if self.on:
            self.rows.append(row)

    def heard(self):
        rows, self.rows = self.rows, []
        return rows


class Toy:
    id, rules, digest, seat_counts, actions = "toy", 1, "d16e57", range(3, 4), ACTIONS
    state = ToyState
    settings = ()
    events = EventTable(
        {
            1: EventKind(
                "swapped",
                (Field("seat", "seat"), Field("card", "card"), Field("drawn", "card", eyes=("seat",))),
                later=True,
            ),
            2: EventKind("showed", (Field("seat", "seat"), Field("card", "card"))),
            3: EventKind("passed", (Field("seat", "seat"),)),
        },
        {"seat": int, "card": int},
    )

    def options(self, given):
        if given.get("seats", 3) != 3:
            raise BadOptions("a toy game has 3 seats")
        return {"seats": 3}

    def new(self, options, words):
        return self.state(options["seats"], words)

    def pending(self, state):
        kinds = ("swap", "done") if state.stage == 0 else ("show", "show")
        return {s: Choice(s, kinds[min(state.flow[s], 1)], tuple(state.legal(s))) for s in state.asked()}

    def view(self, state, viewer):
        def mine(seat):
            return seat == viewer

        open_now = state.stage > 0
        return {
            "viewer": viewer,
            "stage": state.stage,
            "turn": state.turn,
            "finished": [f == 2 for f in state.flow],
            "shown": list(state.shown),
            "away": [c if open_now or mine(s) else None for s, c in enumerate(state.away)],
            "flow": [f if open_now or mine(s) or f == 2 else 0 for s, f in enumerate(state.flow)],
            "own": None if viewer is None else [state.hands[viewer], state.away[viewer] is None],
        }

    planes = planes((("stage", 1, 9, "the stage"), ("card", 1, CARDS, "the card in hand")))

    def observe(self, state, seat, out):
        out[:] = bytes([state.stage, state.hands[seat]])

    def mask(self, state, seat, out):
        out[:] = bytes(action in state.legal(seat) for action in range(len(ACTIONS)))

    def reasons(self, view, choice):
        return {ANYTHING_ELSE: Reason(choice.kind, "T-1")}

    def previews(self, view, choice):
        return {}

    def imagine(self, view, chance):
        state = self.state(3, [chance.word() for _ in range(4)])
        viewer, own = view["viewer"], view["own"]
        state.stage, state.turn, state.together = view["stage"], view["turn"], view["stage"] == 0
        state.flow, state.shown, state.away = list(view["flow"]), list(view["shown"]), list(view["away"])
        fixed = {s: c for s, c in enumerate(state.shown) if c is not None}
        if viewer is not None:
            fixed[viewer] = own[0]
        gone = [c for c in state.away if c is not None]
        free = chance.shuffled([c for c in range(CARDS) if c not in gone and c not in fixed.values()])
        for s in range(3):
            state.hands[s] = fixed[s] if s in fixed else free.pop()
            state.bags[s] = [free.pop() for _ in range(2 if state.away[s] is None else 1)]
        return state

    def outcome(self, state):
        if state.asked():
            return None
        scores = tuple(float(c or 0) for c in state.shown)
        return Outcome(scores, tuple(s for s in range(3) if scores[s] == max(scores)), "all asked")

    def parse(self, text):
        if text not in ACTIONS:
            raise BadText(f"{text!r} is not one of {', '.join(ACTIONS)}")
        return ACTIONS.index(text)

    def position(self, state):
        return repr([getattr(state, k) for k in FIELDS])

    def from_position(self, text):
        state = self.state(3, [0] * 4)
        state.__dict__.update(zip(FIELDS, eval(text), strict=True))  # our own repr
        return state

    def counts(self, state):
        return {"cards": 3 + sum(map(len, state.bags)) + sum(c is not None for c in state.away)}


FIELDS = ("seats", "stage", "together", "words", "hands", "bags", "away", "shown", "flow", "turn")
