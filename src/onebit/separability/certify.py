"""From the margins that the solvers found to proofs about the user's rows: vectors, or a contradiction."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from onebit.core.aliases import FloatArray, Label
from onebit.separability.certificates import Contradiction, GroupVectors, StrongVectors, WeakVectors
from onebit.separability.constraints import Constraints, HalfSpaces, Rivals, Slabs, Table
from onebit.separability.groupings import Grouping
from onebit.separability.margins import Margin


def strong_vectors(classes: tuple[Label, ...], margins: list[Margin]) -> StrongVectors:
    """The vectors of the classes, each of a length that gives all the same margin."""
    return StrongVectors(classes, _unit(np.array([margin.w / margin.least for margin in margins])))


def weak_vectors(classes: tuple[Label, ...], margin: Margin) -> WeakVectors:
    """The vectors of the classes."""
    return WeakVectors(classes, _unit(margin.w.reshape(len(classes), -1)))


def group_vectors(classes: tuple[Label, ...], table: Table, found: Grouping) -> GroupVectors:
    """The vectors of the groups, and the directions, orders and thresholds inside them."""
    L = len(found.within)
    d = table.X.shape[1]
    vectors = np.zeros((L, d)) if found.between is None else _unit(found.between.w.reshape(L, d))
    directions = _unit(np.array([part.u / part.least for part in found.within]))

    # Where each row lies along the direction of its own group: the thresholds are between the slabs there.
    along = np.empty(len(table.y))
    group = np.array(found.groups)[table.y]
    for first, products in table.products(directions):
        last = first + len(products)
        along[first:last] = products[np.arange(len(products)), group[first:last]] * table.scale
    thresholds = tuple(_thresholds(along, table, part.order) for part in found.within)
    orders = tuple(tuple(classes[k] for k in part.order) for part in found.within)
    return GroupVectors(classes, found.groups, vectors, directions, orders, thresholds)


def contradiction(classes: tuple[Label, ...], constraints: Constraints, margin: Margin) -> Contradiction:
    """The proof that conditions cannot all hold, about the rows of the user's table."""
    numbers = constraints.table.numbers
    rows = numbers[margin.conditions[:, 0]]
    against = margin.conditions[:, 1]
    K = len(classes)

    if isinstance(constraints, HalfSpaces):
        side = dict.fromkeys(constraints.above, 1) | dict.fromkeys(constraints.below, -1)
        places = tuple(side.get(k, 0) for k in range(K))
        others = _names(classes, constraints.below) if len(constraints.below) < K - 1 else "all others"
        claim = f"a plane through the origin between {_names(classes, constraints.above)} and {others}"
        return Contradiction(claim, "sides", classes, places, rows, against, margin.weights)

    if isinstance(constraints, Slabs):
        place = {k: at for at, k in enumerate(constraints.order)}
        places = tuple(place.get(k, -1) for k in range(K))
        claim = f"slabs in the order {' < '.join(str(classes[k]) for k in constraints.order)}"
        return Contradiction(claim, "slabs", classes, places, rows, numbers[against], margin.weights)

    assert isinstance(constraints, Rivals)
    groups = [[k for k in range(K) if constraints.groups[k] == g] for g in range(constraints.count)]
    single = constraints.count == K
    claim = "a vector for each class" if single else f"groups {' | '.join(_names(classes, g) for g in groups)}"
    return Contradiction(claim, "rivals", classes, constraints.groups, rows, against, margin.weights)


def _thresholds(along: FloatArray, table: Table, order: tuple[int, ...]) -> tuple[float, ...]:
    """The values half way between the slabs of neighbours in the order."""
    slabs = [along[table.y == k] for k in order]
    slabs = [slab for slab in slabs if len(slab)]
    return tuple(float(low.max() + high.min()) / 2 for low, high in pairwise(slabs))


def _unit(vectors: FloatArray) -> FloatArray:
    """The vectors with squared norms of sum 1."""
    norm = np.linalg.norm(vectors)
    return vectors / norm if norm else vectors


def _names(classes: tuple[Label, ...], members: Iterable[int]) -> str:
    return ", ".join(str(classes[k]) for k in members)
