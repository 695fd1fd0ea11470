"""How often bits lie: sums written out, rates recovered from simulated bits, and when to begin again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.learners.one_bit.lies import USUAL, explored_rate, hear, hear_explored, look, new_evidence, reckon


def test_what_is_heard_is_a_discounted_sum() -> None:
    draw, evidence = np.random.default_rng(0), new_evidence()
    inside, bits = draw.random(200), draw.integers(2, size=200)
    for n in range(200):
        hear(evidence, n + 1, inside[n], int(bits[n]))
    keep = 1 - 1 / (np.arange(1, 201) / 2 + 20)
    weight = np.array([keep[n + 1 :].prod() for n in range(200)])
    terms = np.stack([1 - inside, (1 - inside) * bits, inside, inside * (1 - bits), 0 * inside, 0 * inside])
    np.testing.assert_allclose(evidence, terms @ weight, rtol=1e-12)


def test_explored_plays_are_a_sum_in_full() -> None:
    draw, evidence = np.random.default_rng(0), new_evidence()
    believed, bits, rho_1 = draw.random(200), draw.integers(2, size=200), draw.random(200) / 2
    for b, f, r in zip(believed, bits, rho_1, strict=True):
        hear_explored(evidence, b, r, int(f))
    expected = [0, 0, 0, 0, (1 - believed).sum(), (bits - believed * (1 - rho_1)).sum()]
    np.testing.assert_allclose(evidence, expected, rtol=1e-12)


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.25, 0.1), (0.4, 0.4)])
def test_explored_plays_give_the_rate_of_false_yes_if_the_belief_is_right(rho_0: float, rho_1: float) -> None:
    draw, evidence = np.random.default_rng(1), new_evidence()
    for _ in range(20_000):
        believed = draw.random()
        yes = 1 - rho_1 if draw.random() < believed else rho_0
        hear_explored(evidence, believed, rho_1, int(draw.random() < yes))
    assert explored_rate(evidence) == pytest.approx(rho_0, abs=0.02)


@pytest.mark.parametrize(("F", "expected"), [(-5.0, 0.0), (0.0, 0.0), (10.0, 0.1), (44.0, 0.44), (90.0, 0.45)])
def test_the_rate_from_explored_plays_is_one_that_can_be(F: float, expected: float) -> None:
    assert explored_rate(np.array([0, 0, 0, 0, 98.0, F])) == pytest.approx(expected)
    assert explored_rate(new_evidence()) == 0


def reckoned(evidence: Any, lying: bool) -> Any:
    rho = np.full(2, 7.0)
    reckon(np.array(evidence, dtype=float), lying, rho)
    return rho


def test_rates_by_em_begin_at_the_usual_one_and_are_cut_below_a_half() -> None:
    assert reckoned(np.zeros(6), False) == pytest.approx([USUAL, USUAL])
    assert reckoned([100, 7, 300, 99, 50, 40], False) == pytest.approx([8 / 120, 100 / 320])
    assert reckoned([100, 99, 300, 299, 50, 40], False) == pytest.approx([0.49, 0.49])


def test_rates_of_known_liars_come_from_explored_plays_and_start_equal() -> None:
    assert reckoned([100, 99, 0, 0, 48, 10], True) == pytest.approx([0.2, 0.2])
    assert reckoned([100, 99, 80, 26, 48, 10], True) == pytest.approx([0.2, 30 / 100])
    assert reckoned([0, 0, 80, 79, 48, 47], True) == pytest.approx([0.45, 0.45])


@pytest.mark.parametrize("K", [2, 3, 10, 26])
def test_it_looks_eight_times(K: int) -> None:
    always = np.array([0, 0, 0, 0, 50.0, 20.0])
    assert [n for n in range(1, 1400 * K) if look(always, n, K, 0.05)] == [10 * K * 2**i for i in range(8)]
    by_em = [n for n in range(1, 1400 * K) if look(new_evidence(), n, K, 0.31)]
    assert by_em == [80 * K * 2**i for i in range(5)], "a large ρ1 counts later"


@pytest.mark.parametrize("N", [0.0, 1.0, 50.0, 1000.0])
def test_it_begins_again_only_when_lies_show(N: float) -> None:
    least = 0.1 * N + 0.8 * np.sqrt(N)
    assert not look(np.array([0, 0, 0, 0, N, least]), 100, 10, 0.3)
    assert look(np.array([0, 0, 0, 0, N, least + 1e-9]), 100, 10, 0.3)
    assert not look(np.array([0, 0, 0, 0, N, least]), 800, 10, 0.3)
    assert look(np.array([0, 0, 0, 0, N, least]), 800, 10, 0.3 + 1e-9)
