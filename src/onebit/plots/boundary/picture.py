"""Pictures of decision boundaries: which class a learner predicts where, on a plane of two features.

Drawn with matplotlib's objects, never with pyplot: no backend is chosen and no global state is touched.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from onebit.core.aliases import Label
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError
from onebit.engine.played import Played
from onebit.plots.boundary.panels import Scene, draw_contours, draw_partition
from onebit.plots.boundary.plane import (
    Plane,
    Sample,
    check_drawable,
    partition,
    plane_through,
    sample,
    scores_on,
)
from onebit.plots.result_names import result_names, usual_play
from onebit.plots.style import GREY, INK, check_format, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMNS = 3
_HEADROOM = 0.85
_FOOTROOM = 0.6


def plot_boundaries(
    results: Sequence[Played],
    path: str | os.PathLike[str] | None = None,
    *,
    label: Label | None = None,
    axes: tuple[int, int] = (0, 1),
    at: ArrayLike | None = None,
    seed: int | None = None,
    points: int = 2000,
    title: str | None = None,
) -> Figure:
    """A panel for each result: the plane in the pale colours of the classes predicted, and rows in their true ones.

    Rows may have more than the two features of `axes`: the others are held at the values in `at` (one number per
    feature) or else at the mean of the rows drawn, and the figure says so. Where a stream is mapped, the plane is
    that of the features before the map. `points` rows of the stream are drawn, from the play of `seed` (default:
    each result's first), whose learner is shown. Where all of them lie in the unit ball, so does the picture.

    `label` adds a panel for each result: the lead of that class over the best other as filled contours, or its
    score itself where the learner says that 0 divides. Written if there is a path (.svg, .png, .pdf).

    >>> import onebit
    >>> iris = onebit.streams.load("iris")
    >>> results = [onebit.simulate(learner(iris.classes), iris) for learner in (onebit.Perceptron, onebit.Banditron)]
    >>> [axes.get_title(loc="left") for axes in plot_boundaries(results, axes=(2, 3)).axes]
    ['perceptron', 'banditron (bit)']
    """
    from matplotlib.figure import Figure

    if not results:
        raise ConfigError("results=[]: give at least one result to plot")
    target = None if path is None else check_format(path)
    points = check_whole("points", points)
    codes = [_code_of(result, label) for result in results]
    scenes = [
        _scene(result, name, axes, at, seed, points)
        for result, name in zip(results, result_names(results), strict=True)
    ]
    columns = 2 if label is not None else min(len(scenes), _COLUMNS)
    rows = len(scenes) if label is not None else -(-len(scenes) // columns)
    inches = {1: 4.6, 2: 4.0}.get(columns, 3.2)
    ratio = max(scene.plane.ratio for scene in scenes)
    size = (columns * (inches + 0.75) + 0.6 * (label is not None), rows * (inches * ratio + _HEADROOM) + _FOOTROOM)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.add_gridspec(rows, columns)
    for place, (scene, code) in enumerate(zip(scenes, codes, strict=True)):
        if code is None:
            draw_partition(figure.add_subplot(grid[place // columns, place % columns]), scene, inches)
        else:
            draw_partition(figure.add_subplot(grid[place, 0]), scene, inches)
            draw_contours(figure, figure.add_subplot(grid[place, 1]), scene, code, inches)
    figure.suptitle(title if title is not None else _title(results, seed), x=0.012, ha="left", color=INK, fontsize=12)
    most = max(len(scene.rows.X) for scene in scenes)
    note = f"fill: the class predicted; points: {most:,} rows, in the colour of their true class"
    note = textwrap.fill(note + _held(scenes[0].plane, at is None), int(size[0] * 15.5))
    figure.supxlabel(note, x=0.012, ha="left", color=GREY, fontsize=8.5)
    if target is not None:
        save_figure(figure, target)
    return figure


def _code_of(result: Played, label: Label | None) -> int | None:
    if label is None:
        return None
    classes = list(result.learner.classes)
    if label not in classes:
        shown = ", ".join(repr(known) for known in classes[:10]) + (", ..." if len(classes) > 10 else "")
        raise ConfigError(f"label={label!r}: {result.learner.name} has no such class; its classes are {shown}")
    return classes.index(label)


def _scene(result: Played, name: str, axes: Any, at: Any, seed: int | None, points: int) -> Scene:
    """All that the panels of one result show."""
    raw, chosen = check_drawable(result.source, axes)
    stream = result.source
    assert stream is not None
    seed = result.seeds[0] if seed is None else seed
    if seed not in result.seeds:
        raise ConfigError(f"seed={seed!r}: this result has the seeds {', '.join(map(str, result.seeds))}")
    learner = result.learners[result.seeds.index(seed)]
    if getattr(learner.functions, "score", None) is None:
        raise ConfigError(f"learner={learner!r}: has no scores to draw; give its `functions` a `score`")
    rows = sample(raw, seed, points)
    numbers = {label: k for k, label in enumerate(learner.classes)}
    rows = Sample(rows.X, np.array([numbers[label] for label in raw.classes])[rows.codes])
    plane = plane_through(rows.X, chosen, at)
    scores = scores_on(plane, learner, stream)
    right = float(np.mean(np.argmax(learner.scores(stream.through_map(rows.X)), axis=1) == rows.codes))
    return Scene(name, learner, plane, rows, right, scores, partition(scores))


def _title(results: Sequence[Played], seed: int | None) -> str:
    """Stream and feedback of most results, and after how many rounds; a panel of another one says so itself."""
    shown = [result.traces[0 if seed is None else result.seeds.index(seed)] for result in results]
    played = {int(trace.rounds[-1]) for trace in shown}
    rounds = f"{min(played):,}" + (f" to {max(played):,}" if len(played) > 1 else "")
    return f"{usual_play(results)}, after {rounds} rounds"


def _held(plane: Plane, at_mean: bool) -> str:
    """Where the other features are held."""
    others = [i for i in range(len(plane.at)) if i not in plane.axes]
    if not others:
        return ""
    values = ", ".join(f"feature {i} at {plane.at[i]:.3g}" for i in others[:3])
    if len(others) > 3:
        values = f"the other {len(others)} features at " + ("their mean" if at_mean else "the values given")
    return f"; held: {values}" + (" (the mean)" if at_mean and len(others) <= 3 else "")
