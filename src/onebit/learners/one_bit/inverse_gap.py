"""Inverse-gap weighting: the best labels, and now and then another in place of the last of them."""

from __future__ import annotations

from onebit.core.types import FloatArray, IntArray, Rng
from onebit.ops.bit_likelihood import beside
from onebit.ops.jit import jit
from onebit.ops.random import uniform
from onebit.ops.sets import contains


@jit
def swap_in(p: FloatArray, steep: float, gamma: float, rng: Rng, labels: IntArray) -> tuple[float, float, bool]:
    """Keep the labels, which are the m best, or put another in place of the last: propensity, odds, whether so.

    A label r beside them takes the place of the last one, w, with probability (1-γ) c/(K c + steep (p_w - p_r)) + γ/K,
    where c is all that p gives to labels beside them. The odds are the sum of these over r.

    >>> import numpy as np
    >>> from onebit.ops.random import pack
    >>> labels = np.array([0])
    >>> swap_in(np.array([0.75, 0.25]), 15.0, 0.0, pack(np.random.PCG64(0)), labels)
    (0.96875, 0.03125, False)
    """
    K = p.shape[0]
    last = labels.shape[0] - 1
    c = max(beside(p, labels), 1e-300)
    least = p[labels[last]]
    floor = gamma / K
    u = uniform(rng)
    drawn = -1
    odds = 0.0
    propensity = 0.0
    for r in range(K):
        chance = floor + (1 - gamma) * c / (K * c + steep * (least - p[r]))
        odds += 0.0 if contains(labels, r) else chance
        if drawn < 0 and u < odds:
            drawn = r
            propensity = chance
    if drawn < 0:
        return 1 - odds, odds, False
    labels[last] = drawn
    return propensity, odds, True
