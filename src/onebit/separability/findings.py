"""What was found about one notion of separability, and how the margins of its parts become vectors and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, Literal

import numpy as np

from onebit.core.types import FloatArray, Label
from onebit.separability.certificates import Contradiction, GroupVectors, StrongVectors, WeakVectors
from onebit.separability.constraints import Constraints, HalfSpaces, Rivals, Slabs, Table
from onebit.separability.groupings import Grouping
from onebit.separability.margins import Margin

Notion = Literal["strong", "weak", "group"]


@dataclass(frozen=True, eq=False)
class Finding:
    """Whether one notion of separability holds, and the proof.

    `holds` is True, False, or None when it is not decided. `margin` is the margin of the `certificate`'s vectors on
    the data (None without vectors), and `at_most` what no vectors exceed (infinite if nothing is known of that). If
    the notion fails, `contradictions` prove it: one is enough, except where orders of classes or groupings are ruled
    out one by one.

    >>> import onebit
    >>> found = onebit.streams.separability([[1.0, 0.2], [0.1, 1.0], [-1.0, -1.0]], ["a", "b", "c"])
    >>> found.weak.holds, found.weak.margin <= found.weak.at_most
    (True, True)
    """

    notion: Notion
    holds: bool | None
    margin: float | None
    at_most: float
    certificate: StrongVectors | WeakVectors | GroupVectors | None = None
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def answer(self) -> str:
        """yes, no, or not decided."""
        return {True: "yes", False: "no", None: "not decided"}[self.holds]

    @property
    def bounds(self) -> tuple[str, str]:
        """The margin and its upper bound, as text."""
        margin = "–" if self.margin is None else f"{self.margin:.6g}"
        return margin, f"{self.at_most:.6g}" if isfinite(self.at_most) else "–"

    @property
    def proof(self) -> str:
        """The proof in a few words."""
        if isinstance(self.certificate, GroupVectors):
            groups = (" < ".join(map(str, order)) for order in self.certificate.orders)
            return f"{_count(len(self.certificate.orders), 'group')}: {' | '.join(groups)}"
        if self.certificate is not None:
            return f"{len(self.certificate.vectors)} vectors"
        if not self.contradictions:
            return "the search was given up"
        shown = min(self.contradictions, key=lambda one: len(one.examples))
        rows = shown.examples.tolist()
        some = ", ".join(map(str, rows[:6])) + (f", … ({len(rows)} in all)" if len(rows) > 6 else "")
        more = len(self.contradictions) - 1
        who = f"row {some} rules" if len(rows) == 1 else f"rows {some} rule"
        return f"{who} out: {shown.claim}" + (f" (and {more} more)" if more else "")

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, for JSON.

        >>> import onebit
        >>> onebit.streams.separability([[1.0], [-1.0]], [0, 1]).strong.to_dict()["holds"]
        True
        """
        certificate = {} if self.certificate is None else _plain(self.certificate)
        proofs = [_plain(one) for one in self.contradictions]
        bounds = {"margin": self.margin, "at_most": self.at_most if isfinite(self.at_most) else None}
        return {"holds": self.holds, **bounds, "certificate": certificate or None, "contradictions": proofs}


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
    at = margin.conditions
    rows = numbers[at[:, 0]]
    against = at[:, 1]
    places = np.full(len(classes), -1)
    if isinstance(constraints, HalfSpaces):
        places = np.zeros(len(classes), dtype=np.int64)
        places[list(constraints.above)] = 1
        places[list(constraints.below)] = -1
        others = f"{_names(classes, constraints.below)}" if len(constraints.below) < len(classes) - 1 else "all others"
        claim = f"a plane through the origin between {_names(classes, constraints.above)} and {others}"
        return Contradiction(claim, "sides", classes, tuple(places.tolist()), rows, against, margin.weights)
    if isinstance(constraints, Slabs):
        places[list(constraints.order)] = np.arange(len(constraints.order))
        claim = f"slabs in the order {' < '.join(str(classes[k]) for k in constraints.order)}"
        return Contradiction(claim, "slabs", classes, tuple(places.tolist()), rows, numbers[at[:, 1]], margin.weights)
    assert isinstance(constraints, Rivals)
    single = constraints.count == len(classes)
    groups = [[k for k, g in enumerate(constraints.groups) if g == at] for at in range(constraints.count)]
    claim = "a vector for each class" if single else f"groups {' | '.join(_names(classes, g) for g in groups)}"
    return Contradiction(claim, "rivals", classes, constraints.groups, rows, against, margin.weights)


def _thresholds(along: FloatArray, table: Table, order: tuple[int, ...]) -> tuple[float, ...]:
    slabs = [along[table.y == k] for k in order]
    slabs = [slab for slab in slabs if len(slab)]
    return tuple(float(low.max() + high.min()) / 2 for low, high in pairwise(slabs))


def _unit(vectors: FloatArray) -> FloatArray:
    norm = np.linalg.norm(vectors)
    return vectors / norm if norm else vectors


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("s" if number != 1 else "")


def _names(classes: tuple[Label, ...], members: Any) -> str:
    return ", ".join(str(classes[k]) for k in members)


def _plain(proof: Any) -> dict[str, Any]:
    values = {name: getattr(proof, name) for name in proof.__dataclass_fields__}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
