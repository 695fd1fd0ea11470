"""Banditron, obviously."""

from typing import Any

import numpy as np

from tests.naive.common import gamma_greedy


class Twin:
    def __init__(self, K: int, d: int, draw: np.random.Generator, gamma: float = 2**-7) -> None:
        self.W = np.zeros((K, d))
        self.gamma, self.draw = gamma, draw

    def scores(self, x: Any) -> Any:
        return self.W @ x

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        return gamma_greedy(self.scores(x), self.gamma, self.draw)

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        self.W[played] += bit / p * x
        self.W[greedy] -= x
