"""Every learner equals its naive twin, step by step: dense and sparse rows, feedback at once and late."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.registry import learner_class, learner_names
from onebit.core.seeds import bit_generator
from tests.learners.lessons import like
from tests.naive.rcine import Shares
from tests.needed import small_world

ROWS, ROUNDS, K, D = 2000, 1200, 5, 12
CASES: list[tuple[str, dict[str, Any]]] = [
    ("Banditron", {"gamma": 0.1}),
    ("Perceptron", {}),
    ("RCNBF", {"gamma": 0.2, "rho_0": 0.2, "rho_1": 0.3}),
    ("RCNBF", {"gamma": 0.2, "rho_0": 0.1, "rho_1": 0.1, "average": True}),
    ("RCINE", {"gamma": 0.2, "N_s": 130, "estimator": Shares()}),
    ("RCINE", {"gamma": 0.1, "N_s": 400, "estimator": Shares(), "average": True}),
    ("PNewtron", {"gamma": 0.1}),
    ("PNewtron", {"gamma": 0.05, "alpha": 3.0, "beta": 0.5, "D": 4.0}),
    ("BanditPA", {"gamma": 0.1, "C": 0.3}),
    ("SOBA", {"gamma": 0.1, "a": 0.5}),
    ("SOBA", {"gamma": "adaptive", "c": 0.2}),
    ("SOBADiagonal", {"gamma": 0.1, "a": 0.5}),
    ("SOBADiagonal", {"gamma": "adaptive", "c": 0.2}),
    ("Confidit", {"covariance": "full", "alpha": 0.5, "eta": 0.2}),
    ("Confidit", {"covariance": "diagonal"}),
    ("Confidit", {"covariance": "diagonal", "alpha": 0.2, "noise": (0.2, 0.1)}),
    ("LinUCB", {"alpha": 0.3, "lam": 0.5}),
    ("GPA", {}),
    ("OSLG", {"b": 0.5}),
    ("MSG", {"b": 2.0, "phi": 5.0}),
    ("MOLGF", {"b": 3.0, "phi": 2.0}),
    ("OSLGBandit", {"b": 2.0, "noise": (0.2, 0.1)}),
    ("MOLGB", {"b": 3.0, "phi": 2.0, "varphi": 0.5}),
    ("MOLGB", {"b": 3.0, "phi": 2.0, "varphi": "schedule"}),
    ("PageRankUCB", {"graph": small_world(D), "eps": 0.03, "noise": (0.2, 0.1)}),
    ("BanditPerceptron", {}),
    ("BanditPerceptron", {"choice": "first", "noise": (0.2, 0.1)}),
    ("BanditPerceptron", {"correct_others": True}),
    ("BanditPerceptron", {"choice": "largest", "correct_others": True, "noise": (0.2, 0.1)}),
    ("KernelBandit", {}),
    ("KernelBandit", {"kernel": "rational:0.8", "choice": "largest"}),
    ("KernelBandit", {"kernel": "linear", "form": "dual"}),
    ("KernelBandit", {"kernel": "linear", "form": "primal", "choice": "first"}),
    ("KernelBandit", {"kernel": "polynomial:2"}),
    ("KernelBandit", {"kernel": "polynomial:3:0.5:0", "form": "dual"}),
    ("KernelBandit", {"kernel": "rbf", "budget": 30, "noise": (0.2, 0.1)}),
    ("KernelBandit", {"kernel": "matern", "budget": 70, "removal": "random"}),
    ("KernelBandit", {"kernel": "matern:2.5"}),
    ("KernelBandit", {"kernel": "rational", "form": "dual", "correct_others": True}),
    ("KernelBandit", {"kernel": "polynomial:2", "form": "primal", "choice": "largest", "correct_others": True}),
    ("KernelBandit", {"kernel": "linear", "form": "primal", "noise": (0.2, 0.1), "correct_others": True}),
    ("KernelBandit", {"kernel": "rbf", "budget": 30, "noise": (0.2, 0.1), "correct_others": True}),
    ("KernelBandit", {"kernel": "matern", "budget": 70, "removal": "random", "correct_others": True}),
    ("SecondOrderKernel", {"kernel": "rbf", "budget": 20, "a": 0.1}),
    ("SecondOrderKernel", {"budget": 25, "b": 0.3, "tau": 0.5, "eps": 0.2, "novelty": 0.01, "a": 0.1}),
    ("MCSLP", {"m": 2}),
    ("MCSLP", {"m": 4, "gated": False}),
    ("MCDBF", {"m": 1, "gamma": 0.2}),
    ("MCDBF", {"m": 2, "gamma": 0.3, "noise": (0.2, 0.1)}),
    ("MCDBF", {"m": 3, "gamma": 1.0}),
    ("MCDBF", {"m": 4, "gamma": 0.2}),
    ("SetBanditron", {"m": 1, "gamma": 0.2}),
    ("SetBanditron", {"m": 3, "gamma": 0.1, "noise": (0.2, 0.1)}),
    ("SetBanditron", {"m": 2, "gamma": 0.1, "loss": "log", "eta": 0.3}),
    ("SetBanditron", {"m": 4, "gamma": 0.1, "loss": "log", "noise": (0.2, 0.1)}),
]


def rows_and_labels(seed: int) -> tuple[Any, Any]:
    """Noisy clusters with a share of zeros, so that sparse rows differ from dense ones."""
    draw = np.random.default_rng(seed)
    centres = draw.normal(size=(K, D))
    y = draw.integers(K, size=ROWS)
    X = (centres[y] + 0.8 * draw.normal(size=(ROWS, D))) * (draw.random((ROWS, D)) < 0.6)
    return X / np.linalg.norm(X, axis=1, keepdims=True).clip(1e-9), y


def test_every_learner_but_the_flagship_is_here() -> None:
    """Those of OneBit are in tests/learners/one_bit."""
    ours = {cls.__name__ for cls in map(learner_class, learner_names()) if cls.__module__.startswith("onebit.")}
    assert {name for name, _ in CASES} == ours - {"OneBit"}


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(("name", "parameters"), CASES, ids=[f"{n}-{p}" for n, p in CASES])
def test_learner_equals_its_twin(name: str, parameters: dict[str, Any], kind: str, late: bool) -> None:
    X, y = rows_and_labels(seed=1)
    table = sp.csr_array(X) if kind == "sparse" else X
    normalize = name in ("MOLGF", "MOLGB")  # they insist on it; the rows have unit norm
    learner = getattr(onebit, name)(K, seed=3, normalize=normalize, **parameters)
    draw = np.random.Generator(bit_generator(3, "learner"))
    twin = importlib.import_module(f"tests.naive.{name.lower()}").Twin(K, D, draw, **parameters)
    delays = np.random.default_rng(2).integers(0, 60, size=ROUNDS) if late else np.zeros(ROUNDS, dtype=int)
    under_way: dict[int, list[Any]] = {}
    for t in range(ROUNDS):
        decision = learner.decide(table[[t]] if kind == "sparse" else table[t])
        played, greedy, propensity, explored = twin.decide(X[t])
        labels, top = played if learner.top_size else ((played,), ())
        assert (decision.labels, decision.top) == (labels, top), f"round {t}"
        assert (decision.greedy, decision.explored) == (greedy, explored), f"round {t}"
        assert decision.propensity == pytest.approx(propensity, rel=1e-12)
        feedback = int(y[t]) if learner.feedback == "label" else bool(y[t] in labels)
        under_way.setdefault(t + delays[t], []).append((decision, X[t], played, greedy, propensity, explored, feedback))
        for decision, *lesson, feedback in under_way.pop(t, []):
            learner.learn(decision, feedback)
            twin.learn(*lesson, int(feedback))
        if t % 50 == 0 or t == ROUNDS - 1:
            x = X[(7 * t) % ROUNDS]
            assert learner.scores(x) == like(twin.scores(x)), f"round {t}"


def one_more(make: Any, twin: Any, n_classes: int) -> Any:
    """The twin with another class at the prior: a fresh one, with all that this one has learned written over it."""
    fresh, first = make(n_classes + 1), make(n_classes)
    for name, value in vars(twin).items():
        if isinstance(value, np.ndarray) and value.shape != getattr(fresh, name).shape:
            getattr(fresh, name)[tuple(map(slice, value.shape))] = value
        elif isinstance(value, list) and len(value) == n_classes:
            getattr(fresh, name)[:n_classes] = value
        elif isinstance(value, np.ndarray) or repr(value) != repr(getattr(first, name)):  # not a constant of K
            setattr(fresh, name, value)
    return fresh


OF_ANOTHER_FORM = ("PageRankUCB", "SecondOrderKernel", "KernelBandit", "RCINE")  # the last one begins a new window
SAME_FORM = [case for case in CASES if case[0] not in OF_ANOTHER_FORM]


@pytest.mark.parametrize(("name", "parameters"), SAME_FORM, ids=[f"{n}-{p}" for n, p in SAME_FORM])
def test_a_learner_equals_its_twin_after_a_class_has_joined(name: str, parameters: dict[str, Any]) -> None:
    X, y = rows_and_labels(seed=1)
    learner = getattr(onebit, name)(K - 1, seed=3, normalize=name in ("MOLGF", "MOLGB"), **_smaller(parameters))
    draw = np.random.Generator(bit_generator(3, "learner"))
    module = importlib.import_module(f"tests.naive.{name.lower()}")

    def make(n_classes: int) -> Any:
        return module.Twin(n_classes, D, draw, **_smaller(parameters))

    twin = make(K - 1)
    for t in range(600):
        if t == 300:
            learner.add_classes([K - 1])
            twin = one_more(make, twin, K - 1)
        label = int(y[t]) if t >= 300 else int(y[t]) % (K - 1)
        decision = learner.decide(X[t])
        played, greedy, propensity, explored = twin.decide(X[t])
        labels, _ = played if learner.top_size else ((played,), ())
        assert (decision.labels, decision.greedy, decision.explored) == (labels, greedy, explored), f"round {t}"
        assert decision.propensity == pytest.approx(propensity, rel=1e-12)
        feedback = label if learner.feedback == "label" else label in labels
        learner.learn(decision, feedback)
        twin.learn(X[t], played, greedy, propensity, explored, int(feedback))
    assert learner.scores(X[7]) == like(twin.scores(X[7]))


def _smaller(parameters: dict[str, Any]) -> dict[str, Any]:
    """With sets that leave a label out when there is a class less."""
    return parameters | ({"m": min(parameters["m"], K - 2)} if "m" in parameters else {})
