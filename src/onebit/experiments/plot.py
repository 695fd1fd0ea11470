"""Learning curves: played error over rounds, log-log, the mean over seeds and the band they span.

Drawn with matplotlib's objects, never with pyplot: no backend is chosen and no global state is touched.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onebit.core.errors import ConfigError
from onebit.core.files import written_whole
from onebit.core.types import FloatArray, IntArray
from onebit.experiments.settings import channel_text
from onebit.experiments.summary import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from onebit.experiments.result import Result

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#4D4D4D")
"""Okabe and Ito's palette, which colour-blind readers can tell apart, but for its yellow."""

GREY, INK = "#767676", "#222222"
_FORMATS = (".svg", ".png", ".pdf")
_STROKES = ("-", ":", "-.")


class Style(NamedTuple):
    """How a curve looks."""

    colour: str
    stroke: str


class Band(NamedTuple):
    """One curve: at each checkpoint that all seeds reached, the mean and the extremes of the error."""

    rounds: IntArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray


def plot_results(
    results: Sequence[Result], path: str | os.PathLike[str] | None = None, *, title: str | None = None
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
    figure = Figure(figsize=(7.2, 4.0), layout="constrained")
    axes = figure.add_subplot()
    names, styles = curve_names(results), curve_styles(results)
    for result, name, style in zip(results, names, styles, strict=True):
        draw_curve(axes, result, name, style)
    set_scales(axes, results)
    label_ends(axes, results, names, styles)
    axes.set_xlabel("rounds", color=INK)
    axes.set_ylabel("played error", color=INK)
    axes.set_title(title if title is not None else _common_title(results), loc="left", color=INK, pad=22)
    note = band_note(results)
    axes.annotate(note, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", fontsize=8.5, color=GREY)
    if target is not None:
        save_figure(figure, target)
    return figure


def curve_styles(results: Sequence[Result]) -> list[Style]:
    """A style for each curve. Beside results from bits, one that was told every label is dashed and grey."""
    mixed = len({result.channel.kind for result in results}) > 1
    coloured = [not (mixed and result.channel.kind == "label") for result in results]
    styles = []
    for at, plain in enumerate(coloured):
        round_, place = divmod(sum(coloured[:at]), len(COLOURS))
        styles.append(Style(COLOURS[place], _STROKES[round_ % len(_STROKES)]) if plain else Style(GREY, "--"))
    return styles


def draw_curve(axes: Axes, result: Result, name: str, style: Style) -> None:
    """The curve of one result and its band. On a log axis it begins at the first mistake."""
    band = error_band(result)
    shown = band.mean > 0
    rounds, mean = band.rounds[shown], band.mean[shown]
    axes.plot(rounds, mean, style.stroke, color=style.colour, linewidth=1.8, label=name)
    if len(result.seeds) > 1 and shown.any():
        low = np.maximum(band.low[shown], mean.min() / 100)
        axes.fill_between(rounds, low, band.high[shown], color=style.colour, alpha=0.16, linewidth=0)


def error_band(result: Result) -> Band:
    """Mean, lowest and highest played error at the checkpoints that all seeds share."""
    shared = result.traces[0].rounds
    for trace in result.traces[1:]:
        shared = np.intersect1d(shared, trace.rounds)
    rates = np.array([(t.mistakes / t.rounds)[np.isin(t.rounds, shared)] for t in result.traces])
    return Band(shared, rates.mean(axis=0), rates.min(axis=0), rates.max(axis=0))


def set_scales(axes: Axes, results: Sequence[Result]) -> None:
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
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, at: _short(rounds)))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(which="major", color="#E3E3E3", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#B0B0B0")
    axes.tick_params(which="both", color="#B0B0B0", labelcolor=INK)


def label_ends(
    axes: Axes, results: Sequence[Result], names: Sequence[str], styles: Sequence[Style], height: float = 2.9
) -> None:
    """Each curve's name and last error beside its end, moved apart where they would touch.

    `height` is about that of the axes, in inches.
    """
    size = 9.5
    low, high = np.log(axes.get_ylim())
    errors = np.array([error_band(result).mean[-1] for result in results])
    ends = (np.log(np.maximum(errors, np.exp(low))) - low) / (high - low)
    places = apart(ends, 1.35 * size / 72 / height)
    for name, style, error, place in zip(names, styles, errors, places, strict=True):
        text = f"{name}  {percent(error)}" if error > 0 else f"{name}  no mistakes"
        axes.text(1.015, place, text, color=style.colour, fontsize=size, va="center", transform=axes.transAxes)


def apart(places: Any, gap: float) -> FloatArray:
    """Numbers moved as little as possible so that no two are closer than `gap`.

    >>> apart([0.5, 0.1, 0.5], 0.2).round(2).tolist()
    [0.4, 0.1, 0.6]
    """
    places = np.asarray(places, dtype=np.float64)
    order = np.argsort(places, kind="stable")
    blocks: list[list[float]] = []  # of places less the gaps below them: sum and number of each pooled block
    for rank, place in enumerate(places[order]):
        blocks.append([place - rank * gap, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1] = [blocks[-1][0] + total, blocks[-1][1] + count]
    levels = np.concatenate([np.full(int(count), total / count) for total, count in blocks])
    moved = np.empty(len(places))
    moved[order] = levels + gap * np.arange(len(places))
    return moved


def band_note(results: Sequence[Result]) -> str:
    """What lines and bands stand for."""
    most = max(len(result.seeds) for result in results)
    note = f"line: mean of {most} seeds; band: lowest to highest" if most > 1 else f"seed {results[0].seeds[0]}"
    mixed = len({result.channel.kind for result in results}) > 1
    return f"{note}; dashed: told every label" if mixed else note


def curve_names(results: Sequence[Result]) -> list[str]:
    """A name for each result: its learner, and what sets it apart from the others."""
    names = [str(result.settings["learner"]["name"]) for result in results]
    if len(set(names)) < len(names):
        names = [f"{name} {_changes(result)}".rstrip() for name, result in zip(names, results, strict=True)]
    for part in _streams_and_channels(results):
        usual = _most_common(part)
        names = [name if text == usual else f"{name} ({text})" for name, text in zip(names, part, strict=True)]
    return names


def check_format(path: str | os.PathLike[str]) -> Path:
    """The path, if its suffix is that of a picture we can write.

    >>> check_format("curve.gif")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: path='curve.gif': must end in .svg, .png or .pdf
    """
    if Path(path).suffix.lower() not in _FORMATS:
        raise ConfigError(f"path={os.fspath(path)!r}: must end in .svg, .png or .pdf")
    return Path(path)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure, whole or not at all; the same figure gives the same file."""
    import matplotlib

    kind = path.suffix.lower().removeprefix(".")
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with written_whole(path) as draft, matplotlib.rc_context({"svg.hashsalt": "onebit"}):
        figure.savefig(draft, format=kind, dpi=160, facecolor="white", metadata=undated.get(kind))


def _changes(result: Result) -> str:
    """The parameters that are not at their default, but for the classes."""
    values = result.learner.get_params()
    changed = [f.name for f in fields(result.learner) if f.init and f.name != "classes" and values[f.name] != f.default]
    return " ".join(f"{name}={values[name]}" for name in changed)


def _common_title(results: Sequence[Result]) -> str:
    """The stream and the feedback of most results; a curve of another one says so itself."""
    stream, channel = map(_most_common, _streams_and_channels(results))
    return f"{stream}, {channel} feedback"


def _streams_and_channels(results: Sequence[Result]) -> tuple[list[str], list[str]]:
    return [str(r.stream["name"]) for r in results], [channel_text(r.channel) for r in results]


def _most_common(texts: Sequence[str]) -> str:
    return Counter(texts).most_common(1)[0][0]


def _short(rounds: float) -> str:
    """1000 as 1k, a million as 1M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rounds >= size:
            return f"{rounds / size:g}{letter}"
    return f"{rounds:g}"
