"""The picture of Table 1: our errors and updates beside the printed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.papers.molg.claims import Measured, Printed
from onebit.papers.molg.settings import COLOUR, PaperGraph
from onebit.plots.style import GREY, INK, plain_axes, short_rounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEARNERS = ("GPA", "MSG", "OSLG", "MOLG-F", "Banditron", "OSLG-Bandit", "MOLG-B", "PageRankUCB")


def picture(found: Mapping[PaperGraph, Mapping[str, Measured]], printed: Mapping[str, Mapping[str, Printed]]) -> Figure:
    """A column per graph, errors above and updates below; a filled dot is ours, an open one printed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.2 + 2.6 * len(found), 6.6), layout="constrained")
    grid = figure.subplots(2, len(found), sharey=True, squeeze=False)
    open_dot: dict[str, Any] = {"fmt": "o", "color": GREY, "markerfacecolor": "white", "markersize": 6, "zorder": 2}
    for column, (graph, ours) in zip(grid.T, found.items(), strict=True):
        for place, name in enumerate(LEARNERS):
            said = printed[graph.name].get(name)
            if said is not None:
                column[0].errorbar(said.error, place, xerr=said.deviation, **open_dot)
                column[1].errorbar(said.updates, place, **open_dot)
            for axes, values in zip(column, (ours[name].errors, ours[name].updates), strict=True):
                reach = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
                mean = float(np.mean(values))
                axes.errorbar(mean, place, xerr=reach, fmt="o", color=COLOUR[name], markersize=6, zorder=3)
        _name(column, graph)
    names = [f"{name} (ours)" if name == "PageRankUCB" else name for name in LEARNERS]
    for axes in grid[:, 0]:
        axes.set_yticks(range(len(LEARNERS)), names, color=INK)
        axes.set_ylim(len(LEARNERS) - 0.5, -0.5)
    figure.suptitle("Table 1: filled, measured here (± one deviation); open, printed", x=0.01, ha="left", color=INK)
    return figure


def _name(column: Sequence[Axes], graph: PaperGraph) -> None:
    errors, updates = column
    errors.set_title(graph.name, loc="left", color=INK, fontsize=11, pad=18)
    note = "the paper's graph" if graph.exact else f"stand-in {graph.data}"
    errors.annotate(
        note, (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points", fontsize=8.5, color=GREY
    )
    errors.set_xlabel("error (%)", color=INK)
    updates.set_xlabel("updates", color=INK)
    updates.xaxis.set_major_formatter(lambda count, at: short_rounds(count))
    for axes in column:
        plain_axes(axes)
        axes.set_xlim(left=0)
