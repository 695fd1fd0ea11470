"""How often bits lie: sums written out, rates recovered from simulated bits, and when to begin again."""

from __future__ import annotations

import numpy as np
import pytest

from onebit.feedback import NoiseRates
from onebit.learners.one_bit.lies import (
    DEVIATIONS,
    FIRST_RATE,
    Lies,
    count_by_em,
    count_explored,
    expect_lies,
    explored_rate,
    lies_show,
    new_lies,
    update_rates,
)


def evidence(**counts: float) -> Lies:
    """Rates to be found, with this evidence."""
    lies = new_lies(None)
    for name, value in counts.items():
        getattr(lies, name)[0] = value
    return lies


def rates(lies: Lies) -> list[float]:
    return [lies.rho_0.item(), lies.rho_1.item()]


def test_em_counts_a_discounted_sum() -> None:
    draw, lies = np.random.default_rng(0), new_lies(None)
    inside, bits = draw.random(200), draw.integers(2, size=200)
    for n in range(200):
        count_by_em(lies, n + 1, inside[n], int(bits[n]))
    keep = 1 - 1 / (np.arange(1, 201) / 2 + 20)
    weight = np.array([keep[n + 1 :].prod() for n in range(200)])
    terms = np.stack([1 - inside, (1 - inside) * bits, inside, inside * (1 - bits)])
    counts = np.concatenate([lies.outside, lies.false_yes, lies.inside, lies.false_no])
    np.testing.assert_allclose(counts, terms @ weight, rtol=1e-12)
    assert not lies.explored_outside.any() | lies.explored_yes.any()


def test_explored_plays_are_a_sum_in_full() -> None:
    draw, lies = np.random.default_rng(0), new_lies(None)
    believed, bits, rho_1 = draw.random(200), draw.integers(2, size=200), draw.random(200) / 2
    for b, f, r in zip(believed, bits, rho_1, strict=True):
        lies.rho_1[0] = r
        count_explored(lies, b, int(f))
    assert lies.explored_outside[0] == pytest.approx((1 - believed).sum(), rel=1e-12)
    assert lies.explored_yes[0] == pytest.approx((bits - believed * (1 - rho_1)).sum(), rel=1e-12)
    assert not any(count.any() for count in (lies.outside, lies.false_yes, lies.inside, lies.false_no))


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.25, 0.1), (0.4, 0.4)])
def test_explored_plays_give_the_rate_of_false_yes_if_the_belief_is_right(rho_0: float, rho_1: float) -> None:
    draw, lies = np.random.default_rng(1), new_lies(NoiseRates(0.0, rho_1))
    for _ in range(20_000):
        believed = draw.random()
        yes = 1 - rho_1 if draw.random() < believed else rho_0
        count_explored(lies, believed, int(draw.random() < yes))
    assert explored_rate(lies.explored_outside[0], lies.explored_yes[0]) == pytest.approx(rho_0, abs=0.02)


@pytest.mark.parametrize(("F", "expected"), [(-5.0, 0.0), (0.0, 0.0), (10.0, 0.1), (44.0, 0.44), (90.0, 0.45)])
def test_the_rate_from_explored_plays_is_one_that_can_be(F: float, expected: float) -> None:
    assert explored_rate(98.0, F) == pytest.approx(expected)
    assert explored_rate(0.0, 0.0) == 0


@pytest.mark.parametrize(
    ("N0", "F0", "N1", "F1", "expected"),
    [
        (0, 0, 0, 0, [FIRST_RATE, FIRST_RATE]),
        (100, 7, 300, 99, [8 / 120, 100 / 320]),
        (100, 99, 300, 299, [0.49, 0.49]),
    ],
)
def test_rates_by_em_begin_at_the_first_one_and_are_cut_below_a_half(
    N0: float, F0: float, N1: float, F1: float, expected: list[float]
) -> None:
    lies = evidence(outside=N0, false_yes=F0, inside=N1, false_no=F1, explored_outside=50, explored_yes=40)
    update_rates(lies)
    assert rates(lies) == pytest.approx(expected)
    assert lies.trust == 1


@pytest.mark.parametrize(
    ("N1", "F1", "N", "F", "expected"),
    [
        (0, 0, 48, 10, [0.2, 0.2]),
        (80, 26, 48, 10, [0.2, 30 / 100]),
        (80, 79, 48, 47, [0.45, 0.45]),
    ],
)
def test_rates_of_known_liars_come_from_explored_plays_and_start_equal(
    N1: float, F1: float, N: float, F: float, expected: list[float]
) -> None:
    lies = evidence(
        outside=100, false_yes=99, inside=N1, false_no=F1, explored_outside=N, explored_yes=F, often=1, trust=7
    )
    update_rates(lies)
    assert rates(lies) == pytest.approx(expected)
    assert lies.trust[0] == pytest.approx((1 - sum(expected)) ** 2)


@pytest.mark.parametrize(("rho_1", "expected"), [(0.05, 0.2), (0.3, 0.3), (0.48, 0.45)])
def test_liars_are_taken_to_deny_as_often_as_they_confirm(rho_1: float, expected: float) -> None:
    lies = evidence(rho_1=rho_1, explored_outside=48, explored_yes=10)
    expect_lies(lies)
    assert lies.often == 1
    assert rates(lies) == pytest.approx([0.2, expected])
    assert lies.trust[0] == pytest.approx((0.8 - expected) ** 2)


@pytest.mark.parametrize("K", [2, 3, 10, 26])
def test_it_is_tested_eight_times(K: int) -> None:
    by_explored = evidence(explored_outside=50, explored_yes=20)
    assert [n for n in range(1, 1400 * K) if lies_show(by_explored, n, K, DEVIATIONS)] == [
        10 * K * 2**i for i in range(8)
    ]
    by_em = evidence(rho_1=0.31)
    found = [n for n in range(1, 1400 * K) if lies_show(by_em, n, K, DEVIATIONS)]
    assert found == [80 * K * 2**i for i in range(5)], "a large ρ1 counts later"


@pytest.mark.parametrize("N", [0.0, 1.0, 50.0, 1000.0])
def test_it_begins_again_only_when_lies_show(N: float) -> None:
    least = 0.1 * N + 0.8 * np.sqrt(N)
    for n, rho_1, yes, shown in (
        (100, 0.3, least, False),
        (100, 0.3, least + 1e-9, True),
        (800, 0.3, least, False),
        (800, 0.3 + 1e-9, least, True),
    ):
        assert lies_show(evidence(explored_outside=N, explored_yes=yes, rho_1=rho_1), n, 10, DEVIATIONS) == shown
