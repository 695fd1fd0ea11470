"""Sets of labels against the obvious ways to choose them."""

from collections import Counter
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from onebit.ops.random import pack
from onebit.ops.sets import best_labels, contains, draw_without_replacement, sort_by_score, uniform_set


@pytest.mark.parametrize("K", [2, 3, 5, 10, 16, 17, 40])
@pytest.mark.parametrize("ties", [False, True])
def test_the_best_labels_are_those_of_a_stable_sort(K: int, ties: bool) -> None:
    draw = np.random.default_rng(K)
    for _ in range(50):
        scores = draw.integers(4, size=K).astype(float) if ties else draw.normal(size=K)
        order = np.argsort(-scores, kind="stable")
        for m in range(1, K):
            out = np.full(m + 2, -7)
            best_labels(scores, out[1:-1])
            assert out.tolist() == [-7, *order[:m], -7]
            shuffled = draw.permutation(order[:m])
            sort_by_score(scores, shuffled)
            assert shuffled.tolist() == order[:m].tolist()


@pytest.mark.parametrize("K", [5, 40])
def test_the_best_labels_are_different_even_where_no_score_is_a_number(K: int) -> None:
    for m in range(1, K):
        out = np.zeros(m, dtype=np.int64)
        best_labels(np.full(K, np.nan), out)
        assert out.tolist() == list(range(m))


def test_contains() -> None:
    labels = np.array([5, 0, 3])
    assert [r for r in range(7) if contains(labels, r)] == [0, 3, 5]
    assert not contains(labels[:0], 0)


@pytest.mark.parametrize(("K", "m"), [(5, 1), (5, 2), (6, 3), (6, 5)])
def test_a_uniform_set_is_any_set_equally_often(K: int, m: int) -> None:
    rng, out, draws = pack(np.random.PCG64(K + m)), np.zeros(m, dtype=np.int64), 20_000
    seen: Counter[Any] = Counter()
    for _ in range(draws):
        uniform_set(K, rng, out)
        seen[frozenset(out.tolist())] += 1
    assert {len(labels) for labels in seen} == {m}
    assert len(seen) == comb(K, m)
    expected = draws / comb(K, m)
    chi_square = sum((n - expected) ** 2 / expected for n in seen.values())
    assert chi_square < comb(K, m) - 1 + 5 * np.sqrt(2 * comb(K, m))


def exact_probability(labels: tuple[int, ...], top: Any, gamma: float, K: int) -> float:
    P = np.full(K, gamma / K)
    P[top] += (1 - gamma) / len(top)
    Z = 1.0
    for i, label in enumerate(labels):
        Z *= P[label] / (1 - P[list(labels[:i])].sum())
    return Z


@pytest.mark.parametrize("gamma", [0.02, 0.3, 1.0])
@pytest.mark.parametrize(("K", "m"), [(3, 1), (3, 2), (4, 2), (5, 3), (5, 4)])
def test_labels_drawn_in_turn_come_as_often_as_their_propensity_says(K: int, m: int, gamma: float) -> None:
    rng, taken, out = pack(np.random.PCG64(3)), np.zeros(K, dtype=np.bool_), np.zeros(m, dtype=np.int64)
    top, draws = np.arange(K)[::-1][:m].copy(), 20_000
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        propensity, explored = draw_without_replacement(gamma, top, taken, rng, out)
        labels = tuple(out.tolist())
        seen[labels] += 1
        assert len(set(labels)) == m
        assert propensity == pytest.approx(exact_probability(labels, top, gamma, K), rel=1e-13)
        assert explored or set(labels) == set(top.tolist())
        assert not taken.any()
    exact = {labels: exact_probability(labels, top, gamma, K) for labels in permutations(range(K), m)}
    assert sum(exact.values()) == pytest.approx(1, abs=1e-12)
    for labels, Z in exact.items():
        assert abs(seen[labels] - draws * Z) <= 5 * np.sqrt(draws * Z * (1 - Z)) + 1
