"""MOLGB, obviously: A_k and b_k kept whole, A_k + a x xᵀ inverted for every row and class."""

from typing import Any

import numpy as np


class Twin:
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, b: float = 10, phi: float = 10, varphi: float | str = 0.05
    ) -> None:
        self.A, self.b = np.stack([b * np.eye(d)] * K), np.zeros((K, d))
        self.start, self.phi, self.varphi, self.t = b, phi, varphi, 0

    def weight(self, q: float) -> float:
        return 1 / (1 - q)

    def look(self, x: Any) -> tuple[Any, Any, Any]:
        """v, a and σ of every class."""
        v, a, sigma = np.zeros((3, len(self.A)))
        for k, A in enumerate(self.A):
            a[k] = self.weight(x @ np.linalg.inv(A) @ x)
            g = np.linalg.inv(A + a[k] * np.outer(x, x)) @ x
            v[k], sigma[k] = self.b[k] @ g, a[k] ** 2 / 2 * (x @ g)
        return v, a, sigma

    def width(self) -> Any:
        """ϕ, or that of Theorem 4 with U of norm √K, γ = 4 and δ = .05, for each class."""
        if self.varphi != "schedule":
            return self.varphi
        b, K = self.start, len(self.A)
        log_det = np.linalg.slogdet(self.A / b)[1]
        return b / (b - 1) * np.sqrt(4 * (b - 1) * K + 4 * 4 * log_det + 144 * np.log((self.t + 4) / 0.05))

    def scores(self, x: Any) -> Any:
        return self.look(x)[0]

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        self.t += 1
        v, _, sigma = self.look(x)
        return int(np.argmax(v + self.width() * np.sqrt(sigma))), int(np.argmax(v)), 1.0, False

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        v, a, sigma = self.look(x)
        if not bit or v[played] < self.phi * sigma[played]:
            self.add(x, played, a[played], 1 if bit else -1)

    def add(self, x: Any, k: int, a: float, C: float) -> None:
        self.A[k] += a * np.outer(x, x)
        self.b[k] += a * C * x
