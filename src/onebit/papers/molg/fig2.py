"""Figure 2: error and updates against d, the number of eigenvectors in a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.papers.base import Experiment, Findings, Row, at_length, judged
from onebit.papers.molg.claims import CLAIMS, difference
from onebit.papers.molg.settings import COAUTHOR, COLOUR, COMPARED, CORA, IMDB, PAPER, PaperGraph, arms
from onebit.plots.style import INK, plain_axes, short_rounds
from onebit.sweep.plan import Sweep
from onebit.sweep.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEARNERS = ("OSLG", "MOLG-F", "OSLG-Bandit", "MOLG-B")
RANKS = (10, 100, 250, 500, 750, 1000)
FILMS = IMDB._replace(data="wiki_movies")


class Ranked(NamedTuple):
    """What one learner did for each seed (row) and d (column): errors in percent, and updates; and what was tuned."""

    errors: FloatArray
    updates: FloatArray
    chosen: tuple[str, ...]


def plan(full: bool) -> dict[PaperGraph, tuple[int, ...]]:
    """The graphs and their d: all of the paper's, but for the films, up to 500 unless in full.

    Cora is no panel of the figure, but a graph of the paper, where it says that the same is seen.

    >>> [(graph.data, ranks[-1]) for graph, ranks in plan(False).items()]
    [('dblp_coauthor', 1000), ('cora', 1000), ('wiki_movies', 500)]
    """
    return {COAUTHOR: RANKS, CORA: RANKS, FILMS: RANKS if full else RANKS[:4]}


def sweep(full: bool) -> Sweep:
    """One pass over the nodes for every d, 10 times or 5; what is tuned in Table 1 is tuned for each."""
    parts = []
    for graph, widths in plan(full).items():
        for d in widths:
            stream = graph.stream(d)
            learners = arms(stream.classes, graph.b, LEARNERS)
            parts.append(Sweep.cross(learners, stream, seeds=10 if full else 5))
    return reduce(add, parts)


def findings(results: Results, full: bool) -> Findings:
    """What the text says of the figure, on each graph, and the picture."""
    ranks = plan(full)
    found = {graph: {name: ranked(results, name, graph, ranks[graph]) for name in LEARNERS} for graph in ranks}
    runs = {
        graph: [results.entry(name, graph.stream_name(d)).report for name in LEARNERS for d in ranks[graph]]
        for graph in ranks
    }
    rows = [
        at_length(graph.row(row), runs[graph])
        for graph, each in found.items()
        for row in claim_rows(graph, ranks[graph], each)
    ]
    return Findings(tuple(rows), {"fig2": picture(ranks, found)})


def ranked(results: Results, name: str, graph: PaperGraph, widths: Sequence[int]) -> Ranked:
    """What a learner did on a graph."""
    entries = [results.entry(name, graph.stream_name(d)) for d in widths]
    return Ranked(
        np.column_stack([100 * entry.report.errors for entry in entries]),
        np.column_stack([entry.report.updates[:, -1] for entry in entries]),
        tuple(entry.best.setting if entry.best else "" for entry in entries),
    )


def claim_rows(graph: PaperGraph, widths: Sequence[int], found: Mapping[str, Ranked]) -> list[Row]:
    """MOLG ahead of OSLG at every d, with labels and with bits; and how the updates go with d."""
    return [
        _ahead_row(graph, widths, found, "MOLG-F", "OSLG"),
        _ahead_row(graph, widths, found, "MOLG-B", "OSLG-Bandit"),
        _updates_row(graph, widths, found, "MOLG-B", grow=True),
        _updates_row(graph, widths, found, "MOLG-F", grow=False),
        _updates_row(graph, widths, found, "OSLG", grow=False),
    ]


def _ahead_row(graph: PaperGraph, widths: Sequence[int], found: Mapping[str, Ranked], lower: str, higher: str) -> Row:
    first = found[lower]
    second = found[higher]
    each = [difference(first.errors[:, at], second.errors[:, at]) for at in range(len(widths))]
    failed = [f"d = {d}: {one}" for d, one in zip(widths, each, strict=True) if not one.below]
    pairs = zip(first.errors.mean(axis=0), second.errors.mean(axis=0), strict=True)
    why = f"{lower} - {higher} at {'; '.join(failed)}" if failed else ""
    if failed and any(second.chosen):
        why += f"; {higher} is tuned to {_tuned(second)}, and {lower} has the paper's b = {graph.b:g}"
    return Row(
        f"{graph.title}: {lower} has a lower error than {higher}",
        "for every d",
        f"at d = {_listed(widths)}: {_listed(f'{a:.1f} / {b:.1f}' for a, b in pairs)} %",
        judged(not failed),
        why,
    )


def _updates_row(graph: PaperGraph, widths: Sequence[int], found: Mapping[str, Ranked], name: str, grow: bool) -> Row:
    ours = found[name]
    word = "more" if grow else "fewer"
    first = ours.updates[:, 0]
    last = ours.updates[:, -1]
    apart = difference(first, last) if grow else difference(last, first)
    return Row(
        f"{graph.title}: {name} makes {word} updates at d = {widths[-1]} than at {widths[0]}",
        f"{word} at higher d",
        f"at d = {_listed(widths)}: {_listed(f'{count:,.0f}' for count in ours.updates.mean(axis=0))}",
        judged(apart.below),
        f"tuned to {_tuned(ours)}" if any(ours.chosen) else "",
    )


def _tuned(found: Ranked) -> str:
    return _listed(found.chosen) if len(set(found.chosen)) > 1 else f"{found.chosen[0]} for every d"


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def picture(ranks: Mapping[PaperGraph, Sequence[int]], found: Mapping[PaperGraph, Mapping[str, Ranked]]) -> Figure:
    """A column per graph, errors above and updates below, over d."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(1.2 + 4.2 * len(found), 6.4), layout="constrained")
    grid = figure.subplots(2, len(found), sharex="col", squeeze=False)
    for at, (graph, learners) in enumerate(found.items()):
        for name, ours in learners.items():
            stroke = "o--" if name.startswith("OSLG") else "o-"
            for axes, values in zip(grid[:, at], (ours.errors, ours.updates), strict=True):
                axes.plot(ranks[graph], values.mean(axis=0), stroke, color=COLOUR[name], markersize=4.5, label=name)
        grid[0, at].set_title(graph.title, loc="left", color=INK, fontsize=11)
        grid[1, at].set_xlabel("d", color=INK)
        grid[1, at].set_xticks(ranks[graph])
        grid[1, at].set_ylim(bottom=0)
        grid[1, at].yaxis.set_major_formatter(FuncFormatter(lambda count, place: short_rounds(count)))
    for axes in grid.flat:
        plain_axes(axes)
    for axes, label in zip(grid[:, 0], ("error (%)", "updates"), strict=True):
        axes.set_ylabel(label, color=INK)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return figure


EXPERIMENT = Experiment(
    id="molg/fig2",
    paper=PAPER,
    title="The number of eigenvectors",
    about=(
        "Errors and updates of OSLG and MOLG-F, told every label, and of OSLG-Bandit and MOLG-B, told one bit, "
        "for rows of d = 10 to 1,000 eigenvectors; what is tuned is tuned for each d. For Coauthor and IMDB, "
        "which cannot be had, stand dblp_coauthor (co-authors in DBLP) and wiki_movies (films in Wikipedia of "
        f"IMDB's genres that share actors), {COMPARED}; Cora is the paper's own, where it says that the same is "
        f"seen. 5 passes, and d up to 500 for the films; in full 10 (the paper: 20), and every d. {CLAIMS}"
    ),
    sweep=sweep,
    findings=findings,
    minutes=(1.5, 2.8),
    needs=(COAUTHOR.data, CORA.data, FILMS.data),
)
