"""What the results say of one algorithm on one data set, and how to read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log2, nan

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.papers.base import centre, centre_text
from onebit.sweep.results import EntryResult, Results


@dataclass(frozen=True, eq=False)
class Played:
    """One algorithm on one data set: the errors of the report seeds, its γ, and the errors of every γ tried.

    `errors` are those of the report seeds, `gamma` the γ they were played with (None where there is none), `tried`
    the errors of each γ on the tune seeds; `rounds`, `curve` and `greedy_curve` are the learning curve.

    >>> banditron = Played((0.11, 0.13), 2**-6, {2**-6: (0.11, 0.12), 2**-2: (0.25, 0.26)})
    >>> banditron.text, round(banditron.lowest, 3)
    ('12.00 ± 1.41 %', 0.115)
    """

    errors: tuple[float, ...]
    gamma: float | None = None
    tried: Mapping[float, tuple[float, ...]] = field(default_factory=dict)
    rounds: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    curve: FloatArray = field(default_factory=lambda: np.zeros(0))
    greedy_curve: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.errors)

    @property
    def error(self) -> float:
        """The mean over the report seeds; the median where one runs away."""
        return centre(self.errors)

    @property
    def text(self) -> str:
        """The error with its deviation, or with its range where a seed runs away."""
        return centre_text(self.errors)

    @property
    def searched(self) -> dict[float, float]:
        """The error of each γ on the tune seeds, from the smallest γ to the largest."""
        return {gamma: centre(self.tried[gamma]) for gamma in sorted(self.tried)}

    @property
    def lowest(self) -> float:
        """The least mean error of any γ."""
        return min(self.searched.values())

    def nearest(self, gamma: float) -> float:
        """The γ tried that is nearest to one given, on a log scale.

        >>> Played((0.1,), tried={2**-5: (0.3,), 2**-3: (0.1,)}).nearest(2**-5.9)
        0.03125
        """
        return min(self.tried, key=lambda tried: abs(log2(tried / gamma)))

    def wide(self, points: float) -> int:
        """How many of the γ tried have a mean error at most so far above the lowest.

        >>> Played((0.1,), tried={0.5: (0.3,), 0.1: (0.11,), 0.01: (0.1,)}).wide(0.02)
        2
        """
        return sum(error <= self.lowest + points for error in self.searched.values())

    def at(self, rounds: float) -> float:
        """The error up to the last checkpoint within so many rounds."""
        return float(self.curve[max(0, int(np.searchsorted(self.rounds, rounds, side="right")) - 1)])

    @property
    def slope(self) -> float:
        """The power of T by which the greedy error falls in the last decade of rounds; nan if it cannot be said.

        >>> rounds = np.array([10, 100, 1000])
        >>> Played((0.1,), rounds=rounds, greedy_curve=np.array([0.8, 0.1, 0.01])).slope
        -1.0
        """
        if not len(self.rounds) or self.greedy_curve[-1] <= 0:
            return nan
        first = int(np.searchsorted(self.rounds, self.rounds[-1] / 10))
        fall, length = (part[-1] / part[first] for part in (self.greedy_curve, self.rounds))
        return float(np.log(fall) / np.log(length)) if length > 1 else nan


Table = Mapping[tuple[str, str], Played]
"""What was played, by algorithm and data set."""


def read(results: Results) -> dict[tuple[str, str], Played]:
    """Everything that was played, by algorithm and data set."""
    return {(entry.arm, entry.stream): _played(entry) for entry in results.entries}


def _played(entry: EntryResult) -> Played:
    runs = entry.report
    best = entry.best
    chosen = best is not None and len(entry.configurations) > 1
    settings = entry.configurations if chosen else ()
    tried = {float(each.parameters["gamma"]): tuple(each.search.errors.tolist()) for each in settings}
    gamma = float(best.parameters["gamma"]) if best is not None and chosen else None
    return Played(tuple(runs.errors.tolist()), gamma, tried, runs.rounds, runs.curve, runs.greedy_curve)


def power(gamma: float) -> str:
    """A γ as a power of two.

    >>> power(0.0078125)
    '2^-7'
    """
    return f"2^{round(log2(gamma))}"
