"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite, isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


def percent(rate: float) -> str:
    """A rate in percent, with more digits the smaller it is.

    >>> [percent(rate) for rate in (0.1234, 0.00852, 0.000021, 0.0)]
    ['12.34 %', '0.852 %', '0.00210 %', '0 %']
    """
    return "0 %" if rate == 0 else f"{100 * rate:.{_decimals(rate)}f} %"


def spread(rates: Sequence[float]) -> str:
    """Mean and standard deviation over seeds, in percent.

    >>> spread([0.10, 0.12]), spread([0.10])
    ('11.00 ± 1.41 %', '10.00 %')
    """
    mean = float(np.mean(rates))
    deviation = deviation_of(rates)
    if isnan(deviation):
        return percent(mean)
    decimals = _decimals(mean or deviation)
    return f"{100 * mean:.{decimals}f} ± {100 * deviation:.{decimals}f} %"


def deviation_of(rates: Sequence[float]) -> float:
    """The standard deviation over seeds; of a single one it is not known.

    >>> round(deviation_of([0.10, 0.12]), 4), deviation_of([0.10])
    (0.0141, nan)
    """
    return float(np.std(rates, ddof=1)) if len(rates) > 1 else nan


class Interval(NamedTuple):
    """A mean, and the ends of its confidence interval.

    >>> Interval(-1.0, -1.5, -0.5).below, Interval(-1.0, -2.5, 0.5).below, str(Interval(-1.0, -2.5, 0.5))
    (True, False, '-1.00 (-2.50 to +0.50)')
    """

    mean: float
    low: float
    high: float

    @property
    def below(self) -> bool:
        """Whether it is surely negative.

        >>> Interval(1.0, 0.5, 1.5).below
        False
        """
        return self.high < 0

    def __str__(self) -> str:
        return f"{self.mean:+.2f}" + (f" ({self.low:+.2f} to {self.high:+.2f})" if isfinite(self.low) else "")


def student_interval(values: ArrayLike, level: float = 0.95) -> Interval:
    """The mean of numbers and its interval by Student's t. One number alone says nothing about the interval.

    Differences seed by seed make it the interval of a paired comparison.

    >>> student_interval([3.0, 4.0, 5.0]), student_interval([3.0])
    (Interval(mean=4.0, low=1.515..., high=6.484...), Interval(mean=3.0, low=-inf, high=inf))
    """
    from scipy.special import stdtrit

    each = np.asarray(values, dtype=np.float64)
    mean = float(each.mean())
    n = len(each)
    reach = float(stdtrit(n - 1, (1 + level) / 2) * each.std(ddof=1) / np.sqrt(n)) if n > 1 else inf
    return Interval(mean, mean - reach, mean + reach)


def seeds_text(seeds: Sequence[int]) -> str:
    """Which seeds, in a few characters.

    >>> seeds_text([0, 1, 2, 3]), seeds_text([5]), seeds_text([3, 1])
    ('0 to 3', '5', '3, 1')
    """
    if len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[0] + len(seeds))):
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))


def _decimals(rate: float) -> int:
    """Two decimals from 1 % on, one more per decade below, up to 6."""
    if rate <= 0:
        return 2
    return int(np.clip(2 - np.floor(np.log10(100 * rate)), 2, 6))
