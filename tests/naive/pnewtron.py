"""PNewtron, obviously: the gradient as a whole matrix, and W made anew from b and A."""

from typing import Any

import numpy as np


class Twin:
    def __init__(
        self,
        K: int,
        d: int,
        draw: np.random.Generator,
        gamma: float = 2**-9,
        alpha: float = 10.0,
        beta: float = 0.01,
        D: float = 1.0,
    ) -> None:
        self.b, self.A = np.zeros((K, d)), np.full((K, d), 1 / D)
        self.K, self.gamma, self.alpha, self.beta, self.D, self.draw = K, gamma, alpha, beta, D, draw

    @property
    def W(self) -> Any:
        V = -self.b / self.A
        return V * min(1.0, self.D / max(float(np.linalg.norm(V)), 1e-300))

    def scores(self, x: Any) -> Any:
        return self.W @ x

    def probabilities(self, x: Any) -> Any:
        z = self.alpha * self.scores(x)
        return np.exp(z - z.max()) / np.exp(z - z.max()).sum()

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        P = self.probabilities(x)
        u = self.draw.random()
        if u < self.gamma:
            played = int(u / self.gamma * self.K)
        else:
            played = int(np.searchsorted(np.cumsum(P), (u - self.gamma) / (1 - self.gamma), side="right"))
        p = (1 - self.gamma) * P + self.gamma / self.K
        return played, int(np.argmax(self.scores(x))), p[played], u < self.gamma

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        P = self.probabilities(x)
        e = np.eye(self.K)[played]
        if bit:
            g, kappa = np.outer((1 - P[played]) / p * (1 / self.K - e), x), p
        else:
            g, kappa = np.outer(P[played] / p * (e - 1 / self.K), x), 1.0
        along = 0.0 if explored else float((g * self.W).sum())
        self.b += (1 - kappa * self.beta * along) * g
        self.A += kappa * self.beta * g**2
