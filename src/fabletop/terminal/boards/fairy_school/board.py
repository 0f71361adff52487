"""The Fairy School board: elements and seats, the forest, zones and hands, projects, the creature board."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.widgets import Static

from fabletop.core.game import Choice, Outcome
from fabletop.games.fairy_school.algebra import ELEMENTS, LETTERS
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES, FINAL_BY_NAME, PAIR_BONUS
from fabletop.games.fairy_school.constants import COLUMNS
from fabletop.lang.lines import Teller
from fabletop.terminal.boards.board import Board, Look, Shelf, Thing
from fabletop.terminal.boards.fairy_school.details import PAWS, column_cost, details
from fabletop.terminal.boards.fairy_school.rows import Row, busy, rows, say
from fabletop.terminal.boards.fairy_school.signs import (
    HUES,
    PLAIN_HUE,
    Held,
    capital,
    card_block,
    card_text,
    cost_text,
    creature_hue,
    creature_name,
    cut,
    held_text,
    seen,
    shortened,
    signs,
    tint,
)
from fabletop.terminal.boards.fairy_school.speech import explained, labelled, questioned
from fabletop.terminal.glyphs import SEAT_COLOURS, glyphs, seat_glyph

ROWS = 8
"""How many rows there can be below the forest."""
SPACES = tuple(f"{row}-{n}" for row in ("top", "bottom") for n in range(1, COLUMNS + 1))
STORES = ("cubes", "kindness", "studied", "realised", "pile", "discard", "common")
LAST = ("pass", "done", "cancel", "convert")
"""Options that come after all others, in this order."""
PLACES = ("hand", "picks", "dropped", "looked", "discard", "common", "personal", "shared", "project")
"""Where a card of a row can lie; of two places the first is meant."""
SIDE, SIDE_TALL = 2, 10
"""Cells of the label of a row of the forest."""


class FairySchoolBoard(Board):
    """The table of Fairy School.

    Keys: `seat-1`, `element:fire`, the stores (`convert`, `cubes`, `pile`, …), `column-1`, `top-1`, `bottom-5`,
    `creature:elf`, and those of the rows (`rows.py`). Choosing another seat shows its forest, zones and projects
    instead of the reader's, until the reader is asked the next question.
    """

    HEADINGS: ClassVar[frozenset[str]] = frozenset({"turn_began"})
    DEFAULT_CSS = """
    FairySchoolBoard Horizontal { height: auto; width: 1fr; }
    FairySchoolBoard #own { background: $panel; height: auto; layout: horizontal; }
    FairySchoolBoard #own #me { width: 1fr; min-width: 6; }
    FairySchoolBoard #stores { width: auto; }
    FairySchoolBoard.-tall #own { layout: vertical; }
    FairySchoolBoard.-tall #stores { padding-left: 1; }
    FairySchoolBoard.-tall #seats { margin-bottom: 1; }
    FairySchoolBoard #forest { height: auto; }
    FairySchoolBoard .side { width: 2; color: $foreground 60%; }
    FairySchoolBoard.-tall .side { width: 10; }
    FairySchoolBoard #forest Thing { padding-right: 1; }
    FairySchoolBoard #heads { color: $foreground 75%; }
    FairySchoolBoard #heads Thing.-played { text-style: bold reverse; }
    FairySchoolBoard .trees { background: $surface; }
    FairySchoolBoard.-tall .trees Thing { height: 2; }
    FairySchoolBoard.-tall #bottom { margin-top: 1; }
    FairySchoolBoard.-tall #forest { margin-bottom: 1; }
    FairySchoolBoard .row > Thing { width: 10; }
    FairySchoolBoard .row Shelf { width: 1fr; }
    FairySchoolBoard.-tall .row.-parted { margin-top: 1; }
    FairySchoolBoard Thing.-busy { text-style: bold italic; }
    FairySchoolBoard Thing.-done { color: $foreground 60%; text-style: dim; }
    FairySchoolBoard .pairs { height: 1; }
    FairySchoolBoard.-tall #creatures { margin-top: 1; }
    FairySchoolBoard #creatures { height: auto; }
    FairySchoolBoard .link { width: 3; }
    FairySchoolBoard .pairs Thing { width: 11fr; }
    FairySchoolBoard .pairs .second { width: 12fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.gaze: int | None = None
        self._places: dict[str, Thing] = {}

    def compose(self) -> ComposeResult:
        """Own stores, the other seats, the forest, rows of cards, the creature board."""
        with Container(id="own"):
            with Horizontal(id="purse"):
                yield _named(Thing("seat-0"), "me")
                yield from (Thing(f"element:{name}") for name in ELEMENTS)
                yield Thing("convert")
            with Horizontal(id="stores"):
                yield from (Thing(name) for name in STORES)
        yield Shelf(24, id="seats")
        with Container(id="forest"):
            with Horizontal(id="heads"):
                yield Static("", classes="side", markup=False)
                yield from (Thing(f"column-{n}") for n in range(1, COLUMNS + 1))
            for row in ("top", "bottom"):
                with Horizontal(id=row, classes="trees"):
                    yield Static("", classes="side", markup=False)
                    yield from (Thing(f"{row}-{n}") for n in range(1, COLUMNS + 1))
        for n in range(ROWS):
            with Horizontal(id=f"row-{n}", classes="row"):
                yield Thing(f"row:{n}")
                yield Shelf(15)
        with Container(id="creatures"):
            for line in range(2):
                with Horizontal(classes="pairs"):
                    for pair in range(3 * line, 3 * line + 3):
                        yield Thing(f"creature:{CREATURES[2 * pair]}")
                        yield Static("", id=f"link-{pair}", classes="link", markup=False)
                        yield Thing(f"creature:{CREATURES[2 * pair + 1]}", classes="second")

    # ---- drawing ----------------------------------------------------------------------------

    @property
    def me(self) -> int:
        """Whose table this is: the reader's; a spectator sits with whom they look at, or with the first seat."""
        if self.look.reader is not None:
            return self.look.reader
        return self.gaze if self.gaze is not None else 0

    @property
    def area(self) -> int:
        """Whose forest, zones and projects are shown."""
        return self.gaze if self.gaze is not None else self.me

    def show(self, look: Look) -> None:
        """Look home again when another question comes or another person reads."""
        last = getattr(self, "look", None)
        if last is not None and (last.reader != look.reader or (look.choice and look.choice != last.choice)):
            self.gaze = None
        super().show(look)

    def draw(self, look: Look) -> None:
        """Put the view into the Things."""
        fixed = {thing.key: thing for thing in self.query(Thing)}
        self._draw_own(look, fixed)
        self._draw_seats(look)
        self._draw_forest(look, fixed)
        self._draw_rows(look)
        self._draw_creatures(look, fixed)
        self._places = {thing.key: thing for thing in self.things()}

    def _draw_own(self, look: Look, fixed: dict[str, Thing]) -> None:
        """Name, elements and stores, each with a word where there is room."""
        use, player = signs(), seen(look)["players"][self.me]
        own = self.query_one("#me", Thing)
        own.key = f"seat-{self.me}"
        own.put(self._seat_name(self.me, look, 12))
        held: Held = player["elements"]
        for name, letter in zip(ELEMENTS, LETTERS, strict=True):
            value = Text.assemble((letter, HUES[name]), (f"{held[name]:>2}", "bold"))
            if look.tall:
                value.append(f" {look.teller.say('element', name)}", "dim")
            _fit(fixed[f"element:{name}"], value, 2 if look.tall else 1)
        flags = {
            "convert": use.convert,
            "cubes": f"{use.cube}{player['cubes']}",
            "kindness": f"{use.heart}{player['kindness']}",
            "studied": f"{use.study}{len(player['studied'])}",
            "realised": f"{use.project}{len(player['realised'])}",
        }
        piles = {
            "pile": player["pile"]["count"],
            "discard": len(player["discard"]),
            "common": len(seen(look)["common"]),
        }
        for name, shown in flags.items():
            word = f" {say(look, f'store_{name}')}" if look.tall else ""
            _fit(fixed[name], Text.assemble(f"{shown}", (word, "dim")), 1)
        for name, count in piles.items():
            _fit(fixed[name], Text.assemble((say(look, f"store_{name}"), "dim"), f" {count}"), 1)

    def _seat_name(self, seat: int, look: Look, room: int) -> Text:
        """Whether the seat is still at it, its shape and its name."""
        now = glyphs().now if seat in seen(look)["waiting"] else " "
        return Text.assemble(now, seat_glyph(seat), " ", (cut(look.names[seat], room), SEAT_COLOURS[seat]))

    def _draw_seats(self, look: Look) -> None:
        """The other seats, as many to a line as say enough."""
        others = [(self.me + n) % len(look.names) for n in range(1, len(look.names))]
        columns = 1 if look.tall else {1: 1, 2: 2, 3: 3, 4: 2, 5: 3}[len(others)]
        shelf = self.query_one("#seats", Shelf)
        shelf.least_width = (look.width + 1) // columns - 1
        room = shelf.least_width
        shelf.fill([(f"seat-{seat}", self._other(seat, look, room), ()) for seat in others])

    def _other(self, seat: int, look: Look, room: int) -> Text:
        """Another seat in one line; what does not fit is left out from the end."""
        use, player, seats = signs(), seen(look)["players"][seat], len(look.names)
        side = ""
        if seats > 2 and (seat - self.me) % seats in (1, seats - 1):
            side = glyphs().left if (seat - self.me) % seats == 1 else glyphs().right
        name = self._seat_name(seat, look, 10 if room > 30 else 4)
        text = Text.assemble(
            name, " " * (13 - len(name.plain)) if look.tall else "", f" {side:<1}" if seats > 2 else ""
        )
        parts = [
            held_text(player["elements"], zeros=look.tall, width=2 if look.tall else 0),
            Text(f"{use.heart}{player['kindness']}"),
            Text(f"{use.cube}{player['cubes']}"),
            Text(f"{use.study}{len(player['studied'])}"),
            Text(f"{use.project}{len(player['realised'])}"),
        ]
        if player["final"] is not None:
            parts.append(
                Text(f"{player['final']} {player['steps']}/{len(FINAL_BY_NAME[player['final']].steps)}")
            )
        if look.tall and player["projects"]:
            parts.append(Text(f"{say(look, 'row_projects')} {' '.join(player['projects'])}", style="dim"))
        for part in parts:
            gap = "  " if look.tall else " "
            if len(text.plain) + len(gap) + len(part.plain) > room:
                break
            text = Text.assemble(text, gap, part)
        return text

    def _draw_forest(self, look: Look, fixed: dict[str, Thing]) -> None:
        player, flow = seen(look)["players"][self.area], seen(look)["flow"]
        played = flow["columns"] if flow and flow["seat"] == self.area else []
        side = SIDE_TALL if look.tall else SIDE
        room = (look.width - side) // COLUMNS - 1
        for n in range(1, COLUMNS + 1):
            cost = column_cost(n)
            price = cost_text(cost) if any(cost) else Text(say(look, "free"))
            mark = f"{signs().yes} " if n in played else ""
            text = Text.assemble(f"{mark}{n} {glyphs().dot} ", price)
            fixed[f"column-{n}"].put(text, *(("-played",) if n in played else ()))
        heads = {
            "heads": say(look, "forest") if self.area == self.me else look.names[self.area],
            "top": say(look, "row_shared"),
            "bottom": say(look, "row_personal"),
        }
        short = {"heads": "", "top": signs().up, "bottom": signs().down}
        if self.area != self.me:
            short["heads"] = glyphs().seats[self.area]
        for name, label in heads.items():
            text = Text(cut(label, side - 1) if look.tall else short[name])
            if name == "heads" and self.area != self.me:
                text.stylize(SEAT_COLOURS[self.area])
            self.query_one(f"#{name}").query_one(".side", Static).update(text)
        for row in ("top", "bottom"):
            for n, card in enumerate(player["forest"][row], 1):
                fixed[f"{row}-{n}"].put(self._space(f"{row}-{n}", card, room, look))

    def _space(self, space: str, card: str | None, room: int, look: Look) -> Text:
        """A space of the forest: its card, and the paw where it has one."""
        paw = signs().paw if space in PAWS else ""
        if card is None:
            return Text(f"{glyphs().dot} {paw}", style="dim")
        if look.tall:
            return card_block(card, room, look, paw)
        return Text.assemble(paw, card_text(card, room - len(paw), look))

    def _draw_rows(self, look: Look) -> None:
        shown = rows(look, self.me, self.area)[:ROWS]
        for n in range(ROWS):
            line = self.query_one(f"#row-{n}", Horizontal)
            line.display = n < len(shown)
            label = line.query_children(Thing).first()
            shelf = line.query_one(Shelf)
            if n >= len(shown):
                label.key = ""
                shelf.fill([])
                continue
            row = shown[n]
            label.key = f"row:{row.name}"
            label.put(row.label)
            shelf.least_width = row.least
            shelf.fill(row.items)
            line.set_class(n > 0 and _apart(shown[n - 1], row), "-parted")

    def _draw_creatures(self, look: Look, fixed: dict[str, Thing]) -> None:
        """The twelve creatures in pairs, the bonus between the two, the studied ones marked."""
        studied = seen(look)["players"][self.area]["studied"]
        room = (look.width // 3 - 3) // 2 - 1
        for n, creature in enumerate(CREATURES):
            known = creature in studied
            name = shortened(creature_name(creature, look), room + n % 2)
            hue = creature_hue(creature)
            text = Text.assemble(
                (signs().yes if known else signs().no), (name, f"bold {hue}" if known else hue)
            )
            fixed[f"creature:{creature}"].put(text, *(("-known",) if known else ()))
        for pair, bonus in enumerate(PAIR_BONUS):
            sign = "*" if len(bonus) > 1 else LETTERS[bonus[0].index(1)]
            hue = PLAIN_HUE if len(bonus) > 1 else HUES[ELEMENTS[bonus[0].index(1)]]
            line = signs().pair
            self.query_one(f"#link-{pair}", Static).update(Text(f"{line}{sign}{line}", style=hue))

    def title(self, look: Look) -> str:
        """Trimester, turn, phase."""
        view = seen(look)
        parts = []
        if not view["set_up"]:
            parts.append(capital(look.teller.say("trimester", view["trimester"])))
            if view["turn"]:
                parts.append(say(look, "turn", turn=view["turn"], turns=view["turns"]))
        parts.append(look.teller.say("phase", view["phase"]))
        return f" {glyphs().dot} ".join(parts)

    # ---- options and Things -----------------------------------------------------------------

    def key_of(self, action: int) -> str | None:
        """Cards where they lie, spaces, columns, elements, creatures, the next step."""
        text = self.look.teller.game.actions[action]
        kind = self.look.choice.kind if self.look.choice is not None else ""
        if text in ELEMENTS or text.startswith(("make-", "spend-")):
            return f"element:{text.rpartition('-')[2]}"
        if text == "convert":
            return text
        if text in FINAL_BY_NAME:
            return f"final:{text}"
        if text.replace("-", "_") in CREATURES:
            return f"creature:{text.replace('-', '_')}"
        if self.area != self.me:
            return None  # another seat's things are being looked at
        if text == "step":
            return f"step:{seen(self.look)['players'][self.me]['steps'] + 1}"
        if text in SPACES or text.startswith("column-"):
            return text
        if text.startswith(("line-", "times-", "gain-")):
            now = busy(self.look)
            return self._lies(now, "") if now else None
        return self._lies(text, kind) if text in BY_NAME else None

    def _lies(self, card: str, kind: str) -> str | None:
        """Where a card lies on the board."""
        if kind == "banish":
            forest = seen(self.look)["players"][self.me]["forest"]
            rows_of = {"top": forest["top"], "bottom": forest["bottom"]}
            return next(
                (f"{row}-{cards.index(card) + 1}" for row, cards in rows_of.items() if card in cards), None
            )
        return next((f"{place}:{card}" for place in PLACES if f"{place}:{card}" in self._places), None)

    def order(self) -> list[int]:
        """As they lie on the board; pass, done and conversions last."""
        actions = super().order()
        texts = self.look.teller.game.actions
        places = {key: n for n, key in enumerate(self._places)}

        def rank(action: int) -> tuple[int, int, int]:
            if texts[action] in LAST:
                return (1, LAST.index(texts[action]), 0)
            if texts[action] == "step":
                return (0, -1, 0)
            return (0, places.get(self.key_of(action) or "", 0), action)

        return sorted(actions, key=rank)

    def _take(self, thing: Thing) -> None:
        """Choosing a seat looks at it; everything else is as on any board."""
        if not thing.actions and thing.key.startswith("seat-"):
            seat = int(thing.key.removeprefix("seat-"))
            self.gaze = None if seat in (self.gaze, self.look.reader) else seat
            self.show(self.look)
            return
        super()._take(thing)

    def label(self, action: int) -> str:
        """The option in words, with what it costs or brings."""
        return labelled(self.look, self.look.teller.game.actions[action])

    def question(self, choice: Choice) -> str:
        """The choice in words; payments and conversions explain themselves."""
        return questioned(self.look, choice) or super().question(choice)

    def explain(self, action: int) -> Text:
        """What the option is about."""
        text = self.look.teller.game.actions[action]
        explanation = explained(self.look, text)
        if explanation is not None:
            return explanation
        key = self.key_of(action)
        return self.details(key) if key is not None else Text()

    def details(self, key: str) -> Text:
        """What the Thing is and does."""
        return details(self.look, key, self.me, self.area)

    # ---- help and result --------------------------------------------------------------------

    def legend(self) -> list[tuple[Text | str, str]]:
        """The signs of this board."""
        use, look = signs(), self.look
        entries: list[tuple[Text | str, str]] = [(seat_glyph(n), name) for n, name in enumerate(look.names)]
        entries += [
            (Text(letter, style=HUES[name]), look.teller.say("element", name))
            for letter, name in zip(LETTERS, ELEMENTS, strict=True)
        ]
        shown = (
            (glyphs().now, "now"), (use.yes, "yes"), (f"{glyphs().left} {glyphs().right}", "side"),
            (use.convert, "convert"), (use.cube, "cube"), (use.heart, "heart"), (use.study, "study"),
            (use.project, "project"), (use.paw, "paw"), (use.up, "up"), (use.down, "down"),
            (tint("1/3E"), "lack"), (tint(f"W{use.arrow}2F"), "change"),
            (tint(f"E{use.times}5{use.arrow}V/F"), "times"), ("|", "lines"),
            (tint(f"{use.pair}E{use.pair}"), "pair"),
        )  # fmt: skip
        entries += [(sign, say(look, f"sign_{key}")) for sign, key in shown]
        entries += [
            (sign, look.teller.word(f"cards.kind.{kind}"))
            for sign, kind in (
                (use.recall, "recall"),
                (use.scout, "scout"),
                (use.repeat, "repeat"),
                (use.banish, "banish"),
            )
        ]
        return entries

    @classmethod
    def reckoning(cls, outcome: Outcome, seat: int, teller: Teller) -> list[str]:
        """Points by where they come from, and what stands in the school report."""
        entry = outcome.reckoning[seat]
        lines = [
            f"{capital(teller.word(f'score.{name}'))} {entry[name]}"
            for name in ("kindness", "projects", "steps", "creatures", "elements")
        ]
        if entry["report"]:
            lines.append(capital(teller.say("report", entry["report"])))
        return lines


def _named(thing: Thing, name: str) -> Thing:
    """A Thing that is found by its id, because its key changes."""
    thing.id = name
    return thing


def _fit(thing: Thing, text: Text, gap: int) -> None:
    """Show a text in a Thing that is as wide as it, and a gap wider."""
    thing.put(text)
    thing.styles.width = len(text.plain) + gap


def _apart(before: Row, row: Row) -> bool:
    """Whether a row begins something else than the one before."""
    return row.name in ("personal", "projects", "final") and before.name != "projects"
