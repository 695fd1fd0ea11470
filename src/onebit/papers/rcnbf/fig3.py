"""Figure 3: the error of RCINE against its exploration γ on MNIST, in five kinds of noise."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.readable_numbers import percent
from onebit.learners.rcine import RCINE
from onebit.noise.nrest import NREst
from onebit.papers.base import Experiment, Findings, Row, at_length
from onebit.papers.rcnbf.settings import N_S, PAIRS, PAPER, TITLES, Pair, channel, feedback, pair_text, rows_of
from onebit.plots.style import COLOURS, INK, plain_axes, spread_out
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUICK_GAMMAS = (2**-7, 2**-6, 2**-5, 2**-4, 2**-3, 2**-2, 0.45)
FULL_GAMMAS = (2**-10, 2**-9, 2**-8, *QUICK_GAMMAS)
"""The paper asks for γ below 0.5, and does not say which it tried."""

DATA = "digits"


def sweep(full: bool) -> Sweep:
    """RCINE with every γ in every kind of noise, on the seeds that are reported."""
    gammas, rounds, N_s = (FULL_GAMMAS, 1_000_000, N_S) if full else (QUICK_GAMMAS, 60_000, 10_000)
    stream = rows_of(DATA)
    arm = Arm(RCINE(stream.classes, N_s=N_s, estimator=NREst()), {"gamma": gammas}, "RCINE")
    return reduce(add, (Sweep.cross([arm], stream, channel(pair), rounds, 2, tune_seeds=0) for pair in PAIRS))


def findings(results: Results, full: bool) -> Findings:
    """A row per kind of noise, and the figure."""
    entries = {pair: results.entry("RCINE", DATA, feedback(pair)) for pair in PAIRS}
    rows = [
        at_length(noise_row(pair, entry), [one.search for one in entry.configurations])
        for pair, entry in entries.items()
    ]
    return Findings(tuple(rows), {"fig3": picture(entries)})


def noise_row(pair: Pair, entry: EntryResult) -> Row:
    """The γ with the least error, which the paper shows and does not print."""
    gammas, errors = _errors_by_gamma(entry)
    gamma, error = _best(entry)
    return Row(
        f"{pair_text(pair)}: the γ with the least error",
        "a curve, no number printed",
        f"γ = {gamma:g}: {percent(error)}; {percent(errors[0])} at γ = {gammas[0]:g}, {percent(errors[-1])} at γ = "
        f"{gammas[-1]:g}",
        "not comparable",
        "neither the numbers nor the rounds are printed",
    )


def _errors_by_gamma(entry: EntryResult) -> tuple[list[float], list[float]]:
    """The values of γ, and the mean error of each."""
    gammas = [float(one.parameters["gamma"]) for one in entry.configurations]
    return gammas, [float(one.search.errors.mean()) for one in entry.configurations]


def _best(entry: EntryResult) -> tuple[float, float]:
    gammas, errors = _errors_by_gamma(entry)
    at = int(np.argmin(errors))
    return gammas[at], errors[at]


def picture(entries: dict[Pair, EntryResult]) -> Figure:
    """Error against γ, a line per kind of noise, its least value marked."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.add_subplot()
    ends = []
    for (pair, entry), colour in zip(entries.items(), COLOURS, strict=False):
        gammas, errors = _errors_by_gamma(entry)
        spans = np.array([[one.search.errors.min(), one.search.errors.max()] for one in entry.configurations]).T
        axes.fill_between(gammas, *spans, color=colour, alpha=0.16, linewidth=0)
        axes.plot(gammas, errors, "o-", color=colour, linewidth=1.7, markersize=3.5)
        axes.plot(*_best(entry), "o", color=colour, markersize=8, markerfacecolor="white", markeredgewidth=1.8)
        ends.append((errors[-1], f"{pair_text(pair)}  best {percent(_best(entry)[1])}", colour))
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    axes.set_xlabel("exploration γ", color=INK)
    axes.set_ylabel("played error", color=INK)
    for (_, text, colour), place in zip(ends, spread_out([end for end, _, _ in ends], 0.06), strict=True):
        axes.text(1.02, place, text, color=colour, fontsize=9.5, va="center", transform=axes.transAxes)
    first = next(iter(entries.values()))
    seeds = len(first.configurations[0].search)
    title = f"RCINE on {TITLES[DATA]}, {first.rounds:,} rounds, flip rates (ρ0, ρ1): mean and range of {seeds} seeds"
    figure.suptitle(title, x=0.01, ha="left", color=INK, fontsize=11)
    plain_axes(axes)
    return figure


EXPERIMENT = Experiment(
    id="rcnbf/fig3",
    paper=PAPER,
    title="Error of RCINE against γ",
    about=(
        "Played error of RCINE on the 8 x 8 digits (by 'MNIST from UCI' the paper probably means these) for γ "
        "from 2^-10 to 0.45 in five kinds of noise: a million rounds on 2 seeds, NREst, with logistic regression "
        "in place of its network, every 50,000."
    ),
    sweep=sweep,
    findings=findings,
    minutes=(0.5, 1.6),
)
