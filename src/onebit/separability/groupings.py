"""Group separability: with a given grouping of the classes, or with one that is searched for, finest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from onebit.core.aliases import IntArray, Progress
from onebit.separability.constraints import Constraints, HalfSpaces, Rivals, Table
from onebit.separability.margins import Budget, Margin, largest_margin
from onebit.separability.slab_order import SlabOrder, best_order

_ALL_PARTITIONS = 6
"""Up to so many parts every way to join them is considered."""

Refuted = tuple[Constraints, Margin]
Partition = tuple[tuple[int, ...], ...]


class Grouping(NamedTuple):
    """What is known of one grouping: its groups' margin (None for a single group), each group's slabs, and what rules
    it out; or of all groupings, if `refuted` rules out each."""

    groups: tuple[int, ...]
    between: Margin | None
    within: tuple[SlabOrder, ...]
    refuted: tuple[Refuted, ...] = ()

    @property
    def holds(self) -> bool | None:
        """Whether the classes are separable in these groups; None if that is not decided."""
        if self.refuted:
            return False
        answers = [part.holds for part in self.within] + ([self.between.holds] if self.between else [])
        return True if answers and all(answers) else None

    @property
    def least(self) -> float:
        """The margin reached, in units of the table's scale: the smaller one of the two conditions."""
        between = self.between.least if self.between else np.inf
        return min(between, _joint([part.least for part in self.within]))

    @property
    def most(self) -> float:
        """What the margin cannot exceed."""
        between = self.between.most if self.between else np.inf
        return min(between, _joint([part.most for part in self.within]))


class GroupSearch:
    """Groupings of one table's classes; slabs that several of them share are found once.

    >>> table = Table.of(np.array([[-0.5], [0.0], [0.5]]), np.array([0, 1, 2]), 3)
    >>> GroupSearch(table, Budget()).check((0, 0, 0)).least * table.scale
    0.25
    """

    def __init__(self, table: Table, budget: Budget) -> None:
        self.table = table
        self.budget = budget
        self._slabs: dict[tuple[int, ...], SlabOrder] = {}

    def check(self, groups: Sequence[int]) -> Grouping:
        """What is known of one grouping: the group of each class, numbered from 0."""
        partition = [tuple(k for k, g in enumerate(groups) if g == at) for at in range(max(groups) + 1)]
        within = tuple(self.slabs(members) for members in partition)
        impossible = [part for part in within if part.holds is False]
        if impossible:
            return Grouping(tuple(groups), None, within, impossible[0].refuted)
        if len(partition) == 1:
            return Grouping(tuple(groups), None, within)
        rivals = Rivals(self.table, groups)
        between = largest_margin(rivals, self.budget)
        refuted = ((rivals, between),) if between.holds is False else ()
        return Grouping(tuple(groups), between, within, refuted)

    def slabs(self, members: tuple[int, ...]) -> SlabOrder:
        """The best order of the classes of one group."""
        if members not in self._slabs:
            self._slabs[members] = best_order(self.table, members, self.budget)
        return self._slabs[members]

    def search(self, weak: Grouping, progress: Progress) -> Grouping:
        """A grouping that holds, when that of single classes, `weak`, does not; the finest, the first of those.

        Classes that no plane through the origin tells apart must share a group. The parts that this leaves are
        joined in every way if they are few, else where the conditions between groups fail hardest. If no grouping
        holds, `refuted` rules out each.
        """
        # What no grouping can do: split parts, or hold a part that has no slabs.
        parts, ties = self._parts(weak.refuted, progress)
        for part in parts:
            if self.slabs(part).holds is False:
                return weak._replace(refuted=ties + self.slabs(part).refuted)
        if len(parts) > _ALL_PARTITIONS:
            return self._join(parts, weak, progress)

        # Every way to join few parts, the finest first.
        refuted: tuple[Refuted, ...] = ties + weak.refuted
        undecided = None
        ways = sorted(partitions(parts), key=len, reverse=True)
        for at, partition in enumerate(ways):
            progress("groupings", at, len(ways))
            if len(partition) == self.table.classes:
                continue
            found = self.check(group_numbers(partition))
            if found.holds:
                return found
            undecided = found if found.holds is None else undecided
            refuted += tuple(one for one in found.refuted if not any(one[1] is known for _, known in refuted))
        return undecided or weak._replace(refuted=refuted)

    def _parts(self, known: tuple[Refuted, ...], progress: Progress) -> tuple[Partition, tuple[Refuted, ...]]:
        """The classes in the finest parts that no group may split, and what ties the classes of a part.

        Two classes that are tied, but have no room in one group either, end the search: they are the only part then.
        """
        name = list(range(self.table.classes))
        ties: tuple[Refuted, ...] = ()
        pairs = list(combinations(name, 2))
        proofs = {(s.above[0], s.below[0]): (s, margin) for s, margin in known if isinstance(s, HalfSpaces)}
        for at, (a, b) in enumerate(sorted(pairs, key=lambda pair: pair not in proofs)):
            progress("pairs of classes", at, len(pairs))
            sides = HalfSpaces(self.table, (a,), (b,))
            if name[a] == name[b] or not len(sides.table.y):
                continue
            tie = proofs.get((a, b)) or (sides, largest_margin(sides, self.budget))
            if tie[1].holds is False:
                if self.slabs((a, b)).holds is False:
                    return ((a, b),), (tie,)
                ties += (tie,)
                name = [name[a] if part == name[b] else part for part in name]
        return tuple(tuple(k for k, part in enumerate(name) if part == which) for which in dict.fromkeys(name)), ties

    def _join(self, parts: Partition, weak: Grouping, progress: Progress) -> Grouping:
        """Join the two parts with most weight in the proof that the groups fail, again and again."""
        total = len(parts)
        while len(parts) > 1 and self.budget.left > 0:
            progress("groupings", total - len(parts), total)
            found = self.check(group_numbers(parts)) if len(parts) < self.table.classes else weak
            if found.holds or found.between is None:
                return found
            joined = self._joined(parts, found.between, found.groups)
            if joined is None:
                break
            parts = joined
        last = self.check(group_numbers(parts)) if len(parts) == 1 else None
        return last if last and last.holds else Grouping(group_numbers(parts), None, ())

    def _joined(self, parts: Partition, between: Margin, groups: tuple[int, ...]) -> Partition | None:
        """The parts, with the first two joined that stand in each other's way and fit in one group."""
        for a, b in weight_between(between, np.array(groups)[self.table.y], len(parts)):
            union = tuple(sorted(parts[a] + parts[b]))
            if self.slabs(union).holds:
                return tuple(union if i == a else part for i, part in enumerate(parts) if i != b)
        return None


