"""The commands `fabletop serve` and `fabletop admin`."""

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from fabletop.core.errors import FabletopError
from fabletop.core.files import data_folder
from fabletop.server.settings import Settings


def add_commands(commands: Any) -> None:
    """Add both to the command line."""
    _serve(commands)
    _admin(commands)


def _database(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--database",
        default=os.environ.get("FABLETOP_DATABASE", ""),
        metavar="PLACE",
        help="a file, or postgresql://… (default: tables.sqlite in the data folder, or FABLETOP_DATABASE)",
    )


def _serve(commands: Any) -> None:
    serve = commands.add_parser(
        "serve",
        help="run the game server",
        description="Run the game server. Without options everything is kept in one SQLite file.",
    )
    default = Settings()
    serve.add_argument("--host", default=default.host, help=f"address to listen on (default {default.host})")
    serve.add_argument(
        "--port", type=int, default=default.port, help=f"port (default {default.port}; 0: any)"
    )
    _database(serve)
    serve.add_argument(
        "--internal",
        default=os.environ.get("FABLETOP_INTERNAL", default.internal),
        metavar="HOST[:PORT]",
        help="where other workers of the same database reach this one; for several machines an address of their"
        f" private network (default {default.internal} and any port, or FABLETOP_INTERNAL)",
    )
    serve.add_argument("--bus", metavar="ADDRESS", help=argparse.SUPPRESS)
    serve.add_argument("--workers", type=int, default=1, metavar="N", help="processes that serve (default 1)")
    serve.add_argument("--name", default="", help="name of this server among others with the same database")
    serve.add_argument(
        "--thinkers",
        type=int,
        default=default.thinkers,
        metavar="N",
        help=f"bot processes per worker (default {default.thinkers})",
    )
    serve.add_argument(
        "--bot-pause",
        type=float,
        default=default.bot_pause,
        metavar="SECONDS",
        help=f"pause before a bot moves, so that people can follow (default {default.bot_pause:g})",
    )
    serve.add_argument(
        "--push-key",
        type=Path,
        metavar="FILE",
        help="the key for browser push, the same for all workers (default: push.pem in the data folder)",
    )
    serve.add_argument(
        "--view-gap",
        type=float,
        default=default.view_gap,
        metavar="SECONDS",
        help="least time between two whole views sent to one viewer, on average; events and choices are sent at once "
        f"(default {default.view_gap:g})",
    )
    serve.add_argument(
        "--open", action="store_true", help="open a browser; if the port is taken, use another"
    )
    serve.add_argument(
        "--public",
        default="",
        metavar="URL",
        help="the address at which people reach the server, for links in notifications",
    )
    serve.add_argument(
        "--behind-proxy", action="store_true", help="trust the X-Forwarded-For header of a reverse proxy"
    )
    serve.add_argument(
        "--open-limits",
        action="store_true",
        help="no rate limits: for tests and benchmarks on a closed network",
    )
    serve.add_argument(
        "--log",
        default="info",
        choices=("debug", "info", "warning", "error"),
        help="log level (default info)",
    )
    serve.set_defaults(run=run_serve)


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings that the command line gives."""
    free = (
        {
            "tables_per_hour": 1e9,
            "requests_per_second": 1e9,
            "messages_per_second": 1e9,
            "sockets_per_address": 1_000_000,
            "looks_per_second": 1e9,
        }
        if arguments.open_limits
        else {}
    )
    return Settings(
        database=arguments.database,
        internal=arguments.internal,
        host=arguments.host,
        port=arguments.port,
        worker=arguments.name,
        public=arguments.public.rstrip("/"),
        opens=arguments.open,
        behind_proxy=arguments.behind_proxy,
        thinkers=arguments.thinkers,
        bot_pause=arguments.bot_pause,
        view_gap=arguments.view_gap,
        push_key=arguments.push_key or data_folder() / "push.pem",
        **free,  # type: ignore[arg-type]
    )


def run_serve(arguments: argparse.Namespace) -> int:
    """Serve until a signal comes."""
    from fabletop.server.app import internal_address
    from fabletop.server.run import serve

    if arguments.workers < 1 or arguments.thinkers < 1:
        raise FabletopError("--workers and --thinkers must be at least 1")
    internal_address(arguments.internal)
    if arguments.bus is not None:
        print("--bus is no longer needed: workers find each other through the database", file=sys.stderr)
    return serve(settings_of(arguments), arguments.workers, arguments.log, data_folder())


# ---------------------------------------------------------------------------------------------- admin


def _admin(commands: Any) -> None:
    admin = commands.add_parser(
        "admin",
        help="back up, restore, check and delete tables",
        description="Maintain the database of a server: back it up, restore it, check it, delete tables.",
    )
    actions = admin.add_subparsers(title="actions", metavar="ACTION", required=True)
    backup = actions.add_parser(
        "backup",
        help="save all tables to a file",
        description="Save all tables to a file. The server may be running.",
    )
    backup.add_argument("file", type=Path, help="the file to write: JSON lines, one table each")
    restore = actions.add_parser(
        "restore",
        help="load tables from a backup",
        description="Load the tables of a backup into a database.",
    )
    restore.add_argument("file", type=Path, help="the backup")
    replay = actions.add_parser(
        "replay-all",
        help="check that every stored game still replays",
        description="Replay every stored game with this version, and list the games that do not replay.",
    )
    delete = actions.add_parser(
        "delete", help="delete a table", description="Delete a table and all its data."
    )
    delete.add_argument("table", help="the id of the table")
    for name, action in (
        ("backup", backup),
        ("restore", restore),
        ("replay-all", replay),
        ("delete", delete),
    ):
        _database(action)
        action.set_defaults(run=run_admin, action=name)


def run_admin(arguments: argparse.Namespace) -> int:
    """Carry out an action of `fabletop admin`."""
    from fabletop.server import admin
    from fabletop.server.app import store_for

    store = store_for(arguments.database, data_folder())
    match arguments.action:
        case "backup":
            work = admin.backup(store, arguments.file)
        case "restore":
            work = admin.restore(store, arguments.file)
        case "delete":
            work = admin.delete(store, arguments.table)
        case _:
            work = admin.replay_all(store)
    report = asyncio.run(work)
    print(report.text, file=sys.stdout if report.good else sys.stderr)
    return 0 if report.good else 1
