"""Which decisions have taught, by their number, so that a copy of one does not teach again."""

from __future__ import annotations

from array import array

import numpy as np

from onebit.core.aliases import IntArray

REMEMBERED = 2**14
"""How many of a learner's latest numbers it remembers at least."""

_MASK = REMEMBERED - 1


class TaughtNumbers:
    """The numbers that have taught: a number is forgotten when one that is larger by a multiple of 16,384 teaches.

    >>> taught = TaughtNumbers()
    >>> taught.add(7)
    >>> 7 in taught, 8 in taught, -1 in taught
    (True, False, False)
    """

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers = array("q", [-1]) * REMEMBERED

    def __contains__(self, number: int) -> bool:
        return number >= 0 and self._numbers[number & _MASK] == number

    def add(self, number: int) -> None:
        """Remember a number; a negative one is nobody's."""
        if number >= 0:
            self._numbers[number & _MASK] = number

    def add_all(self, numbers: IntArray) -> None:
        """Remember several.

        >>> taught = TaughtNumbers()
        >>> taught.add_all(np.array([3, 4]))
        >>> 4 in taught
        True
        """
        known = numbers[numbers >= 0]
        np.frombuffer(self._numbers, np.int64)[known & _MASK] = known

    def first_of(self, numbers: IntArray) -> int | None:
        """The first of these that has taught.

        >>> taught = TaughtNumbers()
        >>> taught.add(4)
        >>> taught.first_of(np.array([3, 4]))
        4
        """
        hits = numbers[(np.frombuffer(self._numbers, np.int64)[numbers & _MASK] == numbers) & (numbers >= 0)]
        return int(hits[0]) if len(hits) else None
