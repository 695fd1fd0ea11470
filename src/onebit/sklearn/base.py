"""What the classifiers share: rows and labels, checked the way scikit-learn does, and played through the engine."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from onebit.contract.idle_columns import idle_columns, warn_of_idle
from onebit.contract.learner import Learner
from onebit.core.aliases import FloatArray, Label
from onebit.core.checks import check_flag, check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.core.seeds import check_seed
from onebit.engine.match import Match
from onebit.engine.play import play_seed
from onebit.features.case_rows import CaseRows, check_no_scaling
from onebit.features.labelled import with_norm_and_bias
from onebit.features.named_rows import are_cases
from onebit.features.validation import note_columns, raw_rows, validated
from onebit.feedback import as_channel
from onebit.streams.arrays import ArrayStream


def _has_probabilities(classifier: Any) -> bool:
    return hasattr(classifier._learner_class(), "predict_proba")


class OnlineClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A learner as a scikit-learn classifier: it plays the rows, and the labels do no more than answer it.

    X is a table of numbers, or raw cases: a frame with text, dates or gaps, or a list of dicts. A subclass has the
    parameters `feedback`, `passes`, `shuffle` and `random_state`, and gives `_pattern` and `_learner_class`.

    >>> from onebit.sklearn import BanditClassifier, OneBitClassifier
    >>> issubclass(BanditClassifier, OnlineClassifier), issubclass(OneBitClassifier, OnlineClassifier)
    (True, True)
    """

    feedback: Any
    passes: int
    shuffle: bool
    random_state: Any
    bias: bool = False

    def _pattern(self, classes: tuple[Label, ...]) -> Learner:
        """A learner of these classes, whose seed does not matter."""
        raise NotImplementedError

    def _learner_class(self) -> type | None:
        """The class of that learner, if there is one."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any) -> Self:
        """Begin anew, and play the rows `passes` times, each time in another order; y answers as `feedback` says.

        >>> from onebit.sklearn import OneBitClassifier
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]] * 25, ["low", "low", "high", "high"] * 25
        >>> OneBitClassifier(random_state=0).fit(X, y).predict([[0.5], [2.5]])
        array(['low', 'high'], dtype='<U4')
        """
        passes = check_whole("passes", self.passes)
        shuffle = check_flag("shuffle", self.shuffle)
        return self._begin(X, y, None, passes, shuffle)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on from here, and play the rows once, in their order. The first call needs all `classes` there can be.

        Where answers come at once and never lie, many calls teach the same as one call with all rows, bit for bit.
        Answers that are under way when a call ends never come.

        >>> from onebit.sklearn import OneBitClassifier
        >>> classifier = OneBitClassifier(random_state=0)
        >>> for _ in range(50):
        ...     _ = classifier.partial_fit([[0.0], [3.0]], ["low", "high"], classes=["low", "high"])
        >>> classifier.predict([[0.5], [2.5]])
        array(['low', 'high'], dtype='<U4')
        """
        if not hasattr(self, "learner_"):
            if classes is None:
                raise ConfigError("classes=None: the first call of partial_fit needs all the labels that can occur")
            return self._begin(X, y, _distinct("classes", classes), 1, False)
        if classes is not None and not np.array_equal(_distinct("classes", classes), self.classes_):
            raise ConfigError(f"classes={classes!r}: must be those of the first call, {self.classes_.tolist()}")
        channel = as_channel(self.feedback)
        table = self._rows(X, reset=False)
        labels = _labels(table, y)
        stream = _stream(table, labels, self.classes_, False)
        self._play(Match.of(self.learner_, stream, channel), self.learner_, len(labels), *self._past)
        return self

    def _begin(self, X: Any, y: Any, classes: Any, passes: int, shuffle: bool) -> Self:
        """Play a fresh learner: of these classes, or of those in y."""
        channel = as_channel(self.feedback)
        seed = _seed(self.random_state)
        check_flag("bias", self.bias)
        table = self._rows(X, reset=True)
        labels = _labels(table, y)
        found = _distinct("y", labels) if classes is None else classes
        stream = _stream(table, labels, found, shuffle)
        match = Match.of(self._pattern(stream.classes), stream, channel)
        self._play(match, match.player(seed), passes * len(labels), seed)
        self.classes_ = found
        return self

    def _play(self, match: Match, player: Learner, rounds: int, seed: int, before: int = 0, missed: int = 0) -> None:
        """Play the stream, after `before` rounds with `missed` mistakes. A channel draws anew in each call."""
        if match.channel.delay_range().low >= rounds:
            raise ConfigError(
                f"feedback={match.channel!r}: no answer would come within these {rounds} rounds; give more rows"
            )
        told = idle_columns([player])
        trace = play_seed(match, player, seed + before, rounds)
        warn_of_idle("X", [name for name in idle_columns([player]) if name not in told])
        self.learner_ = player
        played = before + rounds
        mistakes = missed + int(trace.mistakes[-1])
        self._past = (seed, played, mistakes)
        self.played_error_ = mistakes / played

    def predict(self, X: Any) -> Any:
        """The best label for each row; no exploration.

        >>> from onebit.sklearn import OneBitClassifier
        >>> OneBitClassifier(random_state=0).fit([[0.0], [1.0]] * 20, [False, True] * 20).predict([[0.9], [0.2]])
        array([ True, False])
        """
        best = np.argmax(self._scores(X), axis=1)
        return self.classes_[best]

    def decision_function(self, X: Any) -> FloatArray:
        """The learner's scores, a column per class; of two classes, by how much the second is ahead.

        >>> from onebit.sklearn import OneBitClassifier
        >>> classifier = OneBitClassifier(random_state=0).fit([[0.0], [1.0]] * 20, [0, 1] * 20)
        >>> classifier.decision_function([[0.0], [1.0]]) > 0
        array([False,  True])
        """
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]  # scikit-learn is untyped
    def predict_proba(self, X: Any) -> FloatArray:
        """The probability of each class, a column per class, where the learner has probabilities.

        >>> from onebit.sklearn import OneBitClassifier
        >>> classifier = OneBitClassifier(random_state=0).fit([[0.0], [1.0]] * 20, [0, 1] * 20)
        >>> classifier.predict_proba([[0.0], [1.0]]).argmax(axis=1)
        array([0, 1])
        """
        learner: Any = self._fitted()
        found: FloatArray = learner.predict_proba(_as_learners_take(self._rows(X, reset=False)))
        return found.reshape(-1, len(self.classes_))

    def _scores(self, X: Any) -> FloatArray:
        rows = _as_learners_take(self._rows(X, reset=False))
        return self._fitted().scores(rows).reshape(-1, len(self.classes_))

    def _fitted(self) -> Learner:
        check_is_fitted(self, "learner_")
        return self.learner_

    def _rows(self, X: Any, reset: bool) -> Any:
        """A table of numbers, as scikit-learn checks it, or raw cases: what fit had, everything after it must be."""
        raw = are_cases(X) if reset else self._fitted()._session.encoder is not None
        if not raw:
            return with_norm_and_bias(validated(self, X, reset=reset), False, self.bias)
        check_no_scaling(False, self.bias)
        rows = raw_rows(X)
        if reset:
            note_columns(self, rows.columns)
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _as_learners_take(rows: Any) -> Any:
    return list(rows) if isinstance(rows, CaseRows) else rows


