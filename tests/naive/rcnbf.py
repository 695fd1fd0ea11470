"""RCNBF, obviously: every W so far is summed for the average."""

from typing import Any

import numpy as np

from tests.naive.common import gamma_greedy


class Twin:
    def __init__(
        self,
        K: int,
        d: int,
        draw: np.random.Generator,
        gamma: float = 2**-3,
        rho_0: float = 0.0,
        rho_1: float = 0.0,
        average: bool = False,
    ) -> None:
        self.W = np.zeros((K, d))
        self.total = np.zeros((K, d))
        self.lessons = 0
        self.gamma, self.rho_0, self.rho_1, self.average, self.draw = gamma, rho_0, rho_1, average, draw

    def scores(self, x: Any) -> Any:
        return (self.total / self.lessons if self.average and self.lessons else self.W) @ x

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        return gamma_greedy(self.scores(x), self.gamma, self.draw)

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        beta = 1 - self.rho_0 - self.rho_1
        h = (1 - self.rho_0) / beta if bit else -self.rho_0 / beta
        if self.average:
            greedy = int(np.argmax(self.W @ x))
        self.W[played] += h / p * x
        self.W[greedy] -= x
        self.total += self.W
        self.lessons += 1
