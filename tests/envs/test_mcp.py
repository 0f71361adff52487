"""The Model Context Protocol server, driven by the SDK's client: in this process, over stdio, and at a real table."""

import asyncio
import sys

import pytest
from mcp import Client, StdioServerParameters

from fabletop import GAMES, Chance
from fabletop.cli import main
from fabletop.envs import command
from fabletop.envs.mcp import build
from fabletop.envs.tables import LocalTable
from fabletop.envs.text import TextEnv
from tests.server.hall import hall

TOOLS = {
    *("games", "new_game", "join_table", "look", "list_options", "act"),
    *("why_not", "wait", "log", "rules", "cards", "leave_table"),
}


async def call(client: Client, tool: str, **arguments: object) -> str:
    """What a tool says; it must not be an error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.content[0].text


async def refused(client: Client, tool: str, **arguments: object) -> str:
    """What an error says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content[0].text
    return result.content[0].text


def first_option(text: str) -> str | None:
    """The word of the first option of a question; None where there is none."""
    return text.rpartition("means)\n")[2].partition(" = ")[0] if "means)\n" in text else None


@pytest.mark.parametrize(
    ("game", "options"), [("equinox", {}), ("fairy_school", {"setup": "beginners", "length": "short"})]
)
async def test_a_model_plays_a_whole_game_over_standard_input_and_output(game: str, options: dict) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "fabletop", "mcp", "--seed", "stdio", "--lang", "en"]
    )
    async with Client(server) as client:
        listed = await client.list_tools()
        assert {tool.name for tool in listed.tools} == TOOLS
        assert all(tool.description for tool in listed.tools)
        text = await call(client, "new_game", game=game, seats=2, opponents="uniform", options=options)
        assert "You are Ana, seat 0." in text
        assert "none of the options" in await refused(client, "act", answer="resign")
        while (option := first_option(text)) is not None:
            text = await call(client, "act", answer=option)
        assert "## The game is over" in text
        assert "over" in await refused(client, "act", answer="pass")
        assert len((await call(client, "log")).splitlines()) > 20


@pytest.mark.parametrize("game", GAMES)
async def test_every_tool_works_in_every_game(game: str) -> None:
    async with Client(build()) as client:
        assert "no table" in await refused(client, "look")
        assert "no table" in await refused(client, "rules")
        offered = await call(client, "games")
        assert game.replace("_", "-") in offered
        assert "option hand (default 8): 6 to 10" in offered
        assert "option setup (default normal): beginners, normal, expert" in offered
        looked = await call(client, "new_game", game=game)
        assert (await call(client, "list_options")) in looked
        assert "Nothing." in await call(client, "wait", seconds=0)
        assert "should be 0 to 300" in await refused(client, "wait", seconds=1e9)
        assert "rule" in await call(client, "why_not", thing="pass" if game == "fairy_school" else "use")
        assert "## " in await call(client, "rules")
        assert "{" not in await call(client, "rules", game=game)
        assert "chess" in await refused(client, "rules", game="chess")
        one = (await call(client, "cards")).splitlines()[0]
        assert one in await call(client, "cards", words=one.split()[0])
        assert "no card" in await call(client, "cards", words="zebra")
        await call(client, "leave_table")
        assert "no table" in await refused(client, "act", answer="pass")
        assert "no table" in await refused(client, "leave_table")


async def test_wrong_arguments_are_told_what_would_be_right() -> None:
    async with Client(build()) as client:
        assert "there are equinox" in await refused(client, "new_game", game="chess")
        assert "seats" in await refused(client, "new_game", game="equinox", seats=12)
        assert "0 to 3" in await refused(client, "new_game", game="equinox", seats=4, seat=4)
        assert "hue" in await refused(client, "new_game", game="equinox", options={"hue": 1})
        for opponents in ("magnus", ["magnus"]):
            assert "no bot 'magnus'" in await refused(client, "new_game", game="equinox", opponents=opponents)
        assert await refused(client, "new_game", game="equinox", opponents=[])
        assert "http://HOST:PORT/t/TABLE" in await refused(client, "join_table", link="equinox")
        assert "cannot sit down" in await refused(client, "join_table", link="http://127.0.0.1:9/t/abc")


async def test_the_opponents_may_be_a_list_or_separated_by_commas() -> None:
    looked = []
    for opponents in ("thumbling,gretel", ["thumbling", "gretel"]):
        async with Client(build(seed="opponents")) as client:
            looked.append(await call(client, "new_game", game="equinox", seats=3, opponents=opponents))
    assert looked[0] == looked[1]


