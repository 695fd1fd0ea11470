"""Figures of many results: a grid of panels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from onebit.plots.curves import band_note, curve_styles, draw_curve, label_ends, set_scales
from onebit.plots.style import GREY, INK, Style, check_format, save_figure
from onebit.simulate.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANEL = (5.3, 3.4)


class Panel(NamedTuple):
    """Learning curves under one heading; `names` where the learners' own do not tell them apart."""

    heading: str
    results: Sequence[Result]
    names: Sequence[str] = ()

    @property
    def named(self) -> list[tuple[str, Result]]:
        """The curves with their names."""
        names = self.names or [str(result.settings["learner"]["name"]) for result in self.results]
        return list(zip(names, self.results, strict=True))


def panel_grid(
    grid: Sequence[Sequence[Panel]],
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
) -> Figure:
    """A figure with a panel of learning curves in each place of the grid.

    The panels of a row share their axes' limits; a learner has one colour everywhere. Written if there is a
    path (.svg, .png, .pdf).

    >>> import onebit
    >>> result = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(1000))
    >>> figure = panel_grid([[Panel("SynSep", [result]), Panel("again", [result])]])
    >>> [axes.get_title(loc="left") for axes in figure.axes]
    ['SynSep', 'again']
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    target = None if path is None else check_format(path)
    columns = max(len(row) for row in grid)
    size = (_PANEL[0] * columns, _PANEL[1] * len(grid) + 0.5)
    figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12))
    styles = _styles([curve for row in grid for panel in row for curve in panel.named])
    for at, row in enumerate(grid):
        shared = [result for panel in row for result in panel.results]
        for place, panel in enumerate(row):
            axes = figure.add_subplot(len(grid), columns, at * columns + place + 1)
            names = [name for name, _ in panel.named]
            for name, result in panel.named:
                draw_curve(axes, result, name, styles[name])
            set_scales(axes, shared)
            label_ends(axes, panel.results, names, [styles[name] for name in names], height=2.5)
            axes.set_title(panel.heading, loc="left", color=INK, fontsize=11.5)
            axes.set_xlabel("rounds" if at == len(grid) - 1 else "", color=INK)
            axes.set_ylabel("played error" if place == 0 else "", color=INK)
    figure.suptitle(title, x=0.01, ha="left", color=INK, fontsize=14)
    note = band_note([result for row in grid for panel in row for result in panel.results])
    figure.supxlabel(note, x=0.01, ha="left", color=GREY, fontsize=9)
    if target is not None:
        save_figure(figure, target)
    return figure


def _styles(curves: Sequence[tuple[str, Result]]) -> dict[str, Style]:
    """One style for each name, by its first result."""
    first = dict(reversed(curves))
    ordered = dict(reversed(first.items()))
    return dict(zip(ordered, curve_styles(list(ordered.values())), strict=True))
