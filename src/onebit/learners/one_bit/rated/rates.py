"""A grid of flip rates: each expert reads the bits with rates of its own, and is believed as its forecasts deserve.

Nobody says how often bits lie, so there are four experts, with the rates .01, .05, .25 and .4, both ways; where rates
are known, there is one. The share of an expert in the mixture is as the likelihood of the bits so far under it, and as
what it had at the start: most bits do not lie.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.contract.schema import reals
from onebit.core.aliases import FloatArray
from onebit.core.errors import FormatError
from onebit.feedback import NoiseRates
from onebit.ops.bit_likelihood import Answer
from onebit.ops.jit import jit

RATES = (0.01, 0.05, 0.25, 0.4)
"""Both flip rates of each expert, where they are unknown."""

_HONEST = 0.95
"""κ = 1-ρ0-ρ1 from which on bits are trusted: their prior is as wide, and exploration as short, as if none lied."""

_FIRST_TRUST = 0.9
"""The share of the most trusting expert at the start; the others have the rest in equal parts."""

_LEAST_LIKELIHOOD = 1e-6  # of a bit under an expert
_LEAST_SHARE = 1e-18  # an expert with less sleeps until a restart ...
_FIRST_SLEEP = 500  # ... from this bit on


class Rates(NamedTuple):
    """About each expert: its flip rates, prior, and share of the mixture."""

    rho_0: FloatArray
    rho_1: FloatArray
    variance: FloatArray  # v: of a weight before the first lesson
    steepness: FloatArray  # c: how soon exploration ends, 1 where bits are trusted
    share: FloatArray  # of the mixture; 0 for one that sleeps


def new_rates(rates: NoiseRates | None, variance: float, power: float, doubted: float = 1.0) -> Rates:
    """One expert for known rates, four for unknown ones; where bits are not trusted, v is variance · doubted · κ^power.

    >>> new_rates(None, 100.0, 1, 0.5).variance
    array([100.,  45.,  25.,  10.])
    >>> new_rates(NoiseRates(0.25, 0.25), 100.0, 3).steepness
    array([0.125])
    """
    pairs = [(rho, rho) for rho in RATES] if rates is None else [tuple(rates)]
    rho_0, rho_1 = np.array(pairs, dtype=np.float64).T.copy()
    kappa = 1 - rho_0 - rho_1
    trusted = kappa >= _HONEST
    E = len(pairs)
    grid = Rates(
        rho_0=rho_0,
        rho_1=rho_1,
        variance=variance * np.where(trusted, 1.0, doubted * kappa**power),
        steepness=np.where(trusted, 1.0, kappa**2 / 2),
        share=np.ones(E),
    )
    begin_shares(grid)
    return grid


def rates_schema(E: int) -> Rates:
    """What a file may hold of them."""
    rate = reals(E, dtype="float64", low=0, high=1)
    return Rates(
        rho_0=rate,
        rho_1=rate,
        variance=reals(E, dtype="float64", low=1e-300),
        steepness=rate,
        share=rate,
    )


def check_rates(rates: Rates) -> None:
    """The bits say something to every expert, and one is awake."""
    for pair in zip(rates.rho_0.tolist(), rates.rho_1.tolist(), strict=True):
        NoiseRates(*pair).checked()
    if not rates.share.any():
        raise FormatError("array share has no expert that is awake")


@jit
def expected_rates(rates: Rates) -> tuple[float, float]:
    """Σ share_e ρ_e: the flip rates that the experts together count on.

    >>> expected_rates(new_rates(NoiseRates(0.25, 0.5), 1.0, 1))
    (0.25, 0.5)
    """
    rho_0 = 0.0
    rho_1 = 0.0
    for e in range(rates.share.shape[0]):
        rho_0 += rates.share[e] * rates.rho_0[e]
        rho_1 += rates.share[e] * rates.rho_1[e]
    return rho_0, rho_1


@jit
def expected_steepness(rates: Rates) -> float:
    """Σ share_e c_e.

    >>> expected_steepness(new_rates(NoiseRates(0.0, 0.0), 1.0, 1))
    1.0
    """
    sum_ = 0.0
    for e in range(rates.share.shape[0]):
        sum_ += rates.share[e] * rates.steepness[e]
    return sum_


@jit
def heard_by(rates: Rates, e: int, answer: Answer, told: bool) -> Answer:
    """The answer as expert e reads it: a bit with its own flip rates, a label as it is."""
    if told:
        return answer
    return Answer(answer.played, answer.bit, rates.rho_0[e], rates.rho_1[e], 0.0)


@jit
def hear(rates: Rates, n: int, inside: FloatArray, bit: int) -> None:
    """Weigh each expert by how likely it held the n-th bit to be; `inside` is its belief that the play was right.

    >>> rates = new_rates(None, 1.0, 1)
    >>> hear(rates, 1, np.array([1.0, 1.0, 1.0, 1.0]), 0)
    >>> rates.share.round(3)
    array([0.278, 0.052, 0.258, 0.412])
    """
    share = rates.share
    sum_ = 0.0
    for e in range(share.shape[0]):
        if share[e] > 0:
            yes = rates.rho_0[e] + (1 - rates.rho_0[e] - rates.rho_1[e]) * inside[e]
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


@jit
def begin_shares(rates: Rates) -> None:
    """Nothing is heard yet: all are awake, and most is left to the first, which trusts the bits most.

    >>> rates = new_rates(None, 1.0, 1)
    >>> rates.share[:] = 0
    >>> begin_shares(rates)
    >>> rates.share.round(3)
    array([0.9  , 0.033, 0.033, 0.033])
    """
    E = rates.share.shape[0]
    rates.share[0] = _FIRST_TRUST if E > 1 else 1.0
    for e in range(1, E):
        rates.share[e] = (1 - _FIRST_TRUST) / (E - 1)
