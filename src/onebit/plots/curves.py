"""Learning curves: played error over rounds, log-log, the mean over seeds and the band they span.

Drawn with matplotlib's objects, never with pyplot: no backend is chosen and no global state is touched.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.errors import ConfigError
from onebit.core.readable_numbers import percent
from onebit.engine.played import Played
from onebit.plots.noise import draw_noise, noise_history
from onebit.plots.result_names import result_names, usual_play
from onebit.plots.style import (
    COLOURS,
    GREY,
    INK,
    Style,
    check_format,
    plain_axes,
    save_figure,
    short_rounds,
    spread_out,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STROKES = ("-", ":", "-.")


class Band(NamedTuple):
    """One curve: at each checkpoint that all seeds reached, the mean and the extremes of the error."""

    rounds: IntArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray


def plot_results(
    results: Sequence[Played], path: str | os.PathLike[str] | None = None, *, title: str | None = None
) -> Figure:
    """One figure with the learning curves of several results; written if there is a path (.svg, .png, .pdf).

    >>> import onebit
    >>> stream = onebit.streams.synsep(1000)
    >>> results = [onebit.simulate(onebit.Banditron(9, gamma=g), stream) for g in (0.01, 0.1)]
    >>> [line.get_label() for line in plot_results(results).axes[0].lines]
    ['banditron gamma=0.01', 'banditron gamma=0.1']
    """
    from matplotlib.figure import Figure

    if not results:
        raise ConfigError("results=[]: give at least one result to plot")
    target = None if path is None else check_format(path)
    estimated = any(noise_history(result) for result in results)
    figure = Figure(figsize=(7.2, 5.8 if estimated else 4.0), layout="constrained")
    grid = figure.add_gridspec(1 + estimated, 1, height_ratios=[2.2, 1] if estimated else [1])
    axes = figure.add_subplot(grid[0])
    names = result_names(results)
    styles = curve_styles(results)
    for result, name, style in zip(results, names, styles, strict=True):
        draw_curve(axes, result, name, style)
    set_scales(axes, results)
    label_ends(axes, results, names, styles)
    axes.set_ylabel("played error", color=INK)
    axes.set_title(title if title is not None else usual_play(results), loc="left", color=INK, pad=22)
    note = band_note(results)
    axes.annotate(note, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", fontsize=8.5, color=GREY)
    lowest = figure.add_subplot(grid[1]) if estimated else axes
    if estimated:
        draw_noise(lowest, results, styles, axes.get_xlim())
    lowest.set_xlabel("rounds", color=INK)
    if target is not None:
        save_figure(figure, target)
    return figure


def curve_styles(results: Sequence[Played]) -> list[Style]:
    """A style for each curve. Beside results from bits, one that was told every label is dashed and grey."""
    mixed = len({result.channel.kind for result in results}) > 1
    coloured = [not (mixed and result.channel.kind == "label") for result in results]
    styles = []
    for at, plain in enumerate(coloured):
        round_, place = divmod(sum(coloured[:at]), len(COLOURS))
        styles.append(Style(COLOURS[place], _STROKES[round_ % len(_STROKES)]) if plain else Style(GREY, "--"))
    return styles


def draw_curve(axes: Axes, result: Played, name: str, style: Style) -> None:
    """The curve of one result and its band. On a log axis it begins at the first mistake."""
    band = error_band(result)
    shown = band.mean > 0
    rounds = band.rounds[shown]
    mean = band.mean[shown]
    axes.plot(rounds, mean, style.stroke, color=style.colour, linewidth=1.8, label=name)
    if len(result.seeds) > 1 and shown.any():
        low = np.maximum(band.low[shown], mean.min() / 100)
        axes.fill_between(rounds, low, band.high[shown], color=style.colour, alpha=0.16, linewidth=0)


def error_band(result: Played) -> Band:
    """Mean, lowest and highest played error at the checkpoints that all seeds share."""
    shared = result.traces[0].rounds
    for trace in result.traces[1:]:
        shared = np.intersect1d(shared, trace.rounds)
    rates = np.array([(t.mistakes / t.rounds)[np.isin(t.rounds, shared)] for t in result.traces])
    return Band(shared, rates.mean(axis=0), rates.min(axis=0), rates.max(axis=0))


def set_scales(axes: Axes, results: Sequence[Played]) -> None:
    """Log-log axes with ticks in words, limits around the curves, and a light grid."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    bands = [error_band(result) for result in results]
    last = max(int(band.rounds[-1]) for band in bands)
    first = 10 if last >= 1000 else 1
    axes.set_xscale("log")
    axes.set_yscale("log")
    seen = np.concatenate([np.append(band.mean[band.rounds >= first], band.low[-1]) for band in bands])
    bottom = float(seen[seen > 0].min(initial=0.5))
    axes.set_xlim(first, last * 1.001 if last > first else 10 * first)
    axes.set_ylim(bottom / 1.2, 1.05)
    steps = (1,) if bottom < 0.004 else (1, 2, 5) if bottom < 0.15 else (1, 2, 3, 4, 5, 7)
    axes.yaxis.set_major_locator(LogLocator(subs=steps))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda rate, at: f"{100 * rate:.6g} %"))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, at: short_rounds(rounds)))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_locator(NullLocator())
    plain_axes(axes)


def label_ends(
    axes: Axes, results: Sequence[Played], names: Sequence[str], styles: Sequence[Style], height: float = 2.9
) -> None:
    """Each curve's name and last error beside its end, moved apart where they would touch.

    `height` is about that of the axes, in inches.
    """
    size = 9.5
    low, high = np.log(axes.get_ylim())
    errors = np.array([error_band(result).mean[-1] for result in results])
    ends = (np.log(np.maximum(errors, np.exp(low))) - low) / (high - low)
    places = spread_out(ends, 1.35 * size / 72 / height)
    for name, style, error, place in zip(names, styles, errors, places, strict=True):
        text = f"{name}  {percent(error)}" if error > 0 else f"{name}  no mistakes"
        axes.text(1.015, place, text, color=style.colour, fontsize=size, va="center", transform=axes.transAxes)


def band_note(results: Sequence[Played]) -> str:
    """What lines and bands stand for."""
    most = max(len(result.seeds) for result in results)
    note = f"line: mean of {most} seeds; band: lowest to highest" if most > 1 else f"seed {results[0].seeds[0]}"
    mixed = len({result.channel.kind for result in results}) > 1
    return f"{note}; dashed: told every label" if mixed else note
