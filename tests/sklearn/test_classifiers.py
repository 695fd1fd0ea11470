"""The classifiers: what they play is what `simulate` plays, and scikit-learn's tools take them as their own."""

from __future__ import annotations

import datetime
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib  # type: ignore[import-untyped]  # it comes with scikit-learn, and is untyped like it
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import onebit
from onebit.sklearn import BanditClassifier, OneBitClassifier

DIGITS = onebit.streams.load("digits")
X, Y = DIGITS.X[:600], DIGITS.y[:600]
NAMES = np.array(["nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
BANDITRON = onebit.Banditron(2, gamma=0.1)


@pytest.mark.parametrize("feedback", [onebit.Bit(), onebit.NoisyBit(0.1, 0.2), onebit.Bit(delay=(0, 9))])
@pytest.mark.parametrize("passes", [1, 2])
def test_fit_plays_what_simulate_plays(feedback: Any, passes: int) -> None:
    ours = BanditClassifier(BANDITRON, feedback=feedback, passes=passes, bias=True, random_state=7).fit(X, Y)
    stream = onebit.streams.from_arrays(X, Y, bias=True)
    theirs = onebit.simulate(BANDITRON.clone(classes=10), stream, feedback, rounds=600 * passes, seeds=[7])
    np.testing.assert_array_equal(ours.decision_function(X), theirs.learners[0].scores(stream.X))
    assert ours.played_error_ == theirs.error
    assert ours.learner_.decisions == 600 * passes
    assert BANDITRON.decisions == 0


@pytest.mark.parametrize("table", [np.asarray, sp.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("feedback", ["bit", "full"])
def test_parts_teach_the_same_bits_as_the_whole(table: Any, feedback: str) -> None:
    rows, names = table(X), NAMES[Y]
    whole = OneBitClassifier(feedback=feedback, shuffle=False, random_state=3).fit(rows, names)
    parts = OneBitClassifier(feedback=feedback, random_state=3)
    for first in (0, 1, 250):
        part = slice(first, {0: 1, 1: 250, 250: 600}[first])
        parts.partial_fit(rows[part], names[part], classes=NAMES if first == 0 else None)
    np.testing.assert_array_equal(parts.predict_proba(rows), whole.predict_proba(rows))
    assert parts.played_error_ == whole.played_error_
    np.testing.assert_array_equal(parts.classes_, np.sort(NAMES))


def test_partial_fit_goes_on_after_fit() -> None:
    classifier = BanditClassifier(BANDITRON, random_state=0).fit(X, Y)
    classifier.partial_fit(X[:5], Y[:5])
    assert classifier.learner_.decisions == 605
    assert classifier.fit(X, Y).learner_.decisions == 600


def test_a_fit_that_fails_changes_nothing_learned() -> None:
    classifier = BanditClassifier(BANDITRON, random_state=0).fit(X, Y)
    before, error = classifier.decision_function(X), classifier.played_error_
    with pytest.raises(onebit.ConfigError, match="no answer would come"):
        classifier.set_params(feedback=onebit.Bit(delay=600)).fit(X, Y)
    np.testing.assert_array_equal(classifier.decision_function(X), before)
    classifier.set_params(feedback="bit").partial_fit(X[:1], Y[:1])
    assert round(classifier.played_error_ * 601 - error * 600, 6) in (0, 1)


def test_each_call_is_lied_to_anew() -> None:
    classifier = BanditClassifier(onebit.Banditron(2, gamma=0), feedback=onebit.NoisyBit(0.4, 0.4), random_state=0)
    for _ in range(40):
        classifier.partial_fit([[1.0]], [0], classes=[0, 1])
    heard_no = -classifier.learner_.scores([1.0]).sum()
    assert 8 <= heard_no <= 32  # a liar who never lies says no 0 times, and one who always lies once


def test_the_seed_decides() -> None:
    def scores(random_state: Any) -> Any:
        return BanditClassifier(BANDITRON, random_state=random_state).fit(X, Y).decision_function(X)

    np.testing.assert_array_equal(scores(np.random.RandomState(1)), scores(np.random.RandomState(1)))
    assert (scores(1) != scores(2)).any()
    assert (scores(None) != scores(None)).any()


def test_bits_come_near_to_labels() -> None:
    train, test = slice(0, 1200), slice(1200, None)
    bit, full = (
        OneBitClassifier(feedback=feedback, random_state=0).fit(DIGITS.X[train], DIGITS.y[train])
        for feedback in ("bit", "full")
    )
    scores = [classifier.score(DIGITS.X[test], DIGITS.y[test]) for classifier in (bit, full)]
    assert scores[0] > 0.88
    assert abs(scores[1] - scores[0]) < 0.05
    assert 1 - scores[0] < bit.played_error_ < 0.25


def test_scores_and_probabilities_agree_with_predictions() -> None:
    classifier = OneBitClassifier(random_state=0).fit(X, NAMES[Y])
    for values in (classifier.decision_function(X), classifier.predict_proba(X)):
        assert values.shape == (600, 10)
        np.testing.assert_array_equal(classifier.classes_[values.argmax(axis=1)], classifier.predict(X))
    one = sp.csr_array(X[:1])
    assert classifier.predict(one).shape == (1,)
    assert classifier.predict_proba(one).shape == (1, 10)


def test_of_two_classes_the_second_is_ahead_above_nought() -> None:
    rows, odd = X[Y < 2], Y[Y < 2] == 1
    classifier = BanditClassifier(BANDITRON, random_state=0).fit(rows, odd)
    values = classifier.decision_function(rows)
    assert values.shape == (len(rows),)
    np.testing.assert_array_equal(values > 0, classifier.predict(rows))
    assert classifier.predict(rows).dtype == bool


@pytest.mark.parametrize(
    ("learner", "has"), [(None, True), ("pnewtron", True), (BANDITRON, False), ("nobody", False), (7, False)]
)
def test_probabilities_only_where_the_learner_has_them(learner: Any, has: bool) -> None:
    assert hasattr(BanditClassifier(learner), "predict_proba") == has


def test_a_set_of_labels_is_played() -> None:
    one, two = (OneBitClassifier(m=m, random_state=0).fit(X, Y) for m in (1, 2))
    assert two.played_error_ < one.played_error_
    assert two.score(X, Y) > 0.7
    assert BanditClassifier("set-banditron", random_state=0).fit(X, Y).learner_.set_size == 2


def test_a_learner_walks_the_graph_it_has() -> None:
    stream = onebit.streams.planted_graph(60, classes=2, d=5, seed=1)
    rows = sp.csr_array(np.eye(60))
    walker = BanditClassifier(onebit.PageRankUCB(2, graph=stream.graph), random_state=0).fit(rows, stream.y)
    assert walker.score(rows, stream.y) > 0.7
    with pytest.raises(onebit.ConfigError, match="PageRankUCB walks a graph.*give the learner graph="):
        BanditClassifier("page-rank-ucb").fit(X, Y)


def test_a_search_reaches_into_the_learner() -> None:
    pipeline = make_pipeline(StandardScaler(), BanditClassifier(BANDITRON, bias=True, random_state=0))
    grid = {"banditclassifier__learner__gamma": [0.1, 1.0], "banditclassifier__passes": [1, 5]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, Y)
    assert search.best_params_["banditclassifier__passes"] == 5
    assert search.best_estimator_[-1].learner_.gamma == search.best_params_["banditclassifier__learner__gamma"]
    assert BANDITRON.gamma == 0.1


def test_a_search_over_learners_and_feedback() -> None:
    grid = {"learner": [BANDITRON, None], "feedback": ["bit", onebit.NoisyBit(0.4, 0.4)]}
    best = GridSearchCV(BanditClassifier(random_state=0), grid, cv=2).fit(X, Y).best_params_
    assert best == {"learner": None, "feedback": "bit"}


def test_a_search_over_the_parameters_of_onebit() -> None:
    search = GridSearchCV(OneBitClassifier(random_state=0), {"variance": [1e-9, "auto"]}, cv=2).fit(X, Y)
    assert search.best_params_ == {"variance": "auto"}


def test_it_travels_to_other_processes() -> None:
    classifier = BanditClassifier(BANDITRON, random_state=0)
    there = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(
        cross_val_score(there, X, Y, cv=2, error_score="raise"), cross_val_score(classifier, X, Y, cv=2)
    )


def test_a_clone_has_a_learner_of_its_own() -> None:
    classifier = BanditClassifier(BANDITRON)
    twin = clone(classifier)
    assert twin.learner is not BANDITRON
    assert repr(twin) == repr(classifier) == "BanditClassifier(learner=Banditron(2, gamma=0.1))"
    assert classifier.get_params()["learner__gamma"] == 0.1


def test_from_a_file_mapped_into_memory_it_goes_on(tmp_path: Path) -> None:
    classifier = OneBitClassifier(random_state=0).fit(X[:300], Y[:300])
    joblib.dump(classifier, tmp_path / "model.joblib")
    mapped = joblib.load(tmp_path / "model.joblib", mmap_mode="r")
    for each in (classifier, mapped):
        each.partial_fit(X[300:], Y[300:])
        each.learner_.learn(each.learner_.decide(X[0]), True)
    np.testing.assert_array_equal(mapped.predict_proba(X), classifier.predict_proba(X))


def test_columns_have_names() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"pixel {i}" for i in range(64)])
    classifier = OneBitClassifier(random_state=0).fit(frame, pandas.Series(NAMES[Y]))
    assert classifier.feature_names_in_[1] == "pixel 1"
    np.testing.assert_array_equal(
        classifier.predict(frame), OneBitClassifier(random_state=0).fit(X, NAMES[Y]).predict(X)
    )
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(frame[frame.columns[::-1]])
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        classifier.predict(X)
    assert "does not have valid feature names" in str(heard[0].message)


@pytest.mark.parametrize(
    ("classifier", "message"),
    [
        (BanditClassifier("banditrn"), "learner='banditrn': no such learner; did you mean banditron"),
        (BanditClassifier(onebit.Banditron), "learner=.*must be a learner such as onebit.Banditron"),
        (BanditClassifier(feedback="bits"), "feedback='bits': must be full, bit or noisy"),
        (BanditClassifier(feedback=None), "feedback=None: must be a channel such as"),
        (BanditClassifier(BANDITRON, feedback="full"), "Banditron learns from a bit"),
        (BanditClassifier(onebit.Perceptron(2)), "Perceptron learns from the true label"),
        (BanditClassifier(onebit.Banditron(2, n_features=5)), "n_features=5: the stream X has 64 features"),
        (BanditClassifier(feedback=onebit.Bit(delay=600)), "no answer would come within these 600 rounds"),
        (BanditClassifier(passes=0), "passes=0: must be a whole number, 1 or larger"),
        (BanditClassifier().set_params(shuffle="no"), "shuffle='no': must be True or False"),
        (BanditClassifier().set_params(bias=1), "bias=1: must be True or False"),
        (BanditClassifier(random_state=-1), "random_state=-1: must be a whole number"),
        (OneBitClassifier(m=10), "m=10: with 10 classes every set"),
        (OneBitClassifier(gamma=2), "gamma=2: must be a number from 0 to 1"),
    ],
)
def test_what_cannot_work_is_said(classifier: Any, message: str) -> None:
    with pytest.raises(onebit.OnebitError, match=message):
        classifier.fit(X, Y)
    assert not hasattr(classifier, "learner_")
    assert not hasattr(classifier, "classes_")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.zeros(600), "y: holds one class, \\[0.0\\]; there must be at least 2"),
        (np.array(["a", 1] * 300, dtype=object), "y: holds labels that cannot be sorted"),
    ],
)
def test_labels_that_cannot_be_learned(labels: Any, message: str) -> None:
    with pytest.raises(onebit.DataError, match=message):
        OneBitClassifier().fit(X, labels)


