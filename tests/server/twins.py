"""Twins: two tables that one viewer cannot tell apart, at two servers, and everything that this viewer can get out of
them. Law 5 says that it must be the same bytes."""

import asyncio
import contextlib
import hashlib
import itertools
import json
import re

from fabletop import GAMES, Chance, Sitting
from fabletop.core.events import CLOSED
from fabletop.server.bots.pool import BotPool
from fabletop.server.stores.entries import Acted, Began, Head, Sat
from fabletop.server.tables import actor, table
from fabletop.server.tables.creation import Draft, fresh_maker
from fabletop.server.tables.tokens import fresh_token, hashed
from tests.server.hall import hall, raw

MANNERS = [{}, {"lang": "en", "reveals": True}, {"lang": "fr"}, {"lang": "de", "reveals": True}]
NAMES = ("Ana", "Ben", "Cleo", "Dov")


# ---- two worlds that one viewer cannot tell apart ----------------------------------------------------------------


class Dealt(Sitting):
    """A sitting that may be dealt otherwise: from a position, with the events that belong to it."""

    otherwise = deal = None

    def __init__(self, *given, **named):
        self.deal = Dealt.otherwise
        super().__init__(*given, **named)

    @classmethod
    def resumed(cls, *given):
        found = super().resumed(*given)
        found.deal = Dealt.otherwise
        return found

    def _deal(self):
        super()._deal()
        if self.deal is not None:
            position, self.rows = self.deal[0], list(self.deal[1])
            self.state = self.game.from_position(position)
            self.state.listen(True)


def values_of(kind, row):
    """The fields of an event row, and the values that each has."""
    places = [(f, slice(1 + i, None if f.kind.endswith("*") else 2 + i)) for i, f in enumerate(kind.fields)]
    return {field.name: (field, place, tuple(row[place])) for field, place in places}


def knows(events, rows, viewer):
    """What a viewer may know of event rows, said once more in other words than the server uses."""
    shown, held = [], []
    for row in rows:
        if row[0] == CLOSED:
            shown += [fact for _, fact in sorted(held, key=lambda pair: pair[0])]
            held = []
            continue
        kind = events.kinds[row[0]]
        values = values_of(kind, row)
        named = {name: viewer in found for name, (_, _, found) in values.items()}
        if kind.only is not None and not any(named[name] for name in kind.only):
            continue
        seen = [n for n, (f, *_) in values.items() if f.eyes is None or any(named[eye] for eye in f.eyes)]
        fact = (kind.name, [(name, values[name][2]) for name in seen])
        if kind.later and not named["seat"]:
            held.append((values["seat"][2], fact))
        else:
            shown.append(fact)
    return shown


def swapped(sitting, viewer, chance):
    """The deal with two hidden cards in each other's place; None where the viewer would see that."""
    game, events = sitting.game, sitting.game.events
    numbers = {}
    with contextlib.suppress(IndexError):
        for n in itertools.count():
            numbers[events.values["card"](n).replace("-", " ")] = n
    text = game.position(sitting.state)
    places = [m for m in re.finditer(r"\b[a-z_]+ \d+\b|\b\d+\b", text) if m[0] in numbers]
    one, other = sorted((chance.pick(places), chance.pick(places)), key=lambda m: m.start())
    if one[0] == other[0]:
        return None
    text = "".join(
        (text[: one.start()], other[0], text[one.end() : other.start()], one[0], text[other.end() :])
    )
    try:
        state = game.from_position(text)
        same = game.counts(state) == game.counts(sitting.state) and state.asked() == sitting.state.asked()
        if not same or game.view(state, viewer) != sitting.view(viewer):
            return None
    except Exception:
        return None  # what was swapped were no cards
    swap = {numbers[one[0]]: numbers[other[0]], numbers[other[0]]: numbers[one[0]]}
    rows = []
    for row in sitting.rows:
        new = list(row)
        for field, place, found in values_of(events.kinds[row[0]], row).values():
            if field.kind.rstrip("*") == "card":
                new[place] = [swap.get(n, n) for n in found]
        rows.append(tuple(new))
    return (text, rows) if knows(events, rows, viewer) == knows(events, sitting.rows, viewer) else None


