"""OneBit by itself: propensities by enumeration, probabilities, parameters, rows of all kinds, the saved file."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import chisquare

import onebit
from onebit import ConfigError, DataError
from onebit.contract.layout import Layout
from onebit.noise import TailMoment
from tests.naive.common import best_labels
from tests.naive.shadow import softmax
from tests.ops.force import forced

D = 6
SIZES = [(2, 1), (3, 1), (6, 1), (3, 2), (4, 2), (6, 2), (4, 3), (6, 3), (6, 5)]
FORMS = [("dense", "full"), ("dense", "diagonal"), ("sparse", "full"), ("sparse", "diagonal")]


def rows_and_labels(K: int, n: int) -> tuple[Any, Any]:
    draw = np.random.default_rng(K)
    y = draw.integers(K, size=n)
    X = (draw.normal(size=(K, D))[y] + 0.7 * draw.normal(size=(n, D))) * (draw.random((n, D)) < 0.8)
    return X, y


def as_kind(x: Any, kind: str) -> Any:
    return sp.csr_array(x[None]) if kind == "sparse" else x


def trained(learner: Any, kind: str = "dense", n: int = 60) -> Any:
    X, y = rows_and_labels(len(learner.classes), n)
    for x, label in zip(X, y, strict=True):
        decision = learner.decide(as_kind(x, kind))
        learner.learn(decision, bool(learner.classes[label] in decision.labels))
    return learner


def kept(learner: Any) -> list[Any]:
    return [array.copy() for array in learner._run.state]


def set_back(learner: Any, state: list[Any]) -> None:
    for array, old in zip(learner._run.state, state, strict=True):
        array[...] = old


def hopes(learner: Any, row: Any, kind: str) -> tuple[Any, float]:
    """p~ and the slope of the inverse gap for the decision that was made last, from the state in plain NumPy."""
    state, x = learner._run.state, np.zeros(D + 1)
    if kind == "dense":
        x[:D] = np.clip((row - state.mean) / np.sqrt(state.variance), -4, 4)
    else:
        x[:D] = state.weights * row
    x[:D] /= np.linalg.norm(x)
    x[D] = 0.1
    x /= np.sqrt(1.01)
    z, K = state.W @ x, len(learner.classes)
    if state.P.ndim == 3:
        z = z + max(1, 5 / np.sqrt(D + 1)) * np.sqrt(np.einsum("i,kij,j->k", x, state.P, x))
    return softmax(z), 40 * np.sqrt(K * state.t[0])


def probabilities(hope: Any, steep: float, m: int, gamma: float) -> tuple[dict[Any, float], tuple[int, ...]]:
    """Every set of m labels and the probability that it is played, and the best set."""
    K, A = len(hope), best_labels(hope, m)
    found, beside = dict.fromkeys(map(frozenset, combinations(range(K), m)), 0.0), sorted(set(range(K)) - set(A))
    c = sum(hope[r] for r in beside)
    for r in beside:
        found[frozenset((*A[:-1], r))] = (1 - gamma) * c / (K * c + steep * (hope[A[-1]] - hope[r])) + gamma / K
    found[frozenset(A)] = 1 - sum(found.values())
    return found, A


@pytest.mark.parametrize("gamma", [0.0, 0.3])
@pytest.mark.parametrize(("kind", "curvature"), FORMS)
@pytest.mark.parametrize(("K", "m"), SIZES)
def test_propensities_are_exact(K: int, m: int, kind: str, curvature: str, gamma: float) -> None:
    learner = trained(onebit.OneBit(K, m=m, gamma=gamma, curvature=curvature, noise=None), kind)
    state = kept(learner)
    for row in rows_and_labels(K, 200)[0][-5:]:
        learner.decide(as_kind(row, kind))
        expected, A = probabilities(*hopes(learner, row, kind), m, gamma)
        set_back(learner, state)
        assert sum(expected.values()) == pytest.approx(1, abs=1e-12)
        start, total, reached = 0.0, 0.0, 0
        for last in [*sorted(set(range(K)) - set(A)), A[-1]]:
            labels = (*A[:-1], last)
            chance = expected[frozenset(labels)]
            if chance < 1e-12:
                continue  # rarer than the generator's numbers can tell
            learner._run.rng[:] = forced(start + chance / 2)
            decision = learner.decide(as_kind(row, kind))
            set_back(learner, state)
            assert (decision.labels, decision.explored) == (labels, last != A[-1])
            assert decision.propensity == pytest.approx(chance, rel=1e-9)
            start, total, reached = start + chance, total + decision.propensity, reached + 1
        assert total == pytest.approx(1, abs=1e-12 * K)
        assert reached > 1 or gamma == 0
        for r in range(K):
            assert sum(p for labels, p in expected.items() if r in labels) >= gamma / K - 1e-15


@pytest.mark.parametrize(("K", "m", "kind"), [(2, 1, "dense"), (6, 1, "dense"), (6, 3, "sparse"), (5, 4, "dense")])
def test_decisions_come_as_often_as_they_say(K: int, m: int, kind: str) -> None:
    learner = trained(onebit.OneBit(K, m=m, gamma=0.1, noise=None), kind, n=20)
    state, row, n = kept(learner), rows_and_labels(K, 100)[0][-1], 10_000
    learner.decide(as_kind(row, kind))
    expected, _ = probabilities(*hopes(learner, row, kind), m, 0.1)
    seen = dict.fromkeys(expected, 0)
    for _ in range(n):
        set_back(learner, state)
        seen[frozenset(learner.decide(as_kind(row, kind)).labels)] += 1
    often = [labels for labels, p in expected.items() if n * p > 5]
    assert len(often) > 1
    assert not sum(seen[labels] for labels, p in expected.items() if p == 0)
    rest = set(expected) - set(often)
    counts = [seen[labels] for labels in often] + [sum(seen[labels] for labels in rest)]
    chances = [expected[labels] for labels in often] + [sum(expected[labels] for labels in rest)]
    if not chances[-1]:
        counts, chances = counts[:-1], chances[:-1]
    assert chisquare(counts, n * np.array(chances)).pvalue > 1e-4


def test_all_exploration_is_uniform() -> None:
    learner = trained(onebit.OneBit(5, gamma=1.0))
    for _ in range(50):
        assert learner.decide(np.ones(D)).propensity == pytest.approx(0.2, rel=1e-12)


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
    assert all(np.array_equal(a, b) for a, b in zip(state, learner._run.state, strict=True)), "changes nothing"


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
        learner = onebit.OneBit(3)
        learner.decide(np.ones(d))
        assert learner._run.state.P.shape == shape


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rows_that_are_not_finite_change_nothing(kind: str, bad: float) -> None:
    learner = trained(onebit.OneBit(3), kind)
    state, row = kept(learner), np.ones(D)
    row[4] = bad
    for call in (learner.decide, learner.predict, learner.predict_proba):
        with pytest.raises(DataError, match=f"feature 4 is {bad}"):
            call(as_kind(row, kind))
    assert all(np.array_equal(a, b) for a, b in zip(state, learner._run.state, strict=True))


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
    for field, first, second in zip(one._run.state._fields, one._run.state, other._run.state, strict=True):
        assert np.array_equal(first, second), field


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
    assert all(np.array_equal(a, b) for a, b in zip(learner._run.state, twin._run.state, strict=True))
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
    assert learner._run.layout is not None
    assert learner._run.layout.kind == "sparse"
    assert np.mean(learner.predict(rows) == y) > 0.99


def test_the_first_row_decides_the_prior() -> None:
    for kind, d, variance in (("dense", 80, 100.0), ("dense", 160, 50.0), ("sparse", 160, 10_000.0)):
        for m in (1, 2):
            learner = onebit.OneBit(4, m=m, noise=(0.2, 0.1))
            learner.begin(Layout(4, d, kind, "float64"))  # type: ignore[arg-type]  # one of the two
            assert learner._run.state.P[0, 0, 0] == pytest.approx(0.49 * variance / m)