def test_labels_that_come_later_must_be_known() -> None:
    classifier = BanditClassifier(BANDITRON, random_state=0)
    with pytest.raises(onebit.ConfigError, match="classes=None: the first call of partial_fit needs all"):
        classifier.partial_fit(X, Y)
    classifier.partial_fit(X, Y, classes=range(10))
    before = classifier.decision_function(X)
    with pytest.raises(onebit.DataError, match="y: row 2 has the label 10, which is not among"):
        classifier.partial_fit(X[:3], [1, 2, 10])
    with pytest.raises(onebit.ConfigError, match="classes=\\[0, 1\\]: must be those of the first call"):
        classifier.partial_fit(X[:3], [0, 1, 1], classes=[0, 1])
    np.testing.assert_array_equal(classifier.decision_function(X), before)


@pytest.mark.parametrize(
    ("learner", "change", "message"),
    [
        (None, {"learner__gamma": 0.1}, "learner__gamma=0.1: learner=None has no parameters"),
        (BANDITRON, {"learner__gama": 0.1}, "learner__gama=0.1: Banditron has only classes, .*, gamma"),
        (BANDITRON, {"passes": 3, "learner__gamma": 7}, "gamma=7: must be a number from 0 to 1"),
    ],
)
def test_parameters_that_are_not_there(learner: Any, change: dict[str, Any], message: str) -> None:
    classifier = BanditClassifier(learner)
    with pytest.raises(onebit.ConfigError, match=message):
        classifier.set_params(**change)
    assert classifier.passes == 1


