"""Table 1: flip rates as RCINE estimates them, beside the printed ones and the true ones."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import add

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.learners.rcine import RCINE
from onebit.papers.base import Experiment, Findings, Row, at_length, beside, elsewhere
from onebit.papers.rcnbf.estimators import NAMES, OURS, estimators
from onebit.papers.rcnbf.settings import (
    GAMMA,
    N_S,
    PAPER,
    STAND_INS,
    TITLES,
    UNLIKE,
    Pair,
    channel,
    feedback,
    pair_text,
    rows_of,
)
from onebit.papers.rcnbf.table1_picture import picture
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results

PRINTED: dict[Pair, dict[str, Pair]] = {
    (0.0, 0.0): {"mnist": (0.063, 0.029), "usps": (0.017, 0.000), "fashion_mnist": (0.090, 0.004)},
    (0.15, 0.15): {"mnist": (0.172, 0.147), "usps": (0.181, 0.153), "fashion_mnist": (0.189, 0.140)},
    (0.25, 0.25): {"mnist": (0.248, 0.264), "usps": (0.258, 0.257), "fashion_mnist": (0.264, 0.259)},
    (0.2, 0.4): {"mnist": (0.211, 0.439), "usps": (0.194, 0.419), "fashion_mnist": (0.215, 0.393)},
    (0.4, 0.2): {"mnist": (0.400, 0.260), "usps": (0.393, 0.229), "fashion_mnist": (0.404, 0.222)},
    (0.4, 0.4): {"mnist": (0.403, 0.508), "usps": (0.402, 0.515), "fashion_mnist": (0.397, 0.502)},
}
"""The estimates (ρ̂0, ρ̂1) of the paper's Table 1, by the true rates and the data set."""

SETS = {"digits": "mnist", "usps": "usps", "fashion_mnist": "fashion_mnist", "mnist": "mnist"}
"""The data sets played, and whose printed estimates stand beside theirs."""

_TOO_SMALL = "ρ̂1 is too small: the classifier overfits its window"
_TOO_LARGE = "ρ̂1 is too large: classes overlap, so that no example is perfect"
_OTHER_RATE = "ρ̂0 is off by more than ρ̂1"


def length(full: bool) -> tuple[int, int, int]:
    """How many rounds, how many of them an estimate sees, and how many seeds.

    Three windows of 20,000 rounds, or two of 50,000: the last one was played with estimated rates.

    >>> length(True)
    (100000, 50000, 2)
    """
    return (2 * N_S, N_S, 2) if full else (60_000, 20_000, 3)


def sweep(full: bool) -> Sweep:
    """RCINE with each estimator, on every data set, under every pair of rates; there is nothing to tune."""
    rounds, N_s, seeds = length(full)
    parts = []
    for stream in map(rows_of, SETS):
        arms = [
            Arm(RCINE(stream.classes, gamma=GAMMA, N_s=N_s, estimator=estimator), name=name)
            for name, estimator in estimators(stream.name, full).items()
        ]
        parts.append(Sweep.cross(arms, stream, [channel(pair) for pair in PRINTED], rounds, seeds, tune_seeds=0))
    return reduce(add, parts)


def miss(errors: FloatArray) -> float:
    """The root mean square of the errors of both rates (one row per estimate).

    >>> round(miss(np.array([[0.03, 0.0], [0.0, 0.03]])), 3)
    0.021
    """
    return float(np.sqrt(np.mean(errors**2)))


def findings(results: Results, full: bool) -> Findings:
    """A row per pair of rates, and one for all of them, for each estimator and data set; the errors as a picture."""
    _, N_s, _ = length(full)
    played = {(entry.arm, entry.stream) for entry in results.entries}
    rows: list[Row] = []
    for estimator, name in product(NAMES, SETS):
        if (estimator, name) in played:
            entries = {pair: results.entry(estimator, name, feedback(pair)) for pair in PRINTED}
            rows += [pair_row(entry, pair, N_s) for pair, entry in entries.items()]
            rows.append(total_row(entries, N_s))
    tried = {name: [each for each in NAMES if (each, name) in played] for name in SETS}
    tried = {name: found for name, found in tried.items() if found}
    printed = {pair: {name: each[SETS[name]] for name in tried} for pair, each in PRINTED.items()}
    return Findings(tuple(rows), {"table1": picture(results, printed, tried)})


