"""The paper's kind of picture: a panel per data set, error over rounds, one colour per m."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from onebit.core.aliases import FloatArray
from onebit.papers.mc_dbf.settings import SIZES, TITLES
from onebit.plots.style import COLOURS, GREY, INK, Style, plain_axes, short_rounds
from onebit.sweep.outcomes import Outcomes
from onebit.sweep.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Measure = Literal["greedy error", "played error"]
MEASURES: tuple[Measure, ...] = ("greedy error", "played error")

_COLOUR_OF_SIZE = dict(zip(SIZES.values(), (COLOURS[0], COLOURS[2], COLOURS[3]), strict=True))
_FIRST_ROUND = 10
"""Before, an error is one mistake or none."""

_STROKES = {"MC-DBF": "-", "MC-SLP": "--", "SetBanditron": "-.", "OneBit": ":"}


def arm_style(arm: str) -> Style:
    """How an arm is drawn: the colour says m, the stroke says the learner.

    >>> arm_style("MC-DBF m=2").colour == arm_style("MC-SLP m=2").colour, arm_style("Perceptron").stroke
    (True, '--')
    """
    learner, _, m = arm.partition(" m=")
    if m:
        return Style(_COLOUR_OF_SIZE[int(m)], _STROKES[learner])
    return Style(GREY, "--") if learner == "Perceptron" else Style(COLOURS[1], "-")


def curves(results: Results, streams: Sequence[str], arms: Iterable[str], title: str, log: bool = False) -> Figure:
    """Running error over rounds: a column per stream, greedy error above and played error below."""
    arms = list(arms)
    figure, grid = panels(streams, title)
    for at, stream in enumerate(streams):
        for axes, measure in zip(grid[:, at], MEASURES, strict=True):
            for arm in arms:
                _draw(axes, results.entry(arm, stream).report, measure, arm)
            _rounds_axis(axes)
            if log:
                log_errors(axes)
    add_legend(figure, grid[0, 0])
    return figure


def panels(streams: Sequence[str], title: str, xlabel: str = "rounds") -> tuple[Figure, FloatArray]:
    """An empty figure and its axes, a row per measure and a column per stream; those of one stream lie side by side."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    if len(streams) > 1:
        figure = Figure(figsize=(1.4 + 3.3 * len(streams), 6.2), layout="constrained")
        grid = figure.subplots(len(MEASURES), len(streams), sharex=True, sharey="row", squeeze=False)
    else:
        figure = Figure(figsize=(10.0, 4.4), layout="constrained")
        grid = figure.subplots(1, len(MEASURES)).reshape(-1, 1)
        grid[0, 0].set_xlabel(xlabel, color=INK)
    for at, stream in enumerate(streams):
        grid[0, at].set_title(TITLES[stream], loc="left", color=INK, fontsize=11)
        grid[-1, at].set_xlabel(xlabel, color=INK)
    for axes, measure in zip(grid[:, 0], MEASURES, strict=True):
        axes.set_ylabel(measure, color=INK)
    for axes in grid.flat:
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
        plain_axes(axes)
    figure.suptitle(title, x=0.01, ha="left", color=INK, fontsize=12)
    return figure, grid


def log_errors(axes: Axes) -> None:
    """A log axis of errors, with ticks in percent at powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda rate, at: f"{100 * rate:.6g} %"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def add_legend(figure: Figure, axes: Axes) -> None:
    """The names of the lines, below the panels: in one row, or if many, in one per learner."""
    handles, names = axes.get_legend_handles_labels()
    columns = len(names) if len(names) <= 5 else len(SIZES)
    order = sorted(range(len(names)), key=lambda at: (at % columns, at // columns))
    handles = [handles[at] for at in order]
    names = [names[at] for at in order]
    figure.legend(handles, names, loc="outside lower center", ncols=columns, frameon=False, fontsize=9.5)


def _draw(axes: Axes, runs: Outcomes, measure: Measure, arm: str) -> None:
    style = arm_style(arm)
    curve = runs.greedy_curve if measure == "greedy error" else runs.curve
    shown = (curve > 0) & (runs.rounds >= _FIRST_ROUND)
    axes.plot(runs.rounds[shown], curve[shown], style.stroke, color=style.colour, linewidth=1.7, label=arm)


def _rounds_axis(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_xscale("log")
    axes.set_xlim(left=_FIRST_ROUND)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, at: short_rounds(rounds)))
    axes.xaxis.set_minor_formatter(NullFormatter())
