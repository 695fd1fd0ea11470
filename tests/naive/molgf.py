"""MOLGF, obviously: A and B kept whole, A_t = A + a x xᵀ inverted for every row."""

from typing import Any

import numpy as np


class Twin:
    def __init__(self, K: int, d: int, draw: np.random.Generator, b: float = 10, phi: float = 10) -> None:
        self.A, self.B = b * np.eye(d), np.zeros((K, d))
        self.phi = phi

    def weight(self, q: float) -> float:
        return 1 / (1 - q)

    def look(self, x: Any) -> tuple[Any, float, float]:
        """f, a and σ."""
        a = self.weight(x @ np.linalg.inv(self.A) @ x)
        g = np.linalg.inv(self.A + a * np.outer(x, x)) @ x
        return (self.B * g).sum(axis=1), a, a**2 / 2 * (x @ g)

    def scores(self, x: Any) -> Any:
        return self.look(x)[0]

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        best = int(np.argmax(self.scores(x)))
        return best, best, 1.0, False

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, y: int) -> None:
        f, a, sigma = self.look(x)
        others = np.where(np.arange(len(f)) == y, -np.inf, f)
        j = int(np.argmax(others))
        if played != y or f[y] - f[j] < self.phi * sigma:
            self.A += a * np.outer(x, x)
            self.B[y] += a * x
            self.B[j] -= a * x
