"""Figure 5: the error of MC-DBF against m, at a constant exploration rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.aliases import Label
from onebit.core.readable_numbers import percent
from onebit.learners.mcdbf import MCDBF
from onebit.papers.base import Experiment, Findings, Row, judged
from onebit.papers.mc_dbf.claims import SLACK, rising
from onebit.papers.mc_dbf.pictures import add_legend, panels
from onebit.papers.mc_dbf.settings import FEATURES, IMAGES, PAPER, STAND_INS, TITLES, image_sweep
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


def growth_row(stream: str, gamma: float, errors: list[float], missed: list[float]) -> Row:
    """Whether the greedy error rises with m, all the way.

    >>> growth_row("mnist", 0.25, [0.3, 0.5, 0.6, 0.7, 0.7, 0.6, 0.4, 0.3], [0.4] * 8).why
    'first falls at m = 7, highest at m = 5; the variance of the estimate, γ^-min(m, K-m), is worst at m = 5; ...
    """
    holds = rising(errors)
    shape = f"{_shape(errors)}; the variance of the estimate, γ^-min(m, K-m), is worst at m = 5; "
    return Row(
        f"{TITLES[stream]}: error rises with m at γ = {gamma:g} (no fall of more than a point)",
        "rises with m",
        f"{', '.join(f'{100 * error:.1f}' for error in errors)} % for m = {M[0]} to {M[-1]}",
        judged(holds),
        f"{'' if holds else shape}sets that miss: {percent(missed[0])} at m = {M[0]}, {percent(missed[-1])} at "
        f"m = {M[-1]}; {FEATURES[stream]}",
    )


def _shape(errors: Sequence[float]) -> str:
    """Where the error first falls, and where it is highest."""
    highest = np.maximum.accumulate(errors)
    falls = [m for m, error, most in zip(M, errors, highest, strict=True) if error < most - SLACK]
    top = M[errors.index(max(errors))]
    return f"first falls at m = {falls[0]}, highest at m = {top}" if falls else "does not rise"


def findings(results: Results, full: bool) -> Findings:
    """A row per data set and γ, and the picture."""
    places = [(stream, gamma) for stream in IMAGES for gamma in GAMMAS]
    seen = {(stream, gamma): effect(results.entry("MC-DBF", stream), gamma) for stream, gamma in places}
    return Findings(tuple(growth_row(*place, *each) for place, each in seen.items()), {"fig5": picture(seen)})


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
    about=f"The error of MC-DBF after all rounds, for m = 2 to 9 of 10 classes, at constant γ. {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(0.7, 18.0),
    needs=IMAGES,
)