# Raw cases


TICKETS = [
    {"subject": "money back please", "amount": 12.5 + i, "plan": None, "sent": datetime.date(2026, 11, i % 28 + 1)}
    if i % 3
    else {"subject": "what is this charge", "amount": None, "plan": "gold", "sent": None}
    for i in range(240)
]
TEAMS = ["refund" if i % 3 else "billing" for i in range(240)]


@pytest.mark.parametrize(
    "classifier", [OneBitClassifier(random_state=1), BanditClassifier("banditron", random_state=1)]
)
def test_raw_cases_of_every_form_are_one(classifier: Any) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.DataFrame(TICKETS)
    first = clone(classifier).fit(TICKETS, TEAMS)
    assert (first.n_features_in_, first.feature_names_in_.tolist()) == (4, ["subject", "amount", "plan", "sent"])
    assert first.classes_.tolist() == ["billing", "refund"]
    for X in (frame, polars.DataFrame(TICKETS)):
        other = clone(classifier).fit(X, TEAMS)
        assert other.played_error_ == first.played_error_
        assert (other.decision_function(X) == first.decision_function(TICKETS)).all()
        assert other.score(X, TEAMS) == first.score(frame, TEAMS) > 0.9
    copy = pickle.loads(pickle.dumps(first))
    assert (copy.decision_function(frame) == first.decision_function(frame)).all()
    assert copy.partial_fit(frame, TEAMS).played_error_ == first.partial_fit(TICKETS, TEAMS).played_error_