def weight_between(margin: Margin, own: IntArray, count: int) -> list[tuple[int, int]]:
    """The pairs of groups that have weight in a bound between groups, those with most weight first.

    `own` is the group of each row, of `count` groups.

    >>> conditions = np.array([[0, 1], [1, 2], [1, 0]])
    >>> margin = Margin(0.0, 0.0, np.zeros(3), conditions, np.array([0.3, 0.5, 0.2]))
    >>> weight_between(margin, np.array([0, 1]), 3)
    [(0, 1), (1, 2)]
    """
    weight = np.zeros((count, count))
    np.add.at(weight, (own[margin.conditions[:, 0]], margin.conditions[:, 1]), margin.weights)
    weight = np.triu(weight + weight.T)
    heaviest = np.argsort(-weight, axis=None)[: np.count_nonzero(weight)]
    return [divmod(int(at), count) for at in heaviest]


def partitions(parts: Partition) -> Iterator[Partition]:
    """Every way to join parts.

    >>> sorted(partitions(((0,), (1, 2))))
    [((0,), (1, 2)), ((0, 1, 2),)]
    """
    if not parts:
        yield ()
        return
    first = parts[0]
    rest = parts[1:]
    for count in range(len(rest) + 1):
        for chosen in combinations(rest, count):
            left = tuple(part for part in rest if part not in chosen)
            block = tuple(sorted(sum(chosen, first)))
            for others in partitions(left):
                yield (block, *others)


def group_numbers(partition: Partition) -> tuple[int, ...]:
    """The group of each class.

    >>> group_numbers(((0, 2), (1,)))
    (0, 1, 0)
    """
    group = {k: at for at, part in enumerate(partition) for k in part}
    return tuple(group[k] for k in sorted(group))


def _joint(gaps: Sequence[float]) -> float:
    """The margin γ of slabs 2γ apart in every group, for vectors with squared norms of sum 1, from the groups' gaps."""
    if not gaps:
        return np.inf
    if min(gaps) <= 0:
        return min(gaps) / 2
    total = sum((2 / gap) ** 2 for gap in gaps)
    return float(total**-0.5) if total else np.inf
