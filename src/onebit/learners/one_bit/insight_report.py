"""What OneBit says of itself, as values: the explanation of one row, the description of a learner."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from onebit.core.errors import DataError
from onebit.core.types import Label
from onebit.learners.one_bit import insight_text


class Part(NamedTuple):
    """What one feature adds to a score, and its value in the row as it came.

    >>> Part("colour=red", 1.0, -0.5).amount
    -0.5
    """

    name: str
    value: float
    amount: float


class Reasons(NamedTuple):
    """The score of one label and the parts that it is the sum of, the largest by name.

    `deviation` is the learner's doubt about the score, √(xᵀPx); `n_others` features together add `others`.

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
    ('dog', 'says=woof', True)
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
            r._asdict() | {"label": _plain(r.label), "parts": [p._asdict() for p in r.parts]} for r in self.reasons
        ]
        return {"best": _plain(self.best), "sure": self.sure, "reasons": reasons}

    def __repr__(self) -> str:
        return f"Explanation(best={self.best!r}, sure={self.sure:.3f})"

    def __str__(self) -> str:
        return insight_text.explanation(self)


@dataclass(frozen=True, repr=False)
class Description:
    """What a learner has seen, and what it makes of it. Print it.

    `lessons` are those since the last restart. What only rows can tell is None, or 0 bytes, before the first one.
    `rho_0` is None where nothing can tell, and `se_0` its standard error where it comes from explored plays;
    `lying`, whether bits are known to lie. `exploration` is the probability that a decision explores, averaged over
    about the last hundred; `calibration` the pair (a, b): believed log-odds ℓ of a "yes" are worth a + bℓ.

    >>> import onebit
    >>> learner = onebit.simulate(onebit.OneBit(9), onebit.streams.synsep(2000), seeds=1).learners[0]
    >>> seen = learner.describe()
    >>> seen.decisions, seen.kind, seen.curvature, seen.drift_restarts
    (2000, 'sparse', 'diagonal', 0)
    """

    n_classes: int
    set_size: int
    n_features: int | None
    kind: str | None
    dtype: str
    decisions: int
    lessons: int
    updates: int
    curvature: str | None
    curvature_bytes: int
    noise: str
    rho_0: float | None
    se_0: float | None
    rho_1: float
    explored: float
    lying: bool
    drift: str | None
    drift_restarts: int
    lie_restarts: int
    exploration: float | None
    calibration: tuple[float, float] | None

    def worth(self, believed: float) -> float | None:
        """What a believed probability, between 0 and 1, is worth by calibration.

        >>> import onebit
        >>> learner = onebit.OneBit(2)
        >>> learner.learn(learner.decide([1.0]), True)
        >>> bool(learner.describe().worth(0.9) > 0.9)
        True
        """
        if self.calibration is None:
            return None
        a, b = self.calibration
        return 1 / (1 + exp(-(a + b * log(believed / (1 - believed)))))

    def to_dict(self) -> dict[str, Any]:
        """All of it for programs; can be written as JSON.

        >>> import onebit
        >>> onebit.OneBit(2).describe().to_dict()["decisions"]
        0
        """
        return asdict(self)

    def __repr__(self) -> str:
        return f"Description({self.decisions} decisions, {self.lessons} lessons, {self.updates} updates)"

    def __str__(self) -> str:
        return insight_text.description(self)


def _plain(label: Label) -> str | int | float | None:
    """A label as JSON can hold it."""
    value = label.item() if isinstance(label, np.generic) else label
    return value if value is None or isinstance(value, str | int | float) else str(value)
