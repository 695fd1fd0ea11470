"""Confidit, obviously: A_i and b_i = A_i w_i kept whole, w_i solved for."""

from typing import Any

import numpy as np


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, alpha: float = 1, eta: float = 0.3,
        covariance: str = "diagonal",
    ) -> None:  # fmt: skip
        self.A = np.stack([(1 + alpha) ** 2 * np.eye(d)] * K)
        self.b = np.zeros((K, d))
        self.draw, self.alpha, self.eta, self.full = draw, alpha, eta, covariance == "full"
        self.t = 0

    def unit(self, x: Any) -> Any:
        norm = np.linalg.norm(x)
        return x / norm if norm else x

    def scores(self, x: Any) -> Any:
        return np.array([np.linalg.solve(A, b) @ self.unit(x) for A, b in zip(self.A, self.b, strict=True)])

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        self.t += 1
        s, x = self.scores(x), self.unit(x)
        bonus = [np.sqrt(self.eta * np.log(self.t + 1) * (x @ np.linalg.solve(A, x))) for A in self.A]
        return int(np.argmax(np.clip(s, -self.alpha, 1) + bonus)), int(np.argmax(s)), 1.0, False

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        delta = np.clip(self.scores(x)[played], -self.alpha, 1)
        chance = (1 - delta if bit else self.alpha + delta) / (1 + self.alpha)
        if self.draw.random() < chance:
            X = self.unit(x) if bit else -self.unit(x)
            self.A[played] += np.outer(X, X) if self.full else np.diag(X**2)
            self.b[played] += X
