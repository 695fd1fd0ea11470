"""The pictures: error against speed, one panel for each stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from benchmarks.peers.report import Report
from benchmarks.peers.rows import NAMES
from onebit.plots.style import COLOURS, GREY, INK, plain_axes, save_figure, short_rounds

BLUE, RED, GREEN, PINK, SKY, ORANGE, DARK = COLOURS
LOOKS = {
    "OneBit": ("o", BLUE),
    "OneBit linear": ("o", SKY),
    "Banditron": ("D", DARK),
    "VW": ("s", GREEN),
    "contextualbandits": ("^", PINK),
    "River": ("v", ORANGE),
    "MABWiser": ("P", RED),
    "VW -q ::": ("D", GREEN),
    "VW --nn": ("X", GREEN),
    "CB boosted": ("<", PINK),
    "CB forest": (">", PINK),
    "River forest": ("h", ORANGE),
    "net greedy": ("d", DARK),
    "net Thompson": ("*", DARK),
}
"""Mark and colour: a colour for each library."""


def draw(report: Report, path: Path) -> None:
    """Lower is better, further right is faster; hollow marks were stopped at the limit.

    The last panel names the marks if it is free, else a line below all.
    """
    across = 4
    down = -(-len(report.streams) // across)
    full = down * across == len(report.streams)
    figure = Figure(figsize=(10, 2.6 * down + 0.8 * full), layout="constrained")
    panels = figure.subplots(down, across).ravel()
    for axes, stream in zip(panels, report.streams, strict=False):
        _panel(axes, report, stream)
    for axes in panels[len(report.streams) :]:
        axes.set_axis_off()
    marks = _marks(report)
    if full:
        below = figure.legend(
            handles=marks, loc="outside lower center", ncols=5, frameon=False, fontsize=9, labelcolor=INK,
            title="rounds per CPU-second (right: faster; down: better)", title_fontsize=10,
        )  # fmt: skip
        below.get_title().set_color(INK)
    else:
        figure.supxlabel("rounds per CPU-second", fontsize=10, color=INK)
        panels[-1].legend(handles=marks, loc="center", frameon=False, fontsize=9, labelcolor=INK)
        panels[-1].set_title("right: faster; down: better", fontsize=9, color=GREY)
    figure.supylabel("played error, %", fontsize=10, color=INK)
    save_figure(figure, path)


def _panel(axes: Any, report: Report, stream: str) -> None:
    for cell in report.played(stream):
        mark, colour = LOOKS[cell.contender]
        axes.errorbar(
            cell.speed,
            cell.error,
            yerr=cell.errors().std(ddof=1) if len(cell.errors()) > 1 else None,
            fmt=mark,
            color=colour,
            markerfacecolor="white" if cell.stopped else colour,
            markersize=9 if cell.contender == "OneBit" else 6.5,
            elinewidth=1,
            zorder=3,
        )
    axes.set(xscale="log", yscale="log")
    axes.margins(0.12)
    axes.set_title(NAMES[stream], fontsize=10, color=INK, loc="left")
    axes.xaxis.set_major_locator(LogLocator(numticks=5))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: short_rounds(x)))
    _error_ticks(axes)
    plain_axes(axes)
    axes.tick_params(labelsize=8)


def _error_ticks(axes: Any) -> None:
    """At 1, 2 and 5 of each decade, or closer if there is less than one, written as they are."""
    low, high = axes.get_ylim()
    subs = (1.0, 2.0, 5.0) if high > 10 * low else (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
    axes.yaxis.set_major_locator(LogLocator(subs=subs, numticks=12))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.minorticks_off()


def _marks(report: Report) -> list[Line2D]:
    marks = [
        Line2D([], [], linestyle="", marker=LOOKS[name][0], color=LOOKS[name][1], markersize=7, label=name)
        for name in report.contenders
    ]
    if any(cell.stopped for stream in report.streams for cell in report.played(stream)):
        text = "hollow: stopped at the limit,\nerror until there"
        marks.append(
            Line2D([], [], linestyle="", marker="o", color=GREY, markerfacecolor="white", markersize=7, label=text)
        )
    return marks
