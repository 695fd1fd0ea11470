"""The shadow: a learner that watches another's decisions and the answers to them.

It plays nothing. It is told which labels were played and which bit came back, and says, before it learns
from the bit, how sure it is that the true label was among those played.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray
from onebit.feedback import NoiseRates
from onebit.ops.bit_likelihood import (
    Answer,
    Beliefs,
    curvature,
    gradient,
    implicit_step,
    margin,
    new_beliefs,
    posterior,
)
from onebit.ops.gaussian import move
from onebit.ops.jit import entry_point, jit
from onebit.ops.rows import DenseRow, DenseRows, Row, Rows, SparseRows, row_at, unit_scale
from onebit.ops.second_order import quadratics
from onebit.ops.softmax import softmax
from onebit.ops.weights import scores

VARIANCE = 10.0
"""The prior variance of every weight: small, so that a few noisy bits do not make the shadow sure of itself.

(At 10^4, which suits a learner that plays for itself, one in ten of the surest 5 % is wrong on Fashion-MNIST
with both rates .4; from 3 to 30 one in fifty.)
"""

_LEAST_LESSON = 1e-3
"""A bit that moves no belief by more than this teaches nothing."""

_BIAS = 0.1
"""The constant feature, beside a row of norm 1."""

_MOST_DEVIATIONS = 4.0
"""Where standardised features are cut."""

_ROWS_AT_ONCE = 4096


class State(NamedTuple):
    """W and the variances P of its entries (K × d), room for xᵀP_k x, and the beliefs about one row."""

    W: FloatArray
    P: FloatArray
    s: FloatArray
    beliefs: Beliefs


@jit
def _learn(state: State, row: Row, answer: Answer) -> None:
    """w_k += τ g_k P_k x;  P_k -= h_k/(1 + h_k s_k) (P_k x)², for beliefs z and p that are the row's."""
    beliefs = state.beliefs
    s = state.s
    p = beliefs.p
    q = beliefs.q
    g = beliefs.g
    # What the bit says about the row.
    posterior(p, answer, q)
    if gradient(p, q, g) < _LEAST_LESSON:
        return
    # How far to step, and what the step leaves of the variances.
    quadratics(state.P, row, beliefs.moved, s)
    tau = implicit_step(beliefs, answer, s)
    for k in range(s.shape[0]):
        h = curvature(p, q, k)
        g[k] *= tau
        s[k] = h / (1 + h * s[k])
    move(state.W, state.P, row, g, s, beliefs.D)


@entry_point
def _standardise(X: FloatArray, mean: FloatArray, scale: FloatArray, out: FloatArray) -> None:
    """The rows of X standardised, cut, and scaled to unit norm, into all but the last column of `out`, which is 0."""
    n, d = X.shape
    for i in range(np.int64(n)):
        for j in range(np.int64(d)):
            out[i, j] = min(max((X[i, j] - mean[j]) * scale[j], -_MOST_DEVIATIONS), _MOST_DEVIATIONS)
        factor = unit_scale(DenseRow(out, i, 1.0))
        for j in range(np.int64(d)):
            out[i, j] *= factor


@entry_point
def _watch(state: State, rows: Rows, played: IntArray, bit: IntArray, rates: NoiseRates, out: FloatArray) -> None:
    """The margin of every row before its bit is learned."""
    beliefs = state.beliefs
    for i in range(np.int64(out.shape[0])):
        row = row_at(rows, i, False)
        scores(state.W, row, beliefs.z)
        out[i] = margin(beliefs.z, played[i])
        softmax(beliefs.z, 1.0, beliefs.p)
        _learn(state, row, Answer(played[i], bit[i], rates.rho_0, rates.rho_1, 0.0))


