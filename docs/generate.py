"""Writes the pages of docs/ that are made from the program itself: python docs/generate.py [--check]

With --check nothing is written; the exit code says whether every page is up to date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from fabletop.cli import parser
from fabletop.core.events import EventKind
from fabletop.core.planes import Plane, size_of
from fabletop.games import GAMES
from fabletop.games.fairy_school.catalogue import cards_page
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.server.api.handlers import Handlers
from fabletop.server.api.openapi import protocol_page, views_page

DOCS = Path(__file__).resolve().parent
NOTE = "<!-- made by docs/generate.py; do not edit -->"


# ---------------------------------------------------------------------------------------------- commands


def commands_page() -> str:
    """The command line, command by command."""
    lines = ["# Commands", ""]
    for command in with_subcommands(parser()):
        lines += [f"## `{command.prog}`", "", command.description or "", ""]
        rows = [row for action in command._actions for row in argument_row(action)]
        if rows:
            lines += ["| argument | meaning |", "|---|---|", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


def with_subcommands(command: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A command, then all that follow from it, in the order of the help text."""
    yield command
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in dict.fromkeys(action.choices.values()):
                yield from with_subcommands(sub)


def argument_row(action: argparse.Action) -> Iterator[str]:
    """One line of a table; nothing for what is hidden, for --help, and for the choice of a sub-command."""
    if action.help == argparse.SUPPRESS or isinstance(
        action, argparse._HelpAction | argparse._SubParsersAction
    ):
        return
    if action.choices is not None:
        value = " or ".join(str(choice) for choice in action.choices)
    else:
        value = str(action.metavar or action.dest.upper())
    names = " ".join(f"`{name}`" for name in action.option_strings)
    shown = f"{names} {value}" if names and action.nargs != 0 else names or f"`{value}`"
    yield f"| {cell(shown)} | {cell((action.help or '') % {**vars(action), 'prog': ''})} |"


# ---------------------------------------------------------------------------------------------- events


def events_page() -> str:
    """What can happen in each game, and who may know which part of it."""
    lines = ["# Events", ""]
    lines += [
        "The log, the replay and the animation are made from these events. A field with names in brackets is seen only",
        "by the seats that stand in those fields of the event; every other field is public.",
        "",
    ]
    for game in GAMES.values():
        kinds = game.events.kinds.values()
        lines += [f"## {game.id.replace('_', ' ').title()}", ""]
        if all(kind.only is None and not kind.later for kind in kinds):
            lines += ["Everybody receives every event.", "", "| event | fields |", "|---|---|"]
            lines += [f"| `{kind.name}` | {cell(event_fields(kind))} |" for kind in kinds]
        else:
            lines += ["| event | fields | audience |", "|---|---|---|"]
            lines += [
                f"| `{kind.name}` | {cell(event_fields(kind))} | {audience_of(kind)} |" for kind in kinds
            ]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def event_fields(kind: EventKind) -> str:
    """The fields of an event kind, each with its kind and its audience."""
    return ", ".join(
        f"`{field.name}`: {field.kind.rstrip('*')}{' list' if field.kind.endswith('*') else ''}"
        f"{'' if field.eyes is None else ' (' + ', '.join(field.eyes) + ')'}"
        for field in kind.fields
    )


def audience_of(kind: EventKind) -> str:
    """The viewers that receive an event kind."""
    audience = "everybody" if kind.only is None else "only " + ", ".join(kind.only)
    return audience + (", to others when the stage closes" if kind.later else "")


def cell(text: str) -> str:
    """Text that is safe inside a table."""
    return " ".join(text.split()).replace("|", "\\|")


# ---------------------------------------------------------------------------------------------- observations


def observations_page() -> str:
    """The planes of every game's observations."""
    lines = ["# Observations", ""]
    lines += [
        "What one seat may know, as bytes (uint8). [envs.md](envs.md) says how to get them.",
        "",
        "Seats are counted from the viewer: 0 is the viewer, 1 the next in seat order. A plane of flags has a 1 where",
        "something holds; a plane of cards has the number of the card and one more, so that 0 means none. What does",
        "not apply is 0.",
        "",
    ]
    for game in GAMES.values():
        size, seats = size_of(game.planes), game.seat_counts[-1]
        lines += [f"## {game.id}", "", f"{size} bytes; the mask has {len(game.actions)}.", ""]
        lines += ["| plane | from | length | at most | meaning |", "|---|---|---|---|---|"]
        for plane in game.planes:
            name, _, seat = plane.name.partition(".")
            if seat in ("", "0"):
                name = f"`{name}`" if not seat else f"`{name}.0` … `{name}.{seats - 1}`"
                step = f" + {stride_of(game.planes, plane)} × seat" if seat else ""
                meaning = cell(plane.meaning.removeprefix("seat 0: "))
                lines.append(f"| {name} | {plane.offset}{step} | {plane.length} | {plane.high} | {meaning} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def stride_of(planes: Sequence[Plane], first: Plane) -> int:
    """The bytes between the same plane of two seats."""
    second = first.name.removesuffix("0") + "1"
    return next(plane.offset for plane in planes if plane.name == second) - first.offset


# ---------------------------------------------------------------------------------------------- pages


def fairy_school_cards_page() -> str:
    """The cards of Fairy School in three languages."""
    return cards_page({code: Lexicon(code).table("cards") for code in LANGUAGES})


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "events.md": events_page,
    "observations.md": observations_page,
    "cards.md": fairy_school_cards_page,
    "protocol.md": partial(protocol_page, Handlers),
    "views.md": views_page,
}


def up_to_date(page: Path, text: str) -> bool:
    """Whether a page is there and says just this."""
    return page.exists() and page.read_text("utf-8") == text


def stale() -> list[tuple[Path, str]]:
    """The pages that are not what the program says now, each with the text it should have."""
    wanted = [(DOCS / name, f"{NOTE}\n\n{make()}") for name, make in PAGES.items()]
    return [(page, text) for page, text in wanted if not up_to_date(page, text)]


def main(arguments: list[str]) -> int:
    """Writes or checks the pages."""
    if arguments not in ([], ["--check"]):
        print("usage: docs/generate.py [--check]", file=sys.stderr)
        return 2
    found = stale()
    for page, text in found:
        if arguments:
            print(f"docs/{page.name} is out of date; `make docs` updates it", file=sys.stderr)
        else:
            page.write_text(text, "utf-8")
            print(f"wrote docs/{page.name}")
    return 1 if arguments and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
