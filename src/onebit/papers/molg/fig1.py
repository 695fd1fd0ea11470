"""Figure 1: error against the ratio of updates, as the margin φ grows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.learners.molgf import MOLGF
from onebit.learners.msg import MSG
from onebit.learners.oslg import OSLG
from onebit.papers.base import Experiment, Findings, Row, at_length, judged
from onebit.papers.molg.claims import CLAIMS, difference
from onebit.papers.molg.settings import COAUTHOR, COLOUR, COMPARED, CORA, PAPER, PUBMED, PaperGraph
from onebit.plots.style import GREY, INK, plain_axes
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import Configuration, EntryResult, Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PHIS = tuple(float(10 ** (exponent / 4)) for exponent in range(-8, 5))
"""From 0.01 to 10, four in every decade."""

GRAPHS = (COAUTHOR, CORA, PUBMED)


class Trade(NamedTuple):
    """What one learner pays: φ, and for each seed (row) and φ (column) the error and the share of rounds it learned in.

    Both are in percent. OSLG has no φ, and one column.
    """

    phis: FloatArray
    errors: FloatArray
    ratios: FloatArray


def sweep(full: bool) -> Sweep:
    """Every φ for MOLG-F and MSG, and OSLG, 20 passes over each graph, quick or full; nothing is chosen."""
    parts = []
    for graph in GRAPHS:
        stream = graph.stream()
        b = graph.b
        arms = [
            Arm(MOLGF(stream.classes, b=b), {"phi": PHIS}, name="MOLG-F"),
            Arm(MSG(stream.classes, b=b), {"phi": PHIS}, name="MSG"),
            Arm(OSLG(stream.classes, b=b), name="OSLG"),
        ]
        parts.append(Sweep.cross(arms, stream, seeds=20, tune_seeds=0))
    return reduce(add, parts)


def findings(results: Results, full: bool) -> Findings:
    """What the text says of the figure, on each graph, and the picture."""
    found = {
        graph: {arm: trade(results.entry(arm, graph.stream_name())) for arm in ("MOLG-F", "MSG", "OSLG")}
        for graph in GRAPHS
    }
    runs = {
        graph: [one.search for one in results.entry("MOLG-F", graph.stream_name()).configurations] for graph in GRAPHS
    }
    rows = [
        at_length(graph.row(row), runs[graph]) for graph, trades in found.items() for row in claim_rows(graph, trades)
    ]
    return Findings(tuple(rows), {"fig1": picture(found)})


def trade(entry: EntryResult) -> Trade:
    """An entry's errors and ratios; a lesson counts two updates, and OSLG's one for every class."""
    counted = entry.classes if entry.learner == "oslg" else 2

    def ratios(one: Configuration) -> FloatArray:
        share: FloatArray = 100 * one.search.updates[:, -1] / (counted * one.search.rounds[-1])
        return share

    ones = entry.configurations
    return Trade(
        np.array([float(one.parameters.get("phi", np.nan)) for one in ones]),
        np.column_stack([100 * one.search.errors for one in ones]),
        np.column_stack([ratios(one) for one in ones]),
    )


def claim_rows(graph: PaperGraph, trades: Mapping[str, Trade]) -> list[Row]:
    """MOLG-F beside MSG, beside OSLG, and what φ does to the updates."""
    ours, msg, oslg = (trades[name] for name in ("MOLG-F", "MSG", "OSLG"))
    return [_beside_msg(graph, ours, msg), _beside_oslg(graph, ours, oslg), *_effects(graph, ours, oslg)]


def _beside_msg(graph: PaperGraph, ours: Trade, msg: Trade) -> Row:
    """At the same φ, where the two learn about as often."""
    each = [difference(ours.errors[:, at], msg.errors[:, at]) for at in range(len(ours.phis))]
    mean = difference(ours.errors.mean(axis=1), msg.errors.mean(axis=1))
    lower = sum(one.mean < 0 for one in each)
    above = sum(one.low > 0 for one in each)
    apart = np.abs(ours.ratios.mean(axis=0) - msg.ratios.mean(axis=0)).max()
    return Row(
        f"{graph.title}: MOLG-F has a lower error than MSG whatever the ratio of updates",
        "consistently",
        f"lower at {lower} of {len(each)} values of φ; over all {mean} points",
        judged(mean.below and not above),
        f"the two differ by one weight, and their ratios at the same φ by at most {apart:.1f} points",
    )


def _beside_oslg(graph: PaperGraph, ours: Trade, oslg: Trade) -> Row:
    below = [difference(ours.errors[:, at], oslg.errors[:, 0]).below for at in range(len(ours.phis))]
    error = oslg.errors.mean()
    ratio = oslg.ratios.mean()
    why = "" if all(below) else "with small φ both learn from mistakes, and MOLG-F makes more"
    if any(below) and why:
        first = below.index(True)
        why += f"; it is ahead from φ = {ours.phis[first]:.2g} on ({ours.ratios[:, first].mean():.0f} % of rounds)"
    return Row(
        f"{graph.title}: MOLG-F has a lower error than OSLG whatever the ratio of updates",
        "consistently",
        f"OSLG {error:.2f} %, learning in {ratio:.0f} % of rounds; MOLG-F lower at {sum(below)} of {len(below)} values",
        judged(all(below)),
        why,
    )


def _effects(graph: PaperGraph, ours: Trade, oslg: Trade) -> list[Row]:
    ratios = ours.ratios.mean(axis=0)
    errors = ours.errors.mean(axis=0)
    steps = [difference(ours.ratios[:, at + 1], ours.ratios[:, at]) for at in range(len(ratios) - 1)]
    grows = difference(ours.ratios[:, 0], ours.ratios[:, -1]).below and not any(step.below for step in steps)
    helped = difference(ours.errors[:, -1], ours.errors[:, 0])
    return [
        Row(
            f"{graph.title}: a smaller φ makes fewer updates",
            "fewer",
            f"{ratios[-1]:.0f} % of rounds at φ = {ours.phis[-1]:g}, {ratios[0]:.0f} % at {ours.phis[0]:g}",
            judged(grows),
        ),
        Row(
            f"{graph.title}: labels of low confidence are worth learning from",
            "informative",
            f"{errors[-1]:.2f} % at φ = {ours.phis[-1]:g}, {errors[0]:.2f} % at {ours.phis[0]:g}",
            judged(helped.below),
        ),
    ]


def picture(found: Mapping[PaperGraph, Mapping[str, Trade]]) -> Figure:
    """Error over the share of rounds that taught; the lines go from small φ on the left to large on the right."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(0.8 + 3.6 * len(found), 4.0), layout="constrained")
    grid = figure.subplots(1, len(found), squeeze=False)[0]
    for axes, (graph, trades) in zip(grid, found.items(), strict=True):
        for name, each in trades.items():
            line = "s" if name == "OSLG" else "o-"
            axes.plot(
                each.ratios.mean(axis=0), each.errors.mean(axis=0), line, color=COLOUR[name], markersize=4.5, label=name
            )
        _name_phis(axes, trades["MOLG-F"])
        axes.set_title(graph.title, loc="left", color=INK, fontsize=11)
        axes.set_xlabel("rounds that taught (%)", color=INK)
        axes.margins(y=0.1)
        plain_axes(axes)
    grid[0].set_ylabel("error (%)", color=INK)
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def _name_phis(axes: Axes, ours: Trade) -> None:
    """The smallest φ, 1, and the largest."""
    for at, place, side in (
        (0, (8, 4), "left"),
        (PHIS.index(1.0), (8, 4), "left"),
        (len(ours.phis) - 1, (4, -14), "right"),
    ):
        point = ours.ratios[:, at].mean(), ours.errors[:, at].mean()
        text = f"φ = {ours.phis[at]:g}"
        axes.annotate(text, point, place, textcoords="offset points", ha=side, fontsize=8.5, color=GREY)


EXPERIMENT = Experiment(
    id="molg/fig1",
    paper=PAPER,
    title="Error against the ratio of updates",
    about=(
        "MOLG-F and MSG for φ from 0.01 to 10, and OSLG, which learns from mistakes only: error against the share of "
        "rounds that taught (the paper does not define its ratio). 20 passes over Cora, PubMed and dblp_coauthor, "
        f"which stands in for Coauthor, {COMPARED}; quick and full are the same. {CLAIMS}"
    ),
    sweep=sweep,
    findings=findings,
    minutes=(0.3, 0.1),
    whole=True,
    needs=tuple(graph.data for graph in GRAPHS),
)
