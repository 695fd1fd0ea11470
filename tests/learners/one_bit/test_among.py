"""OneBit among some of its labels: the bits of the plain path where all are open, its own formula, its lessons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract.among import draw_among
from onebit.contract.states import arrays
from onebit.learners.one_bit.among import explore_among
from onebit.learners.one_bit.exploration import explore
from onebit.ops.random import pack

X = np.random.default_rng(0).normal(size=(300, 6))
Y = np.argmax(X[:, :5], axis=1)
SETTINGS: list[dict[str, Any]] = [
    {},
    {"m": 2},
    {"gamma": 0.2, "noise": (0.2, 0.1)},
    {"curvature": "diagonal"},
    {"dtype": "float32"},
    {"dtype": "float32", "curvature": "diagonal", "m": 3},
]


def same(left: Any, right: Any) -> bool:
    pairs = zip(arrays(left._session.state), arrays(right._session.state), strict=True)
    kept = [(a, b) for (name, a), (_, b) in pairs if name not in ("moved", "optimistic", "open", "known", "s", "Px")]
    return all(np.array_equal(a, b) for a, b in kept) and np.array_equal(left._session.rng, right._session.rng)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_with_all_labels_open_the_bits_are_those_of_the_plain_path(settings: dict[str, Any], kind: str) -> None:
    plain, masked = (onebit.OneBit(5, **settings) for _ in range(2))
    for t in range(200):
        row = sp.csr_array(X[t][None, :]) if kind == "sparse" else X[t]
        a = plain.decide(row)
        session = masked._session
        rows = masked._begin(row)
        draws = session.lesson.draws
        draw_among(masked, rows, [(0, 1, 2, 3, 4)], draws)
        session.decisions += 1
        assert draws.labels[0].tolist() == list(a.labels)
        assert (draws.propensity[0], draws.greedy[0], draws.explored[0]) == (a.propensity, a.greedy, a.explored)
        plain.learn(a, bool(Y[t] in a.labels))
        masked.learn(replace(a, _spent=[False]), bool(Y[t] in a.labels))
    assert same(plain, masked)


@pytest.mark.parametrize("m", [1, 2])
def test_exploration_is_that_of_the_open_labels_alone(m: int) -> None:
    draw = np.random.default_rng(1)
    for seed in range(300):
        K = int(draw.integers(m, 9))
        is_open = np.zeros(9, np.bool_)
        is_open[draw.choice(9, K, replace=False)] = True
        places = np.flatnonzero(is_open)
        few = draw.dirichlet(np.full(K, 0.3))
        p = np.zeros(9)
        p[places] = few
        best = np.argsort(-few, kind="stable")[:m]
        labels = places[best]
        alone = best.copy()
        made = explore_among(p, 30.0, 0.1, pack(np.random.PCG64(seed)), labels, is_open)
        assert made == explore(few, 30.0, 0.1, pack(np.random.PCG64(seed)), alone)
        assert labels.tolist() == places[alone].tolist()
        if m == K:
            assert made == (1.0, 0.0, False)


def test_propensities_sum_to_one_over_the_open_labels() -> None:
    learner = onebit.OneBit(5, gamma=0.1)
    for t in range(100):
        decision = learner.decide(X[t], among=[0, 2, 3])
        learner.learn(decision, bool(Y[t] in decision.labels))
    frozen = [array.copy() for _, array in arrays(learner._session.state)]
    for t in range(20):
        claimed: dict[object, float] = {}
        while len(claimed) < 3:
            decision = learner.decide(X[t], among=[0, 2, 3])
            claimed[decision.label] = decision.propensity
            for (_, array), kept in zip(arrays(learner._session.state), frozen, strict=True):
                array[...] = kept
        assert set(claimed) == {0, 2, 3}
        assert sum(claimed.values()) == pytest.approx(1, abs=1e-14)


def test_a_lesson_is_about_all_labels() -> None:
    # The same label played for the same row teaches the same, whatever else could have been played.
    learners = [onebit.OneBit(5, drift=None) for _ in range(2)]
    for t in range(200):
        some = learners[0].decide(X[t], among=[0, 1, 2])
        learners[1].decide(X[t])
        hit = bool(Y[t] in some.labels)
        learners[0].learn(some, hit)
        learners[1].learn(replace(some, among=None, _spent=[False]), hit)
    assert np.array_equal(learners[0].scores(X), learners[1].scores(X))
    assert np.array_equal(learners[0].predict_proba(X), learners[1].predict_proba(X))


def test_labels_that_close_are_no_drift_and_drift_is_still_seen() -> None:
    draw = np.random.default_rng(2)
    rows = draw.normal(size=(4000, 6))
    truth = np.argmax(rows[:, :5], axis=1)
    learner = onebit.OneBit(5)
    for t in range(4000):
        # For a thousand rounds all are open; then only two, so that three of five plays must be wrong; then the world
        # turns round, and what is open has to be learned anew.
        decision = learner.decide(rows[t], among=None if t < 1000 else [0, 1])
        y = truth[t] if t < 3000 else 4 - truth[t]
        learner.learn(decision, bool(y in decision.labels))
        if t == 2999:
            assert learner._session.state.clock.drift_restarts[0] == 0
    assert learner._session.state.clock.drift_restarts[0] > 0
