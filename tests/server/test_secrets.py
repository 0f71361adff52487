"""Nothing leaves the server that was not built for that viewer: law 5 over the socket, and leaks seen elsewhere."""

import asyncio
import itertools
import json
import logging

import pytest

from fabletop import GAMES, Chance, Sitting
from fabletop.client import Refusal
from fabletop.core.laws import walk
from fabletop.server import wire
from fabletop.server.entries import Acted, Began, Head, Sat
from fabletop.server.making import Made
from fabletop.server.tokens import fresh_token, hashed
from tests.server.hall import hall, play, raw, table_of

WORLDS = [
    ("equinox", {"seats": 2}),
    ("equinox", {"seats": 4}),
    ("fairy_school", {"seats": 3}),
    ("fairy_school", {"seats": 2, "setup": "beginners", "length": "short"}),
]
LOOKS = 10


async def seated(hall_, name, game, options, seed, actions):
    """A table in the middle of a game, and its tokens."""
    rules = GAMES[game]
    tokens = [fresh_token() for _ in range(options["seats"])]
    head = Head(name, game, rules.rules, rules.options(options), seed, 1.0, "host")
    entries = [Sat(1.0, seat, f"N{seat}", key=hashed(token)) for seat, token in enumerate(tokens)]
    entries += [Began(1.0)] + [Acted(1.0, seat, rules.actions[action]) for seat, action in actions]
    await hall_.server.desk.make(Made(head, entries, ""))
    return await hall_.server.desk.live(name), tokens


async def heard(line):
    """Everything that has been sent over a line, as text."""
    await line.say({"type": "ping", "n": 99})
    found = []
    while (text := await line.text()) != '{"type":"pong","n":99}':
        found.append(text)
    return found


async def http_of(client, table, token):
    """Everything that can be read over HTTP."""
    found = []
    for what in ("", "view", "story", "record", "verify", "at"):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        path = f"{client.address}/api/tables/{table}" + (f"/{what}" if what else "")
        async with client.session.get(path, headers=headers) as answer:
            found.append((answer.status, await answer.text()))
    return found


@pytest.mark.parametrize(("game", "options"), WORLDS)
async def test_tables_that_differ_only_in_what_a_client_may_not_know_send_it_the_same_bytes(
    tmp_path, game, options
):
    # law 5, through the real socket
    rules, compared, acted = GAMES[game], 0, 0
    chance = Chance.from_text(f"wire {game} {options}")
    moments = [(sitting.actions[:], seat) for sitting, seat, _ in walk(rules, options, "wire")]
    async with hall(tmp_path) as (hall_, client):
        hall_.server.house.now = lambda: 50.0
        for look in range(LOOKS):
            actions, _ = moments[chance.below(len(moments))]
            viewer = chance.pick([None, *range(options["seats"])])
            names = (f"ours-{look:04}", f"twin-{look:04}")
            tables = [await seated(hall_, name, game, options, "wire", actions) for name in names]
            twin = rules.imagine(json.loads(json.dumps(tables[0][0].table.sitting.view(viewer))), chance)
            twin.listen(True)
            tables[1][0].table.sitting.state = twin
            lines = []
            for name, (_, tokens) in zip(names, tables, strict=True):
                token = None if viewer is None else tokens[viewer]
                lang = "fr" if look % 2 else None
                line = await raw(client)
                more = {key: value for key, value in (("token", token), ("lang", lang)) if value}
                await line.say({"type": "hello", "table": name, **more})
                await line.say({"type": "act", "id": "wrong", "choice": 3, "action": chance.below(1) + 7})
                await line.say({"type": "undo", "id": "undo"}) if viewer is None else None
                lines.append((line, token))
            both = [await heard(line) for line, _ in lines]
            told = [
                [text.replace(name, "X") for text in texts] for name, texts in zip(names, both, strict=True)
            ]
            assert told[0] == told[1]
            reads = []
            for name, (_, token) in zip(names, lines, strict=True):
                reads.append([(s, text.replace(name, "X")) for s, text in await http_of(client, name, token)])
            assert reads[0] == reads[1]
            compared += 1
            acted += await act_in_both(client, rules, names, tables, lines, viewer, chance)
            for line, _ in lines:
                await line.ws.close()
            for name in names:
                await hall_.server.desk.put_away(name)
    assert compared == LOOKS
    assert acted > 0


