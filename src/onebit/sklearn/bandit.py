"""BanditClassifier: any learner as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any, Self

from onebit.contract.learner import Learner
from onebit.core.aliases import Label
from onebit.core.errors import ConfigError
from onebit.core.registry import learner_class, registered_class
from onebit.learners.one_bit.learner import OneBit
from onebit.sklearn.base import OnlineClassifier


class BanditClassifier(OnlineClassifier):
    """Any learner as a scikit-learn classifier, taught by simulated feedback on labelled data.

    `fit` plays the rows one after another, in compiled code: the learner decides, hears whether that was right, and
    learns. So its score is what can be reached without ever being shown a label.

    Parameters: `learner`, which is never changed: a pattern whose classes and seed are replaced (None for `OneBit`, or
    a name such as "soba-diagonal"); `feedback`, "bit", "full" for the labels themselves, or a channel such as
    `onebit.NoisyBit(0.2, 0.4)`; `passes`, how often `fit` plays all rows: one for `OneBit`, which learns all from a
    single one, more for others if the table is small; `shuffle`, whether `fit` draws a new order for each pass;
    `bias`, True for one more feature, always 1, for a learner that has no intercept of its own (`OneBit` does);
    `random_state`, a whole number to play the same as `simulate` with this seed, or None for another play each time.

    The learner's own parameters are reached as `learner__gamma` and so on, in a `GridSearchCV` too.

    Attributes: `learner_`, the learner itself, trained (with `bias` it reads rows with the 1 behind);
    `played_error_`, the share of plays that were wrong while it learned; `classes_`; `n_features_in_`;
    `feature_names_in_` where columns have names.

    >>> import onebit
    >>> from onebit.sklearn import BanditClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]] * 250, ["low", "low", "high", "high"] * 250
    >>> classifier = BanditClassifier(onebit.Banditron(2, gamma=0.1), bias=True, random_state=0).fit(X, y)
    >>> classifier.score(X, y), classifier.played_error_ < 0.2
    (1.0, True)
    >>> classifier.learner_
    Banditron(['high', 'low'], gamma=0.1)
    """

    def __init__(
        self,
        learner: Any = None,
        *,
        feedback: Any = "bit",
        passes: int = 1,
        shuffle: bool = True,
        bias: bool = False,
        random_state: Any = None,
    ) -> None:
        self.learner = learner
        self.feedback = feedback
        self.passes = passes
        self.shuffle = shuffle
        self.bias = bias
        self.random_state = random_state

    def set_params(self, **params: Any) -> Self:
        """Change parameters; `learner__gamma=0.1` puts a learner with this `gamma` in the place of the one there is.

        >>> import onebit
        >>> from onebit.sklearn import BanditClassifier
        >>> BanditClassifier(onebit.Banditron(2)).set_params(learner__gamma=0.1)
        BanditClassifier(learner=Banditron(2, gamma=0.1))
        """
        inner = {name.removeprefix("learner__"): params.pop(name) for name in [*params] if name.startswith("learner__")}
        if inner:
            params["learner"] = _changed(params.get("learner", self.learner), inner)
        super().set_params(**params)
        return self

    def _pattern(self, classes: tuple[Label, ...]) -> Learner:
        if isinstance(self.learner, Learner):
            return self.learner.clone(classes=classes)
        if self.learner is None or isinstance(self.learner, str):
            made: Learner = learner_class(OneBit.name if self.learner is None else self.learner)(classes)
            return made
        raise ConfigError(
            f"learner={self.learner!r}: must be a learner such as onebit.Banditron(2), its name, or None for OneBit"
        )

    def _learner_class(self) -> type | None:
        if isinstance(self.learner, str):
            return registered_class(self.learner)
        return OneBit if self.learner is None else type(self.learner)


def _changed(learner: Any, changes: dict[str, Any]) -> Learner:
    """The learner with other parameters, or a `ConfigError` where it has none of that name."""
    name, value = next(iter(changes.items()))
    if not isinstance(learner, Learner):
        raise ConfigError(
            f"learner__{name}={value!r}: learner={learner!r} has no parameters; give one such as onebit.Banditron(2)"
        )
    known = learner.get_params()
    for name, value in changes.items():
        if name not in known:
            raise ConfigError(f"learner__{name}={value!r}: {type(learner).__name__} has only {', '.join(known)}")
    return learner.clone(**changes)
