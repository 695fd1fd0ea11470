"""A learner as a River classifier: it plays each row, and the label only answers it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from river import base

from onebit.contract.learner import Learner
from onebit.core.aliases import Label
from onebit.core.errors import ConfigError, FeedbackError
from onebit.core.labels import label_array, told
from onebit.core.seeds import bit_generator
from onebit.feedback import Channel, as_channel, usual_channel
from onebit.ops.random import pack
from onebit.streams.river.dict_rows import check_dict_row, numbers_in_order, raw_row


class BanditClassifier(base.MiniBatchClassifier):
    """A learner of onebit in River, where `learn_one(x, y)` simulates the bit.

    It decides for x, compares what it played with y, and learns from right or wrong. y itself is never shown, unless
    `feedback` says so. `predict_one` gives the label believed best, which is what River's metrics then count; the error
    of what was played is `played_error`.

    Parameters: `learner`, which goes on from where it stands, its classes all labels that y can have; `feedback`,
    "bit", "full", "noisy:0.1,0.2", or a channel without delay (default: what the learner learns from); `features`,
    the names of the features, if rows hold numbers and always the same ones: then rows are dense, a feature not named
    is left out, and one that a row lacks is 0. Else rows are raw cases, which the learner reads as its `cases` says:
    text, dates, gaps, and names that come and go, are fine. A learner with `cases=None` hashes them by name.

    Answers that come later are River's to arrange (`evaluate.progressive_val_score(delay=...)`): the learner then
    decides when they come. Where real bits come back, `model.learner` has `decide` and `learn`.

    >>> import onebit
    >>> model = BanditClassifier(onebit.OneBit(["cat", "dog"]), features=["weight", "legs"])
    >>> for weight in [7 * i % 50 for i in range(50)]:
    ...     model.learn_one({"weight": weight, "legs": 4}, "dog" if weight > 10 else "cat")
    >>> model.predict_one({"weight": 30, "legs": 4}), model.learner.decisions
    ('dog', 50)
    """

    def __init__(self, learner: Learner, feedback: Any = None, features: Sequence[str] | None = None) -> None:
        if not isinstance(learner, Learner):
            raise ConfigError(f"learner={learner!r}: must be a learner, such as onebit.OneBit(classes=['no', 'yes'])")
        self.learner = learner
        self.feedback = feedback
        self.features = _names(features)
        self._channel = _channel(learner, feedback)
        self._check_rows()
        self._channel_rng = pack(bit_generator(learner.seed, "channel"))
        self._rounds = self._mistakes = 0

    def learn_one(self, x: dict[Any, Any], y: Any) -> None:
        """Decide for the row, and learn from the answer that the label y gives.

        >>> import onebit
        >>> model = BanditClassifier(onebit.Banditron(["cat", "dog"]))
        >>> model.learn_one({"weight": 20.0}, "dog")
        >>> model.played_error                           # it played "cat"
        1.0
        """
        row = self._row(x)
        label = self._label(y)
        decision = self.learner.decide(row)
        hit = label in decision.labels
        said = self._channel.says(hit, self.learner._codes[label], self._channel_rng)
        learner_hears = told(self.learner.classes[said]) if self._channel.kind == "label" else bool(said)
        self.learner.learn(decision, learner_hears)
        self._rounds += 1
        self._mistakes += not hit

    def predict_one(self, x: dict[Any, Any], **kwargs: Any) -> Any:
        """The label believed best, from the first row on. No exploration, and nothing changes.

        >>> import onebit
        >>> BanditClassifier(onebit.Banditron(["cat", "dog"])).predict_one({"weight": 20.0})
        'cat'
        """
        return self.learner.predict(self._row(x))

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """The probability of each label, for a learner that has them, as `OneBit`; others raise NotImplementedError.

        >>> import onebit
        >>> BanditClassifier(onebit.OneBit(["cat", "dog"])).predict_proba_one({"weight": 20.0})
        {'cat': 0.5, 'dog': 0.5}
        """
        return dict(zip(self.learner.classes, self._probabilities(self._row(x)).tolist(), strict=True))

    def learn_many(self, X: Any, y: Any) -> None:
        """`learn_one` on each row of a pandas frame, in order.

        >>> import onebit, pandas
        >>> model = BanditClassifier(onebit.Banditron(["cat", "dog"]))
        >>> model.learn_many(pandas.DataFrame({"weight": [4.0, 20.0]}), pandas.Series(["cat", "dog"]))
        >>> model.learner.decisions
        2
        """
        for row, label in zip(X.to_dict("records"), y, strict=True):
            self.learn_one(row, label)

    def predict_many(self, X: Any) -> Any:
        """The labels believed best for the rows of a pandas frame, as a series.

        >>> import onebit, pandas
        >>> model = BanditClassifier(onebit.Banditron(["cat", "dog"]))
        >>> model.predict_many(pandas.DataFrame({"weight": [4.0]})).tolist()
        ['cat']
        """
        import pandas as pd

        best = self.learner.predict(self._rows(X)) if len(X) else label_array(self.learner.classes)[:0]
        return pd.Series(best, index=X.index)

    def predict_proba_many(self, X: Any) -> Any:
        """The probability of each label for the rows of a pandas frame, as a frame with one column per label.

        >>> import onebit, pandas
        >>> BanditClassifier(onebit.OneBit(["cat", "dog"])).predict_proba_many(pandas.DataFrame({"weight": [4.0]}))
           cat  dog
        0  0.5  0.5
        """
        import pandas as pd

        P = self._probabilities(self._rows(X)) if len(X) else np.empty((0, len(self.learner.classes)))
        return pd.DataFrame(P, index=X.index, columns=list(self.learner.classes))

    @property
    def played_error(self) -> float:
        """The share of `learn_one` rounds in which what was played was wrong; NaN before the first."""
        return self._mistakes / self._rounds if self._rounds else float("nan")

    def clone(self, new_params: dict[str, Any] | None = None, include_attributes: bool = False) -> Self:
        """The same with a fresh learner, as River's `clone`; with `include_attributes`, one that knows as much.

        >>> import onebit
        >>> model = BanditClassifier(onebit.Banditron(["cat", "dog"]))
        >>> model.learn_one({"weight": 20.0}, "dog")
        >>> model.clone().learner.decisions, model.clone(include_attributes=True).learner.decisions
        (0, 1)
        """
        params = self._get_params() | (new_params or {})
        if not include_attributes:
            params["learner"] = params["learner"].clone()
        made = super().clone(params, include_attributes)
        made._channel = _channel(made.learner, made.feedback)  # not the old one, which is an attribute too
        return made

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        from onebit.learners.banditron import Banditron

        yield {"learner": Banditron([False, True])}

    @property
    def _multiclass(self) -> bool:
        return len(self.learner.classes) > 2

    @property
    def _raw_memory_usage(self) -> int:
        """What the model itself holds; compiled code, which all share, is not counted."""
        return len(pickle.dumps(self, protocol=5))

    def _check_rows(self) -> None:
        """An error where a learner that has begun has learned from rows of another kind."""
        layout = self.learner._session.layout
        if layout is not None and (layout.kind == "dense") == (self.features is None):
            remedy = "name their features" if layout.kind == "dense" else "leave features out"
            raise ConfigError(f"features={self.features}: the learner has learned from {layout.kind} rows; {remedy}")

    def _label(self, y: Any) -> Label:
        label = y.item() if isinstance(y, np.generic) else y
        try:
            if label in self.learner._codes:
                return label  # type: ignore[no-any-return]  # hashable, as every key
        except TypeError:
            pass
        known = list(self.learner.classes)[:10]
        raise FeedbackError(
            f"y={y!r}: this label is not among the classes {known}; a learner plays labels that it knows, "
            "so name all of them when it is made"
        )

    def _row(self, x: Any) -> Any:
        if self.features is not None:
            return np.array(numbers_in_order(check_dict_row(x), self.features), dtype=np.float64)
        return check_dict_row(x) if self.learner.cases is None else raw_row(x)

    def _rows(self, X: Any) -> Any:
        rows = [self._row(row) for row in X.to_dict("records")]
        return rows if self.features is None else np.array(rows)

    def _probabilities(self, rows: Any) -> Any:
        if not hasattr(self.learner, "predict_proba"):
            raise NotImplementedError(f"{type(self.learner).__name__} has no probabilities; OneBit has")
        return self.learner.predict_proba(rows)


def wrap(learner: Learner, feedback: Any = None, features: Sequence[str] | None = None) -> BanditClassifier:
    """A learner as a River classifier; the parameters are those of `BanditClassifier`.

    >>> import onebit
    >>> from river import datasets, evaluate, metrics
    >>> model = wrap(onebit.OneBit([False, True]), features=list(next(iter(datasets.Phishing()))[0]))
    >>> accuracy = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    >>> accuracy.get() > 0.85, model.played_error < 0.15
    (True, True)
    """
    return BanditClassifier(learner, feedback, features)


def _names(features: Any) -> tuple[str, ...] | None:
    if features is None:
        return None
    if isinstance(features, str) or not isinstance(features, Sequence):
        raise ConfigError(f"features={features!r}: give a list of feature names")
    names = tuple(str(name) for name in features)
    if not names or len(set(names)) < len(names):
        raise ConfigError(f"features={list(names)}: name at least one feature, and none twice")
    return names


def _channel(learner: Learner, feedback: Any) -> Channel:
    """How y answers, or an error where the learner cannot learn from that."""
    if feedback is None:
        return usual_channel(learner.feedback)
    channel = as_channel(feedback)
    if channel.delay_range().high:
        raise ConfigError(
            f"feedback={feedback!r}: River decides when an answer comes, so leave delay out; "
            "evaluate.progressive_val_score(delay=...) and onebit.simulate have it"
        )
    if not learner.takes(channel.kind):
        needs = "a bit" if channel.kind == "label" else "the label"
        raise FeedbackError(f"feedback={feedback!r}: {type(learner).__name__} learns from {needs}; leave feedback out")
    return channel
