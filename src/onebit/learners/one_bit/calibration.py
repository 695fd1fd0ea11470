"""Calibration: how far a believed probability can be trusted, learned from the bits themselves.

Platt's line, online: a bit whose honest answer is "yes" with believed log-odds ℓ is really so with log-odds a + bℓ.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np

from onebit.contract.schema import reals
from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit

_LARGEST_LOG_ODDS = 12.0  # believed ones are cut here: beyond, there is too little to learn from
_LEAST_SLOPE = 0.05
_LARGEST_SLOPE = 10.0
_PRIOR_INFORMATION = 10.0
_LEAST_MEMORY = 100  # lessons; half of all where that is more
_EVERY_BIT_UNTIL = 4096  # lessons; then every fourth is enough
_THEN_EVERY = 4
_MOST_MIXED = 1 - 1e-10  # with the uniform: so that order stays


class Calibration(NamedTuple):
    """The line a + bℓ, and the information S (2 × 2, symmetric) about a and b. Each of length 1."""

    a: FloatArray
    b: FloatArray
    S_aa: FloatArray
    S_ab: FloatArray
    S_bb: FloatArray


def new_calibration() -> Calibration:
    """Beliefs are worth what they say.

    >>> new_calibration().a, new_calibration().b
    (array([0.]), array([1.]))
    """
    return Calibration(
        a=np.zeros(1),
        b=np.ones(1),
        S_aa=np.full(1, _PRIOR_INFORMATION),
        S_ab=np.zeros(1),
        S_bb=np.full(1, _PRIOR_INFORMATION),
    )


def calibration_schema() -> Calibration:
    """What a file may hold of it."""
    real = reals(1, dtype="float64")
    slope = reals(1, dtype="float64", low=_LEAST_SLOPE, high=_LARGEST_SLOPE)
    information = reals(1, dtype="float64", low=0)
    return Calibration(a=real, b=slope, S_aa=information, S_ab=real, S_bb=information)


@jit
def calibrate(line: Calibration, n: int, believed: float, bit: int, rho_0: float, rho_1: float) -> None:
    """A Newton step on the n-th bit's log-likelihood; of many bits every fourth is enough.

    Information fades over half of all lessons.

    >>> line = new_calibration()
    >>> for n in range(1000):
    ...     calibrate(line, n, 0.9, n % 2, 0.0, 0.0)  # says .9, is .5
    >>> bool(abs(line.a[0] + line.b[0] * np.log(9)) < 0.1)
    True
    """
    if n > _EVERY_BIT_UNTIL and n % _THEN_EVERY != 0:
        return
    # How likely the line holds a "yes" to be: honest (sure), and as it is heard (yes).
    odds = believed / max(1 - believed, 1e-300)
    x = max(-_LARGEST_LOG_ODDS, min(_LARGEST_LOG_ODDS, log(max(odds, 1e-300))))
    honest = 1 - rho_0 - rho_1
    sure = 1 / (1 + exp(-(line.a[0] + line.b[0] * x)))
    yes = rho_0 + honest * sure
    # The bit's score and Fisher information in a + bx.
    variance = max(yes * (1 - yes), 1e-9)
    slope = honest * sure * (1 - sure)
    steep = slope / variance
    pull = (bit - yes) * steep
    weight = slope * steep
    # What is known fades towards the prior, and the bit adds to it.
    fade = 1 / (n / 2 + _LEAST_MEMORY)
    line.S_aa[0] += weight + fade * (_PRIOR_INFORMATION - line.S_aa[0])
    line.S_ab[0] += weight * x - fade * line.S_ab[0]
    line.S_bb[0] += weight * x * x + fade * (_PRIOR_INFORMATION - line.S_bb[0])
    # (a, b) += S⁻¹ (1, x) pull, with b kept between its bounds.
    pull /= line.S_aa[0] * line.S_bb[0] - line.S_ab[0] * line.S_ab[0]
    line.a[0] += (line.S_bb[0] - line.S_ab[0] * x) * pull
    slope_now = line.b[0] + (line.S_aa[0] * x - line.S_ab[0]) * pull
    line.b[0] = max(_LEAST_SLOPE, min(_LARGEST_SLOPE, slope_now))


def worth(line: Calibration, believed: FloatArray) -> FloatArray:
    """What believed probabilities are worth by the line: 1/(1 + exp(-(a + bℓ))).

    >>> worth(new_calibration(), np.array([0.25, 1.0])).round(4)
    array([0.25, 1.  ])
    """
    with np.errstate(divide="ignore"):
        log_odds = np.clip(np.log(believed) - np.log1p(-believed), -_LARGEST_LOG_ODDS, _LARGEST_LOG_ODDS)
    sure: FloatArray = 1 / (1 + np.exp(-(line.a.item() + line.b.item() * log_odds)))
    return sure


def calibrated(a: float, b: float, P: FloatArray, m: int) -> FloatArray:
    """Rows of label probabilities, such that the m largest together are as likely as the line says; order stays.

    More is taken from the others in proportion; less comes from mixing all with the uniform.

    >>> calibrated(0.0, 2.0, np.array([[0.8, 0.1, 0.1]]), 1).round(3)
    array([[0.941, 0.029, 0.029]])
    """
    top = np.argsort(-P, axis=1, kind="stable")[:, :m]
    sure = np.take_along_axis(P, top, axis=1).sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        log_odds = np.clip(np.log(sure) - np.log1p(-np.minimum(sure, 1)), -_LARGEST_LOG_ODDS, _LARGEST_LOG_ODDS)
    wanted = 1 / (1 + np.exp(-(a + b * log_odds)))
    even = m / P.shape[1]
    inside = np.zeros(P.shape, dtype=bool)
    np.put_along_axis(inside, top, True, axis=1)
    raised = np.where(inside, P * wanted / sure, P * (1 - wanted) / np.maximum(1 - sure, 1e-300))
    share = np.clip((sure - wanted) / np.maximum(sure - even, 1e-300), 0, _MOST_MIXED)
    mixed = P + share * (1 / P.shape[1] - P)
    found = np.where(wanted >= sure, raised, mixed)
    result: FloatArray = found / found.sum(axis=1, keepdims=True)
    return result
