"""Lemma 5, Theorem 6 and Corollary 8 of the MC-DBF paper: by hand, by enumeration, and rows on which it is false."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import permutations
from math import perm, sqrt
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import bounds

COUNTEREXAMPLE = np.array([(1, 0), (0.8, 0.6), (0.8, 0.6), (0.8, 0.6), (0, -1)]), (0, 1, 1, 1, 2)


def step_moment(K: int, m: int, gamma: float, y: int) -> float:
    """E‖Ũ‖² for a row of norm 1 and Ŷ = the first m labels, over all ordered draws."""
    P = np.full(K, gamma / K)
    P[:m] += (1 - gamma) / m
    tau_1, tau_2 = m * perm(K - 2, m - 1), (m - 1) / (K - m)
    total = 0.0
    for drawn in permutations(range(K), m):
        Z = np.prod([P[b] / (1 - sum(P[list(drawn[:i])])) for i, b in enumerate(drawn)])
        hit = (y in drawn) / (Z * tau_1)
        total += Z * sum((hit * (r in drawn) - tau_2 - (r < m) / m) ** 2 for r in range(K))
    return float(total)


@pytest.mark.parametrize(("K", "m"), [(3, 1), (3, 2), (5, 2), (5, 3), (5, 4)])
@pytest.mark.parametrize("gamma", [0.05, 0.5, 1.0])
def test_lemma_5_bounds_a_step(K: int, m: int, gamma: float) -> None:
    lambda_1, lambda_2 = bounds.mcdbf_update_constants(K, m, gamma)
    assert step_moment(K, m, gamma, y=0) <= lambda_2
    assert step_moment(K, m, gamma, y=K - 1) <= lambda_1 + lambda_2


def test_lemma_5_by_hand() -> None:
    # K = 4, m = 2, γ = ½: P = 12, τ1 = 2·2 = 4, τ2 = ½.
    # 2·16·12/(¼·16) - 2·2·½/4 - 2/4 + 4·¼ + ½ + 1 = 96 - ½ - ½ + 2½
    assert bounds.mcdbf_update_constants(4, 2, 0.5) == pytest.approx((0.5, 97.5), rel=1e-12)


def test_theorem_6_by_hand() -> None:
    # λ1 = ½, λ2 = 97½ as above; ‖W*‖² = 2, D = 4; R = 16, T = 788: √(½·4·16/2) = 4, √(98½·4·788/2) = 394.
    found = bounds.mcdbf_mistakes(788, 4, 2, 0.5, loss=16, norm=sqrt(2))
    assert found == pytest.approx(16 + 4 + 3 * 394 + 394, rel=1e-12)


def test_corollary_8_by_hand() -> None:
    # K = 4, m = 2, D = 2: c₂ = 9·8·16·12·2/(8·16) = 216, and 216/(216·16) to the power ¼ is ½.
    assert bounds.mcdbf_gamma(216 * 16, 4, 2) == pytest.approx(0.5, rel=1e-12)
    # Twice ‖W*‖ is four times D; and γ is no more than 1.
    assert bounds.mcdbf_gamma(216 * 64, 4, 2, norm=2) == pytest.approx(0.5, rel=1e-12)
    assert bounds.mcdbf_gamma(10, 4, 2) == 1


@pytest.mark.parametrize(("K", "m"), [(9, 2), (9, 4), (20, 3)])
def test_theorem_6_is_smallest_at_its_gamma(K: int, m: int) -> None:
    T = 10**9
    best = bounds.mcdbf_gamma(T, K, m)
    at_best, less, more = (
        bounds.mcdbf_mistakes(T, K, m, gamma, loss=0, norm=1) for gamma in (best, best / 1.1, best * 1.1)
    )
    assert at_best < less
    assert at_best < more


def test_sizes_that_no_float_could_hold() -> None:
    assert 0 < bounds.mcdbf_gamma(10**6, 1000, 300) <= 1


def test_rows_on_which_theorem_6_is_false() -> None:
    """A W* of loss 0 exists, and every update has it for its mean; still a share of the sets misses, for ever."""
    X, y = COUNTEREXAMPLE
    W = np.array([(4, -4), (-2, 14), (-2, -10)]) / 3
    for x, label in zip(X, y, strict=True):
        s = W @ x
        assert 1 - s[label] + np.sort(s)[-2:].mean() <= 1e-12
    stream = onebit.streams.from_arrays(X, y)
    plain, gated = (
        onebit.simulate(onebit.MCSLP(3, m=2, gated=gate), stream, onebit.Full(), 40_000, seeds=1, progress=False)
        for gate in (False, True)
    )
    assert plain.error == pytest.approx(0.14, abs=0.005)
    assert gated.error < 0.001
    gamma = 0.05
    bandit = onebit.simulate(onebit.MCDBF(3, m=2, gamma=gamma), stream, rounds=10**6, seeds=1, progress=False)
    left_the_best = 2 * (1 + 1 / 2) * (3 - 2) / 3 * gamma  # m H_m (K-m)/K γ, the most that exploring can miss
    assert bandit.error > left_the_best + 0.08


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.mcdbf_update_constants(1, 1, 0.1), "classes=1: must be a whole number, 2 or larger"),
        (lambda: bounds.mcdbf_update_constants(4, 4, 0.1), "m=4: must be smaller than the number of classes, 4"),
        (lambda: bounds.mcdbf_update_constants(4, 0, 0.1), "m=0: must be a whole number of labels"),
        (lambda: bounds.mcdbf_mistakes(10, 4, 2, 0, loss=0, norm=1), "gamma=0: must be a number above 0, up to 1"),
        (lambda: bounds.mcdbf_mistakes(10, 4, 2, 0.1, loss=-1, norm=1), "loss=-1: must be a number, 0 or larger"),
        (lambda: bounds.mcdbf_gamma(10, 4, 2, norm=0), "norm=0: must be a number above 0"),
        (lambda: bounds.mcdbf_gamma(0.5, 4, 2), "rounds=0.5: must be a whole number"),
    ],
)
def test_what_cannot_be(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=re.escape(message)):
        call()
