"""What a state of Equinox shows (E-9), written as JSON straight from the record.

`view.py` says what stands in a view. Whoever watches a table gets one with every move, so writing them is made fast:
compiled with `sight.pxd`, and put together from pieces that are written once, here.
"""

from __future__ import annotations

from fabletop.core.game import written
from fabletop.games.equinox.constants import (
    ACTION_IDS,
    ASK_COLUMN,
    ASK_GOATMAN_KEEP,
    ASK_HOPSCOTCH_WITH,
    ASK_PLAY,
    CARD_IDS,
    CARDS,
    CELLS,
    CHOICE_IDS,
    COLUMNS,
    CREATURE_IDS,
    DISCARDED,
    DRYAD,
    NONE,
    OTHER_DRYAD,
    OVER,
    PLACE_IDS,
    REASON_IDS,
    ROWS,
    RULES,
    SEATS_MAX,
    TO_CELL,
    UNSEEN,
    VIEWERS,
)
from fabletop.games.equinox.engine import State

OPENING, COMMA = b"[", b","
"""What stands in front of the first of a list, and of every other."""
END, NOTHING = b"]", b"[]"
FALSE_TRUE = (b"false", b"true")
NUMBERS = tuple(written(n) for n in range(256))
CARD_TEXTS = tuple(written(card) for card in CARD_IDS)
CREATURE_TEXTS = tuple(written(creature) for creature in CREATURE_IDS)
PLACE_TEXTS = tuple(written(place) for place in PLACE_IDS)
CHOICE_TEXTS = tuple(written(choice) for choice in CHOICE_IDS)
CELL_TEXTS = tuple(written(ACTION_IDS[TO_CELL + cell]) for cell in range(CELLS))
SEAT_OR_NONE = tuple(written(seat if seat < SEATS_MAX else None) for seat in range(256))
ROUND_OR_NONE = tuple(written(row + 1 if row < ROWS else None) for row in range(256))
CARD_OR_NONE = tuple(written(CARD_IDS[card] if card < CARDS else None) for card in range(256))
CREATURE_OR_NONE = tuple(written(CREATURE_IDS[kind] if kind < COLUMNS else None) for kind in range(256))
PLAIN_CELLS = tuple(
    written({"top": top, "covered": [], "pebble": pebble})
    for top in (*CARD_IDS, None)
    for pebble in (*range(SEATS_MAX), None)
)
"""The cells with one card at most, which most are."""


