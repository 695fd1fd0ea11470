"""BanditPerceptron, obviously."""

from typing import Any

import numpy as np

from tests.naive.common import corrected, from_the_willing


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, choice: str = "random", noise: Any = None,
        correct_others: bool = False,
    ) -> None:  # fmt: skip
        self.W = np.zeros((K, d))
        self.draw, self.choice, self.noise, self.correct_others = draw, choice, noise, correct_others

    def scores(self, x: Any) -> Any:
        return (self.W * x).sum(axis=1)  # classes with the same weights have the same score, to the last bit

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        return from_the_willing(self.scores(x), self.choice, self.draw)

    def learn(self, x: Any, played: int, greedy: int, p: float, nobody: bool, bit: int) -> None:
        f = corrected(bit, self.noise)
        if self.correct_others:
            for i in np.flatnonzero(self.scores(x) >= 0):
                if i != played:
                    self.W[i] -= f * x
        self.W[played] += (f if nobody else f - 1) * x
