"""Sets of labels in compiled code: the m best ones, and m drawn without replacement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.ops.jit import jit
from onebit.ops.random import below, first_best, uniform

_ALL_PAIRS_UP_TO = 16
"""Up to so many labels, comparing all pairs is cheaper than branches that nobody can predict."""


@jit
def best_labels(scores: FloatArray, out: IntArray) -> None:
    """As many labels as `out` has room for, those with the largest scores: largest first, then lowest label first.

    >>> out = np.zeros(3, dtype=np.int64)
    >>> best_labels(np.array([1.0, 3.0, 0.0, 3.0]), out)
    >>> out
    array([1, 3, 0])
    """
    K = scores.shape[0]
    m = out.shape[0]
    if m == 1:
        out[0] = first_best(scores)
        return
    if K <= _ALL_PAIRS_UP_TO and m > 2:
        # The place of each label is the number of labels before it.
        last = 0
        for r in range(K):
            before = 0
            for j in range(K):
                before += (scores[j] > scores[r]) | ((not scores[j] < scores[r]) & (j < r))
            out[min(before, m - 1)] = r  # the last place is overwritten by all that do not belong
            last = r if before == m - 1 else last
        out[m - 1] = last
        return
    # Insert each label into the m best of those before it.
    for r in range(K):
        if r < m or scores[r] > scores[out[m - 1]]:
            at = min(r, m - 1)
            while at > 0 and scores[r] > scores[out[at - 1]]:
                out[at] = out[at - 1]
                at -= 1
            out[at] = r


@jit
def sort_by_score(scores: FloatArray, labels: IntArray) -> None:
    """The labels in the order of `best_labels`.

    >>> labels = np.array([3, 0, 1])
    >>> sort_by_score(np.array([1.0, 3.0, 0.0, 3.0]), labels)
    >>> labels
    array([1, 3, 0])
    """
    for i in range(1, labels.shape[0]):
        r = labels[i]
        at = i
        while at > 0:
            before = labels[at - 1]
            if scores[r] < scores[before] or (scores[r] == scores[before] and r > before):
                break
            labels[at] = before
            at -= 1
        labels[at] = r


@jit
def contains(labels: IntArray, label: int) -> bool:
    """Whether the label is among them.

    >>> contains(np.array([4, 2]), 2)
    True
    """
    found = False
    for i in range(labels.shape[0]):
        found |= labels[i] == label
    return found


@jit
def uniform_set(n: int, rng: Rng, out: IntArray) -> None:
    """As many different labels below n as `out` has room for, every set of them equally likely (Floyd's way).

    >>> from onebit.ops.random import pack
    >>> out = np.zeros(3, dtype=np.int64)
    >>> uniform_set(4, pack(np.random.PCG64(0)), out)
    >>> len(set(out.tolist()))
    3
    """
    m = out.shape[0]
    for i in range(m):
        last = n - m + i
        label = below(rng, last + 1)
        out[i] = last if contains(out[:i], label) else label


@jit
def _free_label(taken: NDArray[np.bool_], n: int) -> int:
    """The n-th label that is not taken."""
    r = -1
    while n >= 0:
        r += 1
        n -= not taken[r]
    return r


@jit
def _free_among(labels: IntArray, taken: NDArray[np.bool_], n: int) -> int:
    """The n-th of these labels that is not taken; goes through all of them, as that takes no branch."""
    found = labels[0]
    for i in range(labels.shape[0]):
        free = not taken[labels[i]]
        found = labels[i] if free and n == 0 else found
        n -= free
    return found


@jit
def inclusion_without_replacement(gamma: float, top: IntArray, out: FloatArray) -> None:
    """How likely each label is to be in the set that `draw_without_replacement` gives.

    >>> out = np.zeros(3)
    >>> inclusion_without_replacement(0.75, np.array([2, 0]), out)
    >>> out
    array([0.725, 0.55 , 0.725])
    """
    K = out.shape[0]
    m = top.shape[0]
    # How likely it is that n of those drawn so far are among the best: one more draw in each turn, in out[0 .. m].
    out[:] = 0
    out[0] = 1
    for i in range(m):
        for n in range(i, -1, -1):
            best = (m - n) * ((1 - gamma) / m + gamma / K)
            rest = (K - m - i + n) * (gamma / K)
            share = best / (best + rest) if best + rest > 0 else 0.0
            out[n + 1] += out[n] * share
            out[n] *= 1 - share
    expected = 0.0
    for n in range(m + 1):
        expected += n * out[n]
    # The best ones are alike, and so are the others.
    out[:] = (m - expected) / (K - m)
    for i in range(m):
        out[top[i]] = expected / m


@jit
def draw_without_replacement(
    gamma: float, top: IntArray, taken: NDArray[np.bool_], rng: Rng, out: IntArray
) -> tuple[float, bool]:
    """m labels one after another, none twice, with P(r) = ((1-γ)/m) 1[r in top] + γ/K: propensity, explored.

    P is taken over the labels still there, in proportion. The propensity is that of the labels in this order;
    explored says whether any of them came from the uniform part. `taken` is room for K marks, all off before
    and after.

    >>> from onebit.ops.random import pack
    >>> top, out = np.array([2, 0]), np.zeros(2, dtype=np.int64)
    >>> draw_without_replacement(0.0, top, np.zeros(3, dtype=np.bool_), pack(np.random.PCG64(0)), out)
    (0.5, False)
    """
    K = taken.shape[0]
    m = top.shape[0]
    uniform_share = gamma / K
    top_share = (1 - gamma) / m
    tops_left = m
    chance = 1.0
    of = 1.0
    explored = False
    for i in range(m):
        # What is left of P: of its uniform part, and of the part of the best labels.
        explore = gamma - i * uniform_share
        exploit = tops_left * top_share
        v = uniform(rng) * (explore + exploit)
        if v < explore or exploit == 0:
            explored = True
            label = _free_label(taken, min(int(v / explore * (K - i)), K - i - 1))
            is_top = contains(top, label)
        else:
            label = _free_among(top, taken, min(int((v - explore) / top_share), tops_left - 1))
            is_top = True
        # Take the label out, and multiply its share of what was left into the propensity.
        out[i] = label
        taken[label] = True
        tops_left -= is_top
        chance *= uniform_share + top_share if is_top else uniform_share
        of *= explore + exploit
    for i in range(m):
        taken[out[i]] = False
    return chance / of, explored
