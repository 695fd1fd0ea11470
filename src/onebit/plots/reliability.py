"""A picture of how well estimated flip rates fit: predicted against observed answers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.noise import NoiseEstimate
from onebit.plots.style import COLOURS, GREY, INK, check_format, plain_axes, save_figure, spread_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BINS = 15


def reliability_bins(predicted: FloatArray, said: IntArray, bins: int = _BINS) -> tuple[FloatArray, ...]:
    """Rounds in bins of equal size, from the least to the most expected "yes".

    Of each bin the mean prediction, the share of "yes", that share's standard error, and how many rounds.

    >>> predicted, observed, *_ = reliability_bins(np.array([0.1, 0.2, 0.8, 0.9]), np.array([0, 0, 1, 0]), bins=2)
    >>> predicted.round(2), observed
    (array([0.15, 0.85]), array([0. , 0.5]))
    """
    groups = [group for group in np.array_split(np.argsort(predicted, kind="stable"), bins) if len(group)]
    size = np.array([len(group) for group in groups])
    observed = np.array([said[group].mean() for group in groups])
    expected = np.array([predicted[group].mean() for group in groups])
    return expected, observed, np.sqrt(expected * (1 - expected) / size), size


def reliability_figure(estimate: NoiseEstimate, path: str | os.PathLike[str] | None = None) -> Figure:
    """Predicted against observed "yes", bin by bin, between the lines that the flip rates set.

    Written if there is a path (.svg, .png, .pdf).

    >>> draw = np.random.default_rng(0)
    >>> predicted = draw.uniform(0.2, 0.6, size=1000)
    >>> estimate = NoiseEstimate(0.2, 0.4, predicted=predicted, said=draw.random(1000) < predicted)
    >>> reliability_figure(estimate).axes[0].get_ylabel()
    'share of “yes” observed'
    """
    from matplotlib.figure import Figure

    target = None if path is None else check_format(path)
    figure = Figure(figsize=(6.4, 4.6), layout="constrained")
    axes = figure.add_subplot()
    predicted, observed, error, size = reliability_bins(estimate.predicted, estimate.said)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.9)
    axes.errorbar(predicted, observed, 2 * error, fmt="o", color=COLOURS[0], markersize=5, elinewidth=1, capsize=0)
    _rates(axes, estimate)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("probability of “yes” predicted", color=INK)
    axes.set_ylabel("share of “yes” observed", color=INK)
    axes.set_title("How often the bit lies: do the estimated rates fit?", loc="left", color=INK, pad=22)
    each = f"{size.min():,}"
    note = f"each dot: about {each} rounds, ± 2 standard errors; on the line: predictions come true"
    axes.annotate(note, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", fontsize=8.5, color=GREY)
    plain_axes(axes)
    if target is not None:
        save_figure(figure, target)
    return figure


def _rates(axes: Axes, estimate: NoiseEstimate) -> None:
    """Where the share of "yes" would lie if every label played were wrong, or right."""
    levels = [estimate.rho_0, 1 - estimate.rho_1]
    errors = [estimate.se_0, estimate.se_1]
    texts = [f"always wrong: ρ̂0 = {levels[0]:.3f}", f"always right: 1 − ρ̂1 = {levels[1]:.3f}"]
    for level, error, text, place in zip(levels, errors, texts, spread_out(levels, 0.06), strict=True):
        axes.axhline(level, color=COLOURS[1], linewidth=1.2, linestyle="--")
        if np.isfinite(error):
            axes.axhspan(level - 2 * error, level + 2 * error, color=COLOURS[1], alpha=0.15, linewidth=0)
        axes.text(1.015, place, text, color=COLOURS[1], fontsize=9.5, va="center", transform=axes.transAxes)
