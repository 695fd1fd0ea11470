"""What the tests of several learners share: rows with labels, lessons, and steps taken one by one."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import Decision
from onebit.core.seeds import bit_generator

K = 5
WIDTH = 12
FEATURES = 7
"""Of the rows of `row_of`; those of `table` have WIDTH."""
EXACT = 1e-12
TWINS = 1e-10
"""How closely a learner and its naive twin agree, of what they agree on."""


def table(rounds: int, d: int = WIDTH, noise: float = 0.8, seed: int = 0) -> tuple[Any, Any]:
    """Noisy clusters with zeros in them, rows of unit norm, and their labels."""
    draw = np.random.default_rng(seed)
    centres = draw.normal(size=(K, d))
    y = draw.integers(K, size=rounds)
    X = (centres[y] + noise * draw.normal(size=(rounds, d))) * (draw.random((rounds, d)) < 0.7)
    return X / np.linalg.norm(X, axis=1, keepdims=True).clip(1e-9), y


def teach(learner: Any, X: Any, y: Any) -> list[Decision]:
    """Play every row and learn at once; the decisions."""
    decisions = []
    for t in range(len(y)):
        decisions.append(learner.decide(X[t] if isinstance(X, np.ndarray) else X[[t]]))
        hit = bool(decisions[-1].label == y[t])
        learner.learn(decisions[-1], int(y[t]) if learner.feedback == "label" else hit)
    return decisions


def with_twin(name: str, parameters: dict[str, Any]) -> tuple[Any, Any]:
    """A learner and its naive twin, their generators alike."""
    twin = importlib.import_module(f"tests.naive.{name.lower()}").Twin
    draw = np.random.Generator(bit_generator(3, "learner"))
    return getattr(onebit, name)(K, seed=3, **parameters), twin(K, WIDTH, draw, **parameters)


def like(wanted: Any) -> Any:
    """Equal to the scores of a twin: each to 1e-10, and what cancels to next to nothing to 1e-12 of the largest."""
    return pytest.approx(wanted, rel=TWINS, abs=0.01 * TWINS * np.abs(wanted).max())


def unit_rows(rounds: int, K: int, d: int, seed: int = 0) -> tuple[Any, Any]:
    """Noisy clusters, rows of unit norm."""
    draw = np.random.default_rng(seed)
    y = draw.integers(K, size=rounds)
    X = draw.normal(size=(K, d))[y] + 1.5 * draw.normal(size=(rounds, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True), y


def row_of(kind: str, seed: int) -> Any:
    draw = np.random.default_rng(seed)
    x = draw.normal(size=FEATURES) * (draw.random(FEATURES) < 0.7)
    x[0] = 1.0
    return sp.csr_array(x[None]) if kind == "sparse" else x


def flat(row: Any) -> Any:
    return np.asarray(row @ np.eye(FEATURES)).ravel()


def trained(learner: Any, kind: str, seed: int, path: Path) -> Path:
    """A saved learner whose weights are no longer zero."""
    draw = np.random.default_rng(seed)
    for t in range(60):
        decision = learner.decide(row_of(kind, 1000 * seed + t))
        learner.learn(decision, bool(draw.random() < 0.4))
    learner.save(path)
    return path


def gamma_greedy(scores: Any, gamma: float) -> tuple[Any, int]:
    K, greedy = len(scores), int(np.argmax(scores))
    return gamma / K + (1 - gamma) * np.eye(K)[greedy], greedy


def change(path: Path, array: str, decision: Decision, feedback: Any) -> Any:
    """What one lesson adds to an array of the saved learner's state."""
    learner = onebit.load(path)
    before = getattr(learner._session.state, array).copy()
    learner.learn(decision, feedback)
    return getattr(learner._session.state, array) - before


def perceptron_update(W: Any, row: Any, greedy: int, y: int) -> Any:
    learner = onebit.Perceptron(len(W))
    learner.decide(row)
    learner._session.state.W[...] = W
    learner.learn(Decision((greedy,), 1.0, greedy, False, row, 1), y)
    return learner._session.state.W - W
