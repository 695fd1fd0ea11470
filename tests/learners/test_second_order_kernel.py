"""SecondOrderKernel: the dual form it equals, few mistakes, bounded memory, long runs, wrong input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError, DataError, FormatError
from onebit.streams import from_arrays, group_separable
from onebit.streams.synthetic.group_separable import Layout

K = 9


def unit_rows(rounds: int, d: int, seed: int = 0) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(rounds, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True), draw.integers(3, size=rounds)


def test_it_is_the_dual_form_while_every_lesson_is_taken_in() -> None:
    X, y = unit_rows(250, 12)
    kernel, a = onebit.kernels.RBF(3.0), 0.05
    learner = onebit.SecondOrderKernel(3, kernel=kernel, a=a, novelty=1e-10, budget=1000)
    J: dict[Any, list[tuple[Any, float]]] = {0: [], 1: [], 2: []}

    def dual(x: Any) -> Any:
        s = np.zeros(3)
        for i, lessons in J.items():
            if lessons:
                rows, signs = np.array([z for z, _ in lessons]), np.array([sign for _, sign in lessons])
                s[i] = signs @ np.linalg.solve(a * np.eye(len(rows)) + kernel(rows, rows), kernel(rows, x[None])[:, 0])
        return s

    for x, label in zip(X, y, strict=True):
        decision, s = learner.decide(x), dual(x)
        np.testing.assert_allclose(learner.scores(x), s, rtol=0, atol=1e-9)
        right = bool(decision.label == label)
        learner.learn(decision, right)
        sign = 1.0 if right else -1.0
        if sign * s[decision.label] < learner.b:
            J[decision.label].append((x, sign))
    assert learner.stored == learner.updates == sum(map(len, J.values())) > 150


@pytest.mark.parametrize("layout", ["perp", "random", "radial"])
def test_few_mistakes_on_separable_data(layout: Layout) -> None:
    result = onebit.simulate(onebit.SecondOrderKernel(K), group_separable(200_000, layout=layout), seeds=[21, 22])
    for trace, learner in zip(result.traces, result.learners, strict=True):
        assert trace.mistakes[-1] < 1_000
        assert learner.stored < 100  # type: ignore[attr-defined]  # of this learner


def test_label_noise_costs_neither_memory_nor_much_error() -> None:
    stream = group_separable(60_000, label_noise=0.1)
    result = onebit.simulate(onebit.SecondOrderKernel(K, budget=64), stream, seeds=[21])
    trained: Any = result.learners[0]
    assert result.error < 0.115
    assert trained.updates > 5_000
    assert trained.stored <= 64
    assert trained._session.state.P.shape == (K, 64, 64)


def test_it_does_not_drift_over_a_hundred_thousand_lessons() -> None:
    learner: Any = onebit.SecondOrderKernel(K, b=10.0, budget=40)  # every round is a lesson
    stream = group_separable(100_000, label_noise=0.1)
    state = onebit.simulate(learner, stream, seeds=[21]).learners[0]._session.state
    n = state.size[0]
    vectors = state.blocks[:, :2].transpose(0, 2, 1).reshape(-1, 2)[:n]
    gram = onebit.kernels.Rational()(vectors, vectors)
    np.testing.assert_allclose(state.M[:n, :n] @ gram @ state.M[:n, :n].T, np.eye(n), atol=1e-8)
    for P in state.P[:, :n, :n]:
        assert np.array_equal(P, P.T)
        assert np.linalg.eigvalsh(P)[0] > 0
    np.testing.assert_allclose(state.beta[:, :n], state.v[:, :n] @ state.M[:n, :n], rtol=1e-9, atol=1e-6)


def test_growing_keeps_every_bit(tmp_path: Path) -> None:
    X, y = unit_rows(300, 12)
    whole, parts = (onebit.SecondOrderKernel(3, kernel="rbf") for _ in range(2))
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        for learner in (whole, parts):
            decision = learner.decide(x)
            learner.learn(decision, bool(decision.label == label))
        if t % 20 == 0:
            parts.save(tmp_path / "a.onebit")
            parts = onebit.load(tmp_path / "a.onebit")
    assert whole.stored > 100
    for a, b in zip(whole._session.state, parts._session.state, strict=True):
        assert np.array_equal(a, b)
    engine = onebit.simulate(onebit.SecondOrderKernel(3, kernel="rbf"), from_arrays(X, y, shuffle=False), seeds=[0])
    for a, b in zip(whole._session.state, engine.learners[0]._session.state, strict=True):
        assert np.array_equal(a, b)


def test_a_file_with_a_wrong_size_is_refused(tmp_path: Path) -> None:
    learner = onebit.SecondOrderKernel(3)
    learner.learn(learner.decide([0.1, 0.2]), False)
    for size in (-5, 17, 10**12):
        learner._session.state.size[0] = size
        learner.save(tmp_path / "a.onebit")
        with pytest.raises(FormatError, match="damaged"):
            onebit.load(tmp_path / "a.onebit")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"budget": 0}, "budget=0: must be a whole number of vectors, 1 or larger"),
        ({"budget": None}, "budget=None"),
        ({"novelty": 0}, "novelty=0"),
        ({"a": 0}, "a=0"),
        ({"tau": 0}, "tau=0"),
        ({"noise": (0.1, 0.1)}, "not linear"),
        ({"kernel": "rationl"}, "did you mean rational"),
    ],
)
def test_wrong_parameters(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.SecondOrderKernel(3, **given)


def test_wrong_rows_and_sizes() -> None:
    with pytest.raises(DataError, match="unit ball"):
        onebit.SecondOrderKernel(3).decide([1.0, 1.0])
    with pytest.raises(ConfigError, match="budget=40000: 3 classes would keep 48 GiB"):
        onebit.SecondOrderKernel(3, budget=40_000).decide([0.1, 0.1])


@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_kernels_in_python() -> None:
    X, y = unit_rows(200, 3)
    slow = onebit.SecondOrderKernel(3, kernel=lambda A, B: onebit.kernels.RBF(1.0)(A, B))
    fast = onebit.SecondOrderKernel(3, kernel="rbf")
    for x, label in zip(X, y, strict=True):
        a, b = slow.decide(x), fast.decide(x)
        assert a.labels == b.labels
        slow.learn(a, bool(a.label == label))
        fast.learn(b, bool(b.label == label))
    np.testing.assert_allclose(slow.scores(X), fast.scores(X), atol=1e-8)


@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_a_kernel_that_fails_later_changes_nothing() -> None:
    touchy_at = [np.inf]

    def touchy(A: Any, B: Any) -> Any:
        return np.where(B[:, 0] == touchy_at[0], np.nan, 1.0) * onebit.kernels.Linear()(A, B)

    learner = onebit.SecondOrderKernel(3, kernel=touchy)
    learner.learn(learner.decide([0.1, 0.2]), False)
    decision = learner.decide([0.25, 0.2])
    before = [array.copy() for array in learner._session.state[2:6]]
    touchy_at[0] = 0.25
    with pytest.raises(DataError, match="is nan for the rows"):
        learner.learn(decision, False)
    for a, b in zip(learner._session.state[2:6], before, strict=True):
        assert np.array_equal(a, b)
    assert (learner.updates, learner.stored) == (1, 1)
    touchy_at[0] = np.inf
    learner.learn(decision, False)
    assert learner.updates == 2