async def test_an_answer_may_be_a_number() -> None:  # in Fairy School a card's word is its number
    async with Client(build(seed="number")) as client:
        text = await call(client, "new_game", game="fairy-school", options={"setup": "beginners"})
        card = int(first_option(text))
        assert "can be chosen now" in await call(client, "why_not", thing=card)
        assert str(card) in await call(client, "cards", words=card)
        assert await call(client, "act", answer=card) != text
        assert "Answer with one of these words" in await refused(client, "act", answer=-1)


async def test_a_model_cannot_have_modules_imported() -> None:
    async with Client(build()) as client:
        said = await refused(client, "new_game", game="equinox", opponents="os:system")
        assert "there is no bot 'os'" in said


async def test_the_seed_of_the_command_gives_the_same_deals_and_the_next_game_another() -> None:
    deals = []
    for _ in range(2):
        async with Client(build(seed="deals")) as client:
            deals.append([await call(client, "new_game", game="equinox") for _ in range(2)])
    assert deals[0] == deals[1]
    assert deals[0][0] != deals[0][1]


@pytest.mark.parametrize("game", GAMES)
async def test_what_the_tools_say_does_not_depend_on_what_is_hidden(game: str) -> None:
    """Law 5 on tools: in a state and in its imagined twin every tool says the same."""
    chance = Chance.from_text(game)
    env, twin = (TextEnv(game, {"seats": 3}, against="uniform", seed="one") for _ in range(2))
    compared = 0
    for _ in range(40):
        if env.over:
            break
        hidden = env.game.position(env.sitting.state)
        twin.sitting.state = env.game.imagine(env.sitting.view(0), chance)
        compared += env.game.position(twin.sitting.state) != hidden
        said = []
        for table in map(LocalTable, (env, twin)):
            wrong = await asyncio.gather(table.act("nonsense"), return_exceptions=True)
            reasons = [await table.why_not(thing) for thing in env.game.actions[::17]]
            assert await table.log() == table.env.log(0)
            said.append([table.env.table(), await table.question(), reasons, str(wrong)])
        assert said[0] == said[1]
        env.act(chance.pick(env.options()))
    assert compared > 10


async def test_two_models_play_at_a_table_of_a_server_in_simultaneous_phases(tmp_path) -> None:
    async with hall(tmp_path) as (_, host):
        made = await host.make(
            "fairy_school", ["open", "open"], name="Ana", options={"setup": "beginners", "length": "short"}
        )
        link = f"{host.address}/t/{made['table']}"
        async with Client(build()) as ana, Client(build()) as ben:
            assert "Free seats: 1" in await call(ana, "join_table", link=f"{link}#token={made['token']}")
            looked = await call(ben, "join_table", link=link, name="Ben")
            assert "You are Ben, seat 1. The seats are 0 Ana, 1 Ben." in looked
            await call(ana, "wait", seconds=10)
            # both are asked at once, and both answer
            questions = [await call(one, "list_options") for one in (ana, ben)]
            assert all(map(first_option, questions))
            assert "none of the options" in await refused(ben, "act", answer="nonsense")
            assert "rule" in await call(ana, "why_not", thing="pass")
            for turn in range(60):
                for one in (ana, ben):
                    text = await call(one, "wait", seconds=0.05 if turn else 5)
                    if (option := first_option(text)) is not None:
                        await call(one, "act", answer=option)
                    else:
                        assert "waits for" in text
            logs = [await call(one, "log") for one in (ana, ben)]
            assert min(map(len, logs)) > 200
            assert "cannot sit down" in await refused(ben, "join_table", link=f"{host.address}/t/nowhere")


async def test_a_game_on_a_server_comes_to_its_end(tmp_path) -> None:
    async with hall(tmp_path) as (_, host), Client(build(lang="de")) as model:
        made = await host.make("equinox", ["open", "gretel"], name="Ana", options={"first": 0})
        text = await call(model, "join_table", link=f"{host.address}/t/{made['table']}#token={made['token']}")
        async with asyncio.timeout(60):
            while "## Die Partie ist zu Ende" not in text:
                options = text.rpartition("Bedeutung)\n")[2].partition(" = ")[0]
                await call(model, "act", answer=options)
                text = await call(model, "wait", seconds=5)
        assert "Der Sieg geht an" in text


def test_without_the_library_the_command_says_what_to_install(monkeypatch, capsys) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert main(["mcp"]) == 1
    assert "pip install 'fabletop[mcp]'" in capsys.readouterr().err
