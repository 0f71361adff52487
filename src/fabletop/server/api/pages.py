"""The browser client, if it is installed: its pages and files, and what a browser should fetch along with a page."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from aiohttp import web

from fabletop.lang import LANGUAGES
from fabletop.server.api.transport import language_of
from fabletop.server.protocol import wire

PACKAGED = Path(__file__).resolve().parents[1] / "static"
PLAIN_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Fabletop</title>
<h1>Fabletop</h1><p>The server is running. The browser client is not built into this installation; programs can use the
<a href="/api/openapi.json">API</a>.</p></html>
"""
PRELOADS = "preloads.json"
"""Which files of the client are needed at once: by every page, by language, by game. The client's build writes it."""


def add_pages(app: web.Application, folder: Path, game_of: Callable[[str], str | None]) -> None:
    """Serve the client in a folder. All its pages, unknown ones too, are the same file. `game_of` names the game of a
    table that is in memory."""
    index = folder / "index.html"
    preloads = read_preloads(folder)

    async def page(request: web.Request) -> web.StreamResponse:
        status = 404 if "lost" in request.match_info else 200
        if not index.exists():
            return web.Response(text=PLAIN_PAGE, status=status, content_type="text/html")
        response = web.FileResponse(index, status=status, headers={"Cache-Control": "no-cache"})
        table = request.match_info.get("table")
        lang = language_of(request) or next(iter(LANGUAGES))
        links = ", ".join(links_of(preloads, lang, table, game_of(table) if table else None))
        if links:
            response.headers["Link"] = links
        return response

    app.router.add_get("/", page)
    app.router.add_get("/t/{table}", page)
    app.router.add_get("/learn{lesson:(/[a-z_]+){0,2}}", page)
    for path in folder.glob("*"):
        if path.is_symlink():
            continue
        if path.is_dir():
            app.router.add_static(f"/{path.name}", path, follow_symlinks=False)
        elif path.suffix not in (".html", ".br", ".gz") and path.name != PRELOADS:
            app.router.add_get(f"/{path.name}", partial(serve_file, path))
    app.router.add_get("/{lost:.*}", page)


def read_preloads(folder: Path) -> dict[str, list[str]]:
    """The lists of the client's build; none without a client."""
    try:
        preloads: dict[str, list[str]] = json.loads((folder / PRELOADS).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return preloads


def links_of(preloads: dict[str, list[str]], lang: str, table: str | None, game: str | None) -> Iterator[str]:
    """What a page needs, as values of the header Link, most urgent first. The page would ask for all of it, but for the
    files of its game only after it knows the game, one round trip after the other."""
    keys = ("", lang, *((game, f"{game}/{lang}") if game else ()))
    for name in [name for key in keys for name in preloads.get(key, ())]:
        kind = "modulepreload" if name.endswith(".js") else "preload; as=style; crossorigin"
        yield f"</{name}>; rel={kind}"
    if table and re.fullmatch(wire.TABLE_ID, table):
        yield f"</api/tables/{table}>; rel=preload; as=fetch; crossorigin"


async def serve_file(path: Path, _: web.Request) -> web.FileResponse:
    """A file of the client."""
    return web.FileResponse(path)
