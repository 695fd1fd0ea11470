"""The weights of experts on the dictionary.

Weights are functions on it, w_r = Σ_i W_ri k(·, x_i), with a covariance P_r for each class. What is kept is what
lessons have taken from the prior, Q_r: P_r = v K⁻¹ - Q_r. So a dictionary that grows leaves it as it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.contract.schema import reals
from onebit.core.aliases import FloatArray
from onebit.learners.one_bit.curved.dictionary import padded
from onebit.ops.jit import noinline
from onebit.ops.packed import packed_length


class Experts(NamedTuple):
    """Means W (E, K, N), and what lessons have told, Q (E, K, packed)."""

    W: FloatArray
    Q: FloatArray


def new_experts(E: int, K: int) -> Experts:
    """For E flip rates, K classes and an empty dictionary.

    >>> new_experts(4, 3).W.shape
    (4, 3, 0)
    """
    return Experts(W=np.zeros((E, K, 0)), Q=np.zeros((E, K, 0)))


def with_room(experts: Experts, awake: FloatArray, capacity: int) -> Experts:
    """The same with room for a dictionary of so many cases; what an expert that sleeps has learned is not kept."""
    E, K, n = experts.W.shape
    W = np.zeros((E, K, padded(capacity)))
    Q = np.zeros((E, K, packed_length(capacity)))
    kept = min(n, W.shape[2])
    W[:, :, :kept] = experts.W[:, :, :kept]
    told = min(experts.Q.shape[2], Q.shape[2])
    for e in np.flatnonzero(awake):  # what nobody reads takes no memory
        Q[e, :, :told] = experts.Q[e, :, :told]
    return Experts(W, Q)


def experts_schema(E: int, K: int, capacity: int) -> Experts:
    """What a file may hold of them."""
    return Experts(
        W=reals(E, K, padded(capacity), dtype="float64"),
        Q=reals(E, K, packed_length(capacity), dtype="float64"),
    )


@noinline
def forget_weights(experts: Experts) -> None:
    """Nothing learned."""
    E, K, N = experts.W.shape
    for e in range(E):
        for r in range(K):
            for i in range(N):
                experts.W[e, r, i] = 0.0
            for i in range(experts.Q.shape[2]):
                experts.Q[e, r, i] = 0.0