async def act_in_both(client, rules, names, tables, lines, viewer, chance):
    """The same action in both worlds; unless the viewer learns something by it, it is told the same."""
    states = [live.table.sitting.state for live, _ in tables]
    seat = chance.pick(states[0].asked())
    common = sorted(set(states[0].legal(seat)) & set(states[1].legal(seat)))
    if not common:
        return 0
    action = chance.pick(common)
    for name, (live, tokens) in zip(names, tables, strict=True):
        choice = live.table.readers[seat].choice
        await client.do(name, "act", tokens[seat], id="now", choice=choice, action=action)
    number = len(tables[0][1]) if viewer is None else viewer
    if any(live.table.sitting.state.learned >> number & 1 for live, _ in tables):
        return 0
    both = [await heard(line) for line, _ in lines]
    told = [[text.replace(name, "X") for text in texts] for name, texts in zip(names, both, strict=True)]
    assert told[0] == told[1], rules.actions[action]
    return 1


async def test_a_welcome_holds_what_is_listed_and_nothing_else(open_hall):
    # boardgame.io #1159, #399: initial state and undo stack in the first message
    _, client = open_hall
    table, tokens = await table_of(client, "equinox", 2)
    for token in (None, tokens[0]):
        welcome = (await raw(client, table, token)).welcome
        assert set(welcome) == {"type", *wire.Welcome.__struct_fields__}
        assert set(welcome["table"]) == set(wire.TableNow.__struct_fields__)


async def everything(client, table, tokens, host):
    """All that can be had of a table by anybody, as one text."""
    found = []
    for token in (None, *tokens, host):
        line = await raw(client, table, token)
        found.append(json.dumps(line.welcome))
        found += [text for _, text in await http_of(client, table, token)]
        await line.ws.close()
    found.append(json.dumps(await client.call("GET", "/api/tables")))
    found.append(json.dumps(await client.call("POST", "/api/mine", {"tokens": tokens})))
    async with client.session.get(f"{client.address}/metrics") as answer:
        found.append(await answer.text())
    return "\n".join(found)


async def test_seed_tokens_and_hashes_are_nowhere_to_be_read(tmp_path, caplog):
    # phase-rs #5368 (seed), boardgame.io #429 (credentials), TM #1344 (secrets in URLs and logs)
    caplog.set_level(logging.DEBUG)
    async with hall(tmp_path) as (hall_, client):
        made = await client.make("equinox", ["open", "open"], name="Ana", listed=True)
        table = made["table"]
        tokens = [made["token"], (await client.sit(table, "Ben"))["token"]]
        live = hall_.live(table)
        async with client.sit_at(table, tokens[0]) as ana, client.sit_at(table, tokens[1]) as ben:
            for place in (ana, ben, ana, ben):
                if place.choice:
                    await place.act(place.choice["options"][0])
            during = await everything(client, table, tokens, made["host"])
            secrets = [live.table.head.seed, live.table.head.host, *(seat.key for seat in live.table.seats)]
            secrets += [*tokens, made["host"]]
            assert [secret for secret in secrets if secret in during] == []
            await asyncio.gather(play(ana, Chance(1)), play(ben, Chance(2)))
            after = await everything(client, table, tokens, made["host"])
        assert live.table.head.seed in after, "the seed is published when the game is over"
        assert [secret for secret in secrets[1:] if secret in after] == []
        await hall_.server.desk.put_away(table)
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert hashed(tokens[0]).encode() in stored
    assert [token for token in (*tokens, made["host"]) if token.encode() in stored] == [], (
        "tokens are stored hashed"
    )
    logged = caplog.text
    assert [secret for secret in secrets if secret in logged] == []