class Pair:
    """Two games that differ only in what one viewer may not know: in the deal, and in what others do unseen."""

    def __init__(self, game, options, seed, viewer, chance):
        self.viewer, self.chance = viewer, chance
        self.worlds = [Dealt(game, options, seed=seed), Dealt(game, options, seed=seed)]
        for _ in range(400):
            deal = swapped(self.worlds[1], viewer, chance)
            if deal is not None:
                self.worlds[1].deal = deal
                self.worlds[1]._deal()
                if chance.below(4) == 0:
                    break

    def go_on(self, wild=False):
        """The next action in both worlds (or, wildly, in one), such that the viewer cannot tell: seat and actions."""
        for seat in self.chance.shuffled(self.worlds[0].state.asked()):
            legal = [world.state.legal(seat) for world in self.worlds]
            for action in self.chance.shuffled(legal[0])[:5]:
                for made in self._steps(seat, action, self.chance.shuffled(legal[1]), wild):
                    after = [world.fork() for world in self.worlds]
                    for world, step in zip(after, made, strict=True):
                        if step is not None:
                            world.act(seat, step)
                    if after[0].outcome is None and self.same(after, whole=made[0] != made[1]):
                        self.worlds = after
                        return seat, made
        return None

    def _steps(self, seat, action, legal, wild):
        """What to try in the two worlds: the viewer does the same in both, the others need not."""
        same = [(action, action)] if action in legal else []
        if seat == self.viewer:
            return same
        others = [(action, b) for b in legal if b != action][:6]
        if not wild:
            return same + others
        alone = [(None, legal[0]), (action, None)] if self.worlds[0].state.together else []
        return others + alone + same

    def take_back(self):
        """A seat takes back its last action, in one world or in both, such that the viewer cannot tell: who, where."""
        for seat in self.chance.shuffled(range(self.worlds[0].state.seats)):
            able = [n for n, world in enumerate(self.worlds) if world.undo_barrier(seat) is None]
            for where in ([0], [1], [0, 1]):
                if not set(where) <= set(able):
                    continue
                after = [world.fork() for world in self.worlds]
                for n in where:
                    after[n].undo(seat)
                if self.same(after, whole=True, undone=True):
                    self.worlds = after
                    return seat, where
        return None

    def same(self, after, whole=False, undone=False):
        """Has the viewer been told the same? After the same action it then sees the same, unless it learned something;
        whether it does is what is tried. Where different things were done (`whole`), what it sees is asked too."""
        game, viewer = after[0].game, self.viewer
        number = after[0].state.seats if viewer is None else viewer
        if after[0].state.asked() != after[1].state.asked():
            return False
        told = [
            knows(game.events, w.rows[0 if undone else since(b) :], viewer)
            for w, b in zip(after, self.worlds, strict=True)
        ]
        if told[0] != told[1]:
            return False
        if whole or any(world.state.learned >> number & 1 for world in after):
            return len({json.dumps([w.view(viewer), str(w.pending.get(viewer))]) for w in after}) == 1
        return True

    @property
    def differ(self):
        """Is there anything that the viewer does not know?"""
        return self.worlds[0].rows != self.worlds[1].rows


def since(sitting):
    """Where the events begin that this stage has brought."""
    if not any(kind.later for kind in sitting.game.events.kinds.values()):
        return len(sitting.rows)
    return max((at + 1 for at, row in enumerate(sitting.rows) if row[0] == CLOSED), default=0)


def pairs(game, options, word):
    """Pairs of games in the middle of play, as different viewers are shown them."""
    chance = Chance.from_text(f"pairs {game} {options} {word}")
    viewers = itertools.cycle([*range(options["seats"]), None])
    for n in itertools.count():
        viewer, far = next(viewers), chance.below(60 if n % 3 else 240)
        tried = [Pair(GAMES[game], options, f"pair {word} {n} {k}", viewer, chance) for k in range(2)]
        for pair in tried:
            for _ in range(far):
                if pair.go_on() is None:
                    break
        pair = max((p for p in tried if p.differ), key=lambda p: len(p.worlds[0].actions), default=None)
        for _ in range(chance.below(6)):
            pair and pair.go_on(wild=True)
        if pair:
            yield pair


# ---- two servers, and everything that a viewer can get out of them -----------------------------------------------


class Echo(BotPool):
    """A bot that says what it was told, in numbers; and that never moves."""

    async def _ask(self, thought, ticket, kind):
        self._leave(ticket, 0.0)
        told = hashlib.sha256(repr(thought).encode()).digest()
        return type(
            "Answer",
            (),
            {
                "options": [
                    {"action": a, "victory": told[0], "points": told[1], "visits": told[2]}
                    for a in thought.options
                ],
                "then": [told[3] % 2],
            },
        )

    async def choose(self, *_):
        await asyncio.Event().wait()


