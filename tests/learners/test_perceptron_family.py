"""Perceptron, RCNBF, PNewtron and BanditPA: parameters, identities and invariants."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError, Decision, FeedbackError

K, D = 5, 20


def table(rounds: int, seed: int = 0) -> tuple[Any, Any]:
    """Noisy clusters with zeros in them, rows of unit norm, and their labels."""
    draw = np.random.default_rng(seed)
    centres = draw.normal(size=(K, D))
    y = draw.integers(K, size=rounds)
    X = (centres[y] + 0.7 * draw.normal(size=(rounds, D))) * (draw.random((rounds, D)) < 0.7)
    return X / np.linalg.norm(X, axis=1, keepdims=True), y


def teach(learner: Any, X: Any, y: Any) -> list[Decision]:
    """Play every row and learn at once; the decisions."""
    decisions = []
    for t in range(len(y)):
        decisions.append(learner.decide(X[t] if isinstance(X, np.ndarray) else X[[t]]))
        hit = bool(decisions[-1].label == y[t])
        learner.learn(decisions[-1], int(y[t]) if learner.feedback == "label" else hit)
    return decisions


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("RCNBF", {"gamma": 0}, r"gamma=0: must be a number between 0 and 0.5, both excluded"),
        ("RCNBF", {"gamma": 0.5}, r"gamma=0.5: must be a number between 0 and 0.5, both excluded"),
        ("RCNBF", {"rho_0": -0.1}, r"rho_0=-0.1: must be"),
        ("RCNBF", {"rho_1": 1.0}, r"rho_1=1.0: must be"),
        ("RCNBF", {"rho_0": True}, r"rho_0=True: must be"),
        ("RCNBF", {"rho_0": 0.4, "rho_1": 0.6}, r"rho_0=0.4, rho_1=0.6: their sum must be below 1"),
        ("RCNBF", {"average": 1}, r"average=1: must be False or True"),
        ("PNewtron", {"gamma": -0.1}, r"gamma=-0.1: must be a number from 0 to 1"),
        ("PNewtron", {"alpha": 0}, r"alpha=0: must be a number above 0"),
        ("PNewtron", {"beta": float("nan")}, r"beta=nan: must be a number above 0"),
        ("PNewtron", {"D": float("inf")}, r"D=inf: must be a number above 0"),
        ("BanditPA", {"gamma": 1.5}, r"gamma=1.5: must be a number from 0 to 1"),
        ("BanditPA", {"C": 0}, r"C=0: must be a number above 0"),
        ("BanditPA", {"C": "much"}, r"C='much': must be a number above 0"),
    ],
)
def test_bad_parameters(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        getattr(onebit, name)(3, **parameters)


def test_perceptron_has_no_exploration_to_set() -> None:
    with pytest.raises(TypeError, match="gamma"):
        onebit.Perceptron(3, gamma=0.1)  # type: ignore[call-arg]  # that there is none is the point


def test_perceptron_wants_labels_and_the_others_bits() -> None:
    full = onebit.Perceptron(["a", "b"])
    with pytest.raises(FeedbackError, match="feedback=True: Perceptron learns from the true label, not from a bit"):
        full.learn(full.decide([1.0]), True)
    for learner in (onebit.RCNBF(["a", "b"]), onebit.PNewtron(["a", "b"]), onebit.BanditPA(["a", "b"])):
        with pytest.raises(FeedbackError, match="learns from a bit"):
            learner.learn(learner.decide([1.0]), "a")
        assert learner.updates == 0


def test_perceptron_updates_after_mistakes_only() -> None:
    X, y = table(500)
    learner = onebit.Perceptron(K)
    decisions = teach(learner, X, y)
    assert learner.updates == sum(d.label != c for d, c in zip(decisions, y, strict=True))
    assert all(d.propensity == 1 and d.label == d.greedy and not d.explored for d in decisions)


def test_perceptron_shares_the_propensity_among_random_ties() -> None:
    learner = onebit.Perceptron(["a", "b", "c", "d"], ties="random", seed=1)
    decision = learner.decide([1.0, 0.0])
    assert decision.propensity == 0.25
    learner.learn(decision, next(c for c in learner.classes if c != decision.label))
    assert learner.decide([1.0, 0.0]).propensity == 1
    assert {learner.decide([0.0, 1.0]).label for _ in range(100)} == set(learner.classes)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("ties", ["first", "random"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rcnbf_without_noise_is_banditron_bit_for_bit(kind: str, ties: str, dtype: str) -> None:
    X, y = table(400)
    rows = sp.csr_array(X) if kind == "sparse" else X
    robust = onebit.RCNBF(K, gamma=0.2, seed=5, ties=ties, dtype=dtype)
    plain = onebit.Banditron(K, gamma=0.2, seed=5, ties=ties, dtype=dtype)
    for a, b in zip(teach(robust, rows, y), teach(plain, rows, y), strict=True):
        assert (a.label, a.greedy, a.propensity, a.explored) == (b.label, b.greedy, b.propensity, b.explored)
    assert np.array_equal(robust.scores(X), plain.scores(X))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rcnbf_averages_every_weight_it_has_had(kind: str) -> None:
    X, y = table(600)
    rows = sp.csr_array(X) if kind == "sparse" else X
    learner = onebit.RCNBF(K, gamma=0.3, rho_0=0.1, rho_1=0.2, average=True)
    past = []
    for t in range(len(y)):
        teach(learner, rows[t : t + 1], y[t : t + 1])
        past.append(learner._run.state.W.copy())
    np.testing.assert_allclose(learner.scores(np.eye(D)).T, np.mean(past, axis=0), rtol=1e-10, atol=1e-11)


def test_averaging_makes_rcnbf_err_less_under_noise() -> None:
    X, y = table(6000)
    flips = np.random.default_rng(3).random(len(y))
    errors = {}
    for average in (False, True):
        learner = onebit.RCNBF(K, rho_0=0.15, rho_1=0.15, average=average, seed=2)
        errors[average] = 0
        for t in range(len(y)):
            decision = learner.decide(X[t])
            hit = decision.label == y[t]
            errors[average] += not hit
            learner.learn(decision, bool(hit != (flips[t] < 0.15)))
    assert errors[True] < 0.9 * errors[False]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(
    ("name", "parameters", "close"),
    [
        ("Perceptron", {}, 1e-4),
        ("RCNBF", {"gamma": 0.2, "rho_0": 0.1}, 1e-3),
        ("RCNBF", {"gamma": 0.2, "rho_0": 0.1, "average": True}, 1e-3),
        ("PNewtron", {"gamma": 0.1}, 1e-4),
        ("BanditPA", {"gamma": 0.1}, 1e-4),
    ],
)
def test_float32_is_close_to_float64(name: str, parameters: dict[str, Any], close: float, kind: str) -> None:
    X, y = table(300)
    rows = sp.csr_array(X) if kind == "sparse" else X
    wide = getattr(onebit, name)(K, **parameters)
    narrow = getattr(onebit, name)(K, dtype="float32", **parameters)
    for a, b in zip(teach(wide, rows, y), teach(narrow, rows, y), strict=True):
        assert (a.label, a.greedy) == (b.label, b.greedy)
    assert narrow.scores(X).dtype == np.float32
    assert narrow.scores(X) == pytest.approx(wide.scores(X), rel=0, abs=close)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_pnewtron_stays_in_its_ball_and_knows_its_norm(kind: str) -> None:
    X, y = table(5000)
    rows = sp.csr_array(X) if kind == "sparse" else X
    learner = onebit.PNewtron(K, gamma=0.05, D=1.5)
    for start in range(0, len(y), 50):
        teach(learner, rows[start : start + 50], y[start : start + 50])
        assert np.linalg.norm(learner.scores(np.eye(D))) <= 1.5 * (1 + 1e-9)
    state = learner._run.state
    assert state.squared_norm[0] == pytest.approx(float((state.V**2).sum()), rel=1e-9)
    np.testing.assert_allclose(state.V, -state.b / state.A, rtol=1e-15)
    assert float((state.V**2).sum()) > 1.5**2


def test_pnewtron_in_float32_knows_its_norm_to_the_precision_of_its_weights() -> None:
    X, y = table(5000)
    learner = onebit.PNewtron(K, gamma=0.05, dtype="float32")
    teach(learner, X, y)
    state = learner._run.state
    assert state.squared_norm[0] == pytest.approx(float((state.V.astype(float) ** 2).sum()), rel=4e-7)


def test_pnewtron_probabilities_are_those_of_its_softmax() -> None:
    X, y = table(300)
    learner = onebit.PNewtron(list("abcde"), alpha=3.0, gamma=0.1)
    for t in range(len(y)):
        decision = learner.decide(X[t])
        learner.learn(decision, decision.label == "abcde"[y[t]])
    P = learner.predict_proba(X)
    raw = np.exp(3.0 * learner.scores(X))
    assert P.shape == (300, K)
    assert P.sum(axis=1) == pytest.approx(np.ones(300), rel=1e-12)
    np.testing.assert_allclose(P, raw / raw.sum(axis=1, keepdims=True), rtol=1e-12)
    assert learner.predict_proba(X[7]) == pytest.approx(P[7], rel=1e-12)
    decision = learner.decide(X[7])
    played = "abcde".index(str(decision.label))
    assert decision.propensity == pytest.approx(0.9 * P[7, played] + 0.1 / K, rel=1e-12)


def test_pnewtron_survives_scores_that_would_overflow() -> None:
    learner = onebit.PNewtron(3, alpha=1e6, gamma=0.5)
    for t in range(50):
        decision = learner.decide([1.0, 1e3])
        assert 0 < decision.propensity <= 1
        learner.learn(decision, t % 3 == 0)
    assert np.isfinite(learner.scores([1.0, 1e3])).all()
    assert np.isfinite(learner.predict_proba([1.0, 1e3])).all()


def test_pnewtron_plays_each_label_as_often_as_it_says() -> None:
    X, y = table(40)
    learner = onebit.PNewtron(K, alpha=2.0, gamma=0.2)
    teach(learner, X, y)
    says = 0.8 * learner.predict_proba(X[0]) + 0.2 / K
    played = Counter(learner.decide(X[0]).label for _ in range(20_000))
    assert [played[k] / 20_000 for k in range(K)] == pytest.approx(says, abs=0.015)


def test_bandit_pa_rests_when_there_is_no_loss() -> None:
    learner = onebit.BanditPA(2, gamma=0, C=1e9)
    x = [3.0, 4.0]
    learner.learn(learner.decide(x), True)
    assert learner.scores(x) == pytest.approx([1.0, 0.0], abs=1e-9)
    learner = onebit.BanditPA(2, gamma=0)
    learner.decide(x)
    learner._run.state.W[0] = [1.0, 1.0]
    before = learner.scores(x)
    learner.learn(learner.decide(x), True)
    assert learner.updates == 0
    assert np.array_equal(learner.scores(x), before)


@pytest.mark.parametrize("name", ["Perceptron", "RCNBF", "PNewtron", "BanditPA"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("normalize", [False, True])
def test_a_row_of_zeros_teaches_nothing(name: str, kind: str, normalize: bool) -> None:
    learner = getattr(onebit, name)(3, normalize=normalize)
    zeros = sp.csr_array((1, 4)) if kind == "sparse" else np.zeros(4)
    decision = learner.decide(zeros)
    learner.learn(decision, 2 if learner.feedback == "label" else False)
    assert np.array_equal(learner.scores(np.eye(4)), np.zeros((4, 3)))
