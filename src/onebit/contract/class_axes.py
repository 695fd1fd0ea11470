"""How the arrays of a state are divided among classes, found by comparing the schemas for K classes and for one more.

A length that grows by n with every class has n entries for each of them, in their order, and behind them such as belong
to none. So a state is regrouped array by array, and what belongs to one class can be taken out and put back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.states import arrays

Part = tuple[NDArray[Any], ...]
"""What belongs to one class: its part of each array that is divided."""


class Axes(NamedTuple):
    """How one array is divided: along each axis so many entries for each class, 0 where it is not divided."""

    per_class: tuple[int, ...]

    @property
    def divided(self) -> bool:
        """Whether any of it belongs to single classes."""
        return any(self.per_class)

    def entries(self, shape: tuple[int, ...], classes: Sequence[int], behind: int | None = None) -> Any:
        """Where an array of this shape keeps what belongs to the classes; also what is `behind` so many classes.

        >>> Axes((2, 0)).entries((7, 3), [0, 2])
        array([0, 1, 4, 5])
        >>> Axes((2, 0)).entries((7, 3), [0, 2], behind=3)
        array([0, 1, 4, 5, 6])
        """
        picked = []
        for n, length in zip(self.per_class, shape, strict=True):
            own = np.add.outer(n * np.asarray(classes, np.int64), np.arange(n)).reshape(-1)
            rest = np.arange(length if behind is None else n * behind, length)
            picked.append(np.concatenate([own, rest]) if n else np.arange(length))
        alone = self.per_class[0] > 0 and not any(self.per_class[1:])
        return picked[0] if alone else np.ix_(*picked)


def class_axes(smaller: Any, larger: Any) -> list[Axes]:
    """How each array of a state is divided, from its schemas for some number of classes and for one more.

    >>> from onebit.contract.schema import reals, whole
    >>> class Scores(NamedTuple):
    ...     W: Any
    ...     t: Any
    >>> class_axes(Scores(reals(3, 5), whole(1)), Scores(reals(4, 5), whole(1)))
    [Axes(per_class=(1, 0)), Axes(per_class=(0,))]
    """
    pairs = zip(arrays(smaller), arrays(larger), strict=True)
    return [
        Axes(tuple((more or 0) - (n or 0) for n, more in zip(a.shape, b.shape, strict=True)))
        for (_, a), (_, b) in pairs
    ]


def copy_classes(axes: list[Axes], before: Any, after: Any, kept: Sequence[int], sizes: tuple[int, int]) -> None:
    """Write the classes kept of one state to another, from its first class on, and all that belongs to no class.

    `sizes` are the numbers of classes before and after.
    """
    for axis, (_, old), (_, new) in zip(axes, arrays(before), arrays(after), strict=True):
        if axis.divided:
            there = axis.entries(new.shape, range(len(kept)), behind=sizes[1])
            new[there] = old[axis.entries(old.shape, kept, behind=sizes[0])]
        else:
            new[...] = old


def part_of(axes: list[Axes], state: Any, k: int) -> Part:
    """A copy of what belongs to class k."""
    pairs = zip(axes, arrays(state), strict=True)
    return tuple(array[axis.entries(array.shape, [k])] for axis, (_, array) in pairs if axis.divided)


def put_part(axes: list[Axes], state: Any, k: int, part: Part) -> None:
    """Give class k what belonged to a class before; where the state has more room than it had, that stays as it is."""
    divided = [(axis, array) for axis, (_, array) in zip(axes, arrays(state), strict=True) if axis.divided]
    for (axis, array), content in zip(divided, part, strict=True):
        where = axis.entries(array.shape, [k])
        own = array[where]
        common = tuple(slice(min(lengths)) for lengths in zip(own.shape, content.shape, strict=True))
        own[common] = content[common]
        array[where] = own
