"""Lemma 3, Theorem 1 and the corollaries of the RCNBF paper: by hand, by enumeration, bad input."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import log, sqrt
from typing import Any

import pytest

import onebit
from onebit import bounds
from tests.naive.common import corrected


def step_moment(K: int, gamma: float, rho: tuple[float, float], y: int) -> float:
    """E‖H‖² for a row of norm 1 and ŷ = 0, over all draws and lies."""
    total = 0.0
    for played in range(K):
        p = (1 - gamma) * (played == 0) + gamma / K
        for bit in (0, 1):
            yes = 1 - rho[1] if played == y else rho[0]
            step = [corrected(bit, rho) / p * (r == played) - (r == 0) for r in range(K)]
            total += p * (yes if bit else 1 - yes) * sum(u * u for u in step)
    return total


@pytest.mark.parametrize("K", [2, 3, 7])
@pytest.mark.parametrize("gamma", [0.01, 0.3, 0.5])
@pytest.mark.parametrize("rho", [(0.0, 0.0), (0.2, 0.4), (0.4, 0.2), (0.1, 0.0)])
def test_the_constants_are_the_moments_of_a_step(K: int, gamma: float, rho: tuple[float, float]) -> None:
    wrong, right = step_moment(K, gamma, rho, y=1), step_moment(K, gamma, rho, y=0)
    exact = bounds.rcnbf_constants(K, gamma, *rho)
    assert exact.wrong == pytest.approx(wrong, rel=1e-12)
    assert exact.right == pytest.approx(right, rel=1e-9)
    printed = bounds.rcnbf_constants(K, gamma, *rho, form="printed")
    assert printed.wrong >= wrong
    assert printed.right >= right


def test_lemma_3_by_hand() -> None:
    # K = 2, γ = ½, ρ = (¼, ¼): β = ½, β² = ¼, ρ(1-ρ) = 3/16, so v = ¾; p = ¾.
    printed = bounds.rcnbf_constants(2, 0.5, 0.25, 0.25, form="printed")
    # 2·2/½ + 2·(3/16)·2/(½·½) + 2·¼/(¼·½) + (3/16)·4/(¼·¼) = 8 + 3 + 4 + 12;  1 + ¼/(¼·½) + (3/16)·4/(¼·½) = 1 + 2 + 6
    assert printed == pytest.approx((27, 9), rel=1e-12)
    # (7/4)·4 + ¾(0 + 4/3) + 1;  (7/4)(4/3) + ¾·2/½ - 1
    assert bounds.rcnbf_constants(2, 0.5, 0.25, 0.25) == pytest.approx((9, 7 / 3 + 2), rel=1e-12)


def test_theorem_1_by_hand() -> None:
    # As above, A1 = 27, A2 = 9; ‖W*‖ = 2, so D = 4; R = 12, T = 10⁴: √(27·4·12) = 36, √(9·4·10⁴) = 600 > 27·4.
    found = bounds.rcnbf_mistakes(10**4, 2, 0.5, 0.25, 0.25, loss=12, norm=2, form="printed")
    assert found == pytest.approx(12 + 36 + 1800 + 5000, rel=1e-12)
    # T = 100: √(9·4·100) = 60 < 108.
    found = bounds.rcnbf_mistakes(100, 2, 0.5, 0.25, 0.25, loss=12, norm=2, form="printed")
    assert found == pytest.approx(12 + 36 + 324 + 50, rel=1e-12)


def test_the_gammas_by_hand() -> None:
    assert bounds.rcnbf_gamma(10**4, corollary=1) == pytest.approx(0.01)
    # β = ½: √(9/10⁴)/½;  10^-2/½
    assert bounds.rcnbf_gamma(10**4, 0.25, 0.25, corollary=2, norm=3) == pytest.approx(0.06)
    assert bounds.rcnbf_gamma(10**6, 0.25, 0.25) == pytest.approx(0.02)
    assert bounds.rcnbf_gamma(8, 0.4, 0.4) == 0.5


def growth(share: float, form: Any) -> float:
    """The exponent of T in the mistakes beyond the loss, with the γ of Corollary 3 and flip rates of .25."""
    more = []
    for T in (10**15, 10**18):
        gamma = bounds.rcnbf_gamma(T, 0.25, 0.25)
        bound = bounds.rcnbf_mistakes(T, 3, gamma, 0.25, 0.25, loss=share * T, norm=1, form=form)
        more.append(bound - share * T)
    return log(more[1] / more[0]) / log(1000)


def test_corollary_3_holds_for_any_loss_with_the_exact_constants_only() -> None:
    assert growth(0.0, "printed") == pytest.approx(2 / 3, abs=0.01)
    assert growth(0.0, "exact") == pytest.approx(2 / 3, abs=0.01)
    assert growth(0.1, "exact") == pytest.approx(2 / 3, abs=0.01)
    assert growth(0.1, "printed") == pytest.approx(5 / 6, abs=0.01)


def test_corollaries_1_and_2_have_the_order_that_they_claim() -> None:
    for T in (10**6, 10**10):
        gamma = bounds.rcnbf_gamma(T, corollary=1)
        assert bounds.rcnbf_mistakes(T, 3, gamma, loss=0, norm=1) < 20 * sqrt(T)
        rho = 1 / sqrt(T)
        gamma = bounds.rcnbf_gamma(T, rho, rho, corollary=2)
        for form in ("exact", "printed"):
            assert bounds.rcnbf_mistakes(T, 3, gamma, rho, rho, loss=0, norm=1, form=form) < 60 * sqrt(T)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.rcnbf_constants(1, 0.1), "classes=1: must be a whole number, 2 or larger"),
        (lambda: bounds.rcnbf_constants(9, 0.6), "gamma=0.6: must be a number above 0, up to 0.5"),
        (lambda: bounds.rcnbf_constants(9, 0.1, 0.5, 0.5), "rho_0=0.5, rho_1=0.5: their sum must be below 1"),
        (lambda: bounds.rcnbf_constants(9, 0.1, form="meant"), "form='meant': must be 'exact' or 'printed'"),  # type: ignore[arg-type]  # the mistake under test
        (lambda: bounds.rcnbf_mistakes(10, 9, 0.1, loss=-1, norm=1), "loss=-1: must be a number, 0 or larger"),
        (lambda: bounds.rcnbf_gamma(0), "rounds=0: must be a whole number, 1 or larger"),
        (lambda: bounds.rcnbf_gamma(10, corollary=4), "corollary=4: must be 1 or 2 or 3"),
        (lambda: bounds.rcnbf_gamma(10, 0.1, 0.1, corollary=1), "corollary=1: is about flip rates of 0"),
    ],
)
def test_what_cannot_be(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=re.escape(message)):
        call()
