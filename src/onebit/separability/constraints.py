"""The three kinds of linear conditions that separability is made of, over many rows that are never multiplied out.

Each kind has vectors a_r, and asks for a vector w whose products ⟨a_r, w⟩ are all positive. A condition is named by a
pair of numbers: a row of the table, and a side, a group or another row. Products are divided by the largest norm of a
row, `scale`, so that conditions of all data are alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray

_CHUNK = 1 << 22
"""Entries of a table of scores that are held at a time."""


class Table(NamedTuple):
    """Rows, the number of each row's class, the largest norm of a row (1 if all are zero), the rows' numbers."""

    X: Any
    y: IntArray
    classes: int
    scale: float
    numbers: IntArray

    @classmethod
    def of(cls, X: Any, y: IntArray, classes: int) -> Table:
        """A table with its scale.

        >>> Table.of(np.array([[3.0, 4.0], [1.0, 0.0]]), np.array([0, 1]), 2).scale
        5.0
        """
        largest = max(float((part * part).sum(axis=1).max()) for _, part in _parts(X, X.shape[1]))
        return cls(X, y, classes, largest**0.5 or 1.0, np.arange(len(y)))

    def part(self, members: Sequence[int]) -> Table:
        """The rows of some classes only; their numbers stay what they were."""
        chosen = np.flatnonzero(np.isin(self.y, members))
        if len(chosen) == len(self.y):
            return self
        return self._replace(X=self.X[chosen], y=self.y[chosen], numbers=self.numbers[chosen])

    def rows(self, numbers: IntArray) -> FloatArray:
        """Some rows, divided by the scale, as a dense float64 array."""
        return _dense(self.X[numbers]) / self.scale

    def products(self, vectors: FloatArray) -> Iterator[tuple[int, FloatArray]]:
        """Parts of the table of ⟨x, w⟩ / scale, one column per vector w, each with the number of its first row."""
        for first, part in _parts(self.X, len(vectors) + self.X.shape[1] * (not sp.issparse(self.X))):
            yield first, part @ (vectors.T / self.scale)


class Constraints(ABC):
    """Conditions ⟨a_r, w⟩ > 0 of one kind on one vector w of `dimension` numbers."""

    table: Table
    dimension: int
    cost: int
    """Multiplications in one search for the worst condition."""

    @abstractmethod
    def worst(self, w: FloatArray, below: float, most: int) -> tuple[float, IntArray]:
        """The least product of any condition; and conditions with a product under `below`, about `most` in all,
        the deepest of each kind of condition first."""

    @abstractmethod
    def vectors(self, conditions: IntArray) -> FloatArray:
        """The vectors a_r of these conditions, of norm 2 or less."""

    def combined(self, conditions: IntArray, weights: FloatArray) -> FloatArray:
        """The weighted sum of the vectors of these conditions."""
        return weights @ self.vectors(conditions)

    def products(self, some: IntArray, others: IntArray) -> FloatArray:
        """The inner products of the vectors of some conditions with those of others."""
        return self.vectors(some) @ self.vectors(others).T


class HalfSpaces(Constraints):
    """Rows of some classes on one side of a plane through the origin, rows of others on the other side."""

    def __init__(self, table: Table, above: Sequence[int], below: Sequence[int]) -> None:
        self.above = tuple(above)
        self.below = tuple(below)
        self.table = table.part(self.above + self.below)
        self._sign = np.where(np.isin(self.table.y, self.above), 1, -1)
        self.dimension = table.X.shape[1]
        self.cost = self.table.X.shape[0] * self.dimension

    def worst(self, w: FloatArray, below: float, most: int) -> tuple[float, IntArray]:
        """The rows deepest on the wrong side, of each class."""
        values = np.concatenate([part[:, 0] for _, part in self.table.products(w[None])]) * self._sign
        chosen = deepest(values, self.table.y, below, most)
        return float(values.min()), np.column_stack([chosen, self._sign[chosen]])

    def vectors(self, conditions: IntArray) -> FloatArray:
        """±x, by the side."""
        return self.table.rows(conditions[:, 0]) * conditions[:, 1:]


class Rivals(Constraints):
    """One vector per group: each row's product with its own group's above that with any other group's."""

    def __init__(self, table: Table, groups: Sequence[int]) -> None:
        self.groups = tuple(groups)
        self.table = table
        self._own = np.array(groups, dtype=np.int64)[table.y]
        self.count = max(groups) + 1
        self.dimension = self.count * table.X.shape[1]
        self.cost = table.X.shape[0] * self.dimension

    def worst(self, w: FloatArray, below: float, most: int) -> tuple[float, IntArray]:
        """The rows that come nearest to a rival, of each group and rival."""
        values = np.empty(len(self._own))
        rivals = np.empty(len(self._own), dtype=np.int64)
        for first, scores in self.table.products(w.reshape(self.count, -1)):
            part = slice(first, first + len(scores))
            at = np.arange(len(scores)), self._own[part]
            own = scores[at]
            scores[at] = -np.inf
            rivals[part] = scores.argmax(axis=1)
            values[part] = own - scores[at[0], rivals[part]]
        chosen = deepest(values, self._own * self.count + rivals, below, most)
        return float(values.min()), np.column_stack([chosen, rivals[chosen]])

    def vectors(self, conditions: IntArray) -> FloatArray:
        """x in the place of the own group, -x in that of the rival."""
        rows = self.table.rows(conditions[:, 0])
        at = np.arange(len(rows))
        own = self._own[conditions[:, 0]]
        blocks = np.zeros((len(rows), self.count, rows.shape[1]))
        blocks[at, own] = rows
        blocks[at, conditions[:, 1]] = -rows
        return blocks.reshape(len(rows), -1)

    def combined(self, conditions: IntArray, weights: FloatArray) -> FloatArray:
        """The weighted sum of the vectors, without writing them down."""
        shares = self._shares(conditions) * weights[:, None]
        return np.asarray(shares.T @ self.table.X[conditions[:, 0]], dtype=np.float64).ravel() / self.table.scale

    def products(self, some: IntArray, others: IntArray) -> FloatArray:
        """The inner products of the vectors: those of the rows, times those of the signs of the groups."""
        X = self.table.X[some[:, 0]]
        Z = self.table.X[others[:, 0]]
        return _dense(X @ Z.T) * (self._shares(some) @ self._shares(others).T) / self.table.scale**2

    def _shares(self, conditions: IntArray) -> FloatArray:
        """1 in the column of the own group, -1 in that of the rival."""
        shares = np.zeros((len(conditions), self.count))
        at = np.arange(len(conditions))
        shares[at, self._own[conditions[:, 0]]] = 1
        shares[at, conditions[:, 1]] = -1
        return shares


