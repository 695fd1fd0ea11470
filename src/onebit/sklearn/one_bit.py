"""OneBitClassifier: OneBit as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any

from onebit.contract.learner import Learner
from onebit.core.aliases import Label
from onebit.learners.one_bit.learner import OneBit
from onebit.sklearn.base import OnlineClassifier

_PARAMETERS = ("m", "gamma", "noise", "curvature", "variance", "drift", "standardize", "cases", "kernel", "budget")


class OneBitClassifier(OnlineClassifier):
    """`onebit.OneBit` as a scikit-learn classifier, taught by simulated feedback on labelled data.

    The same as `BanditClassifier(onebit.OneBit(2))`, with OneBit's parameters as its own, so that a `GridSearchCV`
    names them without more ado. Rows need no preparation, and one pass is enough. X may be a table of numbers, or raw
    cases: a frame with text, dates or gaps, or a list of dicts.

    Parameters: `feedback`, `passes`, `shuffle` and `random_state` as for `BanditClassifier`; `m`, `gamma`, `noise`,
    `curvature`, `variance`, `drift`, `standardize`, `cases`, `kernel` and `budget` as for `onebit.OneBit`.

    Attributes: `learner_`, the learner itself, trained; `played_error_`, the share of plays that were wrong while it
    learned; `classes_`; `n_features_in_`; `feature_names_in_` where columns have names.

    >>> import onebit
    >>> from onebit.sklearn import OneBitClassifier
    >>> digits = onebit.streams.load("digits")
    >>> classifier = OneBitClassifier(random_state=0).fit(digits.X, digits.y)
    >>> classifier.score(digits.X, digits.y) > 0.95, classifier.played_error_ < 0.2
    (True, True)
    """

    def __init__(
        self,
        *,
        feedback: Any = "bit",
        passes: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
        m: int = 1,
        gamma: float = 0.0,
        noise: Any = "auto",
        curvature: str = "auto",
        variance: float | str = "auto",
        drift: str | None = "restart",
        standardize: bool = True,
        cases: Any = "auto",
        kernel: str | None = "auto",
        budget: int = 256,
    ) -> None:
        self.feedback = feedback
        self.passes = passes
        self.shuffle = shuffle
        self.random_state = random_state
        self.m = m
        self.gamma = gamma
        self.noise = noise
        self.curvature = curvature
        self.variance = variance
        self.drift = drift
        self.standardize = standardize
        self.cases = cases
        self.kernel = kernel
        self.budget = budget

    def _pattern(self, classes: tuple[Label, ...]) -> Learner:
        return OneBit(classes, **{name: getattr(self, name) for name in _PARAMETERS})

    def _learner_class(self) -> type:
        return OneBit
