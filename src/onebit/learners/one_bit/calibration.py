"""Calibration: how far a believed probability can be trusted, learned from the bits themselves.

Platt's line, online: a bit whose honest answer is "yes" with believed log-odds ℓ is really so with log-odds a + bℓ.
"""

from __future__ import annotations

from math import exp, log

import numpy as np

from onebit.core.types import FloatArray
from onebit.ops.jit import jit

REACH = 12.0
"""Believed log-odds are cut here: beyond, there is too little to learn from."""

_PRIOR = 10.0
_WINDOW = 100
_MANY = 4096
_EVERY = 4


def new_line() -> FloatArray:
    """a = 0, b = 1, and the information about them: Saa, Sab, Sbb.

    >>> new_line()
    array([ 0.,  1., 10.,  0., 10.])
    """
    return np.array([0.0, 1.0, _PRIOR, 0.0, _PRIOR])


@jit
def calibrate(line: FloatArray, n: int, believed: float, bit: int, rho_0: float, rho_1: float) -> None:
    """A Newton step on the n-th bit's log-likelihood; of many bits every fourth is enough.

    Information fades over half of all lessons.

    >>> line = new_line()
    >>> for n in range(1000):
    ...     calibrate(line, n, 0.9, n % 2, 0.0, 0.0)  # says .9, is .5
    >>> bool(abs(line[0] + line[1] * np.log(9)) < 0.1)
    True
    """
    if n > _MANY and n % _EVERY != 0:
        return
    odds = believed / max(1 - believed, 1e-300)
    x = max(-REACH, min(REACH, log(max(odds, 1e-300))))
    honest = 1 - rho_0 - rho_1
    sure = 1 / (1 + exp(-(line[0] + line[1] * x)))
    yes = rho_0 + honest * sure
    variance = max(yes * (1 - yes), 1e-9)
    slope = honest * sure * (1 - sure)
    steep = slope / variance
    pull = (bit - yes) * steep
    weight = slope * steep
    fade = 1 / (n / 2 + _WINDOW)
    line[2] += weight + fade * (_PRIOR - line[2])
    line[3] += weight * x - fade * line[3]
    line[4] += weight * x * x + fade * (_PRIOR - line[4])
    pull /= line[2] * line[4] - line[3] * line[3]
    line[0] += (line[4] - line[3] * x) * pull
    line[1] = max(0.05, min(10.0, line[1] + (line[2] * x - line[3]) * pull))


def calibrated(line: FloatArray, P: FloatArray, m: int) -> FloatArray:
    """Rows of label probabilities, such that the m largest together are as likely as the line says; order stays.

    More is taken from the others in proportion; less comes from mixing all with the uniform.

    >>> calibrated(np.array([0.0, 2.0]), np.array([[0.8, 0.1, 0.1]]), 1).round(3)
    array([[0.941, 0.029, 0.029]])
    """
    top = np.argsort(-P, axis=1, kind="stable")[:, :m]
    sure = np.take_along_axis(P, top, axis=1).sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        log_odds = np.clip(np.log(sure) - np.log1p(-np.minimum(sure, 1)), -REACH, REACH)
    wanted = 1 / (1 + np.exp(-(line[0] + line[1] * log_odds)))
    even = m / P.shape[1]
    inside = np.zeros(P.shape, dtype=bool)
    np.put_along_axis(inside, top, True, axis=1)
    raised = np.where(inside, P * wanted / sure, P * (1 - wanted) / np.maximum(1 - sure, 1e-300))
    share = np.clip((sure - wanted) / np.maximum(sure - even, 1e-300), 0, 1)
    mixed = P + share * (1 / P.shape[1] - P)
    found = np.where(wanted >= sure, raised, mixed)
    result: FloatArray = found / found.sum(axis=1, keepdims=True)
    return result
