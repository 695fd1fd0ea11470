"""The largest margin of linear conditions, by cutting planes: few of very many conditions matter at the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.separability.constraints import Constraints
from onebit.separability.nearest_point import balanced, nearest_weights, pivoted_weights

GAP = 1e-7
"""A margin is final when it is within this share of its upper bound."""
ZERO = 1e-9
"""A weighted sum of rows of norm 1 that is no longer than this counts as zero."""
LEAST = 1e-13
"""Margins at or below this, in units of the longest row, are rounding."""
LARGE = 1000
"""From this dimension on, conditions are exchanged many at a time, by their inner products."""
_FALLS = 1 - 1e-9
"""The bound falls when it comes below this share of what it was; else it is rounding."""
_NEARLY_ZERO = 1e-4
"""Sums of rows found by inner products, which have half of the digits, may be zero below this."""
_DENSE = 10**8
"""Entries of the largest table of conditions that is written down."""


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
    hull = _HullOfProducts(constraints) if constraints.dimension >= LARGE else _HullOfRows(constraints)
    best = -np.inf
    w: FloatArray = np.zeros(constraints.dimension)
    lowest = np.inf
    new = constraints.worst(w, np.inf, hull.batch)[1]
    while True:
        # The nearest point of the conditions met so far bounds the margin.
        budget.left -= constraints.cost + hull.add(new, budget.left)
        most = float(np.linalg.norm(hull.point))
        if most <= max(enough, ZERO):
            break

        # Its direction has the margin of the worst condition of all.
        direction = hull.point / most
        value, found = constraints.worst(direction, most * (1 - GAP / 2), hull.batch)
        if value > best:
            best = value
            w = direction

        # Conditions without weight go, but only while the bound falls: none of them can come back for ever.
        if most < lowest * _FALLS:
            lowest = most
            hull.keep(hull.weights > 0)
        new = _unknown(found, hull.conditions)
        if best >= most * (1 - GAP) or not len(new) or budget.left <= 0:
            break
    hull.keep(hull.weights > 0)
    return Margin(best, most, w, hull.conditions, hull.weights)


class _Hull(ABC):
    """Conditions, and the nearest point to the origin in the hull of their vectors: the sum by `weights`."""

    batch: int
    """How many conditions are best met at a time."""
    point: FloatArray

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        self.conditions: IntArray = np.empty((0, 2), dtype=np.int64)
        self.weights: FloatArray = np.empty(0)

    @abstractmethod
    def add(self, new: IntArray, limit: float) -> int:
        """Meet more conditions, at about `limit` multiplications or less; what it cost."""

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Forget the other conditions."""
        self.conditions = self.conditions[chosen]
        self.weights = self.weights[chosen]


class _HullOfRows(_Hull):
    """With the vectors written down: exact."""

    def __init__(self, constraints: Constraints) -> None:
        super().__init__(constraints)
        self.batch = max(50, constraints.dimension // 2)
        self._rows: FloatArray = np.empty((0, constraints.dimension))

    def add(self, new: IntArray, limit: float) -> int:
        self.conditions = np.concatenate([self.conditions, new])
        self._rows = np.concatenate([self._rows, self.constraints.vectors(new)])
        self.weights, cost = nearest_weights(self._rows)
        self.point = self.weights @ self._rows
        return cost

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        super().keep(chosen)
        self._rows = self._rows[chosen]


class _HullOfProducts(_Hull):
    """With the inner products of the vectors: fast in many dimensions, with half of the digits."""

    batch = 1000

    def __init__(self, constraints: Constraints) -> None:
        super().__init__(constraints)
        self._products: FloatArray = np.empty((0, 0))

    def add(self, new: IntArray, limit: float) -> int:
        known = len(self.conditions)
        self.conditions = np.concatenate([self.conditions, new])
        products = np.empty((len(self.conditions), len(self.conditions)))
        products[:known, :known] = self._products
        products[:, known:] = self.constraints.products(self.conditions, new)
        products[known:, :known] = products[:known, known:].T
        self._products = products
        start = np.append(self.weights, np.zeros(len(new)))
        self.weights, cost = pivoted_weights(products, start, limit)
        self._settle()
        features: int = self.constraints.table.X.shape[1]
        return cost + len(new) * len(self.conditions) * features // 10

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        super().keep(chosen)
        self._products = self._products[np.ix_(chosen, chosen)]

    def _settle(self) -> None:
        """The point from the vectors; and if it is nearly zero, weights that make it so to the last digits."""
        used = np.flatnonzero(self.weights)
        conditions = self.conditions[used]
        self.point = self.constraints.combined(conditions, self.weights[used])
        if np.linalg.norm(self.point) < _NEARLY_ZERO and len(used) * self.constraints.dimension < _DENSE:
            weights = balanced(self.constraints.vectors(conditions), self.weights[used])
            point = self.constraints.combined(conditions, weights)
            if np.linalg.norm(point) <= ZERO:
                self.weights[used] = weights
                self.point = point


def _unknown(found: IntArray, known: IntArray) -> IntArray:
    """The conditions found that are not known yet."""
    seen = set(map(tuple, known.tolist()))
    return found[[pair not in seen for pair in map(tuple, found.tolist())]]
