"""Is a labelled set separable? The three notions, one after the other: each is a few problems of largest margins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import Label, Progress
from onebit.core.errors import ConfigError, DataError
from onebit.core.labels import label_array
from onebit.features.labelled import encode_labels, prepare_rows
from onebit.separability.certificates import GroupVectors, StrongVectors, WeakVectors
from onebit.separability.certify import contradiction, group_vectors, strong_vectors, weak_vectors
from onebit.separability.constraints import HalfSpaces, Rivals, Table
from onebit.separability.findings import Finding, Notion, Separability
from onebit.separability.groupings import Grouping, GroupSearch, Refuted, weight_between
from onebit.separability.margins import LARGE, Budget, Margin, largest_margin

_PAIRS = 8
"""So many pairs of classes are asked before all classes together, in many dimensions."""


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

    # The table, the labels as numbers, and the groups as numbers.
    rows = prepare_rows(X)
    labels = np.asarray(y)
    if labels.shape != (rows.shape[0],):
        raise DataError(f"y: has shape {labels.shape}, but X has {rows.shape[0]} rows; give one label per row")
    known, codes = encode_labels(labels, classes)
    given = None if groups is None else _group_numbers(groups, known)
    data = _Data(Table.of(rows, codes, len(known)), known, progress or (lambda what, done, total: None))

    # Many small products: BLAS threads that wait for each other cost more than they do.
    with threadpool_limits(1, "blas"):
        strong = _check_strong(data)
        weak, singles = _check_weak(data, strong)
        group, found = _check_group(data, given, singles)
    return Separability(len(codes), rows.shape[1], known, found, strong, weak, group)


class _Data(NamedTuple):
    """What the three questions are about, and who hears of the work."""

    table: Table
    classes: tuple[Label, ...]
    progress: Progress


def _check_strong(data: _Data) -> Finding:
    """A plane through the origin for each class."""
    K = len(data.classes)
    budget = Budget()
    margins: list[Margin] = []
    for k in range(K):
        data.progress("strong", k, K)
        sides = HalfSpaces(data.table, [k], [i for i in range(K) if i != k])
        margin = largest_margin(sides, budget)
        if margin.holds is False:
            return _fails("strong", data, ((sides, margin),))
        margins.append(margin)
    data.progress("strong", K, K)
    bound = 2 * sum(margin.most**-2 for margin in margins) ** -0.5
    holds = all(margin.holds for margin in margins)
    return _holds("strong", data, bound, strong_vectors(data.classes, margins) if holds else None)


def _check_weak(data: _Data, strong: Finding) -> tuple[Finding, Grouping]:
    """A vector for each class; and the same, as a grouping of single classes."""
    data.progress("weak", 0, 1)
    margin, refuted = _margin_of_classes(data)
    if strong.certificate is not None and strong.margin is not None and not margin.holds:
        margin = margin._replace(least=strong.margin / data.table.scale, w=strong.certificate.vectors.ravel())
    K = len(data.classes)
    search = GroupSearch(data.table, Budget())
    singles = Grouping(tuple(range(K)), margin, tuple(search.slabs((k,)) for k in range(K)), refuted)
    data.progress("weak", 1, 1)
    if refuted:
        return _fails("weak", data, refuted), singles
    vectors = weak_vectors(data.classes, margin) if margin.holds else None
    return _holds("weak", data, margin.most, vectors), singles


def _check_group(
    data: _Data, groups: tuple[int, ...] | None, singles: Grouping
) -> tuple[Finding, tuple[int, ...] | None]:
    """Vectors for groups of classes, and slabs inside; and the groups, if they were given or found."""
    search = GroupSearch(data.table, Budget())
    found = singles
    if groups is not None and groups != singles.groups:
        data.progress("group", 0, 1)
        found = search.check(groups)
    elif groups is None and singles.holds is False:
        found = search.search(singles, data.progress)
    data.progress("group", 1, 1)
    named = found.groups if groups is not None or found.holds else None
    if found.holds is False:
        return _fails("group", data, found.refuted), named
    vectors = group_vectors(data.classes, data.table, found) if found.holds else None
    return _holds("group", data, np.inf if named is None else found.most, vectors), named


def _margin_of_classes(data: _Data) -> tuple[Margin, tuple[Refuted, ...]]:
    """The margin between single classes, and what rules it out."""
    rivals = Rivals(data.table, range(len(data.classes)))
    many = rivals.dimension >= LARGE
    budget = Budget()
    if many:
        budget.left /= 10
    margin = largest_margin(rivals, budget)

    # In many dimensions, two classes alone may rule it out where all together take too much work.
    if many and budget.left <= 0:
        clash = None if margin.holds else _clash(data, margin)
        if clash is not None:
            return margin, (clash,)
        margin = largest_margin(rivals, Budget())
    return margin, ((rivals, margin),) if margin.holds is False else ()


def _clash(data: _Data, margin: Margin) -> Refuted | None:
    """Two classes that no plane tells apart, among those that stand most in each other's way so far."""
    budget = Budget()
    for a, b in weight_between(margin, data.table.y, len(data.classes))[:_PAIRS]:
        if budget.left > 0:
            sides = HalfSpaces(data.table, (a,), (b,))
            pair = largest_margin(sides, budget)
            if pair.holds is False:
                return sides, pair
    return None


def _holds(
    notion: Notion, data: _Data, bound: float, vectors: StrongVectors | WeakVectors | GroupVectors | None
) -> Finding:
    """That a notion holds with these vectors, by what they really do, or that it is not decided."""
    bound *= data.table.scale
    if vectors is not None:
        margin = vectors.verify(data.table.X, label_array(data.classes)[data.table.y])
        if margin > 0:
            return Finding(notion, True, margin, max(margin, bound), vectors)
    return Finding(notion, None, None, bound)


def _fails(notion: Notion, data: _Data, refuted: tuple[Refuted, ...]) -> Finding:
    """That a notion fails, with a proof about the user's rows for each set of conditions that cannot hold."""
    proofs = tuple(contradiction(data.classes, constraints, margin) for constraints, margin in refuted)
    return Finding(notion, False, None, 0.0, None, proofs)


def _group_numbers(groups: Any, classes: tuple[Label, ...]) -> tuple[int, ...]:
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
