"""Labels that are closed at random, round by round: a world in which not everything can be played."""

from __future__ import annotations

import numpy as np

from onebit.core.aliases import IntArray
from onebit.core.seeds import bit_generator


class Closing:
    """Closes each of K labels with probability `share`, anew in each round, but for m of them at least.

    One draw decides a label, whatever the share is: those that are closed at a small share are so at a larger one.

    >>> closing = Closing(0.5, n_classes=4, set_size=1, seed=0)
    >>> closing.open_classes(), closing.open_classes()
    (array([0, 3]), array([2]))
    """

    def __init__(self, share: float, n_classes: int, set_size: int, seed: int) -> None:
        self._share = share
        self._n_classes = n_classes
        self._set_size = set_size
        self._draw = np.random.Generator(bit_generator(seed, "closing"))

    def open_classes(self) -> IntArray:
        """The numbers of the classes that are open in the next round; where too few would be, the last to close are."""
        drawn = self._draw.random(self._n_classes)
        is_open = drawn >= self._share
        is_open[np.argsort(-drawn, kind="stable")[: self._set_size]] = True
        return np.flatnonzero(is_open)
