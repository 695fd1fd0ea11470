"""The picture of Table 1: how far each estimate is from the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from onebit.papers.rcnbf.estimators import NAMES
from onebit.papers.rcnbf.settings import TITLES, Pair, feedback, pair_text
from onebit.plots.style import COLOURS, GREY, INK, plain_axes
from onebit.sweep.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW = 0.75
"""What the printed estimate and ours take of the height of a pair of rates."""


def picture(results: Results, printed: Mapping[Pair, Mapping[str, Pair]], tried: Mapping[str, Sequence[str]]) -> Figure:
    """A column per data set, a row per rate: estimate minus truth for each pair; a line spans the seeds.

    `tried` has the estimators of each data set.
    """
    from matplotlib.figure import Figure

    every = [each for each in NAMES if any(each in found for found in tried.values())]
    heights = {each: _ROW * (place / len(every) - 0.5) for place, each in enumerate(["printed", *every])}
    figure = Figure(figsize=(1.6 + 3.3 * len(tried), 3.0 + 0.9 * len(printed)), layout="constrained")
    grid = figure.subplots(2, len(tried), sharex=True, sharey=True, squeeze=False)
    for column, (name, found) in zip(grid.T, tried.items(), strict=True):
        column[0].set_title(TITLES[name], loc="left", color=INK, fontsize=11)
        for rate, axes in enumerate(column):
            theirs = [printed[pair][name][rate] - pair[rate] for pair in printed]
            places = np.arange(len(theirs)) + heights["printed"]
            axes.plot(theirs, places, "D", color=GREY, markersize=4, label="NREst, printed")
            for estimator in found:
                mark = COLOURS[every.index(estimator)], heights[estimator]
                _draw_estimates(axes, results, name, estimator, list(printed), rate, *mark)
            _finish(axes, list(printed))
    for rate, axes in enumerate(grid[:, 0]):
        axes.set_ylabel(f"ρ̂{rate}:  truth (ρ0, ρ1)", color=INK)
    for axes in grid[1]:
        axes.set_xlabel("estimate - truth", color=INK)
    marks = dict(mark for axes in grid[0] for mark in zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(marks.values(), marks, loc="outside lower center", ncols=2, frameon=False, fontsize=9.5)
    figure.suptitle("Estimated flip rates: how far from the truth", x=0.01, ha="left", color=INK, fontsize=12)
    return figure


def _draw_estimates(
    axes: Axes,
    results: Results,
    name: str,
    estimator: str,
    pairs: Sequence[Pair],
    rate: int,
    colour: str,
    below: float,
) -> None:
    seeds = 0
    for place, pair in enumerate(pairs):
        found = results.entry(estimator, name, feedback(pair)).report.rates[:, rate] - pair[rate]
        height = place + below
        seeds = len(found)
        axes.plot([found.min(), found.max()], [height, height], color=colour, linewidth=2, alpha=0.5)
        axes.plot(found.mean(), height, "o", color=colour, markersize=4, label="_")
    axes.plot([], [], "o-", color=colour, markersize=5, label=f"{estimator}, here: mean and range of {seeds} seeds")


def _finish(axes: Axes, pairs: Sequence[Pair]) -> None:
    from matplotlib.ticker import MultipleLocator

    axes.xaxis.set_major_locator(MultipleLocator(0.1))
    axes.axvline(0, color=INK, linewidth=0.9)
    axes.set_yticks(range(len(pairs)), [pair_text(pair) for pair in pairs])
    axes.set_ylim(len(pairs) - 0.5, -0.6)
    plain_axes(axes)
