"""In which order the classes of a group lie in slabs, and along which direction: branch and bound over the orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.separability.constraints import Slabs, Table
from onebit.separability.margins import GAP, LEAST, ZERO, Budget, Margin, largest_margin

_ALL_ORDERS = 7
"""Up to so many classes every order is considered."""

Relation = tuple[int, int]


class SlabOrder(NamedTuple):
    """The best order found for one group's classes, from low to high, and the gaps it leaves between the slabs.

    `least` is the smallest gap along the unit vector `u`, in units of the table's scale, and no order has more than
    `most`. `refuted` holds the orders, of all classes or of some, that no direction allows.
    """

    order: tuple[int, ...]
    least: float
    most: float
    u: FloatArray
    refuted: tuple[tuple[Slabs, Margin], ...] = ()

    @property
    def holds(self) -> bool | None:
        """Whether some direction separates the slabs; None if that is not decided."""
        return True if self.least > LEAST else False if self.most <= ZERO else None


def best_order(table: Table, members: Sequence[int], budget: Budget) -> SlabOrder:
    """The order and direction with the widest gaps. Classes without rows come last.

    >>> table = Table.of(np.array([[1.0], [3.0], [2.0]]), np.array([0, 1, 2]), 3)
    >>> best_order(table, [0, 1, 2], Budget()).order
    (0, 2, 1)
    """
    rows = np.bincount(table.y, minlength=table.classes)
    present = [k for k in members if rows[k]]
    absent = tuple(k for k in members if not rows[k])
    if len(present) < 2:
        return SlabOrder((*present, *absent), np.inf, np.inf, np.zeros(table.X.shape[1]))
    # Two classes at a time first: what they allow bounds every order, and their directions suggest good ones.
    search = _OrderSearch(table.part(present), present, budget)
    search.pairs()
    if not search.impossible:
        search.visit(search.guesses())
        search.visit(search.every)
    found = search.best
    return found._replace(order=found.order + absent, most=search.ceiling(), refuted=tuple(search.refuted))


class _OrderSearch:
    """The orders of the classes of one group, each known up to its reverse."""

    def __init__(self, table: Table, present: Sequence[int], budget: Budget) -> None:
        self.table = table
        self.present = tuple(present)
        self.budget = budget
        orders = permutations(present) if len(present) <= _ALL_ORDERS else ()
        self.every = [order for order in orders if order[0] < order[-1]]
        self.best = SlabOrder(self.present, 0.0, np.inf, np.zeros(table.X.shape[1]))
        self.refuted: list[tuple[Slabs, Margin]] = []
        self.impossible = False
        self._bounds: list[tuple[frozenset[Relation], float]] = []
        self._directions: list[FloatArray] = []

    def pairs(self) -> None:
        """Two classes at a time: what they allow bounds every order, and their directions suggest some."""
        for pair in combinations(self.present, 2):
            margin = self._solve(pair, 0.0)
            self._directions.append(margin.w)
            if margin.holds is False:
                self.impossible = True
                self.refuted = self.refuted[-1:]
                return

    def guesses(self) -> list[tuple[int, ...]]:
        """The orders of the classes' means along the directions of the pairs."""
        means = np.array([self.table.rows(np.flatnonzero(self.table.y == k)).mean(axis=0) for k in self.present])
        orders = [tuple(self.present[i] for i in np.argsort(means @ w)) for w in self._directions]
        return list(dict.fromkeys(order if order[0] < order[-1] else order[::-1] for order in orders))

    def visit(self, orders: Iterable[tuple[int, ...]]) -> None:
        """Solve the orders that may be better than the best so far."""
        for order in orders:
            if self.budget.left > 0 and self._bound(order) > max(self.best.least * (1 + GAP), ZERO):
                margin = self._solve(order, self.best.least)
                if margin.least > max(self.best.least, LEAST):
                    self.best = SlabOrder(order, margin.least, margin.most, margin.w)

    def ceiling(self) -> float:
        """What no order exceeds."""
        if self.impossible:
            return 0.0
        return max(self.best.least, max(self._bound(order) for order in self.every or [self.present]))

    def _solve(self, order: tuple[int, ...], enough: float) -> Margin:
        """The margin of an order; its conditions in use bound every order with the same classes above others."""
        slabs = Slabs(self.table, order)
        margin = largest_margin(slabs, self.budget, enough)
        above, below = (slabs.table.y[margin.conditions[:, at]].tolist() for at in (0, 1))
        relations = frozenset(zip(below, above, strict=True))
        self._bounds.append((relations, margin.most))
        self._bounds.append((frozenset((b, a) for a, b in relations), margin.most))
        if margin.holds is False:
            self.refuted.append((slabs, margin))
        return margin

    def _bound(self, order: tuple[int, ...]) -> float:
        """What the bounds known so far allow an order; beyond few classes only those that hold for all orders."""
        if not self.every:
            return min(most for relations, most in self._bounds if len(relations) == 1)
        relations = set(combinations(order, 2))
        return min((most for known, most in self._bounds if known <= relations), default=np.inf)
