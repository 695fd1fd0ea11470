"""The paper's words about Figure 2 as inequalities, and what each says of our results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np

from onebit.core.readable_numbers import percent
from onebit.papers.base import Row, Verdict, centre, judged
from onebit.papers.rcnbf.settings import CLEAN, NOISY, PAIRS, TITLES, Pair, feedback, pair_text
from onebit.sweep.results import Results

RIVALS = ("Banditron", "BanditPA", "SOBA")
ROBUST = ("RCNBF", "RCINE")

RATIO = 1.1
"""Of "comparable" and "close": at most so many times the error."""

STEEPNESS = 0.75
"""Of "comparable" slopes: at least so many times as steep."""

_WHY = {
    "BanditPA": "BanditPA divides by no propensity: it has a bias, but not RCNBF's variance, which grows like 1/β²",
    "clean": "the variance of h(f) grows like 1/β²: noise costs rounds, even if its rates are known",
    "slope": "the larger the noise, the later the error begins to fall",
}


def below(highs: Sequence[float]) -> Verdict:
    """The verdict on "significantly below", from the upper ends of the intervals of the differences.

    >>> below([-0.1, -0.02]), below([-0.1, 0.01]), below([-0.1, float("inf")])
    ('reproduces', 'does not reproduce', 'too short')
    """
    return judged(all(high < 0 for high in highs)) if all(map(isfinite, highs)) else "too short"


def within(errors: Sequence[float], others: Sequence[float]) -> list[bool]:
    """Whether each error is at most 1.1 times the other one.

    >>> within([0.54, 0.60], [0.50, 0.50])
    [True, False]
    """
    return [error <= RATIO * other for error, other in zip(errors, others, strict=True)]


def slope(rounds: Sequence[int], errors: Sequence[float]) -> float:
    """The slope of the running error in a log-log picture, over the last tenfold of rounds.

    >>> round(slope([1, 10, 100, 1000], [1, 0.9, 0.8, 0.4]), 2)
    -0.3
    """
    start = int(np.searchsorted(rounds, rounds[-1] / 10))
    return float(np.log(errors[-1] / errors[start]) / np.log(rounds[-1] / rounds[start]))


def below_row(results: Results, name: str, ours: str, rival: str) -> Row:
    """Whether a robust learner ends significantly below a rival, in every kind of noise."""
    found = {pair: results.paired(ours, rival, name, feedback(pair)) for pair in NOISY}
    verdict = below([one.high for one in found.values()])
    lower = [pair_text(pair) for pair, one in found.items() if one.high < 0]
    why = ""
    if verdict == "does not reproduce":
        why = f"holds at {', '.join(lower)} only" if lower else "holds nowhere"
        why += f"; {_WHY[rival]}" if rival in _WHY else ""
    return Row(
        f"{TITLES[name]}: {ours} ends significantly below {rival} in noise (difference of errors, points)",
        "below",
        _by_pair({pair: f"{100 * one.mean:+.1f} ± {50 * (one.high - one.low):.1f}" for pair, one in found.items()}),
        verdict,
        "one seed gives no interval" if verdict == "too short" else why,
    )


def comparable_row(results: Results, name: str) -> Row:
    """Whether RCINE does about as well as RCNBF, in noise and without."""
    errors, others = ([_error(results, arm, name, pair) for pair in PAIRS] for arm in ("RCINE", "RCNBF"))
    verdict = judged(all(within(errors, others)))
    ratios = {pair: f"{a / b:.2f}" for pair, a, b in zip(PAIRS, errors, others, strict=True)}
    why = "until its first estimate RCINE is Banditron" if verdict == "does not reproduce" else ""
    return Row(
        f"{TITLES[name]}: RCINE performs comparably to RCNBF (ratio of errors, at most {RATIO:g})",
        "comparable",
        _by_pair(ratios),
        verdict,
        why,
    )


def clean_row(results: Results, name: str, ours: str) -> Row:
    """Whether a robust learner in noise ends close to the worst of the rivals without noise."""
    most, rival = max((_error(results, arm, name, CLEAN), arm) for arm in RIVALS)
    errors = [_error(results, ours, name, pair) for pair in NOISY]
    verdict = judged(all(within(errors, [most] * len(errors))))
    return Row(
        f"{TITLES[name]}: {ours} in noise ends close to the others without noise (at most {RATIO:g} times the largest)",
        "close",
        f"{_by_pair(dict(zip(NOISY, map(percent, errors), strict=True)))}; {rival} without noise {percent(most)}",
        verdict,
        _WHY["clean"] if verdict == "does not reproduce" else "",
    )


def learning_row(results: Results, name: str) -> Row:
    """Whether in noise the curves of RCNBF and RCINE still fall faster than those of every rival."""
    ours = {pair: max(_slope(results, arm, name, pair) for arm in ROBUST) for pair in NOISY}
    theirs = {pair: min((_slope(results, arm, name, pair), arm) for arm in RIVALS) for pair in NOISY}
    lost = [f"{pair_text(pair)} {theirs[pair][1]}" for pair in NOISY if ours[pair] >= theirs[pair][0]]
    return Row(
        f"{TITLES[name]}: in noise RCNBF and RCINE still learn while the others converge (flatter of their slopes "
        "against the steepest of the others)",
        "steeper",
        _by_pair({pair: f"{ours[pair]:.2f} against {theirs[pair][0]:.2f}" for pair in NOISY}),
        judged(not lost),
        f"falls faster: at {', '.join(lost)}" if lost else "",
    )


def slope_row(results: Results, name: str, ours: str) -> Row:
    """Whether a robust learner's curve in noise falls about as fast as those of the rivals without noise."""
    flattest = max(_slope(results, arm, name, CLEAN) for arm in RIVALS)
    slopes = {pair: _slope(results, ours, name, pair) for pair in NOISY}
    verdict = judged(all(found <= STEEPNESS * flattest for found in slopes.values()))
    return Row(
        f"{TITLES[name]}: {ours}'s slope in noise is comparable to the others' without (at least {STEEPNESS:g} times "
        "the flattest)",
        "comparable",
        f"{_by_pair({pair: f'{found:.2f}' for pair, found in slopes.items()})}; without noise {flattest:.2f}",
        verdict,
        _WHY["slope"] if verdict == "does not reproduce" else "",
    )


def our_row(results: Results, name: str) -> Row:
    """OneBit beside the best of the paper's learners."""
    best = {pair: min((_error(results, arm, name, pair), arm) for arm in (*RIVALS, *ROBUST)) for pair in PAIRS}
    return Row(
        f"{TITLES[name]}: OneBit, which finds the rates itself",
        "not in the paper; best of its five here "
        + _by_pair({p: f"{percent(e)} {arm}" for p, (e, arm) in best.items()}),
        _by_pair({pair: percent(_error(results, "OneBit", name, pair)) for pair in PAIRS}),
        "ours",
    )


def _error(results: Results, arm: str, name: str, pair: Pair) -> float:
    return centre(results.entry(arm, name, feedback(pair)).report.errors.tolist())


def _slope(results: Results, arm: str, name: str, pair: Pair) -> float:
    runs = results.entry(arm, name, feedback(pair)).report
    return slope(runs.rounds.tolist(), runs.curve.tolist())


def _by_pair(texts: Mapping[Pair, str]) -> str:
    return "; ".join(f"{pair_text(pair)} {text}" for pair, text in texts.items())
