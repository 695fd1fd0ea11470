"""Perceptron, obviously."""

from typing import Any

import numpy as np


class Twin:
    def __init__(self, K: int, d: int, draw: np.random.Generator) -> None:
        self.W = np.zeros((K, d))

    def scores(self, x: Any) -> Any:
        return self.W @ x

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        best = int(np.argmax(self.scores(x)))
        return best, best, 1.0, False

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, y: int) -> None:
        if greedy != y:
            self.W[y] += x
            self.W[greedy] -= x
