"""The picture of Table 1: how far each estimate is from the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from onebit.papers.rcnbf.settings import TITLES, Pair, feedback, pair_text
from onebit.plots.style import COLOURS, GREY, INK, plain_axes
from onebit.sweep.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEP = 0.24
"""Between the estimators of one pair of rates, in rows."""


def picture(
    results: Results, printed: Mapping[Pair, Mapping[str, Pair]], names: Sequence[str], estimators: Sequence[str]
) -> Figure:
    """A column per data set, a row per rate: estimate minus truth for each pair; a line spans the seeds."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.6 + 3.3 * len(names), 6.6), layout="constrained")
    grid = figure.subplots(2, len(names), sharex=True, sharey=True, squeeze=False)
    for column, name in zip(grid.T, names, strict=True):
        column[0].set_title(TITLES[name], loc="left", color=INK, fontsize=11)
        for rate, axes in enumerate(column):
            theirs = [printed[pair][name][rate] - pair[rate] for pair in printed]
            axes.plot(theirs, np.arange(len(theirs)) - _STEP, "D", color=GREY, markersize=5, label="NREst, printed")
            for at, estimator in enumerate(estimators):
                _draw_estimates(axes, results, name, estimator, list(printed), rate, at)
            _finish(axes, list(printed))
    for rate, axes in enumerate(grid[:, 0]):
        axes.set_ylabel(f"ρ̂{rate}:  truth (ρ0, ρ1)", color=INK)
    for axes in grid[1]:
        axes.set_xlabel("estimate - truth", color=INK)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=9.5)
    figure.suptitle("Estimated flip rates: how far from the truth", x=0.01, ha="left", color=INK, fontsize=12)
    return figure


def _draw_estimates(
    axes: Axes, results: Results, name: str, estimator: str, pairs: Sequence[Pair], rate: int, at: int
) -> None:
    colour = COLOURS[at]
    seeds = 0
    for place, pair in enumerate(pairs):
        found = results.entry(estimator, name, feedback(pair)).report.rates[:, rate] - pair[rate]
        height = place + at * _STEP
        seeds = len(found)
        axes.plot([found.min(), found.max()], [height, height], color=colour, linewidth=2, alpha=0.5)
        axes.plot(found.mean(), height, "o", color=colour, markersize=5, label="_")
    axes.plot([], [], "o-", color=colour, markersize=5, label=f"{estimator}, here: mean and range of {seeds} seeds")


def _finish(axes: Axes, pairs: Sequence[Pair]) -> None:
    from matplotlib.ticker import MultipleLocator

    axes.xaxis.set_major_locator(MultipleLocator(0.05))
    axes.axvline(0, color=INK, linewidth=0.9)
    axes.set_yticks(range(len(pairs)), [pair_text(pair) for pair in pairs])
    axes.set_ylim(len(pairs) - 0.5, -0.6)
    plain_axes(axes)
