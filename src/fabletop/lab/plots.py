"""Plots for reports: small SVG pictures that come out the same on every run. Needs matplotlib (the extra `lab`)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fabletop.core.errors import FabletopError

COLOURS = ("#c9822b", "#3f77b5", "#4f9a5b", "#b8506b", "#7c5bb0", "#6b7480")
"""One for each series: those of the seats, dark enough for paper."""
INK, FAINT = "#2b2f36", "#d8dbe0"
UP, DOWN, GREY = "#1b7f4b", "#b3372f", "#8a919c"
"""More, less, and no difference."""

STYLE: Any = {
    "svg.hashsalt": "fabletop",  # else the ids in the file are drawn at random
    "svg.fonttype": "none",  # letters stay letters: a small file, and text that can be searched
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
}


def need_plots() -> None:
    """Fail with a clear message where matplotlib is missing, before any game is played."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise FabletopError("reports have plots and need matplotlib: pip install 'fabletop[lab]'") from None


def picture(columns: int = 1, width: float = 7.0, height: float = 3.2) -> tuple[Any, list[Any]]:
    """An empty picture with N plots side by side, and the plots."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
        axes = figure.subplots(1, columns, squeeze=False)
    return figure, list(axes[0])


def save(figure: Any, path: Path) -> None:
    """Write a picture; no date and no version in it."""
    from matplotlib import rc_context

    path.parent.mkdir(parents=True, exist_ok=True)
    with rc_context(STYLE):
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")


def ranges(
    axes: Any,
    labels: Sequence[str],
    estimates: Sequence[Any],
    *,
    scale: float = 1,
    fair: float | None = None,
    verdicts: Sequence[str] = (),
) -> None:
    """Estimates with their intervals, one line each, the first on top; a dashed line at what would be fair. Verdicts
    give each its colour and its mark: `up` and `down` stand after the correction for their number; `met` and `not met`
    are those of marks."""
    places = list(range(len(labels)))
    for place, estimate in zip(places, estimates, strict=True):
        verdict = verdicts[place] if verdicts else ""
        colour = {"up": UP, "down": DOWN, "met": UP, "not met": DOWN, "": COLOURS[1]}.get(verdict, GREY)
        mark = {"up": "^", "down": "v", "not met": "X"}.get(verdict, "o")
        axes.plot(
            [scale * estimate.low, scale * estimate.high], [place, place], color=colour, lw=2.2, alpha=0.55
        )
        axes.plot(scale * estimate.value, place, mark, color=colour, ms=5.5)
    if fair is not None:
        axes.axvline(scale * fair, color=COLOURS[0], ls="--", lw=1)
    axes.set_yticks(places, labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)  # the first on top, and room for every mark
    axes.grid(axis="x", color=FAINT, lw=0.6)
