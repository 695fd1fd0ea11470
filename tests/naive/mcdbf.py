"""MCDBF, obviously: the labels still there, and the probability of each, made anew for every draw."""

from math import factorial
from typing import Any

import numpy as np

from tests.naive.common import best_labels, corrected


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, m: int = 2, gamma: float = 2**-3, noise: Any = None
    ) -> None:
        self.W = np.zeros((K, d))
        self.K, self.m, self.gamma, self.noise, self.draw = K, m, gamma, noise, draw

    def scores(self, x: Any) -> Any:
        return (self.W * x).sum(axis=1)

    def decide(self, x: Any) -> tuple[Any, int, float, bool]:
        top = best_labels(self.scores(x), self.m)
        labels: list[int] = []
        Z, explored = 1.0, False
        P = np.full(self.K, self.gamma / self.K)
        P[list(top)] += (1 - self.gamma) / self.m
        for _ in range(self.m):
            free = [r for r in range(self.K) if r not in labels]
            free_top = [r for r in top if r not in labels]
            explore, exploit = self.gamma * len(free) / self.K, (1 - self.gamma) * len(free_top) / self.m
            v = self.draw.random() * (explore + exploit)
            if v < explore:
                label = free[int(v / explore * len(free))]
                explored = True
            else:
                label = free_top[int((v - explore) / exploit * len(free_top))]
            Z *= P[label] / (1 - P[labels].sum())
            labels.append(label)
        return (tuple(labels), top), top[0], Z, explored

    def learn(self, x: Any, played: Any, greedy: int, p: float, explored: bool, bit: int) -> None:
        labels, top = played
        K, m = self.K, self.m
        tau_1, tau_2 = m * factorial(K - 2) / factorial(K - m - 1), (m - 1) / (K - m)
        for r in range(K):
            e = corrected(bit, self.noise) * (r in labels) / (p * tau_1) - tau_2
            self.W[r] += (e - (r in top) / m) * x
