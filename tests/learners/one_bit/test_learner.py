"""OneBit by itself: probabilities, parameters, rows of all kinds, the saved file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError, DataError
from onebit.contract.layout import Layout
from onebit.contract.states import arrays
from onebit.noise import TailMoment
from tests.learners.one_bit.live import D, as_kind, kept, rows_and_labels, trained


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_probabilities_of_labels(kind: str, m: int) -> None:
    learner = trained(onebit.OneBit(5, m=m), kind, n=600)
    X = rows_and_labels(5, 100)[0]
    table = sp.csr_array(X) if kind == "sparse" else X
    state = kept(learner)
    P, z = learner.predict_proba(table), learner.scores(table)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
    assert (P >= 0).all()
    assert np.array_equal(np.argmax(P, axis=1), learner.predict(table))
    assert np.array_equal(np.argsort(P, axis=1), np.argsort(z, axis=1))
    for i in (0, 50):
        np.testing.assert_allclose(learner.predict_proba(as_kind(X[i], kind)), P[i], rtol=1e-12)
    assert all(np.array_equal(a, b) for a, b in zip(state, kept(learner), strict=True)), "changes nothing"


def test_probability_of_yes() -> None:
    learner = trained(onebit.OneBit(list("abcde"), noise=(0.2, 0.1)), n=300)
    X = rows_and_labels(5, 20)[0]
    P = learner.predict_proba(X)
    np.testing.assert_allclose(learner.probability_of_yes(X, "c"), 0.2 + 0.7 * P[:, 2])
    for labels in [("a", "d"), ["d", "a"], {"a", "d"}, frozenset("ad")]:
        np.testing.assert_allclose(learner.probability_of_yes(X, labels), 0.2 + 0.7 * (P[:, 0] + P[:, 3]))
    one = learner.probability_of_yes(X[3], list("abcde"))
    assert isinstance(one, float)
    assert one == pytest.approx(0.9)
    fresh = onebit.OneBit(4, n_features=2)
    assert fresh.noise_rates == (0.05, 0.05)
    assert fresh.probability_of_yes([1.0, 2.0], 3) == pytest.approx(0.05 + 0.9 / 4)
    assert onebit.OneBit(4, noise=None).noise_rates == (0, 0)


@pytest.mark.parametrize("labels", ["z", ("a", "z"), ("a", "a"), (), [], set(), None, 0])
def test_probability_of_yes_of_labels_that_are_none(labels: Any) -> None:
    with pytest.raises(DataError, match="must be different labels among the classes") as error:
        onebit.OneBit(["a", "b", "c"], n_features=1).probability_of_yes([1.0], labels)
    assert f"labels={labels!r}" in str(error.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"noise": "sometimes"}, r"noise='sometimes': must be 'auto', None, or NoiseRates"),
        ({"noise": 0.3}, r"noise=0.3: must be 'auto', None, or NoiseRates"),
        ({"noise": TailMoment()}, r"noise=TailMoment.*: must be 'auto', None, or NoiseRates"),
        ({"noise": (0.6, 0.5)}, r"rho_0=0.6, rho_1=0.5: their sum must be below 1"),
        ({"noise": (0.1, -0.1)}, r"rho_1=-0.1: must be a number from 0"),
        ({"noise": (0.1, 0.1, 0.1)}, r"noise=\(0.1, 0.1, 0.1\): must be"),
        ({"m": 4}, r"m=4: with 4 classes every set would hold the true label.*choose m from 1 to 3"),
        ({"m": 0}, r"m=0: must be a whole number of labels"),
        ({"gamma": 1.5}, r"gamma=1.5: must be a number from 0"),
        ({"gamma": -0.1}, r"gamma=-0.1"),
        ({"curvature": "shared"}, r"curvature='shared': must be 'auto' or 'full' or 'diagonal'"),
        ({"variance": 0}, r"variance=0: must be a number above 0"),
        ({"variance": "large"}, r"variance='large'"),
        ({"drift": "forget"}, r"drift='forget': must be 'restart' or None"),
        ({"standardize": 2}, r"standardize=2"),
        ({"ties": "random"}, r"ties='random': OneBit takes only 'first'"),
    ],
    ids=str,
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.OneBit(4, **parameters)


def test_two_classes_take_no_sets() -> None:
    with pytest.raises(ConfigError, match="m=2: with 2 classes.*choose m=1"):
        onebit.OneBit(2, m=2)
    learner = trained(onebit.OneBit(["no", "yes"]), n=400)
    X, y = rows_and_labels(2, 400)
    assert np.mean(learner.predict(X) == np.array(["no", "yes"])[y]) > 0.9


def test_matrices_that_do_not_fit_are_refused_and_auto_takes_the_diagonal() -> None:
    with pytest.raises(ConfigError, match="GiB of matrices.*curvature='diagonal'"):
        onebit.OneBit(100, n_features=10_000, curvature="full").decide(np.ones(10_000))
    for d, shape in ((299, (3, 300, 300)), (300, (3, 301))):
        learner = onebit.OneBit(3, kernel=None)
        learner.decide(np.ones(d))
        assert learner._session.state.weights.P.shape == shape


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rows_that_are_not_finite_change_nothing(kind: str, bad: float) -> None:
    learner = trained(onebit.OneBit(3), kind)
    state, row = kept(learner), np.ones(D)
    row[4] = bad
    for call in (learner.decide, learner.predict, learner.predict_proba):
        with pytest.raises(DataError, match=f"feature 4 is {bad}"):
            call(as_kind(row, kind))
    assert all(np.array_equal(a, b) for a, b in zip(state, kept(learner), strict=True))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_predicting_between_decision_and_lesson_leaves_no_trace(kind: str) -> None:
    one, other = onebit.OneBit(4, seed=1), onebit.OneBit(4, seed=1)
    X, y = rows_and_labels(4, 300)
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        a, b = one.decide(as_kind(x, kind)), other.decide(as_kind(x, kind))
        assert (a.labels, a.propensity, a.greedy) == (b.labels, b.propensity, b.greedy)
        other.predict(as_kind(X[(t * 7) % 300], kind))
        other.probability_of_yes(as_kind(10 * x, kind), 2)
        one.learn(a, bool(a.label == label))
        other.learn(b, bool(b.label == label))
    for (name, first), (_, second) in zip(arrays(one._session.state), arrays(other._session.state), strict=True):
        assert np.array_equal(first, second), name


def mixed_rows(kind: str, n: int) -> tuple[list[Any], Any]:
    X, y = rows_and_labels(3, n)
    if kind == "dict":
        return [{"x": x[0], "word": "abc"[label], "n": int(5 * x[1])} for x, label in zip(X, y, strict=True)], y
    return [as_kind(x, kind) for x in X], y


@pytest.mark.parametrize("told", [False, True], ids=["bits", "labels"])
@pytest.mark.parametrize("kind", ["dense", "sparse", "dict"])
def test_a_saved_learner_goes_on_as_if_nothing_had_happened(kind: str, told: bool, tmp_path: Path) -> None:
    rows, y = mixed_rows(kind, 400)
    learner = onebit.OneBit(3, m=2, seed=4)
    open_decision = learner.decide(rows[0])
    for row, label in zip(rows[1:200], y[1:200], strict=True):
        decision = learner.decide(row)
        learner.learn(decision, int(label) if told else bool(label in decision.labels))
    learner.save(tmp_path / "m.onebit")
    twin = onebit.load(tmp_path / "m.onebit")
    assert all(np.array_equal(a, b) for a, b in zip(kept(learner), kept(twin), strict=True))
    learner.learn(open_decision, True)
    open_decision._spent[0] = False
    twin.learn(open_decision, True)
    for row, label in zip(rows[200:], y[200:], strict=True):
        a, b = learner.decide(row), twin.decide(row)
        assert (a.labels, a.propensity, a.greedy, a.explored) == (b.labels, b.propensity, b.greedy, b.explored)
        learner.learn(a, int(label) if told else bool(label in a.labels))
        twin.learn(b, int(label) if told else bool(label in b.labels))
    assert np.array_equal(learner.predict_proba(rows[7]), twin.predict_proba(rows[7]))


def test_dict_rows_teach_words() -> None:
    rows, y = mixed_rows("dict", 300)
    learner = onebit.OneBit(3)
    for row, label in zip(rows, y, strict=True):
        decision = learner.decide(row)
        learner.learn(decision, bool(decision.label == label))
    assert learner._session.layout is not None
    assert learner._session.layout.kind == "sparse"
    assert np.mean(learner.predict(rows) == y) > 0.99


def test_the_first_row_decides_the_prior() -> None:
    for kind, d, variance in (("dense", 80, 100.0), ("dense", 160, 50.0), ("sparse", 160, 10_000.0)):
        for m in (1, 2):
            learner = onebit.OneBit(4, m=m, noise=(0.2, 0.1), kernel=None)
            learner.begin(Layout(4, d, kind, "float64"))  # type: ignore[arg-type]  # one of the two
            assert learner._session.state.weights.P[0, 0, 0] == pytest.approx(0.49 * variance / m)
