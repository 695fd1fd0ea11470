"""The point of a convex hull that is nearest to the origin, in many dimensions: block pivoting on inner products.

The same least-squares problem as in `nearest`, min ½xᵀMx - 1ᵀx over x ≥ 0 with M the inner products of the rows plus
1, but from iteration to iteration many rows change between in use and not in use at once (Kim and Park, "Fast
nonnegative matrix factorization: an active-set-like method and comparisons", 2011, algorithm 2). One Cholesky
factorisation each takes the place of many small steps. Squaring costs half of the digits: what the weights are worth
is for the caller to see from the rows, and `settled` brings weights whose sum is nearly zero there.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from onebit.core.types import FloatArray, IntArray

_RIDGE = 1e-12
_TINY = 1e-12
_PATIENCE = 10


class PivotedPoint:
    """The nearest point to the origin in the hull of the rows given so far, by their inner products.

    >>> hull = PivotedPoint()
    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> hull.add(rows @ rows.T)
    >>> _ = hull.solve()
    >>> hull.used, hull.weights.round(9)
    (array([0, 1]), array([0.5, 0.5]))
    """

    def __init__(self) -> None:
        self._M: FloatArray = np.empty((0, 0))
        self._x: FloatArray = np.empty(0)
        self._cost = 0

    def add(self, products: FloatArray) -> None:
        """Let rows into the hull: their products (one column each) with all rows, known and new, in this order."""
        known = len(self._x)
        size = len(products)
        M = np.empty((size, size))
        M[:known, :known] = self._M
        M[:, known:] = products + 1
        M[known:, :known] = M[:known, known:].T
        M[np.arange(known, size), np.arange(known, size)] += _RIDGE
        self._M = M
        self._x = np.append(self._x, np.zeros(size - known))

    @property
    def used(self) -> IntArray:
        """The numbers of the rows with a weight."""
        return np.flatnonzero(self._x > 0)

    @property
    def weights(self) -> FloatArray:
        """Their weights: positive, of sum 1."""
        x = self._x[self._x > 0]
        weights: FloatArray = x / x.sum()
        return weights

    def solve(self, limit: float = np.inf) -> int:
        """Find the weights, or good ones if they cost more than `limit`; what it cost.

        Where blocks exchanged at once go round in circles, rows come into use without letting the distance grow:
        all that lie too deep together, and when that brings nothing, the deepest one alone.
        """
        self._cost = 0
        if not self._x.any():
            lightest = np.argmin(np.diag(self._M))
            self._x[lightest] = 1 / self._M[lightest, lightest]
        if self._exchange(limit):
            return self._cost
        value = self._value(self._x)
        alone = False
        while self._cost < limit:
            slack = self._slack(self._x)
            if slack.min() >= -_TINY:
                break
            inside = (self._x > 0) | (slack <= slack.min() if alone else slack < -_TINY)
            self._descend(inside, limit)
            before = value
            value = self._value(self._x)
            if alone and value >= before:
                break
            alone = value >= before
        return self._cost

    def _exchange(self, limit: float) -> bool:
        """Exchange all rows that are on the wrong side, in use or not, until there are none; False if that fails."""
        inside = self._x > 0
        fewest = len(self._x) + 1
        patience = _PATIENCE
        while patience > 0 and self._cost < limit:
            z = self._best(inside)
            wrong = (z < 0) | (self._slack(z) < -_TINY)
            count = int(wrong.sum())
            if count == 0:
                self._x = z
                return True
            fewest, patience = (count, _PATIENCE) if count < fewest else (fewest, patience - 1)
            inside = inside ^ wrong
        return False

    def _slack(self, x: FloatArray) -> FloatArray:
        """By how much the products of rows that are not in use exceed the target."""
        return np.where(x == 0, self._M @ x - 1, 0.0)

    def _descend(self, inside: NDArray[np.bool_], limit: float) -> None:
        """To the best weights on rows in use, of which those drop out that would be negative.

        Weights cut off at zero do, if they are better than those before. If not, new rows that would be negative are
        left out, and then the weights move until the first one comes to zero.
        """
        while self._cost < limit:
            z = self._best(inside)
            cut = np.maximum(z, 0)
            if (z >= 0).all() or self._value(cut) < self._value(self._x):
                self._x = cut
                if (z >= 0).all():
                    return
                inside = cut > 0
            elif (z[self._x == 0] < 0).any():
                inside = inside & ~((self._x == 0) & (z < 0))
            else:
                sinking = np.flatnonzero(z < 0)
                shares = self._x[sinking] / (self._x[sinking] - z[sinking])
                self._x = np.maximum(self._x + shares.min() * (z - self._x), 0)
                self._x[sinking[np.argmin(shares)]] = 0
                inside = self._x > 0

    def _value(self, x: FloatArray) -> float:
        """Half the squared distance that is minimised, but for a constant."""
        return float(x @ (self._M @ x) / 2 - x.sum())

    def _best(self, inside: NDArray[np.bool_]) -> FloatArray:
        """The best weights of any sign on the rows in use."""
        from scipy.linalg import LinAlgError, cho_factor, cho_solve

        at = np.flatnonzero(inside)
        self._cost += len(at) ** 3 // 30 + 2 * inside.size**2
        try:
            factor = cho_factor(self._M[np.ix_(at, at)], overwrite_a=True, check_finite=False)
        except LinAlgError:  # rows so alike that rounding outweighs the ridge: a higher one
            self._M[np.diag_indices_from(self._M)] += 100 * _RIDGE * np.diag(self._M).max()
            return self._best(inside)
        x = np.zeros(len(inside))
        x[at] = cho_solve(factor, np.ones(len(at)), check_finite=False)
        return x


def settled(rows: FloatArray, weights: FloatArray) -> FloatArray:
    """Weights near those given, not negative and of sum 1, with a weighted sum of rows that is zero, if there are any.

    >>> settled(np.array([[1.0], [-1.0]]), np.array([0.5001, 0.4999]))
    array([0.5, 0.5])
    """
    from scipy.linalg import cho_factor, cho_solve

    E = np.column_stack([rows, np.ones(len(rows))])
    target = np.zeros(E.shape[1])
    target[-1] = 1.0
    x = weights.copy()
    inside = np.ones(len(weights), dtype=bool)
    for _ in range(10):
        part = E[inside]
        wide = part.shape[0] < part.shape[1]
        products = part @ part.T if wide else part.T @ part
        products[np.diag_indices_from(products)] += 1e-11 * len(part)
        factor = cho_factor(products, overwrite_a=True, check_finite=False)
        for _ in range(5):
            missing = target - part.T @ x[inside]
            solve = partial(cho_solve, factor, check_finite=False)
            x[inside] += solve(part @ missing) if wide else part @ solve(missing)
        if (x >= 0).all():
            break
        inside = x > 0
        x = np.maximum(x, 0)
    result: FloatArray = np.maximum(x, 0) / np.maximum(x, 0).sum()
    return result
