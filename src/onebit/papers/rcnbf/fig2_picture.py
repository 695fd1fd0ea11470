"""The picture of Figure 2: a column per data set, a row per kind of noise, error over rounds on log-log axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.papers.rcnbf.settings import PAIRS, TITLES, Pair, feedback, pair_text
from onebit.plots.style import COLOURS, GREY, INK, Style, plain_axes, short_rounds, spread_out
from onebit.sweep.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = {
    "Banditron": Style(COLOURS[5], "-"),
    "BanditPA": Style(COLOURS[3], "-"),
    "SOBA": Style(GREY, "-"),
    "RCNBF": Style(COLOURS[0], "-"),
    "RCINE": Style(COLOURS[4], "--"),
    "OneBit": Style(COLOURS[2], "-"),
}
_NAMES = {
    "SOBA": "SOBA, diagonal",
    "RCNBF": "RCNBF, told the rates",
    "RCINE": "RCINE, estimates them",
    "OneBit": "OneBit, finds them (ours)",
}
_WORDS = dict(zip(PAIRS, ("no noise", "low noise", "high noise", "mixed noise", "mixed noise"), strict=True))
_FIRST_ROUND = 100
"""Before, a running error is mostly chance."""

_FONT_SIZE = 8.0
_FINE = (0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1)
_COARSE = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1)
"""Ticks of errors, where they span one or two tenfolds, and where they span more."""


def picture(results: Results, names: Sequence[str]) -> Figure:
    """The mean running error of every learner, its last value beside the end of its line."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator

    figure = Figure(figsize=(1.4 + 3.2 * len(names), 1.4 + 2.3 * len(PAIRS)), layout="constrained")
    grid = figure.subplots(len(PAIRS), len(names), sharex="col", sharey="row", squeeze=False)
    for row, pair in zip(grid, PAIRS, strict=True):
        row[0].set_ylabel(f"{_WORDS[pair]}\n{pair_text(pair)}", color=INK)
        for axes, name in zip(row, names, strict=True):
            _draw(axes, results, name, pair)
    for name, top, bottom in zip(names, grid[0], grid[-1], strict=True):
        top.set_title(TITLES[name], loc="left", color=INK, fontsize=11)
        bottom.set_xlabel("rounds", color=INK)
    for row in grid:
        lowest = min(_last(axes).min() for axes in row)
        for axes in row:
            axes.set_ylim(lowest / 1.15, 1.0)
            axes.yaxis.set_major_locator(FixedLocator(_FINE if lowest > min(_FINE) / 2 else _COARSE))
            _label_ends(axes)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=9.5)
    seeds = len(results.entry("RCNBF", names[0], feedback(PAIRS[0])).report)
    title = f"Played error under flip rates (ρ0, ρ1): mean of {seeds} seeds; at the ends, percent"
    figure.suptitle(title, x=0.01, ha="left", color=INK, fontsize=12)
    return figure


def _draw(axes: Axes, results: Results, name: str, pair: Pair) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

    last = 0
    for arm, style in STYLES.items():
        runs = results.entry(arm, name, feedback(pair)).report
        shown = runs.rounds >= min(_FIRST_ROUND, runs.rounds[-1])
        last = int(runs.rounds[-1])
        label = _NAMES.get(arm, arm)
        axes.plot(runs.rounds[shown], runs.curve[shown], style.stroke, color=style.colour, linewidth=1.6, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(min(_FIRST_ROUND, last / 2), last)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda rate, at: f"{100 * rate:.6g} %"))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, at: short_rounds(rounds)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    plain_axes(axes)


def _last(axes: Axes) -> FloatArray:
    """The last error of each line."""
    return np.array([np.asarray(line.get_ydata())[-1] for line in axes.lines])


def _label_ends(axes: Axes) -> None:
    low, high = np.log(axes.get_ylim())
    errors = _last(axes)
    gap = 1.2 * _FONT_SIZE / 72 / 1.9
    places = spread_out((np.log(errors) - low) / (high - low), gap)
    below_top = 1 - gap * np.argsort(np.argsort(-places))
    for line, error, place in zip(list(axes.lines), errors, np.minimum(places, below_top), strict=True):
        text = f"{100 * error:.3g}"
        colour = line.get_color()
        axes.text(1.02, place, text, color=colour, fontsize=_FONT_SIZE, va="center", transform=axes.transAxes)
