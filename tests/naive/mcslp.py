"""MCSLP, obviously."""

from typing import Any

import numpy as np

from tests.naive.common import best_labels


class Twin:
    def __init__(self, K: int, d: int, draw: np.random.Generator, m: int = 2, gated: bool = True) -> None:
        self.W = np.zeros((K, d))
        self.m, self.gated = m, gated

    def scores(self, x: Any) -> Any:
        return (self.W * x).sum(axis=1)

    def decide(self, x: Any) -> tuple[Any, int, float, bool]:
        top = best_labels(self.scores(x), self.m)
        return (top, top), top[0], 1.0, False

    def learn(self, x: Any, played: Any, greedy: int, p: float, explored: bool, y: int) -> None:
        _, top = played
        s = self.scores(x)
        if self.gated and 1 - s[y] + s[list(top)].mean() <= 0:
            return
        self.W[y] += x
        self.W[list(top)] -= x / self.m
