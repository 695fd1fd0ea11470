"""What the arrays of a state may be: the shape, the type and the range of each.

A learner's `schema` gives one declaration for every array of its state, in a named tuple of the same form. A file is
held against them before memory is taken for its arrays, and again once they are read: compiled code has no bounds
checks, so a number that it uses as an index, as a size or as the end of a loop must be declared with its bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onebit.core.errors import FormatError

MOST_COUNTED = 2**53
"""No counter of a learner comes this far."""


@dataclass(frozen=True)
class Declared:
    """One array: its shape (a length of None is any), its dtype ("" is the learner's), its least and largest value.

    What `is_room` is never read before it is written: a file holds 0 in place of what is not finite there.
    """

    shape: tuple[int | None, ...]
    dtype: str = ""
    low: float = -inf
    high: float = inf
    is_room: bool = False

    def type(self, dtype: str) -> np.dtype[Any]:
        """The dtype of the array, for a learner of this dtype."""
        return np.dtype(self.dtype or dtype)

    def check(self, name: str, array: NDArray[Any], dtype: str) -> None:
        """A `FormatError` where the array is not what is declared."""
        check_form(name, self, array.shape, array.dtype, dtype)
        if not array.size:
            return
        least = array.min().item()
        largest = array.max().item()
        if not (isfinite(least) and isfinite(largest)):
            raise FormatError(f"array {name} holds values that are not finite")
        if not self.low <= least <= largest <= self.high:
            bad = least if least < self.low else largest
            raise FormatError(f"array {name} holds {bad!r}, expected {_span(self.low, self.high)}")


def reals(*shape: int | None, low: float = -inf, high: float = inf, dtype: str = "") -> Any:
    """An array of finite numbers, of the learner's dtype if none is given.

    >>> reals(3, 2).check("W", np.zeros((3, 2)), "float64")
    >>> reals(3, low=0).check("V", np.array([1.0, -1.0, 0.0]), "float64")
    Traceback (most recent call last):
    onebit.core.errors.FormatError: array V holds -1.0, expected 0 or more
    """
    return Declared(shape, dtype, low, high)


def whole(*shape: int | None, low: int = 0, high: int = MOST_COUNTED, dtype: str = "int64") -> Any:
    """An array of whole numbers: counts, or with `high` indices of something that is as long.

    >>> whole(2, high=4).check("n", np.array([0, 5]), "float64")
    Traceback (most recent call last):
    onebit.core.errors.FormatError: array n holds 5, expected 0 to 4
    """
    return Declared(shape, dtype, low, high)


def room(*shape: int | None, dtype: str = "") -> Any:
    """Room to work, which is never read before it is written.

    >>> room(3).is_room
    True
    """
    return Declared(shape, dtype, is_room=True)


def zeros(*shape: int | None, dtype: str = "") -> Any:
    """Room that is all 0, or False, between two calls.

    >>> zeros(2, dtype="bool").check("taken", np.array([True, False]), "float64")
    Traceback (most recent call last):
    onebit.core.errors.FormatError: array taken holds True, expected 0 to 0
    """
    return Declared(shape, dtype, 0, 0)


def form_of(array: NDArray[Any]) -> Declared:
    """What can be said of an array that nobody has declared: its shape and type.

    >>> form_of(np.zeros(3))
    Declared(shape=(3,), dtype='float64', low=-inf, high=inf, is_room=False)
    """
    return Declared(array.shape, str(array.dtype))


def joined(parts: tuple[Declared, ...]) -> Declared:
    """The form of several arrays in a row, as one array of a file holds them.

    >>> joined((reals(1, low=0), reals(1))).shape
    (2,)
    """
    first, *rest = parts
    if not rest:
        return first
    return Declared((sum(part.shape[0] or 0 for part in parts), *first.shape[1:]), first.dtype)


def check_form(name: str, declared: Declared, shape: tuple[int, ...], found: np.dtype[Any], dtype: str) -> None:
    """A `FormatError` where the shape or the type is another than declared, for a learner of this dtype.

    >>> check_form("W", reals(3, 2), (3, 4), np.dtype("float64"), "float64")
    Traceback (most recent call last):
    onebit.core.errors.FormatError: array W is float64[3, 4], expected float64[3, 2]
    """
    wanted = declared.type(dtype)
    fits = len(shape) == len(declared.shape)
    fits = fits and all(n is None or n == length for n, length in zip(declared.shape, shape, strict=True))
    if not fits or found != wanted:
        lengths = ", ".join("any" if n is None else str(n) for n in declared.shape)
        raise FormatError(f"array {name} is {found}{list(shape)}, expected {wanted}[{lengths}]")


def _span(low: float, high: float) -> str:
    if high in (inf, MOST_COUNTED):
        return f"{low:g} or more" if high == inf else f"{low:g} to 2^53"
    return f"up to {high:g}" if low == -inf else f"{low:g} to {high:g}"
