"""Inverse-gap weighting: the best labels, and now and then another in place of the last of them."""

from __future__ import annotations

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.ops.bit_likelihood import mass_outside
from onebit.ops.jit import jit
from onebit.ops.random import uniform
from onebit.ops.sets import contains

STEEPNESS = 40.0
"""λ/(κ² √(K t)): how much a gap counts against a label."""

STEEPNESS_UNDER_LIES = 20.0
"""The same where bits are known to lie often: exploration goes on for longer."""


@jit
def explore(p: FloatArray, steep: float, gamma: float, rng: Rng, labels: IntArray) -> tuple[float, float, bool]:
    """Keep the labels A, which are the m best, or put another in place of the last of them, w.

    A label r ∉ A is put there with probability (1-γ) c/(K c + λ (p_w - p_r)) + γ/K, where c = Σ_{r∉A} p_r and λ is
    `steep`. Returns the propensity, how likely any was to be put there, and whether one was.

    >>> import numpy as np
    >>> from onebit.ops.random import pack
    >>> labels = np.array([0])
    >>> explore(np.array([0.75, 0.25]), 15.0, 0.0, pack(np.random.PCG64(0)), labels)
    (0.96875, 0.03125, False)
    """
    K = p.shape[0]
    last = labels.shape[0] - 1
    c = max(mass_outside(p, labels), 1e-300)
    least = p[labels[last]]
    floor = gamma / K
    u = uniform(rng)
    drawn = -1
    propensity = 0.0
    exploration = 0.0  # the sum of the probabilities so far: the first label at which it passes u is drawn
    for r in range(K):
        chance = floor + (1 - gamma) * c / (K * c + steep * (least - p[r]))
        exploration += 0.0 if contains(labels, r) else chance
        if drawn < 0 and u < exploration:
            drawn = r
            propensity = chance
    if drawn < 0:
        return 1 - exploration, exploration, False
    labels[last] = drawn
    return propensity, exploration, True


@jit
def explore_pmf(p: FloatArray, steep: float, gamma: float, labels: IntArray, out: FloatArray) -> None:
    """How likely each label is among those that `explore` leaves.

    >>> import numpy as np
    >>> out = np.zeros(2)
    >>> explore_pmf(np.array([0.75, 0.25]), 15.0, 0.0, np.array([0]), out)
    >>> out
    array([0.96875, 0.03125])
    """
    K = p.shape[0]
    last = labels[labels.shape[0] - 1]
    c = max(mass_outside(p, labels), 1e-300)
    exploration = 0.0
    for r in range(K):
        kept = contains(labels, r)
        chance = gamma / K + (1 - gamma) * c / (K * c + steep * (p[last] - p[r]))
        out[r] = 1.0 if kept else chance
        exploration += 0.0 if kept else chance
    out[last] = 1 - exploration
