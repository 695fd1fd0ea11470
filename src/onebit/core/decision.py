"""A decision: what was played for one row, and all that its feedback will need."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from onebit.core.aliases import Label


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What a learner played for one row. Frozen and self-contained: keep it, learn from it whenever.

    Attributes: `labels`, in the order drawn (one, or m for a set learner); `propensity`, the exact
    probability with which they were played; `greedy`, the label believed best; `explored`, whether the
    draw came from the learner's uniform exploration; `row`, a copy; `id`, the learner's running number; `top`,
    the labels that a set learner believed best (elsewhere empty); `among`, the labels that could be played, in the
    order of the classes, or None where all of them could.

    >>> import onebit
    >>> learner = onebit.Banditron(["cat", "dog"], gamma=0.2)
    >>> decision = learner.decide([1.0, 0.0])
    >>> decision.label, decision.greedy, decision.propensity
    ('cat', 'cat', 0.9)
    """

    labels: tuple[Label, ...]
    propensity: float
    greedy: Label
    explored: bool
    row: Any
    id: int
    top: tuple[Label, ...] = ()
    _spent: MutableSequence[bool] = field(default_factory=lambda: [False], repr=False)
    _features: Any = field(default=None, repr=False)  # of a raw case: whose encoder read it, and as what row
    among: tuple[Label, ...] | None = None

    @property
    def label(self) -> Label:
        """The played label (the first one of a set)."""
        return self.labels[0]

    def __setstate__(self, pickled: Sequence[Any]) -> None:
        """From a pickle; those of older versions lack the last fields."""
        for one, value in zip(fields(self), [*pickled, None, None], strict=False):
            object.__setattr__(self, one.name, value)
