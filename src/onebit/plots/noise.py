"""The estimated flip rates over rounds, drawn below a learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.engine.played import Played
from onebit.plots.style import GREY, INK, Style, plain_axes, short_rounds, spread_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RATES = (("ρ̂0", "-", 0), ("ρ̂1", "--", 1))


def noise_history(result: Played) -> tuple[IntArray, FloatArray, FloatArray, FloatArray] | None:
    """The estimates of all seeds together, if there are any.

    The numbers of lessons that all seeds reached, and after each of them the mean, lowest and highest estimate.
    """
    histories = [{e.lessons: tuple(e.rates) for e in learner.noise_history} for learner in result.learners]
    shared = sorted(set.intersection(*map(set, histories)))
    if not shared:
        return None
    rates = np.array([[history[at] for at in shared] for history in histories])
    return np.array(shared), rates.mean(axis=0), rates.min(axis=0), rates.max(axis=0)


def draw_noise(axes: Axes, results: Sequence[Played], styles: Sequence[Style], rounds: tuple[float, float]) -> None:
    """The estimates of each result that has some; the true rates, where they are known, as thin lines."""
    ends: list[tuple[float, str, str]] = []
    top = 0.1
    for result, style in zip(results, styles, strict=True):
        history = noise_history(result)
        if history is None:
            continue
        lessons, *estimates = history
        for name, stroke, at in _RATES:
            x = np.append(lessons, rounds[1])
            mean, low, high = (np.append(part[:, at], part[-1, at]) for part in estimates)
            (line,) = axes.plot(x, mean, stroke, color=style.colour, linewidth=1.6, drawstyle="steps-post")
            line.set(marker="o", markersize=3, markevery=slice(len(lessons)))
            axes.fill_between(x, low, high, step="post", color=style.colour, alpha=0.16, linewidth=0)
            ends.append((float(mean[-1]), f"{name}  {mean[-1]:.3f}", style.colour))
            top = max(top, float(high.max()))
    true = [rates for result in results if (rates := result.channel.flip_rates) is not None]
    for rate in sorted({rate for rates in true for rate in rates}):
        axes.axhline(rate, color=GREY, linewidth=0.8)
        top = max(top, rate)
    note = "grey: the true rates" if true else ""
    axes.annotate(note, (0, 1), (4, -3), "axes fraction", "offset points", fontsize=8.5, color=GREY, va="top")
    axes.set_xscale("log")
    axes.set_xlim(*rounds)
    axes.set_ylim(0, 1.15 * top)
    places = spread_out([end / (1.15 * top) for end, _, _ in ends], 0.12)
    for (_, text, colour), place in zip(ends, places, strict=True):
        axes.text(1.015, place, text, color=colour, fontsize=9.5, va="center", transform=axes.transAxes)
    axes.set_ylabel("estimated flip rate", color=INK)
    plain_axes(axes)
    axes.xaxis.set_major_formatter(lambda rounds, at: short_rounds(rounds))
