"""SecondOrderKernel, obviously: sums over the lessons of each class, and every regression solved afresh."""

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from tests.naive.kernelbandit import KERNELS


class Twin:
    def __init__(
        self,
        K: int,
        d: int,
        draw: np.random.Generator,
        kernel: str = "rational",
        a: float = 1e-3,
        b: float = 0.8,
        tau: float = 0.2,
        eps: float = 0.05,
        novelty: float = 1e-5,
        budget: int = 300,
    ) -> None:
        self.kernel, self.draw, self.K = KERNELS[kernel], draw, K
        self.a, self.b, self.tau, self.eps, self.novelty, self.budget = a, b, tau, eps, novelty, budget
        self.D: list[Any] = []
        self.L = np.zeros((0, 0))
        self.A: list[Any] = [np.zeros((0, 0))] * K
        self.target: list[Any] = [np.zeros(0)] * K
        self.v: list[Any] = [np.zeros(0)] * K

    def psi(self, x: Any) -> Any:
        return solve_triangular(self.L, self.kernel(np.array(self.D), x), lower=True) if self.D else np.zeros(0)

    def scores(self, x: Any) -> Any:
        psi = self.psi(x)
        return np.array([v @ psi[: len(v)] for v in self.v])

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        s = self.scores(x)
        greedy = int(np.argmax(s))
        if s[greedy] >= 0:
            return greedy, greedy, 1.0, False
        q = np.exp((s - s.max()) / self.tau)
        q = (1 - self.eps) * q / q.sum() + self.eps / self.K
        played = int(np.searchsorted(np.cumsum(q), self.draw.random(), side="right"))
        return played, greedy, q[played], True

    def learn(self, x: Any, played: int, greedy: int, p: float, nobody: bool, bit: int) -> None:
        y = 1 if bit else -1
        if y * self.scores(x)[played] >= self.b:
            return
        whole, psi = self.kernel(x[None, :], x)[0], self.psi(x)
        left = whole - psi @ psi
        if len(self.D) < self.budget and left > self.novelty * whole:
            self.D.append(x)
            self.L = np.linalg.cholesky(np.array([self.kernel(np.array(self.D), z) for z in self.D]))
            psi, left = self.psi(x), 0.0
        c, grown = 1 + max(left, 0) / self.a, len(psi) - len(self.target[played])
        self.A[played] = np.pad(self.A[played], (0, grown)) + np.outer(psi, psi) / c
        self.target[played] = np.pad(self.target[played], (0, grown)) + y * psi / c
        self.v[played] = np.linalg.solve(self.a * np.eye(len(psi)) + self.A[played], self.target[played])
