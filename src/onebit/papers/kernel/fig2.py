"""Figure 2: the data set, nine classes in three groups of the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.papers.base import Experiment, Findings, Row
from onebit.papers.kernel.fig3 import HEADINGS, LAYOUTS
from onebit.papers.kernel.settings import CLASSES, GROUPS, MARGIN, PAPER, UNPUBLISHED, plane
from onebit.plots.style import COLOURS, GREY, INK, plain_axes
from onebit.streams.synthetic.group_separable import GroupSeparable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS = 3_000
"""So many rows are drawn, and looked at."""

_MARKS = "os^"
"""Of the classes of a group."""


def findings(results: Any, full: bool) -> Findings:
    """A row per layout, and the picture; nothing is played."""
    streams = {layout: plane(layout) for layout in LAYOUTS}
    rows = tuple(layout_row(layout, stream) for layout, stream in streams.items())
    return Findings(rows, {"fig2": picture(streams)})


def least_margin(stream: GroupSeparable) -> float:
    """The least distance of any row from a boundary of its class, as the definition measures it.

    >>> least_margin(plane("perp")) >= MARGIN
    True
    """
    X, codes = _rows(stream)
    scores = X @ stream.u.T
    group = np.asarray(stream.groups)[codes]
    own = scores[np.arange(len(X)), group]
    scores[np.arange(len(X)), group] = -np.inf
    between = float((own - scores.max(axis=1)).min())
    heights = np.einsum("nd,nd->n", X, stream.u_prime[group])
    inside = [
        float(np.abs(heights[group == g] - cut).min()) for g, cuts in enumerate(stream.thresholds) for cut in cuts
    ]
    return min(between, *inside)


def layout_row(layout: str, stream: GroupSeparable) -> Row:
    """What our sample is, beside what the paper says of its own."""
    return Row(
        f"{layout}: rows in the plane, group weakly separable",
        f"{CLASSES} classes in {GROUPS} groups, margin {MARGIN:g}",
        f"{len(stream.classes)} classes in {len(set(stream.groups))} groups, least margin {least_margin(stream):.5f}",
        "not comparable",
        UNPUBLISHED,
        f"{ROWS:,} rows looked at",
    )


def picture(streams: dict[Any, GroupSeparable]) -> Figure:
    """The rows of each layout: the colour says the group, the mark the class inside it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.6, 4.6), layout="constrained")
    for axes, (layout, stream) in zip(figure.subplots(1, len(streams)), streams.items(), strict=True):
        X, codes = _rows(stream)
        for c, group in enumerate(stream.groups):
            own = X[codes == c]
            mark = _MARKS[stream.groups[:c].count(group) % len(_MARKS)]
            axes.scatter(*own.T, s=7, marker=mark, color=COLOURS[group], linewidths=0)
        axes.set_title(HEADINGS[layout], loc="left", color=INK, fontsize=12)
        axes.set_aspect("equal")
        plain_axes(axes)
    note = "colour: the group; mark: the class inside it"
    figure.supxlabel(note, x=0.01, ha="left", color=GREY, fontsize=9)
    return figure


def _rows(stream: GroupSeparable) -> tuple[Any, Any]:
    """The first rows of seed 0, and their classes."""
    window = next(iter(stream.windows(0, ROWS)))
    return window.X[window.order].copy(), window.y[window.order].copy()


EXPERIMENT = Experiment(
    id="kernel/fig2",
    paper=PAPER,
    title="The data set",
    about=(
        "Rows in the plane of nine classes in three groups, group weakly separable with margin .005. The paper's "
        "sample is not published; three layouts of the classes inside a group are drawn, which Figure 3 plays."
    ),
    sweep=None,
    findings=findings,
    minutes=(0.1, 0.1),
)
