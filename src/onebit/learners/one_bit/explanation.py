"""An explanation: what moves the score of each label, as values and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, Label
from onebit.core.errors import DataError
from onebit.learners.one_bit.describe import counted

_MOST_LABELS_SHOWN = 10
_LABEL_WIDTH = 24
_NAME_WIDTH = 44
_MOST_CASES_SHOWN = 3


class Part(NamedTuple):
    """What one feature adds to a score, and its value in the row as it came.

    >>> Part("colour=red", 1.0, -0.5).amount
    -0.5
    """

    name: str
    value: float
    amount: float


class KeptCase(NamedTuple):
    """A case that was kept and is held to be of a label: how like it a row is, at most 1, and how sure its label is.

    `lesson` tells when it was kept, by the number of the lesson since the last restart; `values` are those of its
    features, in single precision and by what is known of their means and deviations now.

    >>> KeptCase(12, 0.75, 0.9, np.array([1.0])).similarity
    0.75
    """

    lesson: int
    similarity: float
    probability: float
    values: FloatArray


class Reasons(NamedTuple):
    """The score of one label and the parts that it is the sum of, the largest by name.

    `deviation` is the learner's doubt about the score, √(xᵀPx); `n_others` features together add `others`.

    Where a dictionary of kept cases scores, nothing is a sum of features: the score is log p, each part tells by how
    much it is more than with this feature at its mean, and `like` are the nearest kept cases that are held to be of
    the label. Elsewhere `like` is None.

    >>> Reasons("cat", 0.5, 0.75, 2.0, (Part("x[0]", 3.0, 0.5),), 0.25, 7, 0.0).score
    0.75
    """

    label: Label
    probability: float
    score: float
    deviation: float
    parts: tuple[Part, ...]
    others: float
    n_others: int
    bias: float
    like: tuple[KeptCase, ...] | None = None


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a row is scored as it is: `reasons` for every label in the order of the classes. Print it.

    >>> import onebit
    >>> learner = onebit.OneBit(["cat", "dog"])
    >>> for _ in range(20):
    ...     learner.learn(learner.decide({"says": "meow"}), "cat")
    ...     learner.learn(learner.decide({"says": "woof"}), "dog")
    >>> why = learner.explain({"says": "woof"})
    >>> why.best, why["dog"].parts[0].name, bool(why["dog"].parts[0].amount > 0)
    ('dog', 'says = woof', True)
    """

    reasons: tuple[Reasons, ...]

    @property
    def ranked(self) -> list[Reasons]:
        """The reasons, those of the most probable label first."""
        return sorted(self.reasons, key=lambda reasons: -reasons.score)

    @property
    def best(self) -> Label:
        """The most probable label."""
        return self.ranked[0].label

    @property
    def sure(self) -> float:
        """The probability of the best label, calibrated: how sure the learner is."""
        return self.ranked[0].probability

    def __getitem__(self, label: Label) -> Reasons:
        for reasons in self.reasons:
            if reasons.label == label:
                return reasons
        raise DataError(f"label={label!r}: must be one of the classes {[r.label for r in self.reasons][:10]}")

    def to_dict(self) -> dict[str, Any]:
        """All of it for programs; can be written as JSON.

        >>> import onebit
        >>> onebit.OneBit(2).explain([1.0, 2.0]).to_dict()["sure"]
        0.5
        """
        reasons = [
            r._asdict()
            | {
                "label": _plain(r.label),
                "parts": [p._asdict() for p in r.parts],
                "like": r.like and [case._asdict() | {"values": case.values.tolist()} for case in r.like],
            }
            for r in self.reasons
        ]
        return {"best": _plain(self.best), "sure": self.sure, "reasons": reasons}

    def __repr__(self) -> str:
        return f"Explanation(best={self.best!r}, sure={self.sure:.3f})"

    def __str__(self) -> str:
        # The labels by probability, then the parts of the score for the best one and for the next.
        ranked = self.ranked
        table = [("label", "probability", "score", "±")]
        for r in ranked[:_MOST_LABELS_SHOWN]:
            numbers = (f"{r.probability:.3f}", f"{r.score:.3f}", f"{r.deviation:.3f}")
            table.append((_cut(str(r.label), _LABEL_WIDTH), *numbers))
        lines = _aligned(table)
        if len(ranked) > _MOST_LABELS_SHOWN:
            lines.append(f"and {len(ranked) - _MOST_LABELS_SHOWN} more")
        for r, word in zip(ranked[:2], ("why", "why not"), strict=True):
            lines += ["", *_parts(r, f"{word} {_cut(str(r.label), _LABEL_WIDTH)}")]
        return "\n".join(lines)


def _plain(label: Label) -> str | int | float | None:
    """A label as JSON can hold it."""
    value = label.item() if isinstance(label, np.generic) else label
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _parts(r: Reasons, title: str) -> list[str]:
    """A table of what adds up to the score of one label; or of what moves it, and of the cases that are like it."""
    table = [(title, "value", "adds" if r.like is None else "moves it by")]
    table += [(_cut(p.name, _NAME_WIDTH), f"{p.value:.4g}", f"{p.amount:+.3f}") for p in r.parts]
    if r.like is not None:
        return _aligned(table) + _like(r)
    if r.n_others:
        table.append((f"({counted(r.n_others, 'other feature')})", "", f"{r.others:+.3f}"))
    table += [("(bias)", "", f"{r.bias:+.3f}"), ("score", "", f"{r.score:+.3f}")]
    return _aligned(table)


def _like(r: Reasons) -> list[str]:
    """A table of the nearest kept cases of a label, if there are any."""
    table = [("it is like", "similarity", "held to be so")]
    for case in (r.like or ())[:_MOST_CASES_SHOWN]:
        table.append((f"the case kept at lesson {case.lesson:,}", f"{case.similarity:.3f}", f"{case.probability:.3f}"))
    return ["", *_aligned(table)] if r.like else []


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """A table with a rule under its header; the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table]
    return [lines[0], "─" * len(lines[0]), *lines[1:]]


def _cut(name: str, width: int) -> str:
    name = " ".join(name.split())
    return name if len(name) <= width else name[: width - 1] + "…"
