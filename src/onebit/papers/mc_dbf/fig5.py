"""Figure 5: the error of MC-DBF against m, at a constant exploration rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.aliases import Label
from onebit.core.readable_numbers import percent
from onebit.learners.mcdbf import MCDBF
from onebit.papers.base import Experiment, Findings, Row, at_length, elsewhere, judged
from onebit.papers.mc_dbf.claims import SLACK, rising
from onebit.papers.mc_dbf.pictures import add_legend, panels
from onebit.papers.mc_dbf.settings import FEATURES, IMAGES, PAPER, ROUNDS, STAND_INS, TITLES, image_sweep
from onebit.plots.style import COLOURS
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

M = tuple(range(2, 10))
GAMMAS = (0.12, 0.25, 0.5)
"""The paper does not say which constant γ it plays: these are of Table 1."""


def sweep(full: bool) -> Sweep:
    """Every m at every γ on the data sets of images; there is nothing to choose."""

    def arms(classes: Sequence[Label]) -> list[Arm]:
        return [Arm(MCDBF(classes), {"m": list(M), "gamma": list(GAMMAS)}, name="MC-DBF")]

    return image_sweep(arms, full, tune=False)


def effect(entry: EntryResult, gamma: float) -> tuple[list[float], list[float]]:
    """What an entry shows of m, at one γ: the mean greedy and played errors over the seeds, from the smallest m on."""
    found = [each for each in entry.configurations if each.parameters["gamma"] == gamma]
    runs = [each.search for each in sorted(found, key=lambda each: int(each.parameters["m"]))]
    return [float(r.greedy_errors.mean()) for r in runs], [float(r.errors.mean()) for r in runs]


def growth_row(stream: str, seen: Mapping[float, tuple[list[float], list[float]]]) -> Row:
    """Whether the greedy error rises with m, all the way, at one of the constant γ at least.

    >>> row = growth_row("mnist", {0.25: ([0.3, 0.5, 0.6, 0.7, 0.7, 0.6, 0.4, 0.3], [0.4] * 8)})
    >>> row.verdict, row.why[:54]
    ('does not reproduce', 'γ = 0.25: first falls at m = 7, highest at m = 5; sets')
    """
    rises = [gamma for gamma, (errors, _) in seen.items() if rising(errors)]
    shapes = [f"γ = {gamma:g}: {_shape(errors)}" for gamma, (errors, _) in seen.items() if gamma not in rises]
    missing = [f"{percent(missed[0])} to {percent(missed[-1])} at γ = {gamma:g}" for gamma, (_, missed) in seen.items()]
    return Row(
        f"{TITLES[stream]}: at a constant γ the error rises with m (no fall of more than a point)",
        "rises with m; which γ is not said",
        "; ".join(f"γ = {gamma:g}: {_percents(errors)} %" for gamma, (errors, _) in seen.items()),
        judged(bool(rises)),
        "; ".join([*shapes, f"sets that miss, m = {M[0]} to {M[-1]}: {', '.join(missing)}"]),
    )


def _percents(errors: Sequence[float]) -> str:
    return ", ".join(f"{100 * error:.1f}" for error in errors)


def _shape(errors: Sequence[float]) -> str:
    """Where the error first falls, and where it is highest."""
    highest = np.maximum.accumulate(errors)
    falls = [m for m, error, most in zip(M, errors, highest, strict=True) if error < most - SLACK]
    top = M[errors.index(max(errors))]
    return f"first falls at m = {falls[0]}, highest at m = {top}" if falls else "does not rise"


def findings(results: Results, full: bool) -> Findings:
    """A row per data set, and the picture."""
    entries = {stream: results.entry("MC-DBF", stream) for stream in IMAGES}
    seen = {(stream, gamma): effect(entry, gamma) for stream, entry in entries.items() for gamma in GAMMAS}
    rows = []
    for stream, entry in entries.items():
        row = growth_row(stream, {gamma: seen[stream, gamma] for gamma in GAMMAS})
        rows.append(at_length(elsewhere(row, FEATURES[stream]), [one.search for one in entry.configurations], ROUNDS))
    return Findings(tuple(rows), {"fig5": picture(seen)})


def picture(seen: Mapping[tuple[str, float], tuple[list[float], list[float]]]) -> Figure:
    """Errors against m, a line for each γ."""
    figure, grid = panels(IMAGES, "MC-DBF: the effect of m at a constant γ", "m")
    for at, stream in enumerate(IMAGES):
        for gamma, colour in zip(GAMMAS, COLOURS, strict=False):
            for axes, errors in zip(grid[:, at], seen[stream, gamma], strict=True):
                axes.plot(M, errors, "o-", color=colour, linewidth=1.7, markersize=4.5, label=f"γ = {gamma:g}")
                axes.set_xticks(M)
    add_legend(figure, grid[0, 0])
    return figure


EXPERIMENT = Experiment(
    id="mc-dbf/fig5",
    paper=PAPER,
    title="The effect of m",
    about="The error of MC-DBF after all rounds, for m = 2 to 9 of 10 classes, at constant γ; which, the "
    f"paper does not say. A million rounds as in the paper, on 3 seeds (the paper: 10). {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(0.7, 2.7),
    needs=IMAGES,
)