def pair_row(entry: EntryResult, pair: Pair, N_s: int) -> Row:
    """The estimates for one pair of rates; how far they are from the truth is judged by both rates together."""
    printed = np.array([PRINTED[pair][SETS[entry.stream]]])
    ours = entry.report.rates
    texts = _estimates_text(printed, pair), _estimates_text(ours, pair)
    what = f"{entry.arm}, {TITLES[entry.stream]}, truth {pair_text(pair)}"
    apart = ours - np.array(pair)
    return _row(what, texts, printed - np.array(pair), apart[:, None, :], entry, N_s)


def total_row(entries: dict[Pair, EntryResult], N_s: int) -> Row:
    """The root mean square error of each rate over all pairs; judged by that of both."""
    first = next(iter(entries.values()))
    printed = np.array([np.subtract(PRINTED[pair][SETS[first.stream]], pair) for pair in entries])
    ours = np.stack([entry.report.rates - np.array(pair) for pair, entry in entries.items()], axis=1)
    both = np.sqrt((printed**2).mean(axis=0)), np.sqrt((ours**2).mean(axis=(0, 1)))
    texts = _rates_text(both[0]), _rates_text(both[1])
    return _row(f"{first.arm}, {TITLES[first.stream]}, RMSE over the six pairs", texts, printed, ours, first, N_s)


def _row(what: str, texts: tuple[str, str], printed: FloatArray, ours: FloatArray, entry: EntryResult, N_s: int) -> Row:
    """The row, from the errors of the printed estimates (pair, rate) and of ours (seed, pair, rate)."""
    runs = [entry.report]
    if entry.arm == OURS:
        return at_length(Row(what, *texts, "ours"), runs)
    if (rounds := int(entry.report.rounds[-1])) < N_s:
        return at_length(Row(what, *texts, "too short", f"{rounds:,} rounds, and an estimate needs {N_s:,}"), runs)
    verdict = beside(miss(printed), [miss(each) for each in ours])
    why = ""
    if verdict == "higher than printed":
        why = reason(ours)
    row = Row(what, *texts, verdict, why)
    return at_length(elsewhere(row, UNLIKE[entry.stream]) if entry.stream in UNLIKE else row, runs)


def reason(errors: FloatArray) -> str:
    """Why estimates are off, by the rate that is off by more.

    >>> reason(np.array([[0.0, 0.1]])), reason(np.array([[0.1, 0.0]]))
    ('ρ̂1 is too large: classes overlap, so that no example is perfect', 'ρ̂0 is off by more than ρ̂1')
    """
    apart_0, apart_1 = errors.reshape(-1, 2).mean(axis=0)
    if abs(apart_0) > abs(apart_1):
        return _OTHER_RATE
    return _TOO_SMALL if apart_1 < 0 else _TOO_LARGE


def _estimates_text(rates: FloatArray, pair: Pair) -> str:
    return f"{_rates_text(rates.mean(axis=0))} (off by {miss(rates - np.array(pair)):.3f})"


def _rates_text(rates: FloatArray) -> str:
    return f"{rates[0]:.3f}, {rates[1]:.3f}"


EXPERIMENT = Experiment(
    id="rcnbf/table1",
    paper=PAPER,
    title="Estimated flip rates",
    about=(
        "RCINE's estimates of six pairs of flip rates, at γ = 0.03 as in the authors' code, the second window of "
        "50,000 rounds (quick: the third of 20,000). NREst is read per label, as we read the paper, or as the released "
        "code does; by logistic regression or, in full and where torch is installed, by the paper's network, of the "
        "authors' layers (without torch by scikit-learn's, as released alone). TailMoment is ours. Judged is how far "
        "the estimates are from the truth: the printed one, of one run, must lie within two standard errors of ours, "
        f"by our deviation. {STAND_INS}"
    ),
    sweep=sweep,
    findings=findings,
    minutes=(1.6, 17.0),
    needs=("mnist", "usps", "fashion_mnist"),
)
