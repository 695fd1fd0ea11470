"""Inverse-gap weighting: the best labels, and now and then another in place of the last of them."""

from __future__ import annotations

from onebit.core.types import FloatArray, IntArray, Rng
from onebit.ops.jit import jit
from onebit.ops.random import uniform
from onebit.ops.sets import best_labels


@jit
def swap_in(p: FloatArray, steep: float, gamma: float, rng: Rng, labels: IntArray) -> tuple[float, float, bool]:
    """The m labels with the largest p, or m-1 of them and another: the propensity, the odds, whether it is another.

    A label r outside takes the place of the m-th one, w, with probability (1-γ) c/(K c + steep (p_w - p_r)) + γ/K,
    where c is all that p gives to labels outside. The odds are the sum of these over r. Uses up p.

    >>> import numpy as np
    >>> from onebit.ops.random import pack
    >>> labels = np.zeros(1, dtype=np.int64)
    >>> swap_in(np.array([0.75, 0.25]), 15.0, 0.0, pack(np.random.PCG64(0)), labels)
    (0.96875, 0.03125, False)
    >>> labels
    array([0])
    """
    K, m = p.shape[0], labels.shape[0]
    best_labels(p, labels)
    least = p[labels[m - 1]]
    for i in range(m):
        p[labels[i]] = -1.0
    c = 0.0
    for r in range(K):
        c += max(p[r], 0.0)
    u, drawn, odds, propensity = uniform(rng), -1, 0.0, 0.0
    for r in range(K):
        if p[r] >= 0:
            chance = gamma / K
            if c > 0:
                chance += (1 - gamma) * c / (K * c + steep * (least - p[r]))
            odds += chance
            if drawn < 0 and u < odds:
                drawn, propensity = r, chance
    if drawn < 0:
        return 1 - odds, odds, False
    labels[m - 1] = drawn
    return propensity, odds, True
