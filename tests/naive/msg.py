"""MSG, obviously: MOLGF with a = 1."""

import numpy as np

from tests.naive import molgf


class Twin(molgf.Twin):
    def __init__(self, K: int, d: int, draw: np.random.Generator, b: float = 10, phi: float = 30) -> None:
        super().__init__(K, d, draw, b, phi)

    def weight(self, q: float) -> float:
        return 1
