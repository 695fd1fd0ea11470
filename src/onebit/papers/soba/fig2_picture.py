"""Figure 2 drawn: error against γ above, error against rounds below, a column for each data set."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.readable_numbers import percent
from onebit.papers.soba.claims import BANDITS, shown
from onebit.papers.soba.played import Played, Table
from onebit.papers.soba.settings import STAND_IN
from onebit.plots.style import COLOURS, GREY, INK, Style, plain_axes, short_rounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = {
    "Banditron": Style(COLOURS[0], "-"),
    "PNewtron": Style(COLOURS[3], "-"),
    "SOBAdiag": Style(COLOURS[1], "-"),
    "OneBit": Style(COLOURS[2], "-"),
    "Perceptron": Style(GREY, "--"),
}
LABELS = {"OneBit": "OneBit (ours)"}
LEFT_OUT = (("PNewtron", STAND_IN), ("PNewtron", "Reuters4"))
"""Not drawn, as in the paper: it does not learn there."""

_NOTE = (
    "top: mean over the tune seeds; bottom: mean over the report seeds; the Perceptron is told every label; "
    f"OneBit has no γ; {STAND_IN} would stand for Reuters4, where PNewtron is left out as in the paper"
)


def picture(table: Table) -> Figure:
    """The figure of everything that was played."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(15.0, 8.4), layout="constrained")
    names = shown(table)
    grid = figure.subplots(2, len(names), squeeze=False)
    for at, stream in enumerate(names):
        top = grid[0, at]
        bottom = grid[1, at]
        played = {arm: table[arm, stream] for arm in STYLES if (arm, stream) not in LEFT_OUT}
        _draw_gammas(top, played)
        _draw_rounds(bottom, played)
        top.set_title(stream if stream != STAND_IN else f"{stream} (for Reuters4)", loc="left", color=INK, fontsize=12)
    for axes in grid[:, 0]:
        axes.set_ylabel("played error", color=INK)
    handles, names = grid[1, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=len(names), frameon=False, fontsize=11)
    figure.suptitle("SOBA, Figure 2: error against γ, and over rounds at the best γ", x=0.01, ha="left", color=INK)
    figure.supxlabel(_NOTE, x=0.01, ha="left", color=GREY, fontsize=9)
    return figure


def _draw_gammas(axes: Axes, played: dict[str, Played]) -> None:
    """Errors against γ; a dot at each algorithm's best."""
    from matplotlib.ticker import MaxNLocator

    for arm in BANDITS:
        if arm not in played:
            continue
        searched = played[arm].searched
        powers = [log2(gamma) for gamma in searched]
        errors = list(searched.values())
        axes.plot(powers, errors, STYLES[arm].stroke, color=STYLES[arm].colour, linewidth=1.8)
        best = int(np.argmin(errors))
        axes.plot(powers[best], errors[best], "o", color=STYLES[arm].colour, markersize=6)
    axes.axhline(played["Perceptron"].error, color=GREY, linestyle="--", linewidth=1.6)
    axes.set_xticks(range(-13, -1, 2), [f"$2^{{{at}}}$" for at in range(-13, -1, 2)])
    axes.set_xlabel("γ", color=INK)
    axes.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    _in_percent(axes)
    plain_axes(axes)


def _draw_rounds(axes: Axes, played: dict[str, Played]) -> None:
    """Errors over rounds, log-log; beside, the γ and the last error of each."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for arm, each in played.items():
        shown = (each.curve > 0) & (each.rounds >= 100)
        style = STYLES[arm]
        label = LABELS.get(arm, arm)
        axes.plot(each.rounds[shown], each.curve[shown], style.stroke, color=style.colour, linewidth=1.8, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    lowest = min(each.error for each in played.values())
    subs = (1,) if lowest < 0.004 else (1, 2, 5) if lowest < 0.15 else (1, 2, 3, 4, 5, 6, 7, 8)
    axes.yaxis.set_major_locator(LogLocator(subs=subs))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, at: short_rounds(rounds)))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    _in_percent(axes)
    axes.set_xlabel("rounds", color=INK)
    plain_axes(axes)
    _write_ends(axes, played)


def _write_ends(axes: Axes, played: dict[str, Played]) -> None:
    """A table below the panel: each algorithm, its γ and its last error, the highest error first."""
    ordered = sorted(played.items(), key=lambda pair: -pair[1].error)
    for line, (arm, each) in enumerate(ordered):
        gamma = f"γ = $2^{{{round(log2(each.gamma))}}}$" if each.gamma is not None else ""
        for place, text in ((0.0, LABELS.get(arm, arm)), (0.42, gamma), (0.7, percent(each.error))):
            axes.annotate(
                text, (place, 0), (0, -46 - 15 * line), xycoords="axes fraction", textcoords="offset points",
                color=STYLES[arm].colour, fontsize=10.5,
            )  # fmt: skip


def _in_percent(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter

    axes.yaxis.set_major_formatter(FuncFormatter(lambda rate, at: f"{100 * rate:.6g} %"))
