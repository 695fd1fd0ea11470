"""Confidit: parameters, rows of any width, directions, and its coin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError
from onebit.core.seeds import bit_generator
from tests.learners.lessons import K, table


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": -1}, r"alpha=-1: must be a number above -1, up to 1"),
        ({"alpha": 1.5}, r"alpha=1.5: must be a number above -1, up to 1"),
        ({"eta": -0.3}, r"eta=-0.3: must be a number, 0 or larger"),
        ({"covariance": "low-rank"}, r"covariance='low-rank': must be 'full' or 'diagonal'"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.Confidit(3, **parameters)


def test_it_takes_rows_of_any_width() -> None:
    learner = onebit.Confidit(["ham", "spam"])
    decision = learner.decide({"word=offer": 1.0, "length": 0.2})
    learner.learn(decision, True)
    assert learner.predict({"word=offer": 1.0}) == decision.label


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
        np.testing.assert_allclose(learner.scores(X), other.scores(X), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("alpha", "uniforms"), [(0.5, 20), (1, 0)])
def test_it_tosses_one_coin_per_lesson_whatever_the_answer_and_none_at_alpha_1(alpha: float, uniforms: int) -> None:
    learner = onebit.Confidit(2, seed=5, alpha=alpha)
    draw = np.random.Generator(bit_generator(5, "learner"))
    for bit in [True, False, True, True, False] * 4:
        learner.learn(learner.decide([0.6, 0.8]), bit)
    draw.random(uniforms)
    state = draw.bit_generator.state["state"]["state"]
    assert learner._session.rng[:2].tolist() == list(divmod(state, 2**64))


def lesson(alpha: float, seed: int, right: bool) -> tuple[float, float]:
    """The uniform that the coin of a first lesson was decided by, and the sign of X."""
    x = np.array([0.6, -0.8])
    learner = onebit.Confidit(2, seed=seed, alpha=alpha, covariance="full")
    learner.learn(learner.decide(x), right)
    A = (1 + alpha) ** 2 * np.eye(2) + np.outer(x, x)
    X = A @ learner._session.state.W[0]
    u = np.random.Generator(bit_generator(seed, "learner")).random()
    sign = float(np.round(X @ x))
    assert pytest.approx(sign * x, abs=1e-12) == X
    return u, sign


@pytest.mark.parametrize("alpha", [Fraction(-1, 2), Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)])
def test_over_bit_and_coin_the_mean_of_X_is_the_margin_times_x(alpha: Fraction) -> None:
    turns = (1 + alpha) / 2  # below this uniform a wrong answer is -x
    tosses = [lesson(float(alpha), seed, right=False) for seed in range(60)]
    assert all(sign == (-1 if u < turns else 1) for u, sign in tosses)
    assert {sign for _, sign in tosses} == ({-1, 1} if alpha < 1 else {-1})
    assert {lesson(float(alpha), seed, right=True)[1] for seed in range(20)} == {1}
    for margin in (-alpha, Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(1)):
        right = (alpha + margin) / (1 + alpha)
        outcomes = [(right, 1), ((1 - right) * turns, -1), ((1 - right) * (1 - turns), 1)]
        assert sum(chance for chance, _ in outcomes) == 1
        assert sum(chance * sign for chance, sign in outcomes) == margin


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_the_weights_converge_to_those_of_its_model(covariance: str, alpha: float) -> None:
    draw = np.random.default_rng(8)
    learner = onebit.Confidit(2, alpha=alpha, covariance=covariance, seed=3)
    for _ in range(10_000):
        right = draw.random() < (alpha + 0.8) / (1 + alpha)
        learner.learn(learner.decide([1.0]), bool(right))
    assert learner.updates == 10_000
    assert learner.scores([1.0])[learner.predict([1.0])] == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_every_direction_converges(covariance: str) -> None:
    draw = np.random.default_rng(9)
    learner = onebit.Confidit(2, alpha=1, covariance=covariance, eta=3, seed=4)
    U = np.array([[0.8, 0.1, -0.3], [-0.1, 0.7, 0.3]])
    rows = draw.normal(size=(20_000, 3)) @ np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for x in rows:
        decision = learner.decide(x)
        margins = U @ x
        learner.learn(decision, bool(draw.random() < (1 + margins[learner.classes.index(decision.label)]) / 2))
    assert learner.scores(np.eye(3)) == pytest.approx(U.T, abs=0.06)
