"""Is a labelled set separable? Strongly, weakly, in groups; with which margin; and the proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from onebit.core.errors import ConfigError, DataError
from onebit.core.types import Label, Progress
from onebit.features.labelled import encode_labels, prepare_rows
from onebit.separability.constraints import Table
from onebit.separability.findings import Finding
from onebit.separability.notions import Notions


@dataclass(frozen=True, eq=False)
class Separability:
    """Which of the three notions of separability a labelled set has, with margins and proofs.

    `groups` is the group of each class that `group` is about: the given one or the one found, None if none was found.

    >>> import onebit
    >>> X, y = [[-0.5, 0.0], [0.0, 0.1], [0.5, 0.0]], ["left", "middle", "right"]
    >>> print(onebit.streams.separability(X, y, groups=[0, 0, 0]))
    3 rows, 2 features, 3 classes
    strong  no           margin –         at most 0         rows 0, 2 rule out: a plane through the origin between ...
    weak    yes          margin 0.115728  at most 0.115728  3 vectors
    group   yes          margin 0.25      at most 0.25      1 group: left < middle < right
    """

    rows: int
    features: int
    classes: tuple[Label, ...]
    groups: tuple[int, ...] | None
    strong: Finding
    weak: Finding
    group: Finding

    @property
    def findings(self) -> tuple[Finding, Finding, Finding]:
        """The three findings, from the strongest notion to the weakest."""
        return self.strong, self.weak, self.group

    def summary(self) -> str:
        """A line per notion."""
        lines = [f"{self.rows:,} rows, {self.features:,} features, {len(self.classes)} classes"]
        for one in self.findings:
            margin, at_most = one.bounds
            line = f"{one.notion:<7} {one.answer:<12} margin {margin:<9} at most {at_most:<9} {one.proof}"
            lines.append(line.rstrip())
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        answers = ", ".join(f"{one.notion}={one.answer}" for one in self.findings)
        return f"<Separability of {self.rows} rows, {len(self.classes)} classes: {answers}>"


def separability(
    X: Any,
    y: Any,
    groups: Sequence[Any] | None = None,
    *,
    classes: Sequence[Label] | None = None,
    progress: Progress | None = None,
) -> Separability:
    """Whether labelled rows are strongly, weakly and group separable, with margins and proofs.

    With margin γ and vectors of which the squared norms sum to 1 or less, the rows x of class y are

    - strongly separable: ⟨x, w_y⟩ ≥ γ/2 and ⟨x, w_i⟩ ≤ -γ/2 for i ≠ y;
    - weakly separable: ⟨x, w_y⟩ ≥ ⟨x, w_i⟩ + γ for i ≠ y;
    - group separable: the groups of classes are weakly separable by u_1 .. u_L, and along u'_g the classes of group g
      lie in slabs at least 2γ apart (one class wholly above the other).

    Strong implies weak, and weak implies group. Margins are the best possible to within 10^-6 of themselves unless
    `at_most` says otherwise. A notion that holds comes with its vectors, one that fails with few rows that contradict
    each other; both have `verify(X, y)`, which needs no solver. What takes too much work is left as not decided.

    `groups` gives the group of each class, in the order of the classes; None searches for the finest grouping that
    holds, and its margin is the best for that grouping. `classes` fixes the labels and their order (default: those
    that occur, sorted). `progress(what, done, total)` hears of long computations. There is no bias: append a feature
    that is always 1 to allow for planes that miss the origin.

    >>> X, y = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], ["a", "b", "c"]
    >>> found = separability(X, y)
    >>> found
    <Separability of 3 rows, 3 classes: strong=yes, weak=yes, group=yes>
    >>> round(found.weak.margin, 6), found.weak.certificate.verify(X, y) == found.weak.margin
    (0.866025, True)

    References: Beygelzimer et al., "Bandit multiclass linear classification: efficient algorithms for the separable
    case", 2019, section 2; Fakcharoenphol and Prompak, "Bandit multiclass linear classification for the group
    linear separable case", 2024, section 2.
    """
    from threadpoolctl import threadpool_limits

    table = prepare_rows(X)
    labels = np.asarray(y)
    if labels.shape != (table.shape[0],):
        raise DataError(f"y: has shape {labels.shape}, but X has {table.shape[0]} rows; give one label per row")
    known, codes = encode_labels(labels, classes)
    given = None if groups is None else _check_groups(groups, known)
    notions = Notions(Table.of(table, codes, len(known)), known, progress)
    with threadpool_limits(1, "blas"):  # many small products: threads that wait for each other cost more than they do
        strong = notions.strong()
        weak = notions.weak(strong)
        group, found = notions.group(given)
    return Separability(len(codes), table.shape[1], known, found, strong, weak, group)


def _check_groups(groups: Any, classes: tuple[Label, ...]) -> tuple[int, ...]:
    """The group of each class, numbered from 0."""
    try:
        names = tuple(groups)
        known = list(dict.fromkeys(names))
    except TypeError:
        raise ConfigError(f"groups={groups!r}: give a list with the group of each class, such as [0, 0, 1]") from None
    if len(names) != len(classes) or isinstance(groups, str):
        raise ConfigError(
            f"groups={groups!r}: give the group of each of the {len(classes)} classes, in the order {list(classes)}"
        )
    if set(known) == set(range(len(known))):
        known.sort()
    return tuple(known.index(name) for name in names)
