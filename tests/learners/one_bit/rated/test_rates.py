"""The grid of flip rates: its pairs and priors, and shares that are the posterior of small cases reckoned by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.core.errors import ConfigError, FormatError
from onebit.feedback import NoiseRates
from onebit.learners.one_bit.rated.rates import (
    RATES,
    Rates,
    check_rates,
    expected_rates,
    expected_steepness,
    hear,
    heard_by,
    new_rates,
)
from onebit.ops.bit_likelihood import Answer

GRID = np.array(RATES)
FIRST = np.array([0.9, 0.1 / 3, 0.1 / 3, 0.1 / 3])
SLEEPS_FROM = 500


def heard(inside: Any, bits: Any, n: int = 1, rates: Rates | None = None) -> Any:
    """The shares after these bits, the first of them the n-th; `inside` is what each expert believed of each play."""
    rates = new_rates(None, 1.0, 1) if rates is None else rates
    for i, bit in enumerate(bits):
        hear(rates, n + i, np.asarray(inside[i], np.float64), bit)
    return rates.share


def test_the_grid() -> None:
    grid = new_rates(None, 100.0, 3)
    assert grid.rho_0.tolist() == grid.rho_1.tolist() == list(RATES)
    assert (np.diff(RATES) > 0).all()
    assert RATES[-1] < 0.5, "a bit says something to every expert"
    np.testing.assert_allclose(grid.share, FIRST, rtol=1e-15)
    kappa = 1 - 2 * GRID[1:]
    np.testing.assert_allclose(grid.variance, [100, *(100 * kappa**3)], rtol=1e-15)
    np.testing.assert_allclose(grid.steepness, [1, *(kappa**2 / 2)], rtol=1e-15)


def test_where_doubt_costs_more() -> None:
    """On dense rows the prior of experts that do not trust the bits is much tighter."""
    tight = new_rates(None, 100.0, 0.5, 0.3)
    np.testing.assert_allclose(tight.variance, [100, *(30 * np.sqrt(1 - 2 * GRID[1:]))], rtol=1e-15)


def test_known_rates_are_one_expert() -> None:
    one = new_rates(NoiseRates(0.1, 0.3), 100.0, 3)
    assert [array.shape for array in one] == [(1,)] * len(one)
    assert (one.rho_0[0], one.rho_1[0], one.share[0]) == (0.1, 0.3, 1)
    assert one.variance[0] == pytest.approx(100 * 0.6**3)
    assert one.steepness[0] == pytest.approx(0.6**2 / 2)
    assert expected_rates(one) == (0.1, 0.3)


@pytest.mark.parametrize(("rho_1", "trusted"), [(0.0, True), (0.04, True), (0.06, False)])
def test_bits_that_hardly_lie_are_trusted(rho_1: float, trusted: bool) -> None:
    one = new_rates(NoiseRates(0.0, rho_1), 7.0, 3)
    assert (one.variance[0] == 7, one.steepness[0] == 1) == (trusted, trusted)


def test_shares_are_the_posterior_of_the_bits() -> None:
    """π_e = ρ_e + (1-2ρ_e) of what e believed; first shares times the likelihoods, in any order."""
    draw = np.random.default_rng(0)
    inside, bits = draw.random((30, 4)), draw.integers(2, size=30).tolist()
    yes = GRID + (1 - 2 * GRID) * inside
    likely = FIRST * np.where(np.array(bits)[:, None] == 1, yes, 1 - yes).prod(axis=0)
    np.testing.assert_allclose(heard(inside, bits), likely / likely.sum(), rtol=1e-12)
    np.testing.assert_allclose(heard(inside[::-1], bits[::-1]), likely / likely.sum(), rtol=1e-12)


def test_unlike_rates_of_yes_and_no() -> None:
    pair = Rates(np.array([0.1, 0.3]), np.array([0.4, 0.2]), np.ones(2), np.ones(2), np.array([0.5, 0.5]))
    sure, unsure = [1.0, 1.0], [0.0, 0.0]
    assert heard([sure], [0], rates=pair) == pytest.approx([4 / 6, 2 / 6])
    assert heard([unsure], [1], rates=pair) == pytest.approx([4 / 10, 6 / 10])
    assert expected_rates(pair) == pytest.approx((0.04 + 0.18, 0.16 + 0.12))


def test_steepness_is_that_of_those_who_are_believed() -> None:
    rates = new_rates(None, 1.0, 1)
    assert expected_steepness(rates) == pytest.approx(FIRST @ rates.steepness)
    rates.share[:] = 0, 0, 0.25, 0.75
    assert expected_steepness(rates) == pytest.approx(0.25 * 0.125 + 0.75 * 0.02)
    assert expected_rates(rates) == pytest.approx((0.3625, 0.3625))


@pytest.mark.parametrize("e", range(len(RATES)))
def test_the_true_rate_wins(e: int) -> None:
    """Of plays that are right for sure so many bits say no as the rate has it."""
    draw = np.random.default_rng(e)
    bits = (draw.random(600) >= RATES[e]).astype(int).tolist()
    assert heard(np.ones((600, 4)), bits)[e] > 0.9


def test_from_some_bit_on_the_least_believed_sleep() -> None:
    """They are not heard again, and those awake share all."""
    rates = new_rates(None, 1.0, 1)
    sure = np.ones((1, 4))
    rates.share[:] = 0.6, 0.4, 1e-19, 1e-40
    assert (heard(sure, [1], SLEEPS_FROM - 1, rates) > 0).all()
    share = heard(sure, [1], SLEEPS_FROM, rates)
    assert (share > 0).tolist() == [True, True, False, False]
    assert share.sum() == pytest.approx(1, abs=1e-15)
    before = share.copy()
    share = heard(np.array([[1.0, 1.0, np.nan, np.nan]]), [0], 2 * SLEEPS_FROM, rates)
    assert (share[2:] == 0).all()
    np.testing.assert_allclose(share[:2], before[:2] * GRID[:2] / (before[:2] @ GRID[:2]), rtol=1e-12)


@pytest.mark.parametrize(("inside", "bit"), [(1.0, 0), (0.0, 1)])
def test_a_bit_that_cannot_be(inside: float, bit: int) -> None:
    honest = new_rates(NoiseRates(0.0, 0.0), 1.0, 1)
    assert heard([[inside]], [bit], rates=honest) == [1.0]


def test_how_an_expert_reads_an_answer() -> None:
    rates, played = new_rates(None, 1.0, 1), np.array([2])
    bit, label = Answer(played, 0, 0.2, 0.3, 0.0), Answer(played, 1, 0.0, 0.0, 0.0)
    for e, rho in enumerate(RATES):
        assert heard_by(rates, e, bit, False)[1:] == (0, rho, rho, 0)
        assert heard_by(rates, e, label, True)[1:] == (1, 0, 0, 0), "a label that is told does not lie"


def test_rates_that_a_file_may_not_hold() -> None:
    deaf, asleep = new_rates(None, 1.0, 1), new_rates(None, 1.0, 1)
    check_rates(deaf)
    deaf.rho_0[3] = 0.6
    with pytest.raises(ConfigError, match="must be below 1"):
        check_rates(deaf)
    asleep.share[:] = 0
    with pytest.raises(FormatError, match="no expert that is awake"):
        check_rates(asleep)
