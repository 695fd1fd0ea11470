"""Confidit, obviously: A_i kept whole, w_i solved for; a diagonal A_i drops the rest of itself after each step."""

from typing import Any

import numpy as np

from tests.naive.common import corrected


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, alpha: float = 1, eta: float = 0.3,
        covariance: str = "diagonal", noise: Any = None,
    ) -> None:  # fmt: skip
        self.A = np.stack([(1 + alpha) ** 2 * np.eye(d)] * K)
        self.W = np.zeros((K, d))
        self.draw, self.alpha, self.eta, self.full = draw, alpha, eta, covariance == "full"
        self.noise = noise
        self.t = 0

    def unit(self, x: Any) -> Any:
        norm = np.linalg.norm(x)
        return x / norm if norm else x

    def scores(self, x: Any) -> Any:
        return self.W @ self.unit(x)

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        self.t += 1
        s, x = self.scores(x), self.unit(x)
        bonus = [np.sqrt(self.eta * np.log(self.t + 1) * (x @ np.linalg.solve(A, x))) for A in self.A]
        return int(np.argmax(np.clip(s, -self.alpha, 1) + bonus)), int(np.argmax(s)), 1.0, False

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        x = self.unit(x)
        turned = self.alpha < 1 and self.draw.random() >= (1 + self.alpha) / 2
        f = corrected(bit, self.noise)
        X = f * x + (1 - f) * (x if turned else -x)
        old = self.A[played]
        new = old + np.outer(x, x)
        self.W[played] = np.linalg.solve(new, old @ self.W[played] + X)
        self.A[played] = new if self.full else np.diag(np.diag(new))
