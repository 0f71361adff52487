"""The Equinox board: the grid of eight columns and five rows, the Champion cards, the players, the hand."""

from collections.abc import Iterable
from typing import Any, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.widgets import Static

from fabletop.core.game import Outcome
from fabletop.games.equinox.constants import IN_GAME as COLUMNS
from fabletop.games.equinox.constants import ROWS
from fabletop.games.equinox.constants import SEATS_MAX as SEATS
from fabletop.games.equinox.facts import WITH_HALF, WORTH
from fabletop.games.equinox.view_types import Cell, Column, View
from fabletop.lang.lines import Teller
from fabletop.terminal.boards.board import Board, Look, Shelf, Thing
from fabletop.terminal.glyphs import SEAT_COLOURS, glyphs, seat_glyph

HUES = {
    "squeak": "#e0b080",
    "moss_man": "#a9c46c",
    "stag": "#d9a066",
    "rubble": "#b8b4ad",
    "twinz": "#e39ac0",
    "hoot": "#c9a7e8",
    "carmen": "#ef8f7d",
    "fungy": "#f0a6a0",
    "goatman": "#d8c37a",
    "fiery_fang": "#ff9a5c",
    "hopscotch": "#86d7a5",
    "feather_fox": "#f2b66d",
    "ursus": "#c7a487",
    "pilgrim": "#8fb8ee",
    "chameleon": "#8fdcd3",
    "ancestor": "#b5d98a",
    "dryad": "#b5d98a",
}
"""A hue for each creature, always together with its name."""


def seen(look: Look) -> View:
    """The view that is drawn, as this game's type."""
    return cast(View, look.view)


def strength(card: str) -> str:
    """A card's strength as the table shows it; Ursus cards are half a point stronger (E-7.13)."""
    name, _, number = card.partition("-")
    return number + (glyphs().half if name in WITH_HALF else "")


def height_of(cell: Cell) -> int:
    """How many cards a pile has."""
    return len(cell["covered"]) + (cell["top"] is not None)


def kind_of(card: str) -> str:
    """A card's creature, or `chameleon`, `ancestor`, `dryad`."""
    return card.partition("-")[0]


