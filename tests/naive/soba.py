"""SOBA, obviously: A and θ kept whole, W solved for after each update."""

from typing import Any

import numpy as np

from tests.naive.common import gamma_greedy


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, gamma: Any = 2**-7, a: float = 1, c: float = 0.01
    ) -> None:
        self.K, self.d, self.draw = K, d, draw
        self.A, self.theta, self.W = a * np.eye(K * d), np.zeros(K * d), np.zeros((K, d))
        self.gamma, self.c = gamma, c
        self.t, self.S, self.Q = 0, 0.0, 0.0

    def scores(self, x: Any) -> Any:
        return self.W @ x

    def gamma_now(self) -> float:
        if self.gamma == "adaptive":
            return min(1.0, self.c * float(np.sqrt(self.K * (1 + self.Q) / self.t)))
        return float(self.gamma)

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        self.t += 1
        return gamma_greedy(self.scores(x), self.gamma_now(), self.draw)

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        if not bit:
            return
        y, s = played, self.scores(x)
        s[y] = -np.inf
        e = np.eye(self.K)
        g = np.kron(e[np.argmax(s)] - e[y], x) / p
        z = np.sqrt(p) * g
        w = self.W.ravel()
        r = z @ self.inverse_times(z)
        m = ((w @ z) ** 2 + 2 * w @ g) / (1 + r)
        if self.S + m >= 0:
            self.S += m
            self.Q += r / (1 + r)
            self.A += self.kept(z)
            self.theta -= g
            self.W = self.inverse_times(self.theta).reshape(self.K, self.d)

    def inverse_times(self, u: Any) -> Any:
        return np.linalg.solve(self.A, u)

    def kept(self, z: Any) -> Any:
        return np.outer(z, z)
