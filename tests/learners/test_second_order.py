"""SOBA, SOBADiagonal, Confidit and LinUCB: parameters, propensities, the inverses they keep, precision."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError
from onebit.core.seeds import bit_generator

K, D = 5, 12
FULL: list[tuple[str, dict[str, Any]]] = [
    ("SOBA", {"gamma": 0.3}),
    ("Confidit", {"covariance": "full"}),
    ("LinUCB", {"alpha": 0.5}),
]
ALL = [*FULL, ("SOBADiagonal", {"gamma": 0.3}), ("Confidit", {"covariance": "diagonal"})]


def table(rounds: int, seed: int = 0) -> tuple[Any, Any]:
    """Noisy clusters with zeros in them, rows of unit norm, and their labels."""
    draw = np.random.default_rng(seed)
    y = draw.integers(K, size=rounds)
    X = (draw.normal(size=(K, D))[y] + 0.8 * draw.normal(size=(rounds, D))) * (draw.random((rounds, D)) < 0.7)
    return X / np.linalg.norm(X, axis=1, keepdims=True).clip(1e-9), y


def with_twin(name: str, parameters: dict[str, Any]) -> tuple[Any, Any]:
    """A learner and its naive twin, their generators alike."""
    twin = importlib.import_module(f"tests.naive.{name.lower()}").Twin
    draw = np.random.Generator(bit_generator(3, "learner"))
    return getattr(onebit, name)(K, seed=3, **parameters), twin(K, D, draw, **parameters)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("SOBA", {"gamma": 1.1}, r"gamma=1.1: must be a number from 0 to 1, or 'adaptive'"),
        ("SOBA", {"gamma": "auto"}, r"gamma='auto': must be a number from 0 to 1, or 'adaptive'"),
        ("SOBA", {"a": 0}, r"a=0: must be a number above 0"),
        ("SOBA", {"c": -1}, r"c=-1: must be a number above 0"),
        ("SOBADiagonal", {"gamma": -0.1}, r"gamma=-0.1: must be a number from 0 to 1, or 'adaptive'"),
        ("SOBADiagonal", {"a": float("nan")}, r"a=nan: must be a number above 0"),
        ("SOBADiagonal", {"c": 0}, r"c=0: must be a number above 0"),
        ("Confidit", {"alpha": -1}, r"alpha=-1: must be a number above -1, up to 1"),
        ("Confidit", {"alpha": 1.5}, r"alpha=1.5: must be a number above -1, up to 1"),
        ("Confidit", {"eta": -0.3}, r"eta=-0.3: must be a number, 0 or larger"),
        ("Confidit", {"covariance": "low-rank"}, r"covariance='low-rank': must be 'full' or 'diagonal'"),
        ("LinUCB", {"alpha": -0.1}, r"alpha=-0.1: must be a number, 0 or larger"),
        ("LinUCB", {"lam": 0}, r"lam=0: must be a number above 0"),
    ],
)
def test_bad_parameters(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        getattr(onebit, name)(3, **parameters)


@pytest.mark.parametrize(
    ("learner", "instead"),
    [
        (onebit.SOBA(9), r"SOBA would keep 6035 GiB of matrices for 9 classes; use SOBADiagonal, or fewer"),
        (onebit.LinUCB(9), r"LinUCB would keep 671 GiB .* use Confidit with its diagonal covariance, or fewer"),
        (onebit.Confidit(9, covariance="full"), r"Confidit would keep 671 GiB .* use covariance='diagonal', or"),
    ],
)
def test_a_matrix_too_large_for_memory_says_what_to_use_instead(learner: Any, instead: str) -> None:
    with pytest.raises(ConfigError, match=instead):
        learner.decide(sp.csr_array((1, 100_000)))
    assert learner.decisions == 0


@pytest.mark.parametrize("name", ["SOBADiagonal", "Confidit"])
def test_diagonals_take_rows_of_any_width(name: str) -> None:
    learner = getattr(onebit, name)(["ham", "spam"])
    decision = learner.decide({"word=offer": 1.0, "length": 0.2})
    learner.learn(decision, True)
    assert learner.predict({"word=offer": 1.0}) == decision.label


@pytest.mark.parametrize(("name", "parameters"), FULL, ids=[n for n, _ in FULL])
def test_the_inverse_stays_the_inverse(name: str, parameters: dict[str, Any]) -> None:
    learner, twin = with_twin(name, parameters)
    X, y = table(5000)
    for t in range(len(y)):
        decision = learner.decide(X[t])
        hit = bool(decision.label == y[t])
        learner.learn(decision, hit)
        twin.learn(X[t], decision.label, decision.greedy, decision.propensity, decision.explored, int(hit))
    assert learner.updates > 100
    P = learner._run.state.P
    assert np.abs(P - np.swapaxes(P, -1, -2)).max() <= 1e-12
    assert np.abs(P - np.linalg.inv(twin.A)).max() <= 1e-8
    assert np.linalg.eigvalsh(P).min() > 0


@pytest.mark.parametrize("name", ["SOBA", "SOBADiagonal"])
def test_adaptive_exploration_follows_its_formula(name: str) -> None:
    c = 0.3
    learner, twin = with_twin(name, {"gamma": "adaptive", "c": c})
    X, y = table(500)
    seen = []
    for t in range(len(y)):
        decision = learner.decide(X[t])
        played, greedy, p, explored = twin.decide(X[t])
        gamma = min(1, c * np.sqrt(K * (1 + twin.Q) / (t + 1)))
        assert decision.propensity == pytest.approx(gamma / K + (1 - gamma) * (played == greedy), rel=1e-9)
        learner.learn(decision, bool(played == y[t]))
        twin.learn(X[t], played, greedy, p, explored, int(played == y[t]))
        seen.append(gamma)
    assert learner._run.state.Q[0] == pytest.approx(twin.Q, rel=1e-9)
    assert twin.Q > 1
    assert seen[-1] < 0.5 * seen[0]


@pytest.mark.parametrize("name", ["SOBA", "SOBADiagonal"])
def test_misses_teach_nothing(name: str) -> None:
    learner = getattr(onebit, name)(3, gamma=0.5)
    X, _ = table(50)
    for x in X:
        learner.learn(learner.decide(x), False)
    assert learner.updates == 0
    assert not learner.scores(X).any()


@pytest.mark.parametrize(("name", "parameters"), ALL, ids=[f"{n}-{p}" for n, p in ALL])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_float32_stays_close_to_float64(name: str, parameters: dict[str, Any], kind: str) -> None:
    double = getattr(onebit, name)(K, seed=3, **parameters)
    single = double.clone(dtype="float32")
    X, y = table(1500)
    rows = sp.csr_array(X) if kind == "sparse" else X
    for t in range(len(y)):
        row = rows[[t]] if kind == "sparse" else rows[t]
        decision, same = double.decide(row), single.decide(row)
        assert (same.label, same.greedy) == (decision.label, decision.greedy)
        double.learn(decision, bool(decision.label == y[t]))
        single.learn(same, bool(decision.label == y[t]))
    assert double.updates == single.updates > 100
    assert single.scores(rows).dtype == np.float32
    np.testing.assert_allclose(single.scores(rows), double.scores(rows), rtol=0, atol=2e-4)


@pytest.mark.parametrize("learner", [onebit.Confidit(4), onebit.LinUCB(4), onebit.Confidit(4, covariance="full")])
def test_optimistic_learners_play_with_propensity_one_or_draw_among_ties(learner: Any) -> None:
    x = np.ones(3)
    decision = learner.decide(x)
    assert (decision.label, decision.propensity, decision.explored) == (0, 1.0, False)
    drawn = [learner.clone(ties="random", seed=s).decide(x) for s in range(60)]
    assert {d.label for d in drawn} == {0, 1, 2, 3}
    assert {d.propensity for d in drawn} == {0.25}


def test_confidit_sees_directions_only() -> None:
    X, y = table(300)
    scale = np.random.default_rng(1).uniform(0.01, 100, size=len(y))
    for covariance in ("full", "diagonal"):
        learner = onebit.Confidit(K, covariance=covariance)
        other = learner.clone()
        for t in range(len(y)):
            decision, scaled = learner.decide(X[t]), other.decide(scale[t] * X[t])
            assert decision.label == scaled.label
            learner.learn(decision, bool(decision.label == y[t]))
            other.learn(scaled, bool(decision.label == y[t]))
        np.testing.assert_allclose(learner.scores(X), other.scores(X), rtol=0, atol=1e-9)


def test_confidit_takes_one_uniform_per_lesson_whatever_the_answer() -> None:
    learner = onebit.Confidit(2, seed=5)
    draw = np.random.Generator(bit_generator(5, "learner"))
    for bit in [True, False, True, True, False] * 4:
        learner.learn(learner.decide([0.6, 0.8]), bit)
        draw.random()
    state = draw.bit_generator.state["state"]["state"]
    assert learner._run.rng[:2].tolist() == list(divmod(state, 2**64))


def test_linucb_estimates_the_chance_of_being_right() -> None:
    learner = onebit.LinUCB(2, alpha=5, lam=1e-6)
    draw = np.random.default_rng(0)
    bits = []
    for _ in range(400):
        decision = learner.decide([1.0])
        bits.append((decision.label, bool(draw.random() < (0.7 if decision.label == 0 else 0.2))))
        learner.learn(decision, bits[-1][1])
    for k in (0, 1):
        answers = [bit for label, bit in bits if label == k]
        assert len(answers) > 10
        assert learner.scores([1.0])[k] == pytest.approx(np.mean(answers), abs=1e-6)
