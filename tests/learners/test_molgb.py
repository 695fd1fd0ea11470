"""MOLGB: parameters, and its optimism, fixed or that of Theorem 4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError
from onebit.bounds import molgb_phi
from tests.learners.lessons import K as CLASSES
from tests.learners.lessons import table, teach


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"b": 0.5}, r"b=0.5: must be a number above 1"),
        ({"normalize": 1}, r"normalize=1: must be True"),
        ({"varphi": -0.1}, r"varphi=-0.1: must be a number, 0 or larger, or 'schedule'"),
        ({"varphi": "often"}, r"varphi='often': must be a number, 0 or larger, or 'schedule'"),
        ({"noise": (0.1, 0.1)}, r"MOLGB cannot take it: whether it learns depends on the bit"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.MOLGB(3, **parameters)


def test_optimism_is_shared_by_equals() -> None:
    drawn = [onebit.MOLGB(4, ties="random", seed=s).decide([1.0, 0.0]) for s in range(60)]
    assert {d.label for d in drawn} == {0, 1, 2, 3}
    assert {d.propensity for d in drawn} == {0.25}
    assert {d.greedy for d in drawn} == {0}


def test_optimism_plays_what_is_unknown() -> None:
    learner = onebit.MOLGB(2, varphi=10)
    first = learner.decide([1.0, 0.0])
    learner.learn(first, True)
    second = learner.decide([1.0, 0.0])
    assert (first.label, second.label, second.greedy) == (0, 1, 0)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_the_schedule_is_that_of_theorem_4_for_what_each_class_has_learned(kind: str) -> None:
    X, y = table(300)
    rows = sp.csr_array(X) if kind == "sparse" else X
    b, d = 3.0, X.shape[1]
    learner = onebit.MOLGB(CLASSES, b=b, phi=2.0, varphi="schedule", normalize=True)
    P: Any = np.stack([np.eye(d) / b] * CLASSES)
    for t, x in enumerate(X):
        decision = learner.decide(rows[[t]] if kind == "sparse" else x)
        q = np.einsum("i,kij,j->k", x, P, x)
        log_det = -np.linalg.slogdet(b * P)[1]
        widths = [molgb_phi(t + 1, max(one, 0), np.sqrt(CLASSES), b, square_loss=4, delta=0.05) for one in log_det]
        state = learner._session.state
        upper = state.s + widths * np.sqrt(q / (2 * (1 - q)))
        np.testing.assert_allclose(state.C, upper, rtol=1e-10)
        before = learner.updates
        learner.learn(decision, bool(decision.label == y[t]))
        assert state.t[0] == t + 1
        if learner.updates > before:
            k: Any = decision.label
            g = P[k] @ x
            P[k] -= np.outer(g, g)
    assert 10 < learner.updates < 300, "some rounds teach, and some do not"


def test_a_learner_on_schedule_goes_on_from_its_file(tmp_path: Path) -> None:
    X, y = table(200)
    learner = onebit.MOLGB(CLASSES, varphi="schedule")
    teach(learner, X[:100], y[:100])
    learner.save(tmp_path / "a.onebit")
    again = onebit.load(tmp_path / "a.onebit")
    assert again.varphi == "schedule"
    for a, b in zip(teach(again, X[100:], y[100:]), teach(learner, X[100:], y[100:]), strict=True):
        assert (a.label, a.greedy, a.id) == (b.label, b.greedy, b.id)
    for one, other in zip(again._session.state, learner._session.state, strict=True):
        assert np.array_equal(one, other)
