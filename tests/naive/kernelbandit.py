"""KernelBandit, obviously: lists of examples, and the kernels as the books write them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.naive.common import corrected, from_the_willing


def matern(nu: float, X: Any, x: Any) -> Any:
    r = np.sqrt(2 * nu) * np.linalg.norm(X - x, axis=1)
    return (1 + r) * np.exp(-r) if nu == 1.5 else (1 + r + r**2 / 3) * np.exp(-r)


KERNELS: dict[str, Callable[[Any, Any], Any]] = {
    "rational": lambda X, x: 1 / (1 - X @ x / 2),
    "rational:0.8": lambda X, x: 1 / (1 - 0.8 * X @ x),
    "linear": lambda X, x: X @ x,
    "polynomial:2": lambda X, x: (X @ x + 1) ** 2,
    "polynomial:3:0.5:0": lambda X, x: (0.5 * X @ x) ** 3,
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
    ) -> None:
        self.J: list[list[tuple[Any, float]]] = [[] for _ in range(K)]
        self.next = [0] * K
        self.kernel, self.choice, self.draw = KERNELS[kernel], choice, draw
        self.budget, self.removal, self.noise = budget, removal, noise
        self.tables: dict[int, tuple[Any, Any]] = {}

    def table(self, i: int) -> tuple[Any, Any]:
        """The examples of class i and their signs as arrays, made again when it has learned."""
        if i not in self.tables:
            self.tables[i] = np.array([x for x, _ in self.J[i]]), np.array([y for _, y in self.J[i]])
        return self.tables[i]

    def scores(self, x: Any) -> Any:
        s = np.zeros(len(self.J))
        for i, examples in enumerate(self.J):
            if examples:
                X, y = self.table(i)
                s[i] = y @ self.kernel(X, x)
        return s

    def decide(self, x: Any) -> tuple[int, int, float, bool]:
        return from_the_willing(self.scores(x), self.choice, self.draw)

    def learn(self, x: Any, played: int, greedy: int, p: float, nobody: bool, bit: int) -> None:
        f = corrected(bit, self.noise)
        y = f if nobody else f - 1
        if y != 0:
            self.keep(played, x, y)

    def keep(self, i: int, x: Any, y: float) -> None:
        self.tables.pop(i, None)
        if len(self.J[i]) != self.budget:
            self.J[i].append((x, y))
        elif self.removal == "oldest":
            self.J[i][self.next[i]] = (x, y)
            self.next[i] = (self.next[i] + 1) % self.budget
        else:
            self.J[i][int(self.draw.random() * self.budget)] = (x, y)
