"""The point of a convex hull that is nearest to the origin.

For rows a_1 .. a_m let q = Σ p_r a_r with p ≥ 0, Σ p = 1, have the least norm. Then q/‖q‖ is the unit vector with the
largest least product, max min ⟨a_r, w⟩ = ‖q‖; and if q = 0 the weights p prove that no vector has a positive product
with every row (Gordan). The weights p are x/Σx for the non-negative least-squares problem min ‖[Aᵀ; 1ᵀ]x - (0, 1)‖,
x ≥ 0 (Lawson and Hanson, "Solving Least Squares Problems", 1974, chapter 23), which SciPy solves to the last digits.

In many dimensions, with hundreds of rows in use, that becomes slow: it takes in one row at a time. There the same
problem is solved by block pivoting on inner products, which exchanges many rows at once, one Cholesky factorisation
each (Kim and Park, "Fast nonnegative matrix factorization: an active-set-like method and comparisons", 2011,
algorithm 2). Squaring costs half of the digits: what the weights are worth is for the caller to see from the rows, and
`balanced` mends weights whose sum of rows is nearly zero.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray

_RIDGE = 1e-12
"""Added to the diagonal of the inner products, so that they have a Cholesky factor."""
_SLACK = 1e-12
"""By so much a row's product may miss the target of 1."""
_PATIENCE = 10
"""After so many exchanges without progress the rows go round in circles."""
_ROUNDING = 1e-15
"""Weights below this share of the largest one are rounding."""
_STEPS_PER_ROW = 30
"""Steps of Lawson and Hanson's method, for each row, before it is given up."""


class Weights(NamedTuple):
    """A weight per row, not negative and of sum 1, and the multiplications spent on them."""

    values: FloatArray
    cost: int


def nearest_weights(rows: FloatArray) -> Weights:
    """The weights of the nearest point in the hull of the rows, of norm about 1 or less; most of them are 0.

    >>> nearest_weights(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])).values
    array([0.5, 0.5, 0. ])
    """
    from scipy.optimize import nnls

    A = np.vstack([rows.T, np.ones(len(rows))])
    target = np.zeros(len(A))
    target[-1] = 1.0
    try:
        x = nnls(A, target, maxiter=_STEPS_PER_ROW * len(rows))[0]
    except RuntimeError:  # rounding drives it round in circles
        return pivoted_weights(rows @ rows.T, np.zeros(len(rows)))
    x[x < _ROUNDING * x.max()] = 0
    return Weights(x / x.sum(), 2 * A.size * (int(np.count_nonzero(x)) + 1))


def pivoted_weights(products: FloatArray, start: FloatArray, limit: float = np.inf) -> Weights:
    """The weights of the nearest point by the inner products of the rows, from `start`, which may be all zero.

    Where they cost more than `limit`, weights that are good but not the best.

    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> pivoted_weights(rows @ rows.T, np.zeros(3)).values.round(9)
    array([0.5, 0.5, 0. ])
    """
    M = products + 1
    diagonal = np.diag_indices_from(M)
    M[diagonal] += _RIDGE
    in_use = start > 0
    if not in_use.any():
        in_use[np.argmin(M[diagonal])] = True

    # Exchange all rows that are on the wrong side, in use or not, until there are none.
    fewest = len(M) + 1
    patience = _PATIENCE
    cost = 0
    while True:
        x = _least_squares(M, in_use)
        cost += int(in_use.sum()) ** 3 // 30 + 2 * M.size
        wrong = (x < 0) | (~in_use & (M @ x < 1 - _SLACK))
        count = int(wrong.sum())
        patience = _PATIENCE if count < fewest else patience - 1
        fewest = min(count, fewest)
        if count == 0 or patience == 0 or cost > limit:
            break
        in_use ^= wrong

    # Rows that go round in circles come into use one at a time; if that fails too, the weights are not the best.
    if patience == 0:
        with suppress(RuntimeError):
            x = _one_at_a_time(M)
        cost += 4 * M.size * (int(np.count_nonzero(x)) + 1)
    x = np.maximum(x, 0)
    return Weights(x / x.sum(), cost)


def balanced(rows: FloatArray, weights: FloatArray) -> FloatArray:
    """Weights near those given, not negative and of sum 1, with a weighted sum of rows that is zero, if there are any.

    >>> balanced(np.array([[1.0], [-1.0]]), np.array([0.5001, 0.4999]))
    array([0.5, 0.5])
    """
    from scipy.linalg import cho_factor, cho_solve

    A = np.column_stack([rows, np.ones(len(rows))])
    target = np.zeros(A.shape[1])
    target[-1] = 1.0
    x = weights.copy()
    in_use = np.ones(len(weights), dtype=bool)
    for _ in range(10):
        # The least change that meets the target, by the smaller one of the two tables of products.
        part = A[in_use]
        wide = part.shape[0] < part.shape[1]
        products = part @ part.T if wide else part.T @ part
        products[np.diag_indices_from(products)] += 1e-11 * len(part)
        solve = partial(cho_solve, cho_factor(products, overwrite_a=True, check_finite=False), check_finite=False)
        for _ in range(5):
            missing = target - part.T @ x[in_use]
            x[in_use] += solve(part @ missing) if wide else part @ solve(missing)

        # Rows whose weight has turned negative leave.
        if (x >= 0).all():
            break
        in_use = x > 0
        x = np.maximum(x, 0)
    result: FloatArray = np.maximum(x, 0) / np.maximum(x, 0).sum()
    return result


def _least_squares(M: FloatArray, in_use: NDArray[np.bool_]) -> FloatArray:
    """The best weights of any sign on the rows in use; raises the diagonal of M where it has no Cholesky factor."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    at = np.flatnonzero(in_use)
    x = np.zeros(len(M))
    while True:
        try:
            factor = cho_factor(M[np.ix_(at, at)], overwrite_a=True, check_finite=False)
        except LinAlgError:
            _raise_ridge(M)
            continue
        x[at] = cho_solve(factor, np.ones(len(at)), check_finite=False)
        return x


def _one_at_a_time(M: FloatArray) -> FloatArray:
    """The best weights that are not negative, by Lawson and Hanson's method on the Cholesky factor of M."""
    from scipy.linalg import LinAlgError, cholesky, solve_triangular
    from scipy.optimize import nnls

    while True:
        try:
            factor = cholesky(M, check_finite=False)
        except LinAlgError:
            _raise_ridge(M)
            continue
        target = solve_triangular(factor, np.ones(len(M)), trans="T", check_finite=False)
        x: FloatArray = nnls(factor, target, maxiter=_STEPS_PER_ROW * len(M))[0]
        return x


def _raise_ridge(M: FloatArray) -> None:
    """For rows so alike that rounding outweighs the ridge."""
    M[np.diag_indices_from(M)] += 100 * _RIDGE * np.diag(M).max()
