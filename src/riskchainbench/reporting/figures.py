"""The figures of the report as SVG: gated accuracy, first failures, intervals and curves.

Drawn by matplotlib without a display, equal bytes for equal inputs, every area marked by a
pattern as well as a color. Words stay text, so a page may restyle them. No scores are read here.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import east_asian_width

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

INK = "#1d2329"
MUTED = "#5b6570"
GRID = "#dde2e7"
PAPER = "#ffffff"
BLUE = "#0b6bb0"
SKY = "#8cc4ea"
ORANGE = "#d98200"
GREEN = "#007f5f"
PURPLE = "#a8588c"
RED = "#c24a12"
GRAY = "#8a949e"

_FONT = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', "
    "'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
)

_SETTINGS: Any = {
    "svg.hashsalt": "riskchainbench",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": GRID,
    "xtick.color": MUTED,
    "ytick.color": INK,
    "hatch.linewidth": 0.8,
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


@dataclass(frozen=True)
class Bar:
    """One system of Figure 1: shares of all websites, and the gated interval if known.

    `gated` is None where a run has no gated view; `web` is then drawn alone.
    """

    name: str
    gated: float | None
    web: float
    low: float | None = None
    high: float | None = None
    reference: bool = False


@dataclass(frozen=True)
class Stack:
    """One bar of stacked shares: its counts by part, in the order of the legend."""

    name: str
    counts: tuple[int, ...]
    reference: bool = False


@dataclass(frozen=True)
class Whisker:
    """One value with its interval in a panel of the interval plot."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    reference: bool = False


@dataclass(frozen=True)
class Line:
    """One system's curve; points are (x, y) in 0 to 1."""

    name: str
    points: tuple[tuple[float, float], ...]


def _figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    with warnings.catch_warnings():
        # Only the measure of a missing glyph is a guess; the reader's own fonts draw it.
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue().replace("font-family: 'DejaVu Sans'", f"font-family: {_FONT}")


def _bare(axes: Axes) -> None:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)
    axes.grid(axis="x", color=GRID, linewidth=0.8)


