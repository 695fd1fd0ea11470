"""Why a dictionary of kept cases scores a row as it does: by which features, and because it is like which cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import softmax

from onebit.contract.compiled import entries
from onebit.core.aliases import FloatArray
from onebit.learners.one_bit.curved.dictionary import LINEAR, SHARES, vectors_of
from onebit.learners.one_bit.curved.state import CurvedState
from onebit.learners.one_bit.explanation import KeptCase, Part, Reasons
from onebit.ops.packed import packed_product
from onebit.ops.tables import dense_rows

if TYPE_CHECKING:
    from onebit.learners.one_bit.learner import OneBit

_MOST_CASES = 10
_ROWS_AT_A_TIME = 256


def curved_reasons(
    learner: OneBit, state: CurvedState, x: FloatArray, name_of: Callable[[int], str], top: int
) -> tuple[Reasons, ...]:
    """The reasons for every label: parts by differences, and the nearest kept cases that are held to be of the label.

    A part is log p of the label less what that would be with the feature at its mean.
    """
    own = learner.scoring_state(state)
    length = np.linalg.norm(x)
    seen = x / length if learner.normalize and length > 0 else x
    here = _log_p(learner, own, seen[None])[0]
    moved = _moved_by(learner, own, seen, here)
    _log_p(learner, own, seen[None])  # leaves the kernels of the row itself

    e = int(np.argmax(state.rates.share))
    itself = sum(SHARES) + LINEAR * own.views.b[-1]  # k(x, x)
    deviations = _deviations(own, itself, e)
    like = _kept_cases(state, own.dictionary.k[0], itself, e)
    probabilities = np.ravel(learner.predict_proba(x))
    reasons = []
    for r, label in enumerate(learner.classes):
        order = np.argsort(-abs(moved[:, r]), kind="stable")
        others = moved[order[top:], r]
        reasons.append(
            Reasons(
                label=label,
                probability=float(probabilities[r]),
                score=float(here[r]),
                deviation=float(deviations[r]),
                parts=tuple(Part(name_of(int(j)), float(x[j]), float(moved[j, r])) for j in order[:top]),
                others=float(others.sum()),
                n_others=len(others),
                bias=0.0,
                like=like[r],
            )
        )
    return tuple(reasons)


def _log_p(learner: OneBit, state: CurvedState, X: FloatArray) -> FloatArray:
    """log p of every label for each row, by the state's own room."""
    out = np.zeros((len(X), len(learner.classes)), learner.dtype)
    score = entries(learner.compiled_for(state), learner.feedback).score
    score(learner._session.hyper, state, dense_rows(np.ascontiguousarray(X)), False, out)
    return out.astype(np.float64)


def _moved_by(learner: OneBit, state: CurvedState, x: FloatArray, here: FloatArray) -> FloatArray:
    """By how much each feature moves log p of each label from where it would be with this feature at its mean."""
    mean = state.statistics.mean
    moved = np.zeros((len(x), len(here)))
    for first in range(0, len(x), _ROWS_AT_A_TIME):
        some = np.arange(first, min(first + _ROWS_AT_A_TIME, len(x)))
        without = np.tile(x, (len(some), 1))
        without[np.arange(len(some)), some] = mean[some]
        moved[some] = here - _log_p(learner, state, without)
    return moved


def _deviations(state: CurvedState, itself: float, e: int) -> FloatArray:
    """The doubt of one expert about the score of every label for the row at hand: √(v k(x, x) - kᵀQ_r k)."""
    variance = state.rates.variance[e]
    unexplained = variance * (itself - _square(state, state.dictionary.inverse))
    told = np.array([_square(state, Q) for Q in state.weights.Q[e]])
    prior = np.where(state.weights.less_prior[e], unexplained, variance * itself)
    found: FloatArray = np.sqrt(np.maximum(prior - told, 0))
    return found


def _square(state: CurvedState, A: FloatArray) -> float:
    """kᵀA k for the row at hand."""
    k = state.dictionary.k[0]
    product = np.zeros_like(k)
    packed_product(A, k, int(state.dictionary.size[0]), product)
    return float(k @ product)


def _kept_cases(state: CurvedState, k: FloatArray, itself: float, e: int) -> list[tuple[KeptCase, ...]]:
    """For every label the kept cases that an expert holds to be of it, the most similar first."""
    n = int(state.dictionary.size[0])
    a = vectors_of(state.dictionary.a, n)
    b = vectors_of(state.dictionary.b, n)
    near = SHARES[0] * np.exp(-_squared_distances(a)) + SHARES[1] * np.exp(-_squared_distances(b)) + LINEAR * b @ b.T
    similar = k[:n] / np.sqrt(itself * near.diagonal())
    believed = softmax(state.weights.W[e, :, :n] @ near, axis=0)
    statistics = state.statistics
    spread = np.sqrt(statistics.variance.sum(dtype=np.float64)) or 1.0
    found: list[list[KeptCase]] = [[] for _ in believed]
    for i in np.argsort(-similar, kind="stable").tolist():
        r = int(np.argmax(believed[:, i]))
        if len(found[r]) < _MOST_CASES:
            lesson = int(state.dictionary.lesson[i])
            found[r].append(KeptCase(lesson, float(similar[i]), float(believed[r, i]), statistics.mean + b[i] * spread))
    return [tuple(cases) for cases in found]


def _squared_distances(vectors: FloatArray) -> FloatArray:
    """Between any two of the vectors."""
    squares = (vectors**2).sum(axis=1)
    found: FloatArray = squares[:, None] + squares - 2 * vectors @ vectors.T
    return found
