"""Figure 3: the error of RCINE against its exploration γ on MNIST, in five kinds of noise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from onebit.core.readable_numbers import percent
from onebit.learners.rcine import RCINE
from onebit.noise.nrest import NREst
from onebit.papers.base import Experiment, Findings, Row, judged
from onebit.papers.rcnbf.settings import PAIRS, PAPER, Pair, channel, feedback, pair_text, rows_of
from onebit.plots.style import COLOURS, INK, plain_axes, spread_out
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUICK_GAMMAS = (2**-7, 2**-6, 2**-5, 2**-4, 2**-3, 2**-2, 0.45)
FULL_GAMMAS = (2**-10, 2**-9, 2**-8, *QUICK_GAMMAS)
"""The paper asks for γ below 0.5, and does not say which it tried."""

_PRINTED = "a curve with a least error, no number printed"


def sweep(full: bool) -> Sweep:
    """RCINE with every γ in every kind of noise, on the seeds that are reported."""
    gammas, rounds, N_s, seeds = (FULL_GAMMAS, 1_000_000, 20_000, 10) if full else (QUICK_GAMMAS, 60_000, 10_000, 3)
    stream = rows_of("mnist")
    arm = Arm(RCINE(stream.classes, N_s=N_s, estimator=NREst()), {"gamma": gammas}, "RCINE")
    return reduce(add, (Sweep.cross([arm], stream, channel(pair), rounds, seeds, tune_seeds=0) for pair in PAIRS))


def grows(values: Sequence[float]) -> bool:
    """Whether no value is smaller than the one before, and the last is larger than the first.

    >>> grows([1, 2, 2, 3]), grows([1, 3, 2]), grows([2, 2])
    (True, False, False)
    """
    return bool(np.all(np.diff(values) >= 0)) and values[-1] > values[0]


def findings(results: Results, full: bool) -> Findings:
    """A row per kind of noise, two across them, and the figure."""
    entries = {pair: results.entry("RCINE", "mnist", feedback(pair)) for pair in PAIRS}
    rows = [_noise_row(pair, entry) for pair, entry in entries.items()]
    by_noise = sorted(entries, key=sum)
    bests = {pair: _best(entries[pair]) for pair in by_noise}
    rows.append(
        Row(
            "the error at the best γ grows with the noise ρ0 + ρ1",
            "grows, as its bound does, like 1/β",
            "; ".join(f"{pair_text(pair)} {percent(error)}" for pair, (_, error) in bests.items()),
            judged(grows(_by_sum({pair: error for pair, (_, error) in bests.items()}))),
        )
    )
    rows.append(
        Row(
            "the best γ grows with the noise",
            "γ = O(T^(-1/3)/β) is best for its bound",
            "; ".join(f"{pair_text(pair)} γ = {gamma:g}" for pair, (gamma, _) in bests.items()),
            judged(grows(_by_sum({pair: gamma for pair, (gamma, _) in bests.items()}))),
        )
    )
    return Findings(tuple(rows), {"fig3": picture(entries)})


def _by_sum(values: dict[Pair, float]) -> list[float]:
    """The means over pairs of equal ρ0 + ρ1, in the order of that sum."""
    sums = sorted({round(sum(pair), 6) for pair in values})
    return [float(np.mean([v for pair, v in values.items() if round(sum(pair), 6) == total])) for total in sums]


def _noise_row(pair: Pair, entry: EntryResult) -> Row:
    gammas, errors = _errors_by_gamma(entry)
    gamma, error = _best(entry)
    ends = f"{percent(errors[0])} at γ = {gammas[0]:g}, {percent(errors[-1])} at γ = {gammas[-1]:g}"
    holds = min(errors) < min(errors[0], errors[-1])
    return Row(
        f"{pair_text(pair)}: the error has its least value between the ends of the range of γ",
        _PRINTED,
        f"{percent(error)} at γ = {gamma:g}; {ends}",
        judged(holds),
        "" if holds else f"least at γ = {gamma:g}, an end of the range",
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
    title = f"RCINE on MNIST, {first.rounds:,} rounds, flip rates (ρ0, ρ1): mean and range of {seeds} seeds"
    figure.suptitle(title, x=0.01, ha="left", color=INK, fontsize=11)
    plain_axes(axes)
    return figure


EXPERIMENT = Experiment(
    id="rcnbf/fig3",
    paper=PAPER,
    title="Error of RCINE against γ",
    about="Played error of RCINE (NREst every 10,000 rounds, 20,000 in full mode) on MNIST for γ from 2^-7 (full: "
    "2^-10) to 0.45 in five kinds of noise. NREst has logistic regression in place of its network.",
    sweep=sweep,
    findings=findings,
    minutes=(1.1, 80.0),
    needs=("mnist",),
)