def _names(axes: Axes, names: Sequence[str], reference: Sequence[bool]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    for label, dim in zip(axes.get_yticklabels(), reference, strict=True):
        label.set_color(MUTED if dim else INK)
        label.set_fontstyle("italic" if dim else "normal")


_LEGEND_CHARACTERS = 104
"""How many characters of a legend fit beside each other."""

_HANDLE_CHARACTERS = 8
"""How many characters a legend's handle and the space around it are wide."""


def _legend(figure: Figure, axes: Axes, columns: int) -> None:
    """Add a legend of at most `columns` columns, of fewer where its words are long."""
    handles, labels = axes.get_legend_handles_labels()
    widest = max((_width(label) for label in labels), default=0)
    columns = max(1, min(columns, _LEGEND_CHARACTERS // (widest + _HANDLE_CHARACTERS)))
    figure.legend(
        handles,
        labels,
        loc="outside upper left",
        ncols=columns,
        frameon=False,
        handlelength=1.8,
        handleheight=1.0,
        columnspacing=1.6,
    )


def _width(words: str) -> int:
    """Return about how many characters wide words are; those of East Asia count twice."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in words)


def gated_accuracy(bars: Sequence[Bar], words: dict[str, str]) -> str:
    """Return Figure 1: gated accuracy, with what the entry gate takes away as the lighter part.

    `words` holds the texts ``gated``, ``loss``, ``ungated`` and ``axis``.
    """
    with mpl.rc_context(_SETTINGS):
        figure = _figure(8.4, 1.1 + 0.34 * len(bars))
        axes = figure.add_subplot()
        for at, bar in enumerate(bars):
            _gated_bar(axes, at, bar, words)
        solid, light = _shades(reference=all(bar.reference for bar in bars))
        for style, key in ((_kept(solid), "gated"), (_lost(solid, light), "loss")):
            axes.barh(_OUT_OF_SIGHT, 0, label=words[key], **style)  # for the legend alone
        _bare(axes)
        _names(axes, [bar.name for bar in bars], [bar.reference for bar in bars])
        axes.set_xlim(0, 100)
        axes.set_xlabel(words["axis"])
        _legend(figure, axes, 3)
        return _svg(figure)


_OUT_OF_SIGHT = -9


def _shades(*, reference: bool) -> tuple[str, str]:
    return (GRAY, PAPER) if reference else (BLUE, SKY)


def _kept(solid: str) -> dict[str, Any]:
    return {"color": solid}


def _lost(solid: str, light: str) -> dict[str, Any]:
    return {"color": light, "edgecolor": solid, "hatch": "////", "linewidth": 0.8}


def _gated_bar(axes: Axes, at: int, bar: Bar, words: dict[str, str]) -> None:
    solid, light = _shades(reference=bar.reference)
    gated = 100 * (bar.gated or 0.0)
    web = 100 * bar.web
    if bar.gated is None:
        axes.barh(at, web, 0.62, color=PAPER, edgecolor=solid, linewidth=0.8)
    else:
        axes.barh(at, gated, 0.62, **_kept(solid))
        axes.barh(at, web - gated, 0.62, left=gated, **_lost(solid, light))
    if bar.low is not None and bar.high is not None:
        axes.plot([100 * bar.low, 100 * bar.high], [at, at], color=INK, linewidth=1.2)
    words_right = f"{gated:.1f}  (−{web - gated:.1f})"
    if bar.gated is None:
        words_right = f"{web:.1f}  ({words['ungated']})"
    elif round(web - gated, 1) == 0:
        words_right = f"{gated:.1f}"
    edge = max(web, 100 * (bar.high or 0.0))
    inside = edge > 86
    axes.annotate(
        words_right,
        (0.6 if inside else edge, at),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        fontsize=9,
        color=PAPER if inside else INK,
    )


STAGE_STYLES = (
    (RED, "xxx"),
    (ORANGE, "..."),
    (PURPLE, "\\\\\\"),
    (SKY, "---"),
    (GREEN, ""),
)


def stacked_shares(stacks: Sequence[Stack], parts: Sequence[str], axis: str) -> str:
    """Return stacked bars of five shares that sum to one; the last of `parts` is the best.

    Figure 5 of the paper is one: the parts are the first failed stages, then success.
    """
    with mpl.rc_context(_SETTINGS):
        figure = _figure(8.4, 1.1 + 0.34 * len(stacks))
        axes = figure.add_subplot()
        for at, stack in enumerate(stacks):
            total = sum(stack.counts) or 1
            left = 0.0
            for number, (color, hatch) in enumerate(STAGE_STYLES):
                width = 100 * stack.counts[number] / total
                label = parts[number] if at == 0 else None
                axes.barh(
                    at,
                    width,
                    0.62,
                    left=left,
                    color=color,
                    edgecolor=PAPER,
                    hatch=hatch,
                    linewidth=0.8,
                    label=label,
                )
                _inside(axes, left, width, at)
                left += width
        _bare(axes)
        _names(axes, [stack.name for stack in stacks], [stack.reference for stack in stacks])
        axes.set_xlim(0, 100)
        axes.set_xlabel(axis)
        _legend(figure, axes, 5)
        return _svg(figure)


def _inside(axes: Axes, left: float, width: float, at: int) -> None:
    if width < 6:
        return
    axes.text(
        left + width / 2,
        at,
        f"{width:.0f}",
        ha="center",
        va="center",
        fontsize=8.5,
        color=INK,
        bbox={"boxstyle": "round,pad=0.22", "facecolor": PAPER, "edgecolor": "none"},
    )


def interval_plot(panels: Sequence[tuple[str, Sequence[Whisker]]], axis: str) -> str:
    """Return one panel a metric with each system's value and 95 % interval, names shared."""
    with mpl.rc_context(_SETTINGS):
        names = [whisker.name for whisker in panels[0][1]]
        figure = _figure(2.1 + 2.3 * len(panels), 1.0 + 0.3 * len(names))
        grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, (title, whiskers) in zip(grid, panels, strict=True):
            _bare(axes)
            axes.set_title(title, fontsize=10, loc="left")
            axes.set_xlim(-3, 103)
            axes.set_xlabel(axis)
            for at, whisker in enumerate(whiskers):
                _whisker(axes, at, whisker)
        _names(grid[0], names, [whisker.reference for whisker in panels[0][1]])
        return _svg(figure)


def _whisker(axes: Axes, at: int, whisker: Whisker) -> None:
    color = GRAY if whisker.reference else BLUE
    if whisker.low is not None and whisker.high is not None:
        axes.plot([100 * whisker.low, 100 * whisker.high], [at, at], color=color, linewidth=2)
    if whisker.value is not None:
        marker = "D" if whisker.reference else "o"
        axes.plot([100 * whisker.value], [at], marker, color=color, markersize=6)


LINE_STYLES = ("-", "--", "-.", ":")
LINE_COLORS = (BLUE, ORANGE, GREEN, PURPLE, RED)


def curves(lines: Sequence[Line], x_axis: str, y_axis: str) -> str:
    """Return curves such as risk over coverage; color and dash together tell systems apart."""
    with mpl.rc_context(_SETTINGS):
        figure = _figure(8.4, 4.2)
        axes = figure.add_subplot()
        for at, line in enumerate(lines):
            axes.plot(
                [100 * x for x, _ in line.points],
                [100 * y for _, y in line.points],
                color=LINE_COLORS[at % len(LINE_COLORS)],
                linestyle=LINE_STYLES[at % len(LINE_STYLES)],
                linewidth=1.8,
                label=line.name,
            )
        _bare(axes)
        axes.grid(axis="y", color=GRID, linewidth=0.8)
        axes.set_xlim(0, 101)
        axes.set_ylim(0, 101)
        axes.set_xlabel(x_axis)
        axes.set_ylabel(y_axis)
        _legend(figure, axes, 4)
        return _svg(figure)


def heat_map(
    title: str,
    columns: Sequence[tuple[str, int, bool]],
    rows: Sequence[tuple[str, Sequence[tuple[float | None, bool]]]],
) -> str:
    """Return shares as shaded cells: a column a stratum, a row a system.

    A column is its name, its number of units, and whether it is thin; a cell its share in 0
    to 1 or None, and whether it is thin. Thin ones are hatched, and every cell has its number.
    """
    with mpl.rc_context(_SETTINGS):
        tilt = max((len(name) for name, _, _ in columns), default=0) > _UPRIGHT
        figure = _figure(2.4 + 0.78 * len(columns), (1.8 if tilt else 1.1) + 0.34 * len(rows))
        axes = figure.add_subplot()
        _heat_cells(axes, [cells for _, cells in rows])
        for side in axes.spines.values():
            side.set_visible(False)
        axes.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
        axes.set_xticks(
            [at + 0.5 for at in range(len(columns))],
            [f"{name}\nn = {units:,}" for name, units, _ in columns],
            rotation=40 if tilt else 0,
            ha="left" if tilt else "center",
            fontsize=8.5,
        )
        for label, (_, _, thin) in zip(axes.get_xticklabels(), columns, strict=True):
            label.set_color(MUTED if thin else INK)
        figure.suptitle(title, x=0.01, ha="left", fontsize=10)
        axes.set_yticks([at + 0.5 for at in range(len(rows))], [name for name, _ in rows])
        axes.invert_yaxis()
        return _svg(figure)


_UPRIGHT = 10
"""The longest column head, in characters, that stands upright over its cells."""


def _heat_cells(axes: Axes, rows: Sequence[Sequence[tuple[float | None, bool]]]) -> None:
    shades = [[0.0 if value is None else value for value, _ in cells] for cells in rows]
    axes.pcolormesh(shades, cmap=_SHADES, vmin=0, vmax=1, edgecolors=PAPER, linewidth=2)
    for at, cells in enumerate(rows):
        for place, (value, thin) in enumerate(cells):
            if thin:
                axes.add_patch(
                    Rectangle((place, at), 1, 1, hatch="////", fill=False, color=PAPER, lw=2)
                )
            axes.text(
                place + 0.5,
                at + 0.5,
                "–" if value is None else f"{100 * value:.0f}",
                ha="center",
                va="center",
                fontsize=9,
            )


_SHADES = LinearSegmentedColormap.from_list("share", [PAPER, SKY])
"""Light enough at its darkest end for dark figures on it."""
