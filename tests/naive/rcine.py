"""RCINE, obviously: RCNBF that keeps its last N_s lessons, and after every N_s of them estimates its rates again."""

from typing import Any

import numpy as np

from onebit import NoiseRates
from tests.naive import rcnbf


class Shares:
    """An estimator that any change of a lesson shows in: shares of yes, weighed by rows, labels and propensities."""

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> NoiseRates:
        weight = (1 + np.abs(rows @ np.arange(rows.shape[1]))) * (1 + played) / propensity
        yes = float(weight @ bit / weight.sum())
        return NoiseRates(0.4 * yes, 0.4 * (1 - yes))

    def __repr__(self) -> str:
        return "Shares()"


class Twin(rcnbf.Twin):
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, gamma: float = 2**-3, estimator: Any = None,
        N_s: int = 20_000, average: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(K, d, draw, gamma, average=average)
        self.estimator, self.N_s = estimator, N_s
        self.window: list[Any] = []

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        super().learn(x, played, greedy, p, explored, bit)
        self.window.append((x, played, p, bit))
        if len(self.window) == self.N_s:
            columns = (np.array(column) for column in zip(*self.window, strict=True))
            self.rho_0, self.rho_1 = self.estimator.fit(*columns)
            self.window = []
