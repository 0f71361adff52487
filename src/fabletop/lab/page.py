"""One HTML file that needs nothing else: text, tables, plots as inline SVG, and links to recorded games."""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from math import isfinite
from typing import Any

from fabletop.lab.plots import STYLE
from fabletop.lab.statistics import Estimate

WORDS = {"up": "▲ more", "down": "▼ less", "same": "= as before", "open": "? not decided"}
"""The verdicts of a comparison; never by colour alone."""


def document(title: str, lead: str, sections: Sequence[tuple[str, str]], foot: str) -> str:
    """A whole page; sections are headings and their HTML."""
    css = files("fabletop.lab").joinpath("page.css").read_text(encoding="utf-8")
    places = [f"part-{number}" for number in range(len(sections))]
    links = "".join(
        f'<a href="#{place}">{escape(name)}</a>' for place, (name, _) in zip(places, sections, strict=True)
    )
    body = "".join(
        f'<section id="{place}"><h2>{escape(name)}</h2>{content}</section>'
        for place, (name, content) in zip(places, sections, strict=True)
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{css}</style></head><body><header><h1>{escape(title)}</h1>"
        f'<p class="lead">{lead}</p><nav>{links}</nav></header><main>{body}</main>'
        f"<footer>{foot}</footer></body></html>\n"
    )


def paragraph(text: str) -> str:
    """A paragraph of plain text; `code` in backquotes."""
    return f"<p>{inline(text)}</p>"


def inline(text: str) -> str:
    """Plain text as HTML; `code` in backquotes, *emphasis* in stars."""
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", safe)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table of HTML cells; columns with these numbers are right-aligned."""

    def cells(tag: str, row: Sequence[str]) -> str:
        marked = ((' class="n"' if n in numbers else "", cell) for n, cell in enumerate(row))
        return "<tr>" + "".join(f"<{tag}{mark}>{cell}</{tag}>" for mark, cell in marked) + "</tr>"

    return (
        f'<div class="scroll"><table><thead>{cells("th", head)}</thead>'
        f"<tbody>{''.join(cells('td', row) for row in rows)}</tbody></table></div>"
    )


def folded(summary: str, content: str) -> str:
    """What is shown when its heading is clicked."""
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def chip(kind: str, text: str = "") -> str:
    """A coloured word."""
    return f'<span class="chip {kind}">{escape(text or WORDS[kind])}</span>'


def tiles(entries: Iterable[tuple[str, str, str]]) -> str:
    """Big numbers: kind (a verdict, or empty), number, what it is."""
    return (
        '<div class="tiles">'
        + "".join(
            f'<div class="tile {kind}"><b>{number}</b><span>{escape(what)}</span></div>'
            for kind, number, what in entries
        )
        + "</div>"
    )


def number(value: float, digits: int = 2, scale: float = 1, sign: bool = False) -> str:
    """A number in a cell; a real minus."""
    if not isfinite(value):
        return "–"
    text = f"{scale * value + 0.0:{'+' if sign else ''}.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return text.replace("-", "−")


def interval(estimate: Estimate, digits: int = 2, scale: float = 1, sign: bool = False) -> str:
    """A value with its interval in a cell."""
    low, high = (number(side, digits, scale, sign) for side in (estimate.low, estimate.high))
    return f"{number(estimate.value, digits, scale, sign)} <small>({low} to {high})</small>"


def picture(figure: Any, caption: str = "") -> str:
    """A matplotlib figure inside the page."""
    from matplotlib import rc_context

    out = io.StringIO()
    with rc_context(STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    svg = re.sub(r"<\?xml.*?<svg", "<svg", out.getvalue(), count=1, flags=re.DOTALL)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    prefix = f"f{zlib.crc32(svg.encode()):08x}-"  # ids of several pictures share one page
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{prefix}", svg)
    svg = re.sub(r'<svg ([^>]*?)(?:width|height)="[^"]*pt" ', r"<svg \1", svg, count=1)
    label = escape(caption, quote=True)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    return f"<figure>{svg}<figcaption>{inline(caption)}</figcaption></figure>"


def replay_link(site: str, record: str, step: int, text: str) -> str:
    """A link that carries a whole record and opens it in the browser's replay at a step."""
    packed = base64.urlsafe_b64encode(zlib.compress(record.encode(), 9)).decode().rstrip("=")
    return f'<a href="{escape(site, quote=True)}/#replay={packed}@{step}">{escape(text)}</a>'