class Services:
    """Two halls with the same table in them, but for what the viewer may not know."""

    def __init__(self, both):
        self.both = both
        run = both[0][0].server.services.run
        for hall_, _ in both:
            services = hall_.server.services
            services.now, services.run, services.bots = lambda: 5000.0, run, Echo(1, 5)

    async def seat(self, pair, bots=False):
        """Both tables, in both halls under the same name, with the same tokens."""
        world = pair.worlds[0]
        rules, seats = world.game, range(world.state.seats)
        self.table, self.pair, self.host = fresh_token()[:12], pair, fresh_token()
        self.tokens = [fresh_token() for _ in seats]
        self.token = self.host if pair.viewer is None else self.tokens[pair.viewer]
        head = Head(self.table, rules.id, rules.rules, world.options, world.seed, 1.0, hashed(self.host))
        sat = [
            Sat(1.0, seat, NAMES[seat], bot="gretel")
            if bots and seat != pair.viewer
            else Sat(1.0, seat, NAMES[seat], key=hashed(self.tokens[seat]))
            for seat in seats
        ]
        for (hall_, _), game in zip(self.both, pair.worlds, strict=True):
            Dealt.otherwise = game.deal
            log = [Acted(2.0 + n, s, rules.actions[a]) for n, (s, a) in enumerate(game.actions)]
            made = Draft(head, [*sat, Began(1.0), *log], "")

            async def making(made=made):
                return made

            await hall_.server.registry.make(fresh_maker(), making)
            found = await hall_.server.registry.actor(self.table)
            assert found.table.sitting.rows == game.rows
            Dealt.otherwise = None

    async def leave(self):
        """Away with the tables."""
        for hall_, _ in self.both:
            await hall_.server.registry.evict(self.table)

    async def each(self, do):
        """Do the same in both halls; the names of what was told differently."""
        one, other = [await do(hall_, client) for hall_, client in self.both]
        assert one.keys() == other.keys()
        return [name for name in one if one[name] != other[name]]

    async def greeted(self, _, client):
        """What the viewer is told on coming, plainly and in each language, for the first time and again."""
        found, self_lines = {}, []
        for n, preferences in enumerate(MANNERS):
            line = await raw(client)
            hello = {"type": "hello", "table": self.table, "token": self.token, **preferences}
            await line.say(hello)
            welcome = json.loads((whole := await heard(line))[0])
            found[f"welcome {n}"] = whole
            for seq in {0, welcome["seq"] // 2, max(0, welcome["seq"] - 1), welcome["seq"]}:
                await line.say({**hello, "seq": seq})
                found[f"welcome {n} since {seq}"] = await heard(line)
            self_lines.append(line)
        self.lines[client] = self_lines
        return found

    async def tried(self, _, client):
        """What the viewer is told when it asks for what cannot be."""
        line, found = self.lines[client][0], {}
        for name, said in {
            "stale": {"type": "act", "choice": 1, "action": 0},
            "unheard of": {"type": "act", "choice": 100_000, "action": 0},
            "not offered": {"type": "act", "choice": self.choice(client), "action": 10_000},
            "no action": {"type": "act", "choice": self.choice(client), "action": "dance"},
            "hint": {"type": "hint"},
            "another's": {"type": "undo", "seat": (1 + (self.pair.viewer or 0)) % len(self.tokens)},
            "look": {"type": "look"},
            "replace": {"type": "replace", "seat": 9},
            "stand": {"type": "stand"},
            "undo": {"type": "ping" if self.may_undo else "undo"},
        }.items():
            await line.say({"id": name, **said} if said["type"] in ("act", "undo", "hint") else said)
            await asyncio.sleep(0.01 if name == "hint" else 0)
            found[f"error {name}"] = await heard(line)
        return found

    @property
    def may_undo(self):
        """Could the viewer take something back in either world?"""
        viewer = self.pair.viewer
        return viewer is not None and any(w.undo_barrier(viewer) is None for w in self.pair.worlds)

    def choice(self, client):
        """The number of the choice that is put to the viewer, as its own line was told."""
        hall_ = next(hall_ for hall_, other in self.both if other is client)
        viewer = self.pair.viewer
        return 0 if viewer is None else max(0, hall_.actor(self.table).table.cursors[viewer].choice)

    async def read(self, _, client):
        """Everything that can be read over HTTP."""
        found = {}
        langs = ["", "lang=en", "lang=fr", "lang=de"]
        paths = [f"{what}?{lang}" for what in ("view", "story") for lang in langs]
        for path in ("", *paths, "story?from=3", "record", "verify", "at", "at?at=2&seat=0"):
            found[f"read {path}"] = await self.asked(
                client, "GET", f"/api/tables/{self.table}/{path}".rstrip("/")
            )
        found["read mine"] = await self.asked(client, "POST", "/api/mine", {"tokens": [self.token]})
        found["read list"] = await self.asked(client, "GET", "/api/tables")
        found["read branch"] = await self.asked(client, "POST", f"/api/tables/{self.table}/branch", {"at": 0})
        for verb, body in (("act", {"id": "h", "choice": 1, "action": 0}), ("hint", {"id": "h"})):
            found[f"error {verb}"] = await self.asked(
                client, "POST", f"/api/tables/{self.table}/{verb}", body
            )
        return found

    async def asked(self, client, method, path, body=None):
        """The answer to a request, as it comes."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with client.session.request(
            method, client.address + path, json=body, headers=headers
        ) as answer:
            return answer.status, dict(answer.headers) | {"Date": ""}, await answer.text()

    async def updated(self, _, client):
        """What has come over the lines since."""
        return {f"update {n}": await heard(line) for n, line in enumerate(self.lines[client])}

    async def hinted(self, _, client):
        """A hint, over the socket and over HTTP; what the bot was told is in it."""
        line = await raw(client, self.table, self.token)
        await line.say({"type": "hint", "id": "what now"})
        over = await self.asked(client, "POST", f"/api/tables/{self.table}/hint", {"id": "what now"})
        found = {"hint": json.dumps(await line.hear("hint")), "hint read": over}
        await line.ws.close()
        return found

    async def played_on(self):
        """The game goes on, also backwards; what was told differently."""
        found = []
        for step in range(10):
            done = {}
            if step % 4 == 3:
                if (taken := self.pair.take_back()) is not None:
                    done = {n: ("undo", taken[0], {}) for n in taken[1]}
            elif (made := self.pair.go_on(wild=step % 2 == 1)) is not None:
                acted = [(n, action) for n, action in enumerate(made[1]) if action is not None]
                done = {n: ("act", made[0], {"action": action}) for n, action in acted}
            for n, (verb, seat, body) in done.items():
                hall_, client = self.both[n]
                if verb == "act":
                    body["choice"] = hall_.actor(self.table).table.cursors[seat].choice
                await client.do(self.table, verb, self.tokens[seat], id=f"{step}", **body)
            what = next((verb for verb, _, _ in done.values()), "")
            found += [f"{what} {name}" for name in await self.each(self.updated)]
            found += await self.each(self.read) if what else []
        return found

    async def compared(self, pair):
        """Everything of one pair; the names of what was told differently."""
        self.lines = {}
        await self.seat(pair)
        found = await self.each(self.greeted) + await self.each(self.tried) + await self.each(self.read)
        found += await self.played_on()
        for line in itertools.chain(*self.lines.values()):
            await line.ws.close()
        await self.leave()
        for hall_, _ in self.both:
            assert hall_.server.services.metrics.faults._value.get() == 0
        asked = pair.viewer in pair.worlds[0].state.asked()
        if asked:
            await self.seat(pair, bots=True)
            found += await self.each(self.hinted)
            await self.leave()
        return found, asked


@contextlib.asynccontextmanager
async def two_halls(tmp_path, monkeypatch):
    """Two servers that do not know of each other."""
    monkeypatch.setattr(table, "Sitting", Dealt)
    monkeypatch.setattr(Dealt, "otherwise", None)
    # the number of spectators is told a while after they came, which may be at different steps
    monkeypatch.setattr(actor, "COUNT_EVERY", 1000.0)
    folders = [tmp_path / "ours", tmp_path / "twin"]
    for folder in folders:
        folder.mkdir()
    # nobody opens a table but we, since only we know how it was dealt
    async with hall(folders[0], sweep=1000) as ours, hall(folders[1], sweep=1000) as twin:
        yield Services([ours, twin])


async def heard(line):
    """Everything that has been sent over a line, as text."""
    await line.say({"type": "ping", "n": 99})
    found = []
    while (text := await line.text()) != '{"type":"pong","n":99}':
        found.append(text)
    return found
