"""The command `fabletop mcp`."""

import argparse
from importlib.util import find_spec
from typing import Any

from fabletop.core.errors import FabletopError
from fabletop.lang import LANGUAGES


def add_commands(commands: Any) -> None:
    """Add the command to the command line."""
    mcp = commands.add_parser(
        "mcp",
        help="let a language model play, over the Model Context Protocol",
        description="A Model Context Protocol server on standard input and output. A language model sits down at a "
        "game against bots or at a table of a running server, looks, lists its options, acts, and asks why something "
        "is not possible. Needs the extra `mcp`.",
    )
    mcp.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the table (default: en)")
    mcp.add_argument(
        "--seed",
        help="any text; the same seed gives the same deals in the same order (default: a new one for every game)",
    )
    mcp.set_defaults(run=run_mcp)


def run_mcp(arguments: argparse.Namespace) -> None:
    """Serve until the client closes the connection."""
    if find_spec("mcp") is None:
        raise FabletopError("this needs the extra `mcp`: pip install 'fabletop[mcp]'")
    from fabletop.envs.mcp import build

    build(arguments.lang, arguments.seed).run("stdio")
