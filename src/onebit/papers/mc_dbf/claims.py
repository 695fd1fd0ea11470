"""The paper's words as inequalities, and what each says of our results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.readable_numbers import percent
from onebit.papers.base import Row, at_length, centre, centre_text
from onebit.sweep.outcomes import Outcomes
from onebit.sweep.results import EntryResult

POINTS = 0.05
"""Of "comparable" and "converges" on images: at most 5 points of error above."""

FACTOR = 2.0
"""Of "comparable" on a log axis: at most twice the error."""


SLACK = 0.01
"""Of "rises": a fall of a point is taken for chance."""


def comparable(error: float, other: float) -> bool:
    """At most 5 points above the other error.

    >>> comparable(0.24, 0.20), comparable(0.26, 0.20)
    (True, False)
    """
    return error <= other + POINTS


def rising(errors: Sequence[float]) -> bool:
    """No error is more than a point below one before it, and the last is above the first by more than that.

    >>> rising([0.2, 0.3, 0.295, 0.4]), rising([0.2, 0.4, 0.3]), rising([0.2, 0.2, 0.2])
    (True, False, False)
    """
    highest = np.maximum.accumulate(errors)
    return bool(np.all(np.asarray(errors) >= highest - SLACK)) and errors[-1] > errors[0] + SLACK


def greedy_error(entry: EntryResult) -> float:
    """The greedy error over the report seeds: its mean, or the median where one runs away."""
    return centre(entry.report.greedy_errors.tolist())


def error_text(entry: EntryResult) -> str:
    """The greedy error over the report seeds, with its deviation or range."""
    return centre_text(entry.report.greedy_errors.tolist())


def missed(entry: EntryResult) -> str:
    """The share of plays, in percent, without the true label."""
    return percent(float(np.mean(entry.report.errors)))


def gamma_of(entry: EntryResult) -> float:
    """The exploration rate that was chosen."""
    assert entry.best is not None
    return float(entry.best.parameters["gamma"])


def greedy_at(runs: Outcomes, rounds: float) -> float:
    """The mean running greedy error at the last checkpoint up to so many rounds."""
    place = max(0, int(np.searchsorted(runs.rounds, rounds, side="right")) - 1)
    return float(runs.greedy_curve[place])


def interpolated(gamma: float, gammas: FloatArray, errors: FloatArray) -> float:
    """The error at an exploration rate, read off between the rates that were played, on a log axis.

    >>> round(interpolated(0.2, np.array([0.1, 0.4]), np.array([0.5, 0.3])), 3)
    0.4
    """
    return float(np.interp(np.log(gamma), np.log(gammas), errors))


def our_row(where: str, ours: EntryResult, theirs: EntryResult) -> Row:
    """A learner of ours beside MC-DBF with the same m."""
    row = Row(
        f"{where}: {ours.arm}, untuned",
        f"not in the paper; {theirs.arm} here {error_text(theirs)} greedy, {missed(theirs)} of sets miss",
        f"{error_text(ours)} greedy, {missed(ours)} of sets miss",
        "ours",
        "MC-DBF is tuned for the greedy error alone, and explores far more",
    )
    return at_length(row, [ours.report, theirs.report])
