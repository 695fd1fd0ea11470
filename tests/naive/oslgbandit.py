"""OSLGBandit, obviously: MOLGB with a = 1, which learns in every round."""

from typing import Any

import numpy as np

from tests.naive import molgb
from tests.naive.common import corrected


class Twin(molgb.Twin):
    def __init__(
        self, K: int, d: int, draw: np.random.Generator, b: float = 10, eta: float = 0.5, noise: Any = None
    ) -> None:
        super().__init__(K, d, draw, b, varphi=eta)
        self.noise = noise

    def weight(self, q: float) -> float:
        return 1

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, bit: int) -> None:
        self.add(x, played, 1, 2 * corrected(bit, self.noise) - 1)
