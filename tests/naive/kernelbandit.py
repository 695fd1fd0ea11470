"""KernelBandit, obviously: a table of examples, and the kernels as the books write them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.naive.common import corrected, from_the_willing


def inner(X: Any, x: Any) -> Any:
    """⟨x', x⟩, to the last bit the same wherever x' stands in X: classes that have learned the same tie."""
    return (X * x).sum(axis=1)


def matern(nu: float, X: Any, x: Any) -> Any:
    r = np.sqrt(2 * nu) * np.linalg.norm(X - x, axis=1)
    return (1 + r) * np.exp(-r) if nu == 1.5 else (1 + r + r**2 / 3) * np.exp(-r)


KERNELS: dict[str, Callable[[Any, Any], Any]] = {
    "rational": lambda X, x: 1 / (1 - inner(X, x) / 2),
    "rational:0.8": lambda X, x: 1 / (1 - 0.8 * inner(X, x)),
    "linear": lambda X, x: inner(X, x),
    "polynomial:2": lambda X, x: (inner(X, x) + 1) ** 2,
    "polynomial:3:0.5:0": lambda X, x: (0.5 * inner(X, x)) ** 3,
    "rbf": lambda X, x: np.exp(-(np.linalg.norm(X - x, axis=1) ** 2)),
    "matern": lambda X, x: matern(1.5, X, x),
    "matern:2.5": lambda X, x: matern(2.5, X, x),
}


class Twin:
    def __init__(
        self,
        K: int,
        d: int,
        draw: np.random.Generator,
        kernel: str = "rational",
        choice: str = "random",
        budget: int | None = None,
        removal: str = "oldest",
        noise: Any = None,
        form: str = "auto",
        correct_others: bool = False,
    ) -> None:
        self.X, self.y, self.owner = np.zeros((0, d)), np.zeros(0), np.zeros(0, dtype=int)  # all J_i together
        self.next, self.K = [0] * K, K
        self.kernel, self.choice, self.draw = KERNELS[kernel], choice, draw
        self.budget, self.removal, self.noise, self.correct_others = budget, removal, noise, correct_others

    def scores(self, x: Any) -> Any:
        return np.bincount(self.owner, self.y * self.kernel(self.X, x), self.K)

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        return from_the_willing(self.scores(x), self.choice, self.draw)

    def learn(self, x: Any, played: int, greedy: int, p: float, nobody: bool, bit: int) -> None:
        f = corrected(bit, self.noise)
        says_yes = self.scores(x) >= 0
        for i in range(self.K):
            y = (f if nobody else f - 1) if i == played else -f * (self.correct_others and says_yes[i])
            if y != 0:
                self.keep(i, x, y)

    def keep(self, i: int, x: Any, y: float) -> None:
        own = np.flatnonzero(self.owner == i)
        if len(own) != self.budget:
            self.X, self.y, self.owner = np.vstack([self.X, x]), np.append(self.y, y), np.append(self.owner, i)
            return
        slot = self.next[i] if self.removal == "oldest" else int(self.draw.random() * self.budget)
        self.X[own[slot]], self.y[own[slot]] = x, y
        self.next[i] = (slot + 1) % self.budget
