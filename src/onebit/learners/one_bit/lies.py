"""How often bits lie, learned while learning: by EM from what the label is believed to be, and from explored plays.

EM cannot tell ρ0 from being unsure. An explored label is believed wrong, so its "yes" is evidence by itself: a moment
that does not depend on how sure the learner is of itself.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from onebit.contract.compiled import Draw
from onebit.contract.schema import MOST_COUNTED, reals, whole
from onebit.core.aliases import FloatArray, IntArray
from onebit.feedback import NoiseRates
from onebit.ops.bit_likelihood import Answer, posterior_mass
from onebit.ops.jit import inline, jit, noinline

FIRST_RATE = 0.05
"""Both rates before anything is heard."""

_PRIOR_BITS = 20.0  # so many bits is the first rate worth
_LARGEST_RATE = 0.49
_LARGEST_RATE_OF_LIARS = 0.45
_FIRST_TEST = 10  # bits per class
_TESTS = 8
_OFTEN_BY_EXPLORED = 0.1  # a ρ0 clearly above it is often
DEVIATIONS = 0.8
"""How clearly."""

_OFTEN_BY_EM = 0.3  # a ρ1 above it is often
_FIRST_TEST_BY_EM = 80  # bits per class


class Lies(NamedTuple):
    """The flip rates and the evidence for them. Each of length 1."""

    rho_0: FloatArray  # ρ0: "yes" where the label was not played
    rho_1: FloatArray  # ρ1: "no" where it was
    trust: FloatArray  # κ² = (1-ρ0-ρ1)² if bits are known to lie, else 1
    often: IntArray  # whether bits are known to lie often
    outside: FloatArray  # N0: expected plays without the label, discounted
    false_yes: FloatArray  # F0: lies among them
    inside: FloatArray  # N1: expected plays with the label, discounted
    false_no: FloatArray  # F1: lies among them
    explored_outside: FloatArray  # N: expected explored plays without the label, in full
    explored_yes: FloatArray  # F: "yes" to explored plays beyond those that the label explains


def new_lies(rates: NoiseRates | None) -> Lies:
    """Known rates, or None for rates to be found.

    >>> new_lies(None).rho_0, new_lies(NoiseRates(0.25, 0.25)).trust
    (array([0.05]), array([0.25]))
    """
    rho_0, rho_1 = (FIRST_RATE, FIRST_RATE) if rates is None else rates
    trust = 1.0 if rates is None else (1 - rho_0 - rho_1) ** 2
    return Lies(
        rho_0=np.array([rho_0]),
        rho_1=np.array([rho_1]),
        trust=np.array([trust]),
        often=np.array([trust < 1], np.int64),
        outside=np.zeros(1),
        false_yes=np.zeros(1),
        inside=np.zeros(1),
        false_no=np.zeros(1),
        explored_outside=np.zeros(1),
        explored_yes=np.zeros(1),
    )


def lies_schema() -> Lies:
    """What a file may hold of them: expected counts, which rounding may bring below 0."""
    rate = reals(1, dtype="float64", low=0, high=1)
    count = reals(1, dtype="float64", low=-1, high=MOST_COUNTED)
    return Lies(
        rho_0=rate,
        rho_1=rate,
        trust=rate,
        often=whole(1, high=1),
        outside=count,
        false_yes=count,
        inside=count,
        false_no=count,
        explored_outside=count,
        explored_yes=reals(1, dtype="float64"),
    )


@noinline
def hear(
    lies: Lies, n: int, draw: Draw, answer: Answer, believed: float, n_classes: int, deviations: float
) -> bool:  # fmt: skip
    """The n-th bit, to labels believed to hold the true one with this probability: what it says of the flip rates.

    Explored plays show that bits lie often if their ρ0 is above .1 by so many `deviations`.
    Whether bits turn out to lie so often that one should begin again, trusting them less.
    """
    # The evidence. Explored sets say too little: their other labels are those believed best.
    single = draw.labels.shape[0] == 1
    count_by_em(lies, n, posterior_mass(believed, answer, n_classes), answer.bit)
    if single and draw.explored:
        count_explored(lies, believed, answer.bit)

    # The rates that follow from it.
    if single and lies.often[0] == 0 and lies_show(lies, n, n_classes, deviations):
        expect_lies(lies)
        return True
    update_rates(lies)
    return False


@inline
def count_by_em(lies: Lies, n: int, inside: float, bit: int) -> None:
    """One step of online EM at the n-th bit; `inside` is Q, the posterior probability that the label was played.

    >>> lies = new_lies(None)
    >>> count_by_em(lies, 1, 0.75, 0)
    >>> lies.outside, lies.false_yes, lies.inside, lies.false_no
    (array([0.25]), array([0.]), array([0.75]), array([0.75]))
    """
    keep = 1 - 1 / (n / 2 + _PRIOR_BITS)
    lies.outside[0] = keep * lies.outside[0] + 1 - inside
    lies.false_yes[0] = keep * lies.false_yes[0] + (1 - inside) * bit
    lies.inside[0] = keep * lies.inside[0] + inside
    lies.false_no[0] = keep * lies.false_no[0] + inside * (1 - bit)


@inline
def count_explored(lies: Lies, believed: float, bit: int) -> None:
    """An explored play, whose label is believed to be the true one with this probability.

    >>> lies = new_lies(NoiseRates(0.0, 0.0))
    >>> count_explored(lies, 0.25, 1)
    >>> lies.explored_outside, lies.explored_yes
    (array([0.75]), array([0.75]))
    """
    lies.explored_outside[0] += 1 - believed
    lies.explored_yes[0] += bit - believed * (1 - lies.rho_1[0])


@jit
def explored_rate(explored_outside: float, explored_yes: float) -> float:
    """ρ0 from the explored plays.

    >>> explored_rate(98.0, 20.0)
    0.2
    """
    return max(0.0, min(_LARGEST_RATE_OF_LIARS, explored_yes / (explored_outside + 2)))


@jit
def em_rate(plays: float, lies: float, first: float, largest: float) -> float:
    """A rate by EM from the plays and the lies among them, shrunk towards the first one and cut.

    >>> em_rate(80.0, 1.0, 0.05, 0.49)
    0.02
    """
    return min(largest, (lies + _PRIOR_BITS * first) / (plays + _PRIOR_BITS))


@inline
def update_rates(lies: Lies) -> None:
    """ρ0 and ρ1 from the evidence: by EM; where bits lie often ρ0 from explored plays, and ρ1 shrunk towards it.

    >>> lies = new_lies(None)
    >>> count_by_em(lies, 1, 0.0, 0)
    >>> update_rates(lies)
    >>> bool(lies.rho_0[0] == 1 / 21)
    True
    """
    if lies.often[0] == 1:
        lies.rho_0[0] = explored_rate(lies.explored_outside[0], lies.explored_yes[0])
        lies.rho_1[0] = em_rate(lies.inside[0], lies.false_no[0], lies.rho_0[0], _LARGEST_RATE_OF_LIARS)
        lies.trust[0] = (1 - lies.rho_0[0] - lies.rho_1[0]) ** 2
    else:
        lies.rho_0[0] = em_rate(lies.outside[0], lies.false_yes[0], FIRST_RATE, _LARGEST_RATE)
        lies.rho_1[0] = em_rate(lies.inside[0], lies.false_no[0], FIRST_RATE, _LARGEST_RATE)


@inline
def lies_show(lies: Lies, n: int, n_classes: int, deviations: float) -> bool:
    """Whether bits lie so often that one should begin again, asked after 10K, 20K, ... 1280K of them.

    They do if explored plays show a ρ0 clearly above .1; and, from 80K on, if EM finds a ρ1 above .3.

    >>> lies = new_lies(None)
    >>> lies.explored_outside[0], lies.explored_yes[0] = 50.0, 20.0
    >>> lies_show(lies, 60, 6, 0.8), lies_show(lies, 61, 6, 0.8)
    (True, False)
    """
    test = _FIRST_TEST * n_classes
    if n > test << (_TESTS - 1):
        return False
    while test < n:
        test *= 2
    if test != n:
        return False
    outside = lies.explored_outside[0]
    by_explored = lies.explored_yes[0] > _OFTEN_BY_EXPLORED * outside + deviations * sqrt(outside)
    by_em = lies.rho_1[0] > _OFTEN_BY_EM and n >= _FIRST_TEST_BY_EM * n_classes
    return bool(by_explored or by_em)


@inline
def expect_lies(lies: Lies) -> None:
    """From now on bits are known to lie often: ρ0 is that of explored plays, ρ1 at least as large.

    >>> lies = new_lies(None)
    >>> expect_lies(lies)
    >>> lies.rho_0, lies.rho_1, lies.often
    (array([0.]), array([0.05]), array([1]))
    """
    lies.often[0] = 1
    lies.rho_0[0] = explored_rate(lies.explored_outside[0], lies.explored_yes[0])
    lies.rho_1[0] = max(lies.rho_0[0], min(lies.rho_1[0], _LARGEST_RATE_OF_LIARS))
    lies.trust[0] = (1 - lies.rho_0[0] - lies.rho_1[0]) ** 2


@inline
def forget_em(lies: Lies) -> None:
    """The counts of EM start again; rates and explored plays stay."""
    lies.outside[0] = 0
    lies.false_yes[0] = 0
    lies.inside[0] = 0
    lies.false_no[0] = 0


@inline
def forget_rates(lies: Lies) -> None:
    """The rates are unknown again, and so is whether bits lie often."""
    lies.often[0] = 0
    lies.trust[0] = 1
    lies.rho_0[0] = FIRST_RATE
    lies.rho_1[0] = FIRST_RATE
    lies.explored_outside[0] = 0
    lies.explored_yes[0] = 0
