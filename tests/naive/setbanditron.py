"""SetBanditron, obviously: M summed over all sets, and solved for in fractions, as on paper: ties are ties."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from tests.naive.common import best_labels, corrected


def indicator(labels: Any, K: int) -> Any:
    return np.array([float(r in labels) for r in range(K)])


@cache
def on_paper(K: int, top: tuple[int, ...], A: tuple[int, ...], gamma: float) -> tuple[Fraction, ...]:
    """M⁻¹ 1_A without rounding, by elimination in [M | 1_A]; M is positive definite, so every pivot will do."""
    m, share = len(top), Fraction(gamma) / comb(K, len(top))
    together = [[sum({r, s} <= set(B) for B in combinations(range(K), m)) for s in range(K)] for r in range(K)]
    rows = [
        [share * together[r][s] + (1 - Fraction(gamma)) * ({r, s} <= set(top)) for s in range(K)] + [Fraction(r in A)]
        for r in range(K)
    ]
    for i in range(K):
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for r in range(K):
            if r != i:
                rows[r] = [entry - rows[r][i] * pivot for entry, pivot in zip(rows[r], rows[i], strict=True)]
    return tuple(row[K] for row in rows)


class Twin:
    def __init__(
        self,
        K: int,
        d: int,
        draw: np.random.Generator,
        m: int = 2,
        gamma: float = 2**-4,
        loss: str = "perceptron",
        eta: float = 0.5,
        noise: Any = None,
    ) -> None:
        self.W, self.G = np.zeros((K, d)), np.full((K, d), 1e-12)
        self.K, self.m, self.gamma, self.loss, self.eta, self.noise, self.draw = K, m, gamma, loss, eta, noise, draw

    def scores(self, x: Any) -> Any:
        return (self.W * x).sum(axis=1)

    def decide(self, x: Any) -> tuple[Any, int, float, bool]:
        s, K, m = self.scores(x), self.K, self.m
        top = best_labels(s, m)
        explored = self.draw.random() < self.gamma
        labels = top
        if explored:
            drawn: set[int] = set()
            for last in range(K - m, K):
                label = int(self.draw.random() * (last + 1))
                drawn.add(last if label in drawn else label)
            labels = tuple(r for r in best_labels(s, K) if r in drawn)
        p = self.gamma / comb(K, m) + (1 - self.gamma) * (set(labels) == set(top))
        return (labels, top), top[0], p, explored

    def learn(self, x: Any, played: Any, greedy: int, p: float, explored: bool, bit: int) -> None:
        labels, top = played
        f = corrected(bit, self.noise)
        v = np.array([float(exact) for exact in on_paper(self.K, top, labels, self.gamma)])
        if self.loss == "perceptron":
            self.W += np.outer(v * f - indicator(top, self.K) / self.m, x)
            return
        s = self.scores(x)
        q = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
        g = np.outer(v * (f - q[list(labels)].sum()), x)  # ê - q: to subtract q from ê would break ties in the last bit
        self.G += g**2
        self.W += self.eta * g / np.sqrt(self.G)
