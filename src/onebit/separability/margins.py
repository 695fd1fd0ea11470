"""The largest margin of linear conditions, by cutting planes: few of very many conditions matter at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from onebit.core.types import FloatArray, IntArray
from onebit.separability.constraints import Constraints
from onebit.separability.nearest import NearestPoint
from onebit.separability.pivoting import PivotedPoint, settled

GAP = 1e-7
"""A margin is final when it is within this share of its upper bound."""
ZERO = 1e-9
"""A weighted sum of rows of norm 1 that is no longer than this counts as zero."""
LEAST = 1e-13
"""Margins at or below this, in units of the longest row, are rounding."""
_LARGE = 1000
"""From this dimension on, many conditions are exchanged at once."""
_NEARLY_ZERO = 1e-4
_DENSE = 10**8


@dataclass
class Budget:
    """Multiplications that may still be spent on a question before it is left undecided.

    They are counted, not timed, so that answers do not depend on the machine: as those of a matrix with a vector, ten
    of a matrix with a matrix being taken for one.
    """

    left: float = 6e10


class Margin(NamedTuple):
    """What is known of max over unit vectors w of min ⟨a_r, w⟩: it is from `least` to `most`.

    `w` reaches `least`. Weights on some conditions, positive and of sum 1, have a weighted sum of vectors a_r of
    norm `most`, which bounds the margin from above. Margins are in units of the table's scale.
    """

    least: float
    most: float
    w: FloatArray
    conditions: IntArray
    weights: FloatArray

    @property
    def holds(self) -> bool | None:
        """Whether some w has all products positive; None if that is not decided."""
        return True if self.least > LEAST else False if self.most <= ZERO else None


def largest_margin(constraints: Constraints, budget: Budget, enough: float = 0.0) -> Margin:
    """The largest margin to within a share of 10^-7, or what is known of it when the budget is spent.

    Stops early when the margin is known not to exceed `enough`.

    >>> from onebit.separability.constraints import HalfSpaces, Table
    >>> table = Table.of(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), np.array([0, 0, 1]), 2)
    >>> round(largest_margin(HalfSpaces(table, [0], [1]), Budget()).least, 6)
    0.707107
    """
    problem = _Pivoted(constraints) if constraints.dimension >= _LARGE else _Exact(constraints)
    best = -np.inf
    w: FloatArray = np.zeros(constraints.dimension)
    new = constraints.worst(w, np.inf, problem.batch)[1]
    while True:
        budget.left -= constraints.cost + problem.add(new, budget.left)
        point = problem.point
        most = float(np.linalg.norm(problem.point))
        if most <= max(enough, ZERO):
            break
        value, found = constraints.worst(point / most, most * (1 - GAP / 2), problem.batch)
        if value > best:
            best = value
            w = point / most
        new = _unknown(found, problem.conditions)
        if best >= most * (1 - GAP) or not len(new) or budget.left <= 0:
            break
    return Margin(best, most, w, problem.conditions[problem.hull.used], problem.weights)


class _Exact:
    """The conditions met so far, and the nearest point of their vectors, exact."""

    def __init__(self, constraints: Constraints) -> None:
        self.hull = NearestPoint(constraints.dimension)
        self.batch = max(50, constraints.dimension // 4)
        self.conditions: IntArray = np.empty((0, 2), dtype=np.int64)
        self._constraints = constraints

    def add(self, new: IntArray, limit: float) -> int:
        """Meet more conditions; what that cost."""
        self.conditions = np.concatenate([self.conditions, new])
        self.hull.add(self._constraints.vectors(new))
        cost = self.hull.solve(GAP / 4, limit)
        self.weights = self.hull.weights
        self.point = self.hull.point
        return cost


class _Pivoted:
    """The conditions met so far, and the nearest point of their vectors by inner products."""

    def __init__(self, constraints: Constraints) -> None:
        self.hull = PivotedPoint()
        self.batch = 1000
        self.conditions: IntArray = np.empty((0, 2), dtype=np.int64)
        self._constraints = constraints

    def add(self, new: IntArray, limit: float) -> int:
        """Meet more conditions; what that cost."""
        self.conditions = np.concatenate([self.conditions, new])
        self.hull.add(self._constraints.products(self.conditions, new))
        cost = self.hull.solve(limit)
        used = self.conditions[self.hull.used]
        self.weights = self.hull.weights
        self.point = self._constraints.combined(used, self.weights)
        if np.linalg.norm(self.point) < _NEARLY_ZERO and len(used) * self._constraints.dimension < _DENSE:
            weights = settled(self._constraints.vectors(used), self.weights)
            point = self._constraints.combined(used, weights)
            if np.linalg.norm(point) <= ZERO:
                self.weights = weights
                self.point = point
        features: int = self._constraints.table.X.shape[1]
        return cost + len(new) * len(self.conditions) * features // 10


def _unknown(found: IntArray, known: IntArray) -> IntArray:
    """The conditions found that are not known yet."""
    seen = set(map(tuple, known.tolist()))
    return found[[pair not in seen for pair in map(tuple, found.tolist())]]
