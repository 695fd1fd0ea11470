"""What counts as reproduced: a printed number beside ours, and one learner said to be ahead of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot, isnan
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.readable_numbers import Interval, deviation_of, spread, student_interval
from onebit.papers.base import Verdict, judged

POINTS = 1.0
DEVIATIONS = 2.0
SHARE = 0.1

NUMBERS = (
    f"An error reproduces if the means differ by at most {POINTS:g} point, or {DEVIATIONS:g} standard deviations of "
    f"both sets of runs together where that is more; a number of updates if it differs by at most {SHARE:.0%}."
)
CLAIMS = "A claim holds if the 95 % interval of the difference over the same seeds lies on its side."


class Printed(NamedTuple):
    """A row of the paper's table for one graph: error and deviation in percent, updates."""

    error: float
    deviation: float
    updates: float


class Measured(NamedTuple):
    """What one learner did on one graph: errors in percent and updates, by seed; and, if need be, which one it is.

    >>> Measured(np.array([18.0, 18.2]), np.array([2000, 2100])).text
    '18.10 ± 0.14 %'
    """

    errors: FloatArray
    updates: IntArray
    of: str = ""

    @property
    def text(self) -> str:
        """The error with its deviation.

        >>> Measured(np.array([18.0]), np.array([2000])).text
        '18.00 %'
        """
        return spread((self.errors / 100).tolist())


def difference(a: Any, b: Any) -> Interval:
    """a - b, number by number: the mean, and its interval by Student's t.

    >>> difference([3.0, 4.0, 5.0], [1.0, 2.0, 3.0])
    Interval(mean=2.0, low=2.0, high=2.0)
    """
    return student_interval(np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64))


def error_verdict(printed: Printed, errors: Sequence[float]) -> Verdict:
    """Of the errors (in percent) of our runs beside the printed one.

    >>> row = Printed(20.0, 0.3, 100)
    >>> [error_verdict(row, [error, error + 0.2]) for error in (18.5, 19.5, 21.2)]
    ['better', 'reproduces', 'does not reproduce']
    """
    apart = float(np.mean(errors)) - printed.error
    spread = deviation_of(errors)
    if abs(apart) <= max(POINTS, DEVIATIONS * hypot(printed.deviation, 0.0 if isnan(spread) else spread)):
        return "reproduces"
    return "better" if apart < 0 else "does not reproduce"


def updates_verdict(printed: Printed, updates: float, error: Verdict) -> Verdict:
    """Of the mean number of updates; fewer are better only if the error, judged already, is no worse.

    >>> row = Printed(20.0, 0.3, 1000)
    >>> [updates_verdict(row, n, "reproduces") for n in (950, 500, 1500)]
    ['reproduces', 'better', 'does not reproduce']
    >>> updates_verdict(row, 500, "does not reproduce")
    'does not reproduce'
    """
    if abs(updates / printed.updates - 1) <= SHARE:
        return "reproduces"
    return "better" if updates < printed.updates and error != "does not reproduce" else "does not reproduce"


def ahead(lower: str, others: Iterable[str], values: Mapping[str, Any]) -> tuple[Verdict, str]:
    """Whether the values of one learner lie surely below those of each other one, and the differences that do not.

    >>> values = {"MOLG-F": [18.0, 18.1, 18.3], "GPA": [20.0, 20.2, 20.1], "OSLG": [18.2, 18.0, 18.3]}
    >>> ahead("MOLG-F", ["GPA"], values)
    ('reproduces', '')
    >>> ahead("MOLG-F", ["GPA", "OSLG"], values)
    ('does not reproduce', 'MOLG-F - OSLG: -0.03 (-0.41 to +0.35)')
    """
    found = {other: difference(values[lower], values[other]) for other in others}
    failed = [f"{lower} - {other}: {apart}" for other, apart in found.items() if not apart.below]
    return judged(not failed), "; ".join(failed)
