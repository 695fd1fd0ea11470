"""Inverse-gap weighting: the formula, every outcome with its own probability, and the ends of the scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from onebit.learners.one_bit.exploration import explore
from onebit.ops.random import pack, uniform
from tests.naive.common import best_labels
from tests.ops.next_uniform import generator_giving

SIZES = [(K, m) for K in range(2, 7) for m in range(1, K)] + [(20, 1), (20, 19)]
EXACT = 1e-14


def chances(p: Any, A: tuple[int, ...], steep: float, gamma: float) -> dict[int, float]:
    """How likely each label beside A is to take the place of the last of them."""
    K, beside = len(p), [r for r in range(len(p)) if r not in A]
    c = sum(p[r] for r in beside)
    return {r: (1 - gamma) * c / (K * c + steep * (p[A[-1]] - p[r])) + gamma / K for r in beside}


def outcome(p: Any, A: tuple[int, ...], steep: float, gamma: float, u: float) -> tuple[Any, float, float, bool]:
    labels = np.array(A)
    propensity, odds, swapped = explore(p, steep, gamma, generator_giving(u), labels)
    return tuple(labels.tolist()), propensity, odds, swapped


def test_a_generator_can_be_forced() -> None:
    for u in (0.0, 0.1, 0.5, 1 - 2.0**-53):
        assert uniform(generator_giving(u)) == pytest.approx(u, rel=0, abs=2.0**-53)


@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("steep", [0.0, 1.0, 100.0, 1e9])
@pytest.mark.parametrize(("K", "m"), SIZES)
def test_every_outcome_comes_with_its_probability(K: int, m: int, steep: float, gamma: float) -> None:
    p = np.random.default_rng(K * 10 + m).dirichlet(np.ones(K))
    A = best_labels(p, m)
    expected = chances(p, A, steep, gamma)
    odds, start = sum(expected.values()), 0.0
    for r, chance in expected.items():
        labels, propensity, total, swapped = outcome(p, A, steep, gamma, start + chance / 2)
        assert (labels, swapped) == ((*A[:-1], r), True)
        assert propensity == pytest.approx(chance, rel=EXACT)
        assert total == pytest.approx(odds, rel=EXACT)
        start += chance
    labels, propensity, total, swapped = outcome(p, A, steep, gamma, (odds + 1) / 2)
    assert (labels, swapped) == (A, False)
    assert propensity == pytest.approx(1 - odds, rel=1e-12)
    assert propensity >= m / K - EXACT, "whatever the gaps, the best set stays at least as likely as by pure chance"
    assert min(expected.values()) >= gamma / K


@pytest.mark.parametrize(("K", "m"), [(2, 1), (4, 1), (5, 3), (6, 5)])
def test_outcomes_come_as_often_as_they_say(K: int, m: int) -> None:
    p = np.random.default_rng(K).dirichlet(3 * np.ones(K))
    A, rng, n = best_labels(p, m), pack(np.random.PCG64(K)), 20_000
    seen = dict.fromkeys([*chances(p, A, 5.0, 0.1), A[-1]], 0)
    for _ in range(n):
        labels = np.array(A)
        explore(p, 5.0, 0.1, rng, labels)
        assert tuple(labels[:-1].tolist()) == A[:-1]
        seen[int(labels[-1])] += 1
    expected = chances(p, A, 5.0, 0.1)
    expected[A[-1]] = 1 - sum(expected.values())
    assert min(expected.values()) * n > 5
    assert chisquare(list(seen.values()), [n * expected[r] for r in seen]).pvalue > 1e-4


@pytest.mark.parametrize("gamma", [0.0, 0.25])
@pytest.mark.parametrize(("K", "m"), [(2, 1), (5, 1), (5, 4)])
def test_a_certain_label_leaves_only_the_uniform_share(K: int, m: int, gamma: float) -> None:
    p = np.zeros(K)
    p[:m] = 1 / m
    A, u = tuple(range(m)), 1e-12
    labels, propensity, odds, swapped = outcome(p, A, 40.0, gamma, u)
    assert odds == pytest.approx((K - m) * gamma / K, abs=1e-200)
    assert swapped == (gamma > 0)
    assert labels == ((*A[:-1], m) if gamma else A)
    assert propensity == (gamma / K if gamma else 1)


def test_labels_that_are_all_but_impossible_are_weighed_against_each_other() -> None:
    p, A = np.array([1.0, 1e-20, 3e-21, 1e-21]), (0, 1)
    _, propensity, odds, swapped = outcome(p, A, 10.0, 0.0, 0.0)
    expected = chances(p, A, 10.0, 0.0)
    assert swapped
    assert propensity == pytest.approx(expected[2], rel=1e-12)
    assert odds == pytest.approx(sum(expected.values()), rel=1e-12)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_ties_share_evenly(m: int) -> None:
    p = np.full(4, 0.25)
    labels, propensity, odds, swapped = outcome(p, tuple(range(m)), 1e6, 0.0, 0.0)
    assert (labels, swapped) == ((*range(m - 1), m), True)
    assert propensity == pytest.approx(1 / 4, rel=EXACT)
    assert odds == pytest.approx((4 - m) / 4, rel=EXACT)


def test_the_beliefs_are_left_as_they_are() -> None:
    p = np.array([0.5, 0.3, 0.2])
    outcome(p, (0,), 10.0, 0.1, 0.01)
    assert p.tolist() == [0.5, 0.3, 0.2]
