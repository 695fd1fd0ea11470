"""The weights of experts on the dictionary.

Weights are functions on it, w_r = Σ_i W_ri k(·, x_i), with a covariance P_r for each class. What is kept is what
lessons have taken from the prior, Q_r: P_r = v K⁻¹ - Q_r. So a dictionary that grows leaves it as it is. Once it is
closed v K⁻¹ is taken off, at the first step of a class, and -P_r is kept: so no step needs K⁻¹ any more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.contract.schema import reals, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.learners.one_bit.curved.dictionary import Dictionary, padded
from onebit.ops.flat import add_scaled
from onebit.ops.jit import jit, noinline
from onebit.ops.packed import aligned_zeros, packed_length, packed_product


class Experts(NamedTuple):
    """Means W (E, K, N), and what lessons have told, Q (E, K, packed)."""

    W: FloatArray
    Q: FloatArray
    less_prior: IntArray  # (E, K): 1 where v K⁻¹ is taken off Q_r, which then is -P_r


def new_experts(E: int, K: int) -> Experts:
    """For E flip rates, K classes and an empty dictionary.

    >>> new_experts(4, 3).W.shape
    (4, 3, 0)
    """
    return Experts(W=np.zeros((E, K, 0)), Q=np.zeros((E, K, 0)), less_prior=np.zeros((E, K), np.int64))


def with_room(experts: Experts, awake: FloatArray, capacity: int) -> Experts:
    """The same with room for a dictionary of so many cases; what an expert that sleeps has learned is not kept."""
    E, K, n = experts.W.shape
    W = np.zeros((E, K, padded(capacity)))
    Q = aligned_zeros(E, K, packed_length(capacity))
    kept = min(n, W.shape[2])
    W[:, :, :kept] = experts.W[:, :, :kept]
    told = min(experts.Q.shape[2], Q.shape[2])
    less_prior = np.zeros_like(experts.less_prior)
    for e in np.flatnonzero(awake):  # what nobody reads takes no memory
        Q[e, :, :told] = experts.Q[e, :, :told]
        less_prior[e] = experts.less_prior[e]
    return Experts(W, Q, less_prior)


def experts_schema(E: int, K: int, capacity: int) -> Experts:
    """What a file may hold of them."""
    return Experts(
        W=reals(E, K, padded(capacity), dtype="float64"),
        Q=reals(E, K, packed_length(capacity), dtype="float64"),
        less_prior=whole(E, K, high=1),
    )


@jit
def spread_over_kept(
    dictionary: Dictionary, experts: Experts, e: int, r: int, variance: float, out: FloatArray
) -> None:
    """out = P_r k of expert e; K⁻¹k must be there unless the dictionary is closed."""
    Q = experts.Q[e, r]
    less_prior = experts.less_prior
    n = dictionary.size[0]
    if dictionary.closed[0] and not less_prior[e, r]:
        add_scaled(Q, 0, -variance, dictionary.inverse, 0, packed_length(n))
        less_prior[e, r] = 1
    packed_product(Q, dictionary.k[0], n, out)
    if less_prior[e, r]:
        for i in range(n):
            out[i] = -out[i]
    else:
        for i in range(n):
            out[i] = variance * dictionary.explained[i] - out[i]


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
            experts.less_prior[e, r] = 0
