"""LinUCB, obviously: A_k and b_k kept whole, w_k solved for."""

from typing import Any

import numpy as np


class Twin:
    def __init__(self, K: int, d: int, draw: np.random.Generator, alpha: float = 0.1, lam: float = 1) -> None:
        self.A, self.b = np.stack([lam * np.eye(d)] * K), np.zeros((K, d))
        self.alpha = alpha

    def scores(self, x: Any) -> Any:
        return np.array([np.linalg.solve(A, b) @ x for A, b in zip(self.A, self.b, strict=True)])

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        s = self.scores(x)
        bonus = np.array([np.sqrt(x @ np.linalg.solve(A, x)) for A in self.A])
        return int(np.argmax(s + self.alpha * bonus)), int(np.argmax(s)), 1.0, False

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        self.A[played] += np.outer(x, x)
        self.b[played] += bit * x