class Slabs(Constraints):
    """Classes in disjoint slabs across one direction, in a given order from low to high."""

    def __init__(self, table: Table, order: Sequence[int]) -> None:
        self.order = tuple(order)
        self.table = table = table.part(order)
        self._members = [np.flatnonzero(table.y == k) for k in order]
        self.dimension = table.X.shape[1]
        self.cost = table.X.shape[0] * self.dimension

    def worst(self, w: FloatArray, below: float, most: int) -> tuple[float, IntArray]:
        """For neighbours in the order, the lowest rows of the upper with the highest of the lower."""
        values = np.concatenate([part[:, 0] for _, part in self.table.products(w[None])])
        each = max(1, most // (3 * len(self.order)))
        least = np.inf
        found = []
        for lower, upper in pairwise(self._members):
            high = lower[smallest(-values[lower], each)]
            low = upper[smallest(values[upper], each)]
            n = min(len(high), len(low))
            found += [np.column_stack(p) for p in zip(low[:n], high[:n], strict=True)]
            found += [np.column_stack((low[0], x)) for x in high[1:]] + [np.column_stack((x, high[0])) for x in low[1:]]
            least = min(least, float(values[low[0]] - values[high[0]]))
        pairs = np.unique(np.concatenate(found), axis=0)
        return least, pairs[values[pairs[:, 0]] - values[pairs[:, 1]] < below]

    def vectors(self, conditions: IntArray) -> FloatArray:
        """The difference of the upper and the lower row."""
        return self.table.rows(conditions[:, 0]) - self.table.rows(conditions[:, 1])


def deepest(values: FloatArray, kinds: IntArray, below: float, most: int) -> IntArray:
    """The numbers of the smallest values under `below`, about `most` in all, with as many of each kind.

    >>> deepest(np.array([0.3, -1.0, 0.1, 0.2, 5.0]), np.array([0, 0, 0, 1, 1]), 1.0, 2)
    array([1, 3])
    """
    under = np.flatnonzero(values < below)
    under = under[np.lexsort((values[under], kinds[under]))]
    starts = np.flatnonzero(np.diff(kinds[under], prepend=-1))
    rank = np.arange(len(under)) - np.repeat(starts, np.diff(starts, append=len(under)))
    return under[rank < max(1, most // max(1, len(starts)))]


def smallest(values: FloatArray, count: int) -> IntArray:
    """The numbers of the smallest values, in order.

    >>> smallest(np.array([3.0, 1.0, 2.0]), 2)
    array([1, 2])
    """
    some = np.argpartition(values, count)[:count] if count < len(values) else np.arange(len(values))
    return some[np.argsort(values[some], kind="stable")]


def _parts(X: Any, width: int) -> Iterator[tuple[int, Any]]:
    step = max(1, _CHUNK // width)
    for first in range(0, X.shape[0], step):
        part = X[first : first + step]
        yield first, part if part.dtype == np.float64 else part.astype(np.float64)


def _dense(part: Any) -> FloatArray:
    table: FloatArray = (part.toarray() if sp.issparse(part) else np.asarray(part)).astype(np.float64)
    return table
