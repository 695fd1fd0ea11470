"""Table 1: flip rates as RCINE estimates them, beside the printed ones and the true ones."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.learners.rcine import RCINE
from onebit.noise.nrest import NREst
from onebit.noise.tail_moment import TailMoment
from onebit.papers.base import Experiment, Findings, Row, Verdict
from onebit.papers.rcnbf.settings import PAPER, STAND_INS, TITLES, Pair, because, channel, feedback, pair_text, rows_of
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

ESTIMATORS = {"NREst": NREst(), "TailMoment": TailMoment()}
"""The paper's estimator, with logistic regression for its network, and ours."""

GAMMA = 0.2
MARGIN = 0.01
"""An error this much smaller than the printed one is clearly smaller; up to this much larger is as near."""

_TOO_SMALL = "ρ̂1 is too small: the classifier overfits its window"
_TOO_LARGE = "ρ̂1 is too large: classes overlap, so that no example is perfect"


def length(full: bool) -> tuple[int, int, int]:
    """How many rounds, how many of them an estimate sees, and how many seeds.

    Three windows of 20,000 rounds, or two of 60,000: the last one was played with estimated rates.

    >>> length(False)
    (60000, 20000, 3)
    """
    return (120_000, 60_000, 10) if full else (60_000, 20_000, 3)


def sweep(full: bool) -> Sweep:
    """RCINE with either estimator, on every data set, under every pair of rates; there is nothing to tune."""
    rounds, N_s, seeds = length(full)
    parts = []
    for stream in map(rows_of, TITLES):
        arms = [
            Arm(RCINE(stream.classes, gamma=GAMMA, N_s=N_s, estimator=estimator), name=name)
            for name, estimator in ESTIMATORS.items()
        ]
        parts.append(Sweep.cross(arms, stream, [channel(pair) for pair in PRINTED], rounds, seeds, tune_seeds=0))
    return reduce(add, parts)


def judge(ours: float, printed: float) -> Verdict:
    """The verdict on an error of ours beside the error of the printed number.

    >>> judge(0.02, 0.05), judge(0.045, 0.05), judge(0.055, 0.05), judge(0.07, 0.05)
    ('better', 'reproduces', 'reproduces', 'does not reproduce')
    """
    if ours > printed + MARGIN:
        return "does not reproduce"
    return "better" if ours < printed - MARGIN else "reproduces"


def miss(errors: FloatArray) -> float:
    """The root mean square of the errors of both rates (one row per estimate).

    >>> round(miss(np.array([[0.03, 0.0], [0.0, 0.03]])), 3)
    0.021
    """
    return float(np.sqrt(np.mean(errors**2)))


def findings(results: Results, full: bool) -> Findings:
    """A row per pair of rates, and one for all of them, for each data set and estimator; the errors as a picture."""
    _, N_s, _ = length(full)
    played = [name for name in TITLES if name in {entry.stream for entry in results.entries}]
    rows: list[Row] = []
    for estimator in ESTIMATORS:
        for name in played:
            entries = {pair: results.entry(estimator, name, feedback(pair)) for pair in PRINTED}
            rows += [pair_row(entry, pair, N_s) for pair, entry in entries.items()]
            rows.append(total_row(entries, N_s))
    return Findings(tuple(rows), {"table1": picture(results, PRINTED, played, list(ESTIMATORS))})


def pair_row(entry: EntryResult, pair: Pair, N_s: int) -> Row:
    """The estimates for one pair of rates; which is nearer to the truth is judged by both rates together."""
    printed = np.array([PRINTED[pair][entry.stream]])
    ours = entry.report.rates
    texts = _estimates_text(printed, pair), _estimates_text(ours, pair)
    what = f"{entry.arm}, {TITLES[entry.stream]}, truth {pair_text(pair)}"
    return _row(what, texts, printed - np.array(pair), ours - np.array(pair), entry, N_s)


def total_row(entries: dict[Pair, EntryResult], N_s: int) -> Row:
    """The root mean square error of each rate over all pairs; judged by that of both."""
    first = next(iter(entries.values()))
    printed = np.array([np.subtract(PRINTED[pair][first.stream], pair) for pair in entries])
    ours = np.concatenate([entry.report.rates - np.array(pair) for pair, entry in entries.items()])
    texts = _rates_text(np.sqrt((printed**2).mean(axis=0))), _rates_text(np.sqrt((ours**2).mean(axis=0)))
    return _row(f"{first.arm}, {TITLES[first.stream]}, RMSE over the six pairs", texts, printed, ours, first, N_s)


def _row(what: str, texts: tuple[str, str], printed: FloatArray, ours: FloatArray, entry: EntryResult, N_s: int) -> Row:
    """The row, from the errors of the printed estimates and of ours."""
    if (rounds := int(entry.report.rounds[-1])) < N_s:
        return Row(what, *texts, "not comparable", f"{rounds:,} rounds, and an estimate needs {N_s:,}")
    verdict = judge(miss(ours), miss(printed))
    why = ""
    if verdict == "does not reproduce" and entry.arm == "NREst":
        why = _TOO_SMALL if ours[:, 1].mean() < 0 else _TOO_LARGE
    return Row(what, *texts, verdict, because(entry.stream, why))


def _estimates_text(rates: FloatArray, pair: Pair) -> str:
    return f"{_rates_text(rates.mean(axis=0))} (off by {miss(rates - np.array(pair)):.3f})"


def _rates_text(rates: FloatArray) -> str:
    return f"{rates[0]:.3f}, {rates[1]:.3f}"


EXPERIMENT = Experiment(
    id="rcnbf/table1",
    paper=PAPER,
    title="Estimated flip rates",
    about="RCINE's estimates of six pairs of flip rates, with the paper's NREst and with our TailMoment (γ = 0.2, the "
    f"last window of 20,000 rounds, or 60,000 in full mode); as near to the truth means within {MARGIN:g} of the error "
    f"of the printed number. {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(1.6, 10.0),
    needs=tuple(TITLES),
)
