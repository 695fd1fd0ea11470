"""The three notions, one after the other: each is a few problems of largest margins, and uses the ones before."""

from __future__ import annotations

import numpy as np

from onebit.core.labels import label_array
from onebit.core.types import Label, Progress
from onebit.separability.certificates import GroupVectors, StrongVectors, WeakVectors
from onebit.separability.constraints import HalfSpaces, Rivals, Table
from onebit.separability.findings import (
    Finding,
    Notion,
    contradiction,
    group_vectors,
    strong_vectors,
    weak_vectors,
)
from onebit.separability.groupings import Grouping, GroupSearch, Refuted
from onebit.separability.margins import Budget, Margin, largest_margin

_LARGE = 1000
"""From this dimension on, some pairs of classes are asked before all of them together."""
_PAIRS = 8


class Notions:
    """The notions of separability of one table, to be asked in the order strong, weak, group."""

    def __init__(self, table: Table, classes: tuple[Label, ...], progress: Progress | None) -> None:
        self.table = table
        self.classes = classes
        self._progress = progress
        self._singles = Grouping(tuple(range(len(classes))), None, ())

    def strong(self) -> Finding:
        """A plane through the origin for each class."""
        K = len(self.classes)
        budget = Budget()
        margins: list[Margin] = []
        for k in range(K):
            self._step("strong", k, K)
            sides = HalfSpaces(self.table, [k], [i for i in range(K) if i != k])
            margin = largest_margin(sides, budget)
            if margin.holds is False:
                return self._fails("strong", ((sides, margin),))
            margins.append(margin)
        self._step("strong", K, K)
        bound = 2 * sum(margin.most**-2 for margin in margins) ** -0.5
        holds = all(margin.holds for margin in margins)
        return self._finding("strong", bound, strong_vectors(self.classes, margins) if holds else None)

    def weak(self, strong: Finding) -> Finding:
        """A vector for each class."""
        self._step("weak", 0, 1)
        margin, refuted = self._between_classes()
        if strong.certificate is not None and strong.margin is not None and not margin.holds:
            margin = margin._replace(least=strong.margin / self.table.scale, w=strong.certificate.vectors.ravel())
        within = tuple(GroupSearch(self.table, Budget()).slabs((k,)) for k in range(len(self.classes)))
        self._singles = Grouping(self._singles.groups, margin, within, refuted)
        self._step("weak", 1, 1)
        if refuted:
            return self._fails("weak", refuted)
        return self._finding("weak", margin.most, weak_vectors(self.classes, margin) if margin.holds else None)

    def group(self, groups: tuple[int, ...] | None) -> tuple[Finding, tuple[int, ...] | None]:
        """Vectors for groups of classes, and slabs inside; and the groups, if they were given or found."""
        search = GroupSearch(self.table, Budget())
        found = self._singles
        if groups is not None and groups != found.groups:
            self._step("group", 0, 1)
            found = search.check(groups)
        elif groups is None and found.holds is False:
            found = search.search(found, self._step)
        self._step("group", 1, 1)
        named = found.groups if groups is not None or found.holds else None
        if found.holds is False:
            return self._fails("group", found.refuted), named
        vectors = group_vectors(self.classes, self.table, found) if found.holds else None
        return self._finding("group", np.inf if named is None else found.most, vectors), named

    def _between_classes(self) -> tuple[Margin, tuple[Refuted, ...]]:
        """The margin between single classes, and what rules it out."""
        rivals = Rivals(self.table, range(len(self.classes)))
        if rivals.dimension >= _LARGE:
            first = Budget()
            first.left /= 10
            margin = largest_margin(rivals, first)
            clash = self._clash(margin) if first.left <= 0 and not margin.holds else None
            if clash is not None:
                return margin, (clash,)
        margin = largest_margin(rivals, Budget())
        return margin, ((rivals, margin),) if margin.holds is False else ()

    def _clash(self, margin: Margin) -> Refuted | None:
        """Two classes that no plane tells apart, among those that stand most in each other's way so far."""
        K = len(self.classes)
        budget = Budget()
        weight = np.zeros((K, K))
        np.add.at(weight, (self.table.y[margin.conditions[:, 0]], margin.conditions[:, 1]), margin.weights)
        weight = np.triu(weight + weight.T)
        for a, b in (divmod(int(at), K) for at in np.argsort(-weight, axis=None)[:_PAIRS]):
            if weight[a, b] > 0 and budget.left > 0:
                sides = HalfSpaces(self.table, (a,), (b,))
                pair = largest_margin(sides, budget)
                if pair.holds is False:
                    return sides, pair
        return None

    def _finding(
        self, notion: Notion, bound: float, vectors: StrongVectors | WeakVectors | GroupVectors | None
    ) -> Finding:
        """That the notion holds with these vectors, by what they really do, or that it is not decided."""
        bound *= self.table.scale
        if vectors is not None:
            margin = vectors.verify(self.table.X, label_array(self.classes)[self.table.y])
            if margin > 0:
                return Finding(notion, True, margin, max(margin, bound), vectors)
        return Finding(notion, None, None, bound)

    def _fails(self, notion: Notion, refuted: tuple[Refuted, ...]) -> Finding:
        proofs = tuple(contradiction(self.classes, constraints, margin) for constraints, margin in refuted)
        return Finding(notion, False, None, 0.0, None, proofs)

    def _step(self, what: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(what, done, total)
