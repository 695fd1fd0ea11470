"""Decisions and answered decisions, column by column: the one form in which rooms hand them to each other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray


class Draws(NamedTuple):
    """n decisions in class numbers.

    `labels` is (n, m + k): the m labels played and, behind them, the k labels believed best, for a learner that tells
    (k is 0 for most). The others have n entries: `propensity`, the probability with which the labels were played;
    `greedy`, the label believed best; `explored`, whether the draw came from uniform exploration.

    >>> new_draws(3, 2).at(np.array([2, 0])).labels.shape
    (2, 2)
    """

    labels: IntArray
    propensity: FloatArray
    greedy: IntArray
    explored: NDArray[np.bool_]

    def at(self, which: IntArray | slice) -> Draws:
        """Some of them, in this order."""
        return Draws(self.labels[which], self.propensity[which], self.greedy[which], self.explored[which])


class Lessons(NamedTuple):
    """n answered decisions, in the order learned.

    `id` is a decision's number, and `step` how many decisions had been made before the one after which its answer was
    learned; `draws` says what was played; `answer` is the bit, or the number of the true label; `row` is the number of
    its row in the data set, and `rows` are the n rows themselves, both None where nobody needs them; `among` has for
    each the labels it was drawn among, or None for all of them, and is None itself where that holds for each.

    >>> number = np.array([0, 1])
    >>> draws = Draws(np.array([[2], [0]]), np.array([0.9, 0.1]), np.array([2, 2]), np.array([False, True]))
    >>> Lessons(number, number, draws, np.array([1, 0])).size
    2
    """

    id: IntArray
    step: IntArray
    draws: Draws
    answer: IntArray
    row: Any = None
    rows: Any = None
    among: Any = None

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.id)


def new_draws(n: int, width: int) -> Draws:
    """Room for n decisions with so many labels each.

    >>> new_draws(5, 1).propensity
    array([0., 0., 0., 0., 0.])
    """
    return Draws(
        labels=np.zeros((n, width), np.int64),
        propensity=np.zeros(n),
        greedy=np.zeros(n, np.int64),
        explored=np.zeros(n, np.bool_),
    )


def new_lessons(n: int, width: int) -> Lessons:
    """Room for n answered decisions with so many labels each, and for the numbers of their rows.

    >>> new_lessons(5, 1).size
    5
    """
    return Lessons(
        id=np.zeros(n, np.int64),
        step=np.zeros(n, np.int64),
        draws=new_draws(n, width),
        answer=np.zeros(n, np.int64),
        row=np.zeros(n, np.int64),
    )
