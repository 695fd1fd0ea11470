"""How often bits lie, learned while learning: from what the label is believed to be, and from explored plays.

`evidence` holds, discounted, the expected number of plays with the label outside (N0) and inside (N1) and the lies
among them (F0, F1), as in the EM algorithm; and of explored plays, in full, the weight outside and the excess of
"yes" (N, F), a moment that does not depend on how sure the learner is of itself.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from onebit.core.types import FloatArray
from onebit.ops.jit import jit

USUAL = 0.05
"""The rates before anything is heard."""

MOST_LYING = 0.45
"""The largest rate that is believed of known liars."""

_WEIGHT = 20.0
_MOST = 0.49
_FIRST_LOOK = 10
_LOOKS = 8
_LEAST = 0.1
_DOUBT = 0.8
_LATE_LOOK = 80
_MUCH = 0.3


def new_evidence() -> FloatArray:
    """N0, F0, N1, F1, N, F, all at 0.

    >>> new_evidence()
    array([0., 0., 0., 0., 0., 0.])
    """
    return np.zeros(6)


@jit
def hear(evidence: FloatArray, n: int, inside: float, bit: int) -> None:
    """One step of online EM at the n-th bit; `inside` is the posterior probability of the label being played.

    >>> evidence = new_evidence()
    >>> hear(evidence, 1, 0.75, 0)
    >>> evidence[:4]
    array([0.25, 0.  , 0.75, 0.75])
    """
    keep = 1 - 1 / (n / 2 + _WEIGHT)
    evidence[0] = keep * evidence[0] + 1 - inside
    evidence[1] = keep * evidence[1] + (1 - inside) * bit
    evidence[2] = keep * evidence[2] + inside
    evidence[3] = keep * evidence[3] + inside * (1 - bit)


@jit
def hear_explored(evidence: FloatArray, believed: float, rho_1: float, bit: int) -> None:
    """An explored play, whose labels are believed to hold the true one with this probability.

    >>> evidence = new_evidence()
    >>> hear_explored(evidence, 0.25, 0.0, 1)
    >>> evidence[4:]
    array([0.75, 0.75])
    """
    evidence[4] += 1 - believed
    evidence[5] += bit - believed * (1 - rho_1)


@jit
def explored_rate(evidence: FloatArray) -> float:
    """ρ0 from the explored plays.

    >>> explored_rate(np.array([0.0, 0.0, 0.0, 0.0, 98.0, 20.0]))
    0.2
    """
    return max(0.0, min(MOST_LYING, evidence[5] / (evidence[4] + 2)))


@jit
def reckon(evidence: FloatArray, lying: bool, rho: FloatArray) -> None:
    """ρ0 and ρ1 from the evidence: by EM; among known liars ρ0 from explored plays, and ρ1 starts from it.

    >>> rho = np.zeros(2)
    >>> reckon(np.array([80.0, 1.0, 180.0, 19.0, 0.0, 0.0]), False, rho)
    >>> rho
    array([0.02, 0.1 ])
    """
    if lying:
        rho[0] = explored_rate(evidence)
        rho[1] = min(MOST_LYING, (evidence[3] + _WEIGHT * rho[0]) / (evidence[2] + _WEIGHT))
    else:
        for i in range(2):
            rho[i] = min(_MOST, (evidence[2 * i + 1] + _WEIGHT * USUAL) / (evidence[2 * i] + _WEIGHT))


@jit
def look(evidence: FloatArray, n: int, n_classes: int, rho_1: float) -> bool:
    """Whether bits lie so often that one should begin again, asked after 10K, 20K, ... 1280K of them.

    They do if explored plays show a ρ0 clearly above .1; and, from 80K on, if EM finds a ρ1 above .3.

    >>> evidence = np.array([0.0, 0.0, 0.0, 0.0, 50.0, 20.0])
    >>> look(evidence, 60, 6, 0.05), look(evidence, 61, 6, 0.05)
    (True, False)
    """
    asked = _FIRST_LOOK * n_classes
    if n > asked << (_LOOKS - 1):
        return False
    while asked < n:
        asked *= 2
    if asked != n:
        return False
    shown = evidence[5] > _LEAST * evidence[4] + _DOUBT * sqrt(evidence[4])
    found = rho_1 > _MUCH and n >= _LATE_LOOK * n_classes
    return bool(shown or found)
