"""Figure 2 and Table 1: greedy error against the exploration rate, and the rate at which it is lowest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, Label
from onebit.core.readable_numbers import percent
from onebit.papers.base import Experiment, Findings, Row, at_length
from onebit.papers.mc_dbf.claims import interpolated
from onebit.papers.mc_dbf.pictures import MEASURES, add_legend, arm_style, panels
from onebit.papers.mc_dbf.settings import (
    FEATURES,
    IMAGES,
    PAPER,
    STAND_INS,
    TITLES,
    dilute_arms,
    image_sweep,
    soba_arm,
)
from onebit.plots.style import INK
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEARCHED = (0.005, 0.01, 0.02, 0.04, 0.08, 0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0)

TABLE_1 = {
    "SOBA": {"mnist": 0.02, "fashion_mnist": 0.1, "cifar10_features": 0.3},
    "MC-DBF m=2": {"mnist": 0.12, "fashion_mnist": 0.12, "cifar10_features": 0.28},
    "MC-DBF m=4": {"mnist": 0.12, "fashion_mnist": 0.2, "cifar10_features": 0.25},
    "MC-DBF m=6": {"mnist": 0.25, "fashion_mnist": 0.3, "cifar10_features": 0.3},
}
"""The paper's best γ, but for SVHN's."""


class Search(NamedTuple):
    """Of one arm on one data set: the rates played, and the mean errors over the seeds."""

    gammas: FloatArray
    greedy: FloatArray
    played: FloatArray


def searched(entry: EntryResult) -> Search:
    """What an entry's search saw."""
    found = entry.configurations
    return Search(
        np.array([each.parameters["gamma"] for each in found]),
        np.array([each.search.greedy_errors.mean() for each in found]),
        np.array([each.search.errors.mean() for each in found]),
    )


def gamma_row(stream: str, arm: str, search: Search) -> Row:
    """The γ with the lowest greedy error here, beside the printed one; on other features, no verdict.

    >>> search = Search(np.array([0.1, 1.0]), np.array([0.5, 0.3]), np.array([0.4, 0.9]))
    >>> gamma_row("mnist", "MC-DBF m=2", search).verdict
    'not comparable'
    """
    printed = TABLE_1[arm][stream]
    best = int(search.greedy.argmin())
    by_played = int(search.played.argmin())
    there = interpolated(printed, search.gammas, search.greedy)
    return Row(
        f"{TITLES[stream]}, {arm}: the best γ by greedy error",
        f"γ = {printed:g}",
        f"γ = {search.gammas[best]:g}: {percent(search.greedy[best])}; at the printed γ {percent(there)}",
        "not comparable",
        f"{FEATURES[stream]}; at our best γ {percent(search.played[best])} of plays miss, and by the played error the "
        f"best is {search.gammas[by_played]:g}",
    )


def sweep(full: bool) -> Sweep:
    """Every γ for MC-DBF and SOBA on the data sets of images."""

    def arms(classes: Sequence[Label]) -> list[Arm]:
        return [*dilute_arms(classes, SEARCHED), soba_arm(classes, SEARCHED)]

    return image_sweep(arms, full, tune=False)


def findings(results: Results, full: bool) -> Findings:
    """A row per entry of Table 1, and the picture."""
    entries = {(arm, stream): results.entry(arm, stream) for stream in IMAGES for arm in TABLE_1}
    found = {place: searched(entry) for place, entry in entries.items()}
    rows = [
        at_length(gamma_row(stream, arm, search), [one.search for one in entries[arm, stream].configurations])
        for (arm, stream), search in found.items()
    ]
    return Findings(tuple(rows), {"fig2": picture(found)})


def picture(found: dict[tuple[str, str], Search]) -> Figure:
    """Errors against γ; a dot at the lowest, a diamond where Table 1 puts it."""
    figure, grid = panels(IMAGES, "Searching γ: a dot at our lowest error, a diamond at the γ of Table 1", "γ")
    for at, stream in enumerate(IMAGES):
        for axes, measure in zip(grid[:, at], MEASURES, strict=True):
            for arm in TABLE_1:
                search = found[arm, stream]
                style = arm_style(arm)
                errors = search.greedy if measure == "greedy error" else search.played
                best = int(errors.argmin())
                printed = TABLE_1[arm][stream]
                axes.plot(search.gammas, errors, style.stroke, color=style.colour, linewidth=1.7, label=arm)
                axes.plot(search.gammas[best], errors[best], "o", color=style.colour, markersize=6)
                there = interpolated(printed, search.gammas, errors)
                axes.plot(printed, there, "D", color="white", markeredgecolor=style.colour, markersize=6, zorder=3)
            axes.set_xscale("log")
            axes.set_xticks([0.01, 0.1, 1.0], ["0.01", "0.1", "1"], color=INK)
    add_legend(figure, grid[0, 0])
    return figure


EXPERIMENT = Experiment(
    id="mc-dbf/fig2",
    paper=PAPER,
    title="Searching the exploration rate",
    about="Greedy error against γ for MC-DBF with m = 2, 4, 6 and SOBA, beside the best γ of Table 1. A million rounds "
    f"as in the paper, on 3 seeds (the paper: 10). {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(0.8, 5.2),
    needs=IMAGES,
)
