"""Every plane of an observation of Fairy School says what the view says, and nothing else is in it."""

import json

import pytest

from fabletop.core import laws
from fabletop.core.chance import Chance
from fabletop.games.fairy_school import constants as c
from fabletop.games.fairy_school import observation
from fabletop.games.fairy_school.cards import BY_NAME, CREATURES, FINAL_BY_NAME, SET_LETTERS
from fabletop.games.fairy_school.game import FAIRY_SCHOOL

ELEMENTS = ("earth", "plant", "fire", "water", "air")


def number(name):
    return 0 if name is None else BY_NAME[name].id + 1


def area(player):
    """The planes of a seat."""
    forest, pile = player["forest"], player["pile"]
    return {
        "set": [0 if player["set"] is None else SET_LETTERS.index(player["set"]) + 1],
        "cubes": [player["cubes"]],
        "kindness": [player["kindness"]],
        "steps": [player["steps"]],
        "final": [0 if player["final"] is None else FINAL_BY_NAME[player["final"]].id + 1],
        "personal": [len(player["personal"])],
        "shared": [len(player["shared"])],
        "discard": [len(player["discard"])],
        "pile": [pile["count"]],
        "pile_known": [len(pile["top"])],
        "hand_size": [player["hand"]],
        "drawn": [player["drawn"]["count"] if player["drawn"] else 0],
        "projects": [len(player["projects"])],
        "banished": [len(player["banished"])],
        "pile_top": [number(name) for name in [*pile["top"], None, None, None][:3]],
        "elements": [min(player["elements"][name], 255) for name in ELEMENTS],
        "studied": [int(name in player["studied"]) for name in CREATURES],
        "forest": [number(name) for name in (*forest["top"], *forest["bottom"])],
    }


def cards(view, around):
    """The planes of the cards."""
    owner, zone = [0] * c.CARDS, [0] * c.CARDS

    def lay(names, seat, where):
        for name in names:
            if name is not None:
                owner[number(name) - 1], zone[number(name) - 1] = seat, where

    lay(view["common"], 0, c.IN_COMMON)
    own = view["own"]
    lay(own["picks"], 1, c.IN_PICKS)
    for r, seat in enumerate(around):
        player = view["players"][seat]
        sure = player["drawn"]["sure"] if player["drawn"] and r else []
        for where, names in (
            (c.IN_PILE, player["pile"]["among"]),
            (c.ON_PILE, player["pile"]["top"]),
            (c.IN_DISCARD, player["discard"]),
            (c.IN_PERSONAL, player["personal"]),
            (c.IN_SHARED, player["shared"]),
            (c.IN_FOREST, player["forest"]["top"] + player["forest"]["bottom"]),
            (c.IN_PROJECTS, player["projects"]),
            (c.IN_BANISHED, player["banished"]),
            (c.IN_HAND, sure),
        ):
            lay(names, r + 1, where)
    lay(own["hand"], 1, c.IN_HAND)
    lay(own["looked"], 1, c.IN_SIGHT)
    lay([own["pick"]], 1, c.IN_PICKS)
    for hand in own["seen"]:
        lay([name for name in hand if zone[number(name) - 1] == 0], 0, c.PASSED_ON)
    used = [0] * c.CARDS
    for name, cubes in own["used"]:
        used[number(name) - 1] = cubes + 1
    return {"owner": owner, "zone": zone, "used": used}


def expected(view):
    """An observation as the view tells it, by plane."""
    options, viewer = view["options"], view["viewer"]
    seats = options["seats"]
    around = [(viewer + r) % seats for r in range(seats)]
    draft, flow = view["draft"] or {"round": 0, "size": 0, "to": ""}, view["flow"]
    last = view["trimester"] == 0 and not view["set_up"]

    def each(of):
        return [of(seat) for seat in around] + [0] * (c.SEATS_MAX - seats)

    told = {
        "seats": [seats],
        "setup": [c.setup_names.index(options["setup"])],
        "short": [c.length_names.index(options["length"])],
        "wider": [options["wider"]],
        "trimester": [4 if last else view["trimester"]],
        "last": [last],
        "turn": [view["turn"]],
        "year_turn": [view["year_turn"]],
        "together": [view["together"]],
        "draft_round": [draft["round"]],
        "draft_size": [draft["size"]],
        "draft_left": [draft["to"] == "left"],
        "ended": [c.end_names.index(view["ended"]) + 1 if view["ended"] else 0],
        "phase": [int(name == view["phase"]) for name in c.phase_names],
        "finals": [int(name in view["finals"]) for name in FINAL_BY_NAME],
        "waiting": each(lambda s: s in view["waiting"]),
        "order": each(lambda s: view["order"].index(s) + 1 if s in view["order"] else 0),
    }
    nothing = dict.fromkeys(("earth", "plant", "fire", "water", "air"), 0)
    questions = c.question_names
    if flow is None:
        flow = {
            "question": None, "seat": None, "card": None, "line": 0, "left": 0, "again": 0, "after": "nothing",
            "back": "nothing", "spent": 0, "taken": 0, "making": None, "columns": [], "owed": nothing,
            "given": nothing,
        }  # fmt: skip
    told |= {
        "question": [int(name == flow["question"]) for name in questions],
        "deciding": each(lambda s: s == flow["seat"]),
        "card": [number(flow["card"])],
        "line": [flow["line"]],
        "left": [flow["left"]],
        "again": [flow["again"]],
        "after": [questions.index(flow["after"])],
        "back": [questions.index(flow["back"])],
        "spent": [flow["spent"]],
        "taken": [flow["taken"]],
        "making": [int(name == flow["making"]) for name in ELEMENTS],
        "columns": [int(n + 1 in flow["columns"]) for n in range(c.COLUMNS)],
        "owed": [flow["owed"][name] for name in ELEMENTS],
        "given": [flow["given"][name] for name in ELEMENTS],
    }
    for r in range(c.SEATS_MAX):
        parts = area(view["players"][around[r % seats]])
        told |= {f"{name}.{r}": part if r < seats else [0] * len(part) for name, part in parts.items()}
    return told | cards(view, around)


@pytest.mark.parametrize("options", laws.all_options(FAIRY_SCHOOL), ids=json.dumps)
def test_every_plane_says_what_the_view_says(options, monkeypatch):
    monkeypatch.setattr(laws, "LOOKS", 250)
    names = [plane.name for plane in FAIRY_SCHOOL.planes]
    chance = Chance.from_text(json.dumps(options))
    for sitting, _, _ in laws.looks(FAIRY_SCHOOL, options, "planes", chance):
        seat = chance.below(sitting.state.seats)
        told = expected(FAIRY_SCHOOL.view(sitting.state, seat))
        assert list(told) == names
        seen = laws.observed(FAIRY_SCHOOL, sitting.state, seat)[0]
        for plane in FAIRY_SCHOOL.planes:
            assert list(seen[plane.part]) == told[plane.name], (plane.name, seat, len(sitting.actions))
            assert max(seen[plane.part]) <= plane.high, plane.name


def test_the_planes_fill_the_observation():
    assert sum(row[1] for row in observation.area) == c.BLOCK
    assert sum(plane.length for plane in FAIRY_SCHOOL.planes) == observation.SIZE