def test_raw_cases_in_pieces_teach_the_same_and_may_lack_columns() -> None:
    whole = OneBitClassifier(random_state=1).partial_fit(TICKETS, TEAMS, classes=["billing", "refund"])
    pieces = OneBitClassifier(random_state=1, cases=onebit.Cases())
    for first in range(0, 240, 50):
        pieces.partial_fit(TICKETS[first : first + 50], TEAMS[first : first + 50], classes=["billing", "refund"])
    assert (pieces.predict_proba(TICKETS) == whole.predict_proba(TICKETS)).all()
    assert pieces.predict([{"subject": "my money back", "new": "column"}]).tolist() == ["refund"]
    pandas = pytest.importorskip("pandas")
    numbers = pandas.DataFrame({"amount": [20.0, 30.0]})
    assert pieces.predict(numbers).tolist() == pieces.predict(numbers.to_dict("records")).tolist()


def test_cross_validation_and_searches_take_raw_cases() -> None:
    frame = pytest.importorskip("pandas").DataFrame(TICKETS)
    assert cross_val_score(OneBitClassifier(random_state=0), frame, TEAMS, cv=3).mean() > 0.9
    ways = [onebit.Cases(ignore=["subject", "plan", "amount", "sent"]), onebit.Cases()]
    for classifier, name in [
        (OneBitClassifier(random_state=0), "cases"),
        (BanditClassifier(onebit.OneBit(2), random_state=0), "learner__cases"),
    ]:
        search = GridSearchCV(classifier, {name: ways}, cv=2).fit(frame, TEAMS)
        assert search.best_params_ == {name: onebit.Cases()}


def test_raw_cases_that_cannot_be() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TICKETS)
    numbers = pandas.DataFrame(np.eye(4)[[0, 1] * 9], columns=frame.columns)
    reader = OneBitClassifier(random_state=0).fit(frame, TEAMS)
    counter = OneBitClassifier(random_state=0).fit(numbers, [0, 1] * 9)
    wrong: list[tuple[Callable[[], Any], str]] = [
        (
            lambda: reader.predict(np.eye(4)),
            "X: is ndarray, and raw cases are asked for: give a frame, or a list of dicts",
        ),
        (lambda: reader.predict([{"subject": "x"}, 3]), "row 1 is 3, which stands among dict rows"),
        (lambda: reader.predict(frame.iloc[0]), "X: is Series, and raw cases are asked for"),
        (lambda: OneBitClassifier().fit(frame.iloc[:3], TEAMS), "inconsistent numbers of samples"),
        (lambda: OneBitClassifier(cases="text").fit(frame, TEAMS), "cases='text': must be onebit.Cases"),
        (lambda: OneBitClassifier(cases=None).fit(frame, TEAMS), "cases=None: the stream X has raw cases"),
        (lambda: BanditClassifier(bias=True).fit(frame, TEAMS), "bias=True: is for rows of numbers"),
        (lambda: counter.predict(frame), "could not convert string to float"),
    ]
    for call, said in wrong:
        with pytest.raises((onebit.OnebitError, ValueError), match=said):
            call()