def _distinct(name: str, labels: Any) -> Any:
    """The different labels, sorted."""
    found = np.unique(labels)
    if len(found) < 2:
        raise DataError(f"{name}: holds one class, {found.tolist()}; there must be at least 2 to tell apart")
    return found


def _stream(table: Any, labels: Any, classes: Any, shuffle: bool) -> ArrayStream:
    codes = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
    strange = np.flatnonzero(classes[codes] != labels)
    if len(strange):
        label = labels[strange[0]].item() if isinstance(labels[strange[0]], np.generic) else labels[strange[0]]
        raise DataError(f"y: row {strange[0]} has the label {label!r}, which is not among {classes.tolist()}")
    return ArrayStream(table, codes, classes.tolist(), "X", shuffle)


def _labels(X: Any, y: Any) -> Any:
    labels = column_or_1d(y, warn=True)
    assert_all_finite(labels, input_name="y")
    try:
        check_classification_targets(labels)
    except TypeError as error:
        raise DataError(f"y: holds labels that cannot be sorted ({error}); give all the same type") from None
    check_consistent_length(X, labels)
    return labels


def _seed(random_state: Any) -> int:
    """A whole number as it is; else one that scikit-learn's generator draws."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(2**31 - 1))
    return check_seed(random_state, "random_state")
