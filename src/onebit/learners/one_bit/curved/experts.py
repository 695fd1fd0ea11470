"""Experts: the same posterior for each of several flip rates, and how much each is to be believed.

Nobody says how often bits lie, so each expert reads them with flip rates of its own: .01, .1, .25 and .4, both ways.
An expert's share of the mixture is as the likelihood of the bits so far under it; where the rates are known, there is
one. Weights are functions on the dictionary, w_r = Σ_i W_ri k(·, x_i), with a covariance P_r for each class. What is
kept is what lessons have taken from the prior, Q_r: P_r = v K⁻¹ - Q_r. So a dictionary that grows leaves it as it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.contract.schema import reals
from onebit.core.aliases import FloatArray
from onebit.feedback import NoiseRates
from onebit.learners.one_bit.curved.dictionary import padded
from onebit.ops.jit import jit, noinline
from onebit.ops.packed import packed_length

RATES = (0.01, 0.1, 0.25, 0.4)
"""Both flip rates of each expert, where they are unknown."""

_HONEST = 0.95
"""κ = 1-ρ0-ρ1 from which on bits are trusted: their prior is as wide, and exploration as short, as if none lied."""

_LEAST_LIKELIHOOD = 1e-6  # of a bit under an expert
_LEAST_SHARE = 1e-6  # an expert with less sleeps until a restart ...
_FIRST_SLEEP = 500  # ... from this bit on


class Experts(NamedTuple):
    """Means W (E, K, N), what lessons have told Q (E, K, packed), and about each expert: rates, prior, share."""

    W: FloatArray
    Q: FloatArray
    rho_0: FloatArray
    rho_1: FloatArray
    variance: FloatArray  # v: of a weight before the first lesson
    steepness: FloatArray  # c: how soon exploration ends, 1 where bits are trusted
    share: FloatArray  # of the mixture; 0 for one that sleeps


def new_experts(K: int, rates: NoiseRates | None, variance: float) -> Experts:
    """Experts for K classes and an empty dictionary; for known rates one, for unknown ones four.

    >>> new_experts(3, None, 100.0).variance
    array([100.,  80.,  50.,  20.])
    >>> new_experts(3, NoiseRates(0.25, 0.25), 100.0).steepness
    array([0.125])
    """
    pairs = [(rho, rho) for rho in RATES] if rates is None else [tuple(rates)]
    rho_0, rho_1 = np.array(pairs, dtype=np.float64).T.copy()
    kappa = 1 - rho_0 - rho_1
    trusted = kappa >= _HONEST
    E = len(pairs)
    return Experts(
        W=np.zeros((E, K, 0)),
        Q=np.zeros((E, K, 0)),
        rho_0=rho_0,
        rho_1=rho_1,
        variance=variance * np.where(trusted, 1.0, kappa),
        steepness=np.where(trusted, 1.0, kappa**2 / 2),
        share=np.full(E, 1 / E),
    )


def with_room(experts: Experts, capacity: int) -> Experts:
    """The same with room for a dictionary of so many cases."""
    E, K, n = experts.W.shape
    W = np.zeros((E, K, padded(capacity)))
    Q = np.zeros((E, K, packed_length(capacity)))
    kept = min(n, W.shape[2])
    W[:, :, :kept] = experts.W[:, :, :kept]
    told = min(experts.Q.shape[2], Q.shape[2])
    for e in np.flatnonzero(experts.share):  # what nobody reads takes no memory
        Q[e, :, :told] = experts.Q[e, :, :told]
    return experts._replace(W=W, Q=Q)


def experts_schema(E: int, K: int, capacity: int) -> Experts:
    """What a file may hold of them."""
    rate = reals(E, dtype="float64", low=0, high=1)
    return Experts(
        W=reals(E, K, padded(capacity), dtype="float64"),
        Q=reals(E, K, packed_length(capacity), dtype="float64"),
        rho_0=rate,
        rho_1=rate,
        variance=reals(E, dtype="float64", low=1e-300),
        steepness=rate,
        share=rate,
    )


@jit
def expected_rates(experts: Experts) -> tuple[float, float]:
    """Σ share_e ρ_e: the flip rates that the experts together count on.

    >>> expected_rates(new_experts(2, NoiseRates(0.25, 0.5), 1.0))
    (0.25, 0.5)
    """
    rho_0 = 0.0
    rho_1 = 0.0
    for e in range(experts.share.shape[0]):
        rho_0 += experts.share[e] * experts.rho_0[e]
        rho_1 += experts.share[e] * experts.rho_1[e]
    return rho_0, rho_1


@jit
def expected_steepness(experts: Experts) -> float:
    """Σ share_e c_e.

    >>> expected_steepness(new_experts(2, NoiseRates(0.0, 0.0), 1.0))
    1.0
    """
    sum_ = 0.0
    for e in range(experts.share.shape[0]):
        sum_ += experts.share[e] * experts.steepness[e]
    return sum_


@jit
def hear(experts: Experts, n: int, inside: FloatArray, bit: int) -> None:
    """Weigh each expert by how likely it held the n-th bit to be; `inside` is its belief that the play was right.

    >>> experts = new_experts(2, None, 1.0)
    >>> hear(experts, 1, np.array([1.0, 1.0, 1.0, 1.0]), 0)
    >>> experts.share.round(3)
    array([0.013, 0.132, 0.329, 0.526])
    """
    share = experts.share
    sum_ = 0.0
    for e in range(share.shape[0]):
        if share[e] > 0:
            yes = experts.rho_0[e] + (1 - experts.rho_0[e] - experts.rho_1[e]) * inside[e]
            likely = yes if bit else 1 - yes
            share[e] *= max(likely, _LEAST_LIKELIHOOD)
            sum_ += share[e]
    left = 0.0
    for e in range(share.shape[0]):
        share[e] /= sum_
        if n >= _FIRST_SLEEP and share[e] < _LEAST_SHARE:
            share[e] = 0.0
        left += share[e]
    for e in range(share.shape[0]):
        share[e] /= left


@noinline
def forget_lessons(experts: Experts) -> None:
    """Nothing learned, all awake."""
    E, K, N = experts.W.shape
    for e in range(E):
        experts.share[e] = 1 / E
        for r in range(K):
            for i in range(N):
                experts.W[e, r, i] = 0.0
            for i in range(experts.Q.shape[2]):
                experts.Q[e, r, i] = 0.0