async def test_while_the_game_is_on_nobody_gets_the_record(open_hall):
    # 18xx #888, #955: the export tells all
    _, client = open_hall
    made = await client.make("equinox", ["open", "bot"], name="Ana")
    table = made["table"]
    for token in ("", made["token"], made["host"]):
        for what in ("record", "verify", "at"):
            with pytest.raises(Refusal):
                await client.get(table, what, token)
        with pytest.raises(Refusal):
            await client.call("POST", f"/api/tables/{table}/branch", {"at": 0}, token=token)
    hot = await client.make("equinox", ["hot", "bot"], name="Ana")
    with pytest.raises(Refusal):
        await client.get(hot["table"], "record", hot["token"])  # the bot's hand would be in it
    own = await client.make("equinox", ["hot", "hot"], name="Ana")
    assert (await client.get(own["table"], "record", own["token"]))["seed"]
    with pytest.raises(Refusal):
        await client.get(own["table"], "record", own["host"])
    with pytest.raises(Refusal):
        await client.get(own["table"], "record")


async def test_a_restart_deals_the_same_cards(tmp_path):
    # TM #3739: who waited for a restart got other cards
    async with hall(tmp_path) as (hall_, client):
        table, tokens = await table_of(client, "fairy_school", 3, seed="restart")
        through = Sitting(GAMES["fairy_school"], {"seats": 3}, seed="restart")
        for _ in range(12):
            for seat, token in enumerate(tokens):
                told = await client.get(table, "view", token)
                if told["choice"] is None:
                    continue
                action = told["choice"]["options"][-1]
                await client.do(
                    table, "act", token, id=f"{told['seq']}", choice=told["choice"]["id"], action=action
                )
                through.act(seat, action)
            await hall_.close()
            await hall_.open()
        for seat, token in enumerate(tokens):
            assert (await client.get(table, "view", token))["view"] == through.view(seat)


async def test_time_tells_nothing_of_what_others_do_unseen(open_hall):
    _, client = open_hall
    table, tokens = await table_of(client, "fairy_school", 3, pace={"kind": "move", "seconds": 1000})
    watcher, ben = await raw(client, table), await raw(client, table, tokens[1])
    before = [await client.get(table, "", token) for token in ("", tokens[1])]
    told = await client.get(table, "view", tokens[0])
    await client.do(
        table, "act", tokens[0], id="a", choice=told["choice"]["id"], action=told["choice"]["options"][0]
    )
    assert [await client.get(table, "", token) for token in ("", tokens[1])] == before or told["choice"][
        "kind"
    ] != "settle"
    for line in (watcher, ben):
        for text in await heard(line):
            assert "left" not in (json.loads(text).get("choice") or {})
    assert 990 < (await client.get(table, "view", tokens[1]))["choice"]["left"] <= 1000


async def test_bots_are_told_their_view_and_their_choice_and_nothing_else(tmp_path):
    # open-mtg #4, TAG #143: search on the true state
    from fabletop.server.thinkers import Thinkers

    asked = []

    class Listening(Thinkers):
        async def _ask(self, thought):
            asked.append(thought)
            return

    async with hall(tmp_path) as (hall_, client):
        hall_.server.house.thinkers = Listening(1, 1)
        made = await client.make("equinox", ["hot", "gretel", "gretel"])
        async with client.sit_at(made["table"], made["token"]) as place:
            await play(place, Chance(3), until=lambda: len(asked) > 40)
        assert asked
        for thought in asked:
            assert thought.view["viewer"] == thought.seat
            assert set(type(thought).__struct_fields__) == {
                "view", "seat", "kind", "options", "about", "word", "level", "milliseconds",
            }  # fmt: skip


async def test_numbers_that_are_sent_count_nothing_that_is_hidden(open_hall):
    # OpenSpiel #676: a count that should not be seen
    hall_, client = open_hall
    table, tokens = await table_of(client, "fairy_school", 3, options={"setup": "beginners"})
    ben = await raw(client, table, tokens[1])
    first = await client.get(table, "view", tokens[0])
    moves = 0
    for n in itertools.count():
        told = await client.get(table, "view", tokens[0])
        if told["choice"] is None or n == 8:
            break
        options = [option for option in told["choice"]["options"] if option not in ("convert", "done")]
        if not options:
            break
        await client.do(table, "act", tokens[0], id=f"{n}", choice=told["choice"]["id"], action=options[0])
        moves += 1
    assert moves >= 2
    assert (await client.get(table, "view", tokens[0]))["seq"] > first["seq"]
    assert await heard(ben) == [], "Ben hears nothing of what Ana does unseen, not even that it happened"
    assert 0 in hall_.live(table).table.asked()