class Sight:
    """A state as it can be seen. All but a few facts are common to all viewers."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.out: list[bytes] = []

    def taken(self) -> bytes:
        """What has been put down since the last time."""
        text = b"".join(self.out)
        self.out = []
        return text

    def common(self) -> bytes:
        """What everybody sees: the first members of a view, without braces."""
        state = self.state
        self.put(b'"game":"equinox","rules":', NUMBERS[RULES])
        self.put(b',"seats":', NUMBERS[state.seats])
        self.out.append(b',"creatures":')
        self.put_members(state.in_game, COLUMNS, CREATURE_TEXTS)
        self.put(b',"round":', NUMBERS[state.row + 1])
        self.put(b',"turn":', NUMBERS[state.turn])
        if state.phase == OVER:
            self.put(b',"waiting_for":', NOTHING)
        else:
            self.put(b',"waiting_for":[', NUMBERS[state.actor])
            self.out.append(END)
        self.put(b',"power":', self.power())
        self.put(b',"target":', SEAT_OR_NONE[state.target])
        self.put(b',"named":', CREATURE_OR_NONE[state.named])
        swapping = state.phase == ASK_HOPSCOTCH_WITH and state.held != NONE
        self.put(b',"first_cell":', CELL_TEXTS[state.held] if swapping else b"null")
        self.put(b',"second_card":', FALSE_TRUE[state.twinz != 0])
        self.put(b',"carmen":', FALSE_TRUE[state.carmen != 0])
        self.put(b',"discards":', NUMBERS[state.discards])
        self.put(b',"busy":', FALSE_TRUE[state.busy != 0])
        self.put(b',"idle":', NUMBERS[state.idle])
        self.out.append(b',"columns":')
        self.put_columns()
        self.out.append(b',"players":')
        self.put_players()
        self.put(b',"deck":', NUMBERS[state.n_deck])
        self.put(b',"discard":', NUMBERS[self.discard_count()])
        self.out.append(b',"discarded":')
        self.put_fate(DISCARDED)
        self.out.append(b',"lacks":')
        self.put_lacks()
        self.out.append(b',"at_least":')
        self.put_at_least()
        self.put(b',"outcome":', self.outcome() if state.phase == OVER else b"null")
        return self.taken()

    def only(self, viewer: int | None) -> bytes:
        """What a seat, or the spectator (None), sees beside it: the other members of its view."""
        state = self.state
        number = state.seats if viewer is None else viewer
        choosing = number == state.turn or state.phase != ASK_COLUMN
        self.put(b'"viewer":', b"null" if viewer is None else NUMBERS[number])
        self.put(b',"phase":', CHOICE_TEXTS[state.phase if choosing else ASK_PLAY])
        if viewer is None:
            self.out.append(b',"own":null')
        else:
            self.put_own(number)
        looking = viewer is not None and number in (state.turn, state.target)
        self.put(b',"looked":', self.looked() if looking and state.phase == ASK_GOATMAN_KEEP else b"null")
        self.out.append(b',"known":')
        self.put_known(number)
        return self.taken()

    # ---- pieces

    def put(self, name: bytes, value: bytes) -> None:
        """Write two pieces, as a rule a name and its value."""
        self.out.append(name)
        self.out.append(value)

    def put_members(self, bits: int, count: int, texts: tuple[bytes, ...]) -> None:
        """What is in a set of bits, as a list."""
        lead = OPENING
        for i in range(count):
            if bits >> i & 1:
                self.put(lead, texts[i])
                lead = COMMA
        self.end(lead)

    def end(self, lead: bytes) -> None:
        """The end of a list: `lead` would stand in front of what came next."""
        self.out.append(NOTHING if lead is OPENING else END)

    # ---- the table

    def power(self) -> bytes:
        """The power in use: `committed` where it cannot be declined any more (Fungy has chosen it)."""
        state = self.state
        if state.home == NONE:
            return b"null"
        return b'{"creature":%b,"power":%b,"committed":%b}' % (
            CREATURE_TEXTS[state.home],
            CREATURE_TEXTS[state.power],
            FALSE_TRUE[state.committed != 0],
        )

    def put_columns(self) -> None:
        """The columns of this game: all of a column is public, for everybody saw the covered cards when they were
        played."""
        state = self.state
        lead = b'[{"creature":'
        for column in range(COLUMNS):
            if state.in_game >> column & 1:
                self.put(lead, CREATURE_TEXTS[column])
                self.put(b',"in_play":', FALSE_TRUE[state.in_play >> column & 1])
                self.put(b',"eliminated":', ROUND_OR_NONE[state.gone[column]])
                self.put(b',"controller":', SEAT_OR_NONE[state.controller[column]])
                self.out.append(b',"champion":')
                self.put_members(state.champion[column], SEATS_MAX, NUMBERS)
                self.put(b',"cells":', OPENING)
                for row in range(ROWS):
                    if row:
                        self.out.append(COMMA)
                    self.put_cell(row * COLUMNS + column)
                self.out.append(b"]}")
                lead = b',{"creature":'
        self.out.append(END)

    def put_cell(self, cell: int) -> None:
        """A cell: its top card, those under it, and whose pebble lies there."""
        state = self.state
        top, pebble = state.top[cell], state.pebble[cell]
        if top == NONE or state.under[top] == NONE:
            card, seat = CARDS if top == NONE else top, SEATS_MAX if pebble == NONE else pebble
            self.out.append(PLAIN_CELLS[card * (SEATS_MAX + 1) + seat])
            return
        self.put(b'{"top":', CARD_TEXTS[top])
        self.out.append(b',"covered":')
        self.end(self.put_pile(state.under[top]))
        self.put(b',"pebble":', SEAT_OR_NONE[pebble])
        self.out.append(b"}")

    def put_pile(self, card: int) -> bytes:
        """The cards from this one down, the lowest first; returns what stands in front of the next."""
        if card == NONE:
            return OPENING
        self.put(self.put_pile(self.state.under[card]), CARD_TEXTS[card])
        return COMMA

    def put_players(self) -> None:
        """What everybody sees of each seat: how many cards and pebbles, whether there is or was a secret."""
        state = self.state
        lead = b'[{"hand":'
        for seat in range(state.seats):
            self.put(lead, NUMBERS[state.n_hand[seat]])
            self.put(b',"aside":', NUMBERS[state.n_aside[seat]])
            self.put(b',"unseen":', NUMBERS[state.n_unseen[seat]])
            self.put(b',"pebbles":', NUMBERS[state.pebbles[seat]])
            self.put(b',"resting":', NUMBERS[state.resting if seat == state.turn else 0])
            self.put(b',"secret":', FALSE_TRUE[state.secret[seat] != NONE])
            self.put(b',"secret_made":', FALSE_TRUE[state.secret_made >> seat & 1])
            lead = b'},{"hand":'
        self.out.append(b"}]")

    def discard_count(self) -> int:
        """How many cards were discarded, seen or unseen."""
        count = 0
        for card in range(CARDS):
            if self.state.fate[card] == DISCARDED:
                count += 1
        for seat in range(self.state.seats):
            count += self.state.n_unseen[seat]
        return count

    def put_fate(self, fate: int) -> None:
        """The cards that left the game in this way."""
        lead = OPENING
        for card in range(CARDS):
            if self.state.fate[card] == fate:
                self.put(lead, CARD_TEXTS[card])
                lead = COMMA
        self.end(lead)

    def put_lacks(self) -> None:
        """The creatures of which all know that there is none in a seat's hand, and that they are not its secret."""
        state = self.state
        lead = b'[{"hand":'
        for seat in range(state.seats):
            self.out.append(lead)
            self.put_members(state.none_hand[seat], COLUMNS, CREATURE_TEXTS)
            self.out.append(b',"secret":')
            self.put_members(state.none_secret[seat], COLUMNS, CREATURE_TEXTS)
            lead = b'},{"hand":'
        self.out.append(b"}]")

    def put_at_least(self) -> None:
        """As many cards of these creatures all know each seat to have."""
        state = self.state
        lead = b"[{"
        for seat in range(state.seats):
            self.out.append(lead)
            between = b""
            for column in range(COLUMNS):
                count = state.at_least[seat * COLUMNS + column]
                if count:
                    self.put(between, CREATURE_TEXTS[column])
                    self.put(b":", NUMBERS[count])
                    between = COMMA
            lead = b"},{"
        self.out.append(b"}]")

    def outcome(self) -> bytes:
        """The result in short, once the game is over."""
        state = self.state
        scores = [halves / 2 for halves in state.half_points()]
        return written({"scores": scores, "winners": state.winning(), "reason": REASON_IDS[state.reason]})

    # ---- what a seat alone knows

    def put_own(self, seat: int) -> None:
        """What only a seat knows of itself. It can tell what Stag set aside: the rest of the hand is in plain sight."""
        state = self.state
        in_hand = state.n_hand[seat]
        self.out.append(b',"own":{"hand":')
        self.put_cards(seat, 0, in_hand)
        self.out.append(b',"aside":')
        self.put_cards(seat, in_hand, in_hand + state.n_aside[seat])
        self.put(b',"secret":', CARD_OR_NONE[state.secret[seat]])
        self.out.append(b',"unseen":')
        if state.n_unseen[seat]:
            self.put_fate(UNSEEN + seat)
        else:
            self.out.append(NOTHING)
        placing = seat == state.turn and state.phase == ASK_COLUMN
        self.put(b',"held":', CARD_OR_NONE[state.held] if placing else b"null")
        self.out.append(b"}")

    def put_cards(self, seat: int, start: int, end: int) -> None:
        """The cards of a hand from one index to another, in the order of the rules page."""
        lead = OPENING
        for card in sorted(self.state.cards_of(seat, start, end)):
            self.put(lead, CARD_TEXTS[card])
            lead = COMMA
        self.end(lead)

    def looked(self) -> bytes:
        """The three cards that Goatman's player is looking at."""
        cards = sorted([self.state.looked[i] for i in range(3)])
        return written([CARD_IDS[card] for card in cards])

    def put_known(self, viewer: int) -> None:
        """The hidden cards of which a viewer (the last is the spectator), or everybody, knows something."""
        state = self.state
        found = []
        for i in range(state.n_special):
            card = state.special[i]
            mask = state.mask[i * VIEWERS + viewer]
            public = state.mask[i * VIEWERS + state.seats]
            if state.owns(viewer, card):
                mask = 0
            if mask or public:
                found.append((DRYAD if card == OTHER_DRYAD else card, mask, public))
        found.sort()  # the slots lie in the order of what happened, which not everybody has seen
        lead = b'[{"card":'
        for shown, places, known in found:
            self.put(lead, CARD_TEXTS[shown])
            self.out.append(b',"places":')
            self.put_members(places, len(PLACE_TEXTS), PLACE_TEXTS)
            self.out.append(b',"public":')
            self.put_members(known, len(PLACE_TEXTS), PLACE_TEXTS)
            lead = b'},{"card":'
        self.out.append(b"}]" if found else NOTHING)