class EquinoxBoard(Board):
    """The table of Equinox.

    Keys, columns by number: `head-0`, `champion-0`, `2-0` (a cell), `seat-1`, and by place and id the cards that the
    reader sees: `hand-3-hoot-7`, `aside-0-hoot-7`, `looked-0-hoot-7`.
    """

    HEADINGS: ClassVar[frozenset[str]] = frozenset({"round_began", "turn_began"})
    DEFAULT_CSS = """
    EquinoxBoard #grid { height: auto; }
    EquinoxBoard .line { height: auto; width: 1fr; }
    EquinoxBoard .label { width: 4; color: $foreground 60%; }
    EquinoxBoard .line.-now { background: $panel; }
    EquinoxBoard .line.-now .label { color: $accent; text-style: bold; }
    EquinoxBoard Thing.-out { color: $foreground 45%; text-style: dim; }
    EquinoxBoard #heads { text-style: bold; }
    EquinoxBoard #players { height: auto; }
    EquinoxBoard.-tall #players { margin-top: 1; }
    EquinoxBoard #players Thing { padding-right: 1; }
    EquinoxBoard #players Thing.-turn { text-style: bold; background: $panel; }
    EquinoxBoard.-tall #hand { margin-top: 1; }
    EquinoxBoard #hand Thing.-looked { background: $surface; }
    EquinoxBoard #hand Thing.-aside { color: $foreground 50%; text-style: italic; }
    EquinoxBoard.-tall #heads Thing { height: 3; }
    EquinoxBoard.-tall .row Thing { height: 2; }
    EquinoxBoard.-tall #players Thing { height: 2; }
    """

    def compose(self) -> ComposeResult:
        """Heads, Champion cards, five rows, the players, the hand."""
        with Container(id="grid"):
            with Horizontal(id="heads", classes="line"):
                yield Static("", classes="label")
                yield from (Thing(f"head-{n}") for n in range(COLUMNS))
            with Horizontal(id="champions", classes="line"):
                yield Static(f" {WORTH[0]}", classes="label")
                yield from (Thing(f"champion-{n}") for n in range(COLUMNS))
            for row in range(1, ROWS + 1):
                with Horizontal(id=f"row-{row}", classes="line row"):
                    yield Static("", classes="label")
                    yield from (Thing(f"{row}-{n}") for n in range(COLUMNS))
        with Horizontal(id="players"):
            yield from (Thing(f"seat-{seat}") for seat in range(SEATS))
        yield Shelf(18, id="hand")

    # ---- drawing ----------------------------------------------------------------------------

    def draw(self, look: Look) -> None:
        """Put the view into the Things."""
        view = seen(look)
        things = {thing.key: thing for thing in self.query(Thing)}
        for n, column in enumerate(view["columns"]):
            self._draw_column(things, n, column, look)
        for row in range(1, ROWS + 1):
            line = self.query_one(f"#row-{row}")
            now = row == view["round"]
            line.set_class(now, "-now")
            mark = glyphs().now if now else " "
            line.query_one(".label", Static).update(f"{mark}{WORTH[row]}", layout=False)
        for seat in range(SEATS):
            shown = things[f"seat-{seat}"]
            shown.display = seat < len(view["players"])
            if shown.display:
                shown.put(self._player(seat, look), "-turn" if seat == view["turn"] else "-rest")
        self.query_one("#hand", Shelf).fill(list(self._hand(look)))

    def _draw_column(self, things: dict[str, Thing], n: int, column: Column, look: Look) -> None:
        worn = ("-in",) if column["in_play"] else ("-out",)
        things[f"head-{n}"].put(self._head(column, look), *worn)
        pebbles = Text(" ").join(seat_glyph(seat) for seat in column["champion"])
        things[f"champion-{n}"].put(pebbles if column["champion"] else Text(glyphs().dot, style="dim"), *worn)
        for row, cell in enumerate(column["cells"], 1):
            things[f"{row}-{n}"].put(self._cell(column, row, cell, look), *worn)

    def _head(self, column: Column, look: Look) -> Text:
        """Who controls the creature, and its name; three lines where there is room."""
        name = look.teller.word(f"creature.{column['creature']}")
        seat = column["controller"]
        hue = HUES[column["creature"]]
        mark = seat_glyph(seat) if seat is not None else Text(" ")
        if not column["in_play"]:
            hue = f"strike {hue}"
        if not look.tall:
            return Text.assemble(mark, (_short(name, (look.width - 4) // COLUMNS - 2), hue))
        words = name.split(" ")
        lines = ["", name] if len(words) == 1 or len(name) <= 9 else [" ".join(words[:-1]), words[-1]]
        if not column["in_play"]:
            third = Text(_out(look))
        elif seat is not None:
            third = Text.assemble(mark, (" " + _short(look.names[seat], 6), SEAT_COLOURS[seat]))
        else:
            third = Text(glyphs().dot, style="dim")
        return Text("\n").join(
            [Text(_short(lines[0], 9), style=hue), Text(_short(lines[1], 9), style=hue), third]
        )

    def _cell(self, column: Column, row: int, cell: Cell, look: Look) -> Text:
        """The top card's strength, the Chameleon's mark, the pile's height, the pebble."""
        signs, top = glyphs(), cell["top"]
        pebble = seat_glyph(cell["pebble"]) if cell["pebble"] is not None else Text(" ")
        reached = row <= seen(look)["round"]
        if top is None:
            blank = signs.dot if reached and column["in_play"] else " "
            shown, height = Text(f"  {blank} ", style="dim"), ""
        else:
            cham = kind_of(top) == "chameleon"
            hue = HUES[kind_of(top)] if column["in_play"] else ""
            shown = Text(f"{strength(top):>3}{signs.chameleon if cham else ' '}", style=f"bold {hue}")
            height = f"{signs.times}{height_of(cell)}" if height_of(cell) > 1 else ""
        if look.tall:
            return Text("\n").join([shown, Text.assemble("  ", pebble, " ", (height, "dim"))])
        return Text.assemble(shown, (f"{height:<3}", "dim"), pebble)

    def _player(self, seat: int, look: Look) -> Text:
        """A player's line: shape, name, cards, pebbles, secret, cards set aside."""
        signs, player = glyphs(), seen(look)["players"][seat]
        now = signs.now if seat == seen(look)["turn"] else " "
        counts = f"{player['hand']}{signs.cards} {player['pebbles']}{signs.pebbles}"
        if player["secret"]:
            counts += f" {signs.hidden}"
        if player["aside"]:
            counts += f" {signs.aside}{player['aside']}"
        share = look.width // len(look.names) - 4
        name = _short(look.names[seat], share if look.tall else max(3, share - len(counts) - 1))
        head = Text.assemble(now, seat_glyph(seat), " ", (name, SEAT_COLOURS[seat]))
        return Text("\n   " if look.tall else " ").join([head, Text(counts)])

    def _hand(self, look: Look) -> Iterable[tuple[str, Text, tuple[str, ...]]]:
        """The reader's cards, those set aside last."""
        own = seen(look)["own"]
        order = [column["creature"] for column in seen(look)["columns"]]
        out = {column["creature"] for column in seen(look)["columns"] if not column["in_play"]}

        def place(card: str) -> tuple[int, int]:
            kind = kind_of(card)
            return (order.index(kind) if kind in order else len(order), int(card.partition("-")[2] or 99))

        cards = {"looked": seen(look)["looked"]}
        if own is not None:
            cards |= {"hand": own["hand"], "aside": own["aside"]}
        for at, held in cards.items():
            for i, card in enumerate(sorted(held or (), key=place)):
                gone = ("-out",) if kind_of(card) in out else ()
                yield f"{at}-{i}-{card}", self._card(card, look, at), (f"-{at}", *gone)

    def _card(self, card: str, look: Look, at: str) -> Text:
        name = self._kind_word(kind_of(card), look)
        sign = {"looked": glyphs().looked, "aside": glyphs().aside}.get(at, " ")
        return Text.assemble(
            sign, (f"{strength(card):>3}", "bold"), " ", (_short(name, 14), HUES[kind_of(card)])
        )

    def _kind_word(self, kind: str, look: Look) -> str:
        where = "card" if kind in ("chameleon", "ancestor", "dryad") else "creature"
        return look.teller.word(f"{where}.{kind}")

    def title(self, look: Look) -> str:
        """Round, deck, whose turn."""
        view = seen(look)
        parts = [_say(look, "round", round=view["round"]), _say(look, "deck", count=view["deck"])]
        if view["turn"] is not None:
            mine = view["turn"] == look.reader
            turn = "turn_you" if mine else "turn_them"
            parts.append(_say(look, turn, **({} if mine else {"seat": look.teller.names[view["turn"]]})))
        return " · ".join(parts)

    # ---- options and Things -----------------------------------------------------------------

    def key_of(self, action: int) -> str | None:
        """Cards are in the hand, a column is its current row's cell, or its head where no card is laid there."""
        text = self.look.teller.game.actions[action]
        view, choice = seen(self.look), self.look.choice
        names = [column["creature"] for column in view["columns"]]
        if text in names:
            n = names.index(text)
            if choice is not None and choice.kind in ("predict", "column", "feather_fox"):
                return f"{view['round']}-{n}"
            return f"head-{n}"
        first, _, second = text.partition("-")
        if first == "seat":
            return text
        if second in names:
            return f"{first}-{names.index(second)}"  # `2-hoot` and `champion-hoot`
        if text in ("secret", "reveal"):
            return f"seat-{self.look.reader}"
        at = "looked" if choice is not None and choice.kind == "goatman_keep" else "hand"
        held = (t.key for t in self.things() if t.key.startswith(f"{at}-"))
        return next((key for key in held if key.split("-", 2)[2] == text), None)

    def order(self) -> list[int]:
        """Places first, then cards by column, the pass last."""
        game, hand = self.look.teller.game, [thing.key.split("-", 2)[-1] for thing in self.things()]

        def rank(action: int) -> tuple[int, int]:
            text = game.actions[action]
            if text in ("pass", "reveal"):
                return (3 if text == "pass" else 2, 0)
            return (1, hand.index(text)) if text in hand and not text.startswith("seat-") else (0, action)

        return sorted(super().order(), key=rank)

    def label(self, action: int) -> str:
        """Where a column is meant as a place, and a card as a secret prediction, say so."""
        teller, choice = self.look.teller, self.look.choice
        text = teller.game.actions[action]
        if choice is not None and choice.kind == "predict":
            if text in seen(self.look)["creatures"]:
                return teller.say("place", f"{seen(self.look)['round']}-{text}")
            if kind_of(text) in HUES:
                return _say(self.look, "secretly", card=teller.say("card", text))
        return super().label(action)

    def explain(self, action: int) -> Text:
        """Powers are explained where one is asked whether to use them."""
        choice, text = self.look.choice, self.look.teller.game.actions[action]
        key = self.key_of(action)
        if key is not None:
            return self.details(key)
        kind = str(choice.about.get("creature", "")) if choice is not None else ""
        if text in ("use", "pass") and kind in HUES:
            return self._power(kind)
        name = kind_of(text)
        return self._card_details(text) if name in HUES else Text()

    # ---- details ----------------------------------------------------------------------------

    def details(self, key: str) -> Text:
        """What a Thing is and does."""
        first, _, rest = key.partition("-")
        if first in ("hand", "aside", "looked"):
            card = self._card_details(rest.partition("-")[2])
            return card if first == "hand" else Text("\n").join([card, Text(_say(self.look, first))])
        if first == "seat":
            return self._player_details(int(rest))
        column = seen(self.look)["columns"][int(rest)]
        if first == "head":
            return self._creature_details(column)
        if first == "champion":
            return self._champion_details(column)
        return self._cell_details(column, int(first))

    def _power(self, kind: str) -> Text:
        look = self.look
        return Text.assemble(
            (self._kind_word(kind, look), f"bold {HUES[kind]}"), "\n", look.teller.word(f"power.{kind}")
        )

    def _card_details(self, card: str) -> Text:
        if "-" not in card:
            return self._power(card)
        text = self._power(kind_of(card))
        return Text.assemble(text, "\n", (_say(self.look, "strength", strength=strength(card)), "dim"))

    def _creature_details(self, column: Column) -> Text:
        text = self._power(column["creature"])
        if not column["in_play"]:
            return Text.assemble(text, "\n", _say(self.look, "out", round=column["eliminated"]))
        seat = column["controller"]
        control = (
            _say(self.look, "controller_none")
            if seat is None
            else _say(self.look, "controller", seat=self.look.teller.names[seat])
        )
        return Text.assemble(text, "\n", control)

    def _champion_details(self, column: Column) -> Text:
        seats = self.look.teller.join([self.look.teller.names[seat] for seat in column["champion"]])
        pebbles = (
            _say(self.look, "champions", seats=seats)
            if column["champion"]
            else _say(self.look, "champions_none")
        )
        return self._place(column, _say(self.look, "champion"), WORTH[0], [pebbles])

    def _cell_details(self, column: Column, row: int) -> Text:
        look, cell = self.look, column["cells"][row - 1]
        lines = []
        if cell["top"] is None:
            lines.append(_say(look, "empty"))
        else:
            lines.append(_say(look, "top", card=look.teller.say("card", cell["top"])))
            height = height_of(cell)
            lines.append(_say(look, "height_one") if height == 1 else _say(look, "height", count=height))
            if kind_of(cell["top"]) == "chameleon":
                lines.append(_say(look, "cham"))
        pebble = cell["pebble"]
        lines.append(
            _say(look, "pebble_none")
            if pebble is None
            else _say(look, "pebble", seat=look.teller.names[pebble])
        )
        return self._place(column, look.teller.say("row", row), WORTH[row], lines)

    def _place(self, column: Column, place: str, points: int, lines: list[str]) -> Text:
        """A place in a column: where, what lies there, what a pebble is worth, what the creature does."""
        look, kind = self.look, column["creature"]
        value = _say(look, "worth", points=look.teller.say("points", points))
        return Text.assemble(
            (f"{self._kind_word(kind, look)}, {place}", f"bold {HUES[kind]}"),
            "\n",
            "\n".join([*lines, value]),
            "\n",
            (look.teller.word(f"power.{kind}"), "dim"),
        )

    def _player_details(self, seat: int) -> Text:
        look, player = self.look, seen(self.look)["players"][seat]
        lines = [
            _say(look, "player_hand", count=player["hand"]),
            _say(look, "player_pebbles", count=player["pebbles"]),
        ]
        if player["aside"]:
            lines.append(_say(look, "player_aside", count=player["aside"]))
        own = seen(look)["own"]
        if player["secret"]:
            mine = own["secret"] if own is not None and seat == look.reader else None
            lines.append(
                _say(look, "own_secret", card=look.teller.say("card", mine))
                if mine
                else _say(look, "player_secret")
            )
        known = [entry["card"] for entry in seen(look)["known"] if entry["places"] == [f"hand-{seat}"]]
        if known and seat != look.reader:
            lines.append(_say(look, "known", cards=look.teller.say("card*", known)))
        if seen(look)["carmen"] and seat == seen(look)["turn"]:
            lines.append(_say(look, "carmen"))
        return Text.assemble((look.teller.names[seat], f"bold {SEAT_COLOURS[seat]}"), "\n", "\n".join(lines))

    # ---- help and result --------------------------------------------------------------------

    def legend(self) -> list[tuple[Text | str, str]]:
        """The signs of this board."""
        signs = glyphs()
        rows: list[tuple[Text | str, str]] = [
            (seat_glyph(seat), name) for seat, name in enumerate(self.look.names)
        ]
        for sign, key in (
            (f"{signs.seats[0]}Hoot", "sign_controller"),
            (signs.now, "sign_now"),
            (f"7{signs.chameleon}", "sign_chameleon"),
            (f"{signs.times}3", "sign_height"),
            (f"7 {signs.seats[0]}", "sign_pebble"),
            (f"8{signs.cards}", "sign_cards"),
            (f"5{signs.pebbles}", "sign_pebbles"),
            (signs.hidden, "sign_secret"),
            (f"{signs.aside}4", "sign_aside"),
            (signs.looked, "sign_looked"),
        ):
            rows.append((sign, _say(self.look, key)))
        return rows

    @classmethod
    def reckoning(cls, outcome: Outcome, seat: int, teller: Teller) -> list[str]:
        """What each pebble on a creature still in play is worth."""
        pebbles = outcome.reckoning[seat]["pebbles"]
        if not pebbles:
            return [teller.lexicon("terminal.equinox.reckon_none")]
        lines = []
        for pebble in pebbles:
            row, creature = pebble["row"], pebble["creature"]
            place = teller.say("place", f"{row or 'champion'}-{creature}")
            points = teller.say("points", pebble["value"])
            lines.append(teller.lexicon("terminal.equinox.reckon", points=points, place=place))
        return lines


def _say(look: Look, key: str, **values: Any) -> str:
    return look.teller.lexicon(f"terminal.equinox.{key}", **values)


def _out(look: Look) -> str:
    return _say(look, "out_short")


def _short(name: str, room: int) -> str:
    """A name in this many cells at most."""
    return name if len(name) <= room else name[: room - 1] + glyphs().ellipsis
