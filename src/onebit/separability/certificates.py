"""Proofs that anyone can check with one matrix product: vectors that separate, or weights that add up to zero."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray, Label
from onebit.core.errors import DataError
from onebit.features.labelled import encode_labels, prepare_rows


@dataclass(frozen=True, eq=False)
class StrongVectors:
    """One vector w_i per class: ⟨x, w_i⟩ ≥ γ/2 for the rows of class i, ≤ -γ/2 for all others, Σ‖w_i‖² = 1.

    >>> StrongVectors((0, 1), np.array([[0.5, 0.5], [-0.5, -0.5]])).verify([[1.0, 1.0], [-1.0, -1.0]], [0, 1])
    2.0
    """

    classes: tuple[Label, ...]
    vectors: FloatArray

    def verify(self, X: Any, y: Any) -> float:
        """The margin that the vectors really have on labelled rows; zero or negative if they do not separate."""
        scores, codes = _scores(X, y, self.classes, self.vectors)
        own = np.zeros_like(scores, dtype=bool)
        own[np.arange(len(codes)), codes] = True
        return float(2 * np.where(own, scores, -scores).min() / np.linalg.norm(self.vectors))


@dataclass(frozen=True, eq=False)
class WeakVectors:
    """One vector w_i per class: ⟨x, w_y⟩ ≥ ⟨x, w_i⟩ + γ for a row of class y and every i ≠ y, Σ‖w_i‖² = 1.

    >>> WeakVectors((0, 1), np.array([[0.5, 0.5], [-0.5, -0.5]])).verify([[1.0, 1.0], [-1.0, -1.0]], [0, 1])
    2.0
    """

    classes: tuple[Label, ...]
    vectors: FloatArray

    def verify(self, X: Any, y: Any) -> float:
        """The margin that the vectors really have on labelled rows; zero or negative if they do not separate."""
        return _lead(*_scores(X, y, self.classes, self.vectors)) / float(np.linalg.norm(self.vectors))


@dataclass(frozen=True, eq=False)
class GroupVectors:
    """Two vectors per group: `vectors` tell the groups apart, `directions` the classes of each group.

    ⟨x, u_g⟩ ≥ ⟨x, u_p⟩ + γ for a row of group g and every p ≠ g, Σ‖u‖² = 1. Along its group's u' every class lies in a
    slab of its own, at least 2γ from the next, Σ‖u'‖² = 1; `orders` has the classes of each group from low to high and
    `thresholds` the values of ⟨x, u'⟩ half way between neighbours. `groups` is the group of each class.

    >>> vectors = GroupVectors(("a", "b"), (0, 0), np.zeros((1, 1)), np.ones((1, 1)), (("a", "b"),), ((0.5,),))
    >>> vectors.verify([[0.0], [1.0]], ["a", "b"])
    0.5
    """

    classes: tuple[Label, ...]
    groups: tuple[int, ...]
    vectors: FloatArray
    directions: FloatArray
    orders: tuple[tuple[Label, ...], ...]
    thresholds: tuple[tuple[float, ...], ...]

    def verify(self, X: Any, y: Any) -> float:
        """The margin that the vectors really have on labelled rows; zero or negative if they do not separate."""
        scores, codes = _scores(X, y, self.classes, np.vstack([self.vectors, self.directions]))
        L = len(self.vectors)
        group = np.array(self.groups)[codes]
        margin = np.inf
        if L > 1:
            margin = _lead(scores[:, :L], group) / float(np.linalg.norm(self.vectors))
        along = scores[np.arange(len(codes)), L + group]
        number = {label: k for k, label in enumerate(self.classes)}
        for order in self.orders:
            slabs = [along[codes == number[label]] for label in order]
            slabs = [slab for slab in slabs if len(slab)]
            for lower, upper in pairwise(slabs):
                gap = float(upper.min() - lower.max())
                margin = min(margin, gap / 2 / float(np.linalg.norm(self.directions)))
        return margin


@dataclass(frozen=True, eq=False)
class Contradiction:
    """Few rows that rule a claim out: weights ≥ 0 of sum 1 on conditions whose weighted sum is zero (Gordan).

    A claim asks for vectors under which certain products are all positive. The conditions here are among them, and
    their weighted sum is 0 whatever the vectors, so they cannot all be positive. Condition r is about the row
    `rows[r]` and, by `kind`:

    - "sides": ⟨x, w⟩ > 0 where `places` of the row's class is 1, < 0 where it is -1; `against` has that sign;
    - "rivals": ⟨x, u_g⟩ > ⟨x, u_p⟩, with g the `places` of the row's class and p = `against[r]`;
    - "slabs": ⟨x, u⟩ > ⟨x', u⟩, with x' the row `against[r]`, whose class has a lower one of the `places`.

    >>> both = Contradiction("class a on one side", "sides", ("a", "b"), (1, -1), np.array([0, 1]), np.array([1, -1]),
    ...                      np.array([0.5, 0.5]))
    >>> both.verify([[2.0], [2.0]], ["a", "b"])
    0.0
    """

    claim: str
    kind: Literal["sides", "rivals", "slabs"]
    classes: tuple[Label, ...]
    places: tuple[int, ...]
    rows: IntArray
    against: IntArray
    weights: FloatArray

    @property
    def examples(self) -> IntArray:
        """The numbers of all rows that take part, sorted."""
        both = np.concatenate([self.rows, self.against]) if self.kind == "slabs" else self.rows
        return np.unique(both)

    def verify(self, X: Any, y: Any) -> float:
        """The norm of the weighted sum, in units of the longest row that takes part: 0 but for rounding.

        Raises a `DataError` if the conditions do not follow from the claim on these labelled rows.
        """
        table, codes = _read(X, y, self.classes)
        if self.examples[-1] >= len(codes):
            raise DataError(f"X: has {len(codes)} rows, but row {self.examples[-1]} takes part; give the same rows")
        places = np.array(self.places)
        own = places[codes[self.rows]]
        self._check(own, places[codes[self.against]] if self.kind == "slabs" else self.against)
        at = np.arange(len(self.rows))
        if self.kind == "rivals":
            shares = np.zeros((len(self.rows), places.max() + 1))
            shares[at, own] = self.weights
            shares[at, self.against] = -self.weights
        else:
            shares = (self.weights * (own if self.kind == "sides" else 1))[:, None]
        involved = _dense(table[self.rows])
        total = shares.T @ involved
        if self.kind == "slabs":
            lower = _dense(table[self.against])
            total = total - shares.T @ lower
            involved = np.vstack([involved, lower])
        longest = float(np.sqrt(np.einsum("ij,ij->i", involved, involved).max()))
        return float(np.linalg.norm(total)) / (longest or 1.0)

    def _check(self, own: IntArray, other: IntArray) -> None:
        """That every condition is one of the claim's."""
        valid = {
            "sides": (own != 0) & (own == other),
            "rivals": (own >= 0) & (other >= 0) & (own != other),
            "slabs": (other >= 0) & (own > other),
        }[self.kind]
        if not valid.all() or not (self.weights >= 0).all() or not self.weights.sum() > 0.5:
            raise DataError(f"y: the labels of the rows {self.examples.tolist()} do not fit the claim: {self.claim}")


def _lead(scores: FloatArray, own: IntArray) -> float:
    """How far the score of a row's own column is above all others, at the least."""
    at = np.arange(len(own)), own
    mine = scores[at]
    others = scores.copy()
    others[at] = -np.inf
    return float((mine - others.max(axis=1)).min())


def _scores(X: Any, y: Any, classes: tuple[Label, ...], vectors: FloatArray) -> tuple[FloatArray, IntArray]:
    table, codes = _read(X, y, classes)
    return np.asarray(table @ vectors.T, dtype=np.float64), codes


def _read(X: Any, y: Any, classes: tuple[Label, ...]) -> tuple[Any, IntArray]:
    table = prepare_rows(X)
    if table.dtype != np.float64:
        table = table.astype(np.float64)
    labels = np.asarray(y)
    if labels.shape != (table.shape[0],):
        raise DataError(f"y: has shape {labels.shape}, but X has {table.shape[0]} rows; give one label per row")
    return table, encode_labels(labels, classes)[1]


def _dense(part: Any) -> FloatArray:
    return np.asarray(part.toarray() if sp.issparse(part) else part, dtype=np.float64)
