"""The shadow of TailMoment, obviously: on all classes and features at once, every formula written out."""

from collections.abc import Callable
from typing import Any

import numpy as np


def dense_rows(X: Any) -> Any:
    """Standardised columns (constants become 0) cut at 4, unit rows, a bias of .1, and that divided by √1.01."""
    deviation = X.std(axis=0)
    Z = np.clip((X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1), -4, 4)
    return unit_rows(Z)


def unit_rows(Z: Any) -> Any:
    norms = np.linalg.norm(Z, axis=1, keepdims=True)
    return np.hstack([Z / np.where(norms > 0, norms, 1), np.full((len(Z), 1), 0.1)]) / np.sqrt(1.01)


def softmax(z: Any) -> Any:
    e = np.exp(z - z.max())
    return e / e.sum()


class Twin:
    """For single labels and sets; `x` is a row as `dense_rows` or `unit_rows` gives it."""

    def __init__(self, K: int, d: int, variance: float) -> None:
        self.W, self.P = np.zeros((K, d)), np.full((K, d), variance)

    def margin(self, x: Any, played: Any) -> float:
        p = softmax(self.W @ x)
        inside = np.isin(np.arange(len(p)), played)
        return float(np.log(p[inside].sum()) - np.log(p[~inside].sum()))

    def posterior(self, p: Any, played: Any, bit: int, rates: Any) -> Any:
        inside = np.isin(np.arange(len(p)), played)
        yes = np.where(inside, 1 - rates[1], rates[0])
        likelihood = yes if bit else 1 - yes
        if p @ likelihood < 1e-12:
            p = np.ones(len(p))
        return p * likelihood / (p @ likelihood)

    def learn(self, x: Any, played: Any, bit: int, rates: Any) -> None:
        z = self.W @ x
        p = softmax(z)
        g = self.posterior(p, played, bit, rates) - p
        if np.abs(g).max() < 1e-3:
            return
        s = self.P @ x**2
        D = s * g
        V = D @ g

        def excess(tau: float) -> float:
            p = softmax(z + tau * D)
            return float(D @ (self.posterior(p, played, bit, rates) - p) - tau * V)

        tau = illinois(excess, V)
        p = softmax(z + tau * D)
        q = self.posterior(p, played, bit, rates)
        h = np.maximum(0, p * (1 - p) - q * (1 - q))
        Px = self.P * x
        self.W += tau * g[:, None] * Px
        self.P -= (h / (1 + h * s))[:, None] * Px**2


def illinois(excess: Callable[[float], float], V: float) -> float:
    """1 if the step may be whole; else quarter until the sign changes, then regula falsi in its Illinois form."""
    if excess(1.0) >= -0.05 * V:
        return 1.0
    low = 1.0
    while excess(low) < 0:
        low /= 4
    high = 4 * low
    at_low, at_high, last = excess(low), excess(high), ""
    while True:
        tau = (low * at_high - high * at_low) / (at_high - at_low)
        value = excess(tau)
        if abs(value) <= 0.05 * tau * V:
            return tau
        if value > 0:
            low, at_low = tau, value
            at_high = at_high / 2 if last == "low" else at_high
            last = "low"
        else:
            high, at_high = tau, value
            at_low = at_low / 2 if last == "high" else at_low
            last = "high"