class Shadow:
    """The bit-likelihood learner with one variance per weight, for a table of rows that it sees in order.

    Rows: dense columns are standardised by their mean and deviation in the table and cut at four deviations;
    then, as sparse ones, rows get unit norm and a bias. `dtype` is that of weights and rows.

    >>> draw = np.random.default_rng(0)
    >>> X = draw.normal(size=(500, 2))
    >>> bit = (X[:, 0] > 0).astype(int)                       # label 1 was played, and is right where x_0 > 0
    >>> shadow = Shadow(X, n_classes=2)
    >>> margins = shadow.watch(0, np.ones((500, 1), int), bit, NoiseRates(0.0, 0.0))
    >>> bool(np.mean((margins[100:] > 0) == bit[100:]) > 0.95)
    True
    """

    def __init__(self, table: Any, n_classes: int, dtype: str = "float32") -> None:
        d = table.shape[1] + 1
        if sp.issparse(table):
            self._table = table
            if not table.has_canonical_format:
                self._table = table.copy()
                self._table.sum_duplicates()
            W = np.zeros((d, n_classes), dtype).T
            P = np.full((d, n_classes), VARIANCE, dtype).T
        else:
            self._table, self._mean, self._scale = table, *_moments(table)
            W = np.zeros((n_classes, d), dtype)
            P = np.full((n_classes, d), VARIANCE, dtype)
        self.state = State(W, P, np.zeros(n_classes, dtype), new_beliefs(n_classes, dtype))

    def forget(self) -> None:
        """Back to the start."""
        self.state.W.fill(0)
        self.state.P.fill(VARIANCE)

    def watch(self, first: int, played: IntArray, bit: IntArray, rates: NoiseRates) -> FloatArray:
        """Learn the rounds from row `first` on, one per bit, under these rates.

        Returns the margin of each, from before it was learned: the logit of the believed probability that the
        true label is among those played.
        """
        margins = np.zeros(len(bit))
        part = self._table[first : first + len(bit)]
        dtype = self.state.W.dtype
        rows = _sparse_rows(part, dtype) if sp.issparse(part) else _dense_rows(part, self._mean, self._scale, dtype)
        _watch(self.state, rows, played, bit, NoiseRates(float(rates.rho_0), float(rates.rho_1)), margins)
        return margins


def _moments(table: Any) -> tuple[FloatArray, FloatArray]:
    """The mean of each column and one over its deviation, or 0 for a constant."""
    origin = table[0].astype(np.float64)  # deviations from a row lose no digits where the mean is large
    sums = np.zeros_like(origin)
    squares = np.zeros_like(origin)
    for first in range(0, len(table), _ROWS_AT_ONCE):
        Z = table[first : first + _ROWS_AT_ONCE] - origin
        sums += Z.sum(axis=0)
        squares += np.einsum("ij,ij->j", Z, Z)
    mean = sums / len(table)
    variance = np.maximum(squares / len(table) - mean**2, 0)
    return origin + mean, _inverse_root(variance)


def _inverse_root(squares: FloatArray) -> FloatArray:
    """One over the square root, and 0 for 0."""
    return np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)


def _dense_rows(part: Any, mean: FloatArray, scale: FloatArray, dtype: Any) -> DenseRows:
    n, d = part.shape
    X = np.zeros((n, d + 1), dtype)
    _standardise(np.ascontiguousarray(part, dtype=np.float64), mean, scale, X)
    X[:, d] = _BIAS
    X /= sqrt(1 + _BIAS**2)
    return DenseRows(X)


def _sparse_rows(part: Any, dtype: Any) -> SparseRows:
    # Norms of the rows, then the entries scaled by them, with the bias behind each row's last.
    which = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
    norms = np.zeros(part.shape[0])
    np.add.at(norms, which, part.data.astype(np.float64) ** 2)
    bias_at = part.indptr[1:]
    values = np.insert(part.data * _inverse_root(norms)[which], bias_at, _BIAS) / sqrt(1 + _BIAS**2)
    indices = np.insert(part.indices.astype(np.uint32), bias_at, part.shape[1])
    indptr = part.indptr.astype(np.int64) + np.arange(part.shape[0] + 1)
    return SparseRows(indptr, indices, values.astype(dtype))
