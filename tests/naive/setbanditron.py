"""SetBanditron, obviously: M summed over all sets, and inverted."""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from tests.naive.common import best_labels, corrected


def indicator(labels: Any, K: int) -> Any:
    return np.array([float(r in labels) for r in range(K)])


def play_matrix(K: int, top: tuple[int, ...], gamma: float) -> Any:
    """M = E[1_A 1_Aᵀ]."""
    m = len(top)
    M = (1 - gamma) * np.outer(indicator(top, K), indicator(top, K))
    for A in combinations(range(K), m):
        M += gamma / comb(K, m) * np.outer(indicator(A, K), indicator(A, K))
    return M


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
        v = np.linalg.inv(play_matrix(self.K, top, self.gamma)) @ indicator(labels, self.K)
        v = np.round(v, 12)  # labels that are in the same places have the same v, and stay tied
        if self.loss == "perceptron":
            self.W += np.outer(v * f - indicator(top, self.K) / self.m, x)
            return
        s = self.scores(x)
        q = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
        e = q + v * (f - q[list(labels)].sum())
        g = np.outer(e - q, x)
        self.G += g**2
        self.W += self.eta * g / np.sqrt(self.G)
