"""BanditPA, obviously."""

from typing import Any

import numpy as np

from tests.naive.common import gamma_greedy


class Twin:
    def __init__(self, K: int, d: int, draw: np.random.Generator, gamma: float = 2**-13, C: float = 1.0) -> None:
        self.W = np.zeros((K, d))
        self.gamma, self.C, self.draw = gamma, C, draw

    def scores(self, x: Any) -> Any:
        return self.W @ x

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        return gamma_greedy(self.scores(x), self.gamma, self.draw)

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        sign = 2 * bit - 1
        loss = max(0.0, 1 - sign * (self.W[played] @ x))
        self.W[played] += sign * loss / (x @ x + 1 / (2 * self.C)) * x
