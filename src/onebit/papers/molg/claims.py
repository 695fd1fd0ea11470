"""What counts as reproduced: a printed number beside ours, and one learner said to be ahead of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.readable_numbers import Interval, spread, student_interval
from onebit.papers.base import Verdict, beside, judged

PRINTED_RUNS = 20

NUMBERS = (
    f"A number reproduces if the two means, each of {PRINTED_RUNS} runs, differ by at most two standard errors of "
    "their difference, by the printed deviations and ours."
)
CLAIMS = "A claim holds if the 95 % interval of the difference over the same seeds lies on its side."


class Printed(NamedTuple):
    """A row of the paper's table for one graph: error in percent and updates, each with its deviation."""

    error: float
    deviation: float
    updates: float
    updates_deviation: float = 0.0


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
    >>> [error_verdict(row, [error - 0.1, error + 0.1]) for error in (18.5, 20.2, 21.2)]
    ['lower than printed', 'reproduces', 'higher than printed']
    """
    return beside(printed.error, errors, printed.deviation, PRINTED_RUNS)


def updates_verdict(printed: Printed, updates: Sequence[float]) -> Verdict:
    """Of the numbers of updates of our runs beside the printed one.

    >>> row = Printed(20.0, 0.3, 1000, 40)
    >>> [updates_verdict(row, [n, n]) for n in (1010, 900, 1500)]
    ['reproduces', 'lower than printed', 'higher than printed']
    """
    return beside(printed.updates, updates, printed.updates_deviation, PRINTED_RUNS)


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
