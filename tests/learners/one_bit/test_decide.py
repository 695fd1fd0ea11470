"""How OneBit decides: propensities by enumeration, and as often as they say."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import onebit
from tests.learners.one_bit.live import D, as_kind, kept, rows_and_labels, set_back, trained
from tests.naive.common import best_labels
from tests.naive.shadow import softmax
from tests.ops.next_uniform import generator_giving

SIZES = [(2, 1), (3, 1), (6, 1), (3, 2), (4, 2), (6, 2), (4, 3), (6, 3), (6, 5)]
FORMS = [("dense", "full"), ("dense", "diagonal"), ("sparse", "full"), ("sparse", "diagonal")]


def optimistic(learner: Any, row: Any, kind: str) -> tuple[Any, float]:
    """p~ and the slope of the inverse gap for the decision that was made last, from the state in plain NumPy."""
    state, x = learner._session.state, np.zeros(D + 1)
    (W, P, _), statistics = state.weights, state.statistics
    if kind == "dense":
        x[:D] = np.clip((row - statistics.mean) / np.sqrt(statistics.variance), -4, 4)
    else:
        x[:D] = statistics.weights * row
    x[:D] /= np.linalg.norm(x)
    x[D] = 0.1
    x /= np.sqrt(1.01)
    z, K = W @ x, len(learner.classes)
    if P.ndim == 3:
        z = z + max(1, 5 / np.sqrt(D + 1)) * np.sqrt(np.einsum("i,kij,j->k", x, P, x))
    return softmax(z), 40 * np.sqrt(K * state.clock.t[0])


def probabilities(p: Any, steep: float, m: int, gamma: float) -> tuple[dict[Any, float], tuple[int, ...]]:
    """Every set of m labels and the probability that it is played, and the best set."""
    K, A = len(p), best_labels(p, m)
    found, beside = dict.fromkeys(map(frozenset, combinations(range(K), m)), 0.0), sorted(set(range(K)) - set(A))
    c = sum(p[r] for r in beside)
    for r in beside:
        found[frozenset((*A[:-1], r))] = (1 - gamma) * c / (K * c + steep * (p[A[-1]] - p[r])) + gamma / K
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
        expected, A = probabilities(*optimistic(learner, row, kind), m, gamma)
        set_back(learner, state)
        assert sum(expected.values()) == pytest.approx(1, abs=1e-12)
        start, total, reached = 0.0, 0.0, 0
        for last in [*sorted(set(range(K)) - set(A)), A[-1]]:
            labels = (*A[:-1], last)
            chance = expected[frozenset(labels)]
            if chance < 1e-12:
                continue  # rarer than the generator's numbers can tell
            learner._session.rng[:] = generator_giving(start + chance / 2)
            decision = learner.decide(as_kind(row, kind))
            set_back(learner, state)
            assert (decision.labels, decision.explored) == (labels, last != A[-1])
            assert decision.propensity == pytest.approx(chance, rel=1e-9)
            start, total, reached = start + chance, total + decision.propensity, reached + 1
        assert total == pytest.approx(1, abs=1e-12 * K)
        assert reached > 1 or gamma == 0
        for r in range(K):
            assert sum(chance for labels, chance in expected.items() if r in labels) >= gamma / K - 1e-15


@pytest.mark.parametrize(("K", "m", "kind"), [(2, 1, "dense"), (6, 1, "dense"), (6, 3, "sparse"), (5, 4, "dense")])
def test_decisions_come_as_often_as_they_say(K: int, m: int, kind: str) -> None:
    learner = trained(onebit.OneBit(K, m=m, gamma=0.1, noise=None, kernel=None), kind, n=20)
    state, row, n = kept(learner), rows_and_labels(K, 100)[0][-1], 10_000
    learner.decide(as_kind(row, kind))
    expected, _ = probabilities(*optimistic(learner, row, kind), m, 0.1)
    seen = dict.fromkeys(expected, 0)
    for _ in range(n):
        set_back(learner, state)
        seen[frozenset(learner.decide(as_kind(row, kind)).labels)] += 1
    often = [labels for labels, chance in expected.items() if n * chance > 5]
    assert len(often) > 1
    assert not sum(seen[labels] for labels, chance in expected.items() if chance == 0)
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
