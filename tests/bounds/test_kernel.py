"""Bounds: the figures of the paper's experiment, the exact small cases, growth, bad input."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import log2
from typing import Any

import pytest

import onebit
from onebit import bounds
from onebit.bounds.kernel import _chebyshev_degree

EXPERIMENT = [
    (bounds.log2_gamma_1(9, 0.005), -597.65),
    (bounds.log2_gamma_2(9, 0.005), -7833.08),
    (bounds.log2_gamma_group(9, 3, 0.005, form="printed"), -472.60),
    (bounds.log2_gamma_group(9, 3, 0.005, form="corrected"), -472.39),
    (bounds.log2_mistakes_weak(9, 0.005), 1201.29),
    (bounds.log2_mistakes_group(9, 3, 0.005, form="printed"), 951.19),
    (bounds.log2_mistakes_group(9, 3, 0.005), 950.78),
]


@pytest.mark.parametrize(("value", "expected"), EXPERIMENT)
def test_the_experiment_of_the_paper(value: float, expected: float) -> None:
    assert value == pytest.approx(expected, abs=0.01)


def test_against_the_formulas_in_exact_arithmetic() -> None:
    r, s = 3, 4  # K = 4: ⌈log₂ 6⌉; γ = 1/8
    assert bounds.log2_gamma_1(4, 1 / 8) == pytest.approx(-log2((376 * r * s) ** (r * s // 2) * 4))
    r, s = 3, 4  # 2⌈¼ log₂ 13⌉ + 1; ⌈log₂ 16⌉
    power = (2 ** (s + 1) * r * 3 * (4 * s + 2)) ** ((2 * s + 1) * r * 3)  # the exponent (s + ½) r (K - 1), doubled
    assert bounds.log2_gamma_2(4, 1 / 8) == pytest.approx(-log2(power) / 2 - log2(4 * 2 * 11 * 8))
    r, s = 3, 4  # ⌈log₂(2·3 + 2)⌉
    bracket = (840 * r * s) ** (r * s // 2)
    assert bounds.log2_gamma_group(4, 3, 1 / 8) == pytest.approx(1 - log2(bracket * 9 * 2))
    assert bounds.log2_gamma_group(4, 3, 1 / 8, form="printed") == pytest.approx(-log2(bracket * 9) - log2(3) / 2)


def test_mistakes_on_strongly_separable_rows() -> None:
    for K, margin, radius in ((2, 0.3, 1.0), (9, 0.01, 0.7), (5, 2.0, 1.0), (3, 0.1, 1.5)):
        exact = (K - 1) * int(4 * (Fraction(str(radius)) / Fraction(str(margin))) ** 2)
        assert 2 ** bounds.log2_mistakes(K, log2(margin), radius) == pytest.approx(exact, rel=1e-12)


def test_the_degree_is_kept_from_rounding() -> None:
    for s in range(2, 3000):
        assert _chebyshev_degree(2 / s**2) == s
    assert _chebyshev_degree(0.00499) == 21
    steps = [bounds.log2_gamma_1(9, gamma) for gamma in (0.00499, 0.005, 0.0055, 2 / 19**2, 0.0056)]
    assert steps[0] < steps[1] == steps[2] < steps[3] == steps[4]


def test_wider_margins_and_fewer_classes_or_groups_make_fewer_mistakes() -> None:
    for bound in (lambda K, gamma: bounds.log2_mistakes_group(K, 2, gamma), bounds.log2_mistakes_weak):
        by_margin = [bound(9, gamma) for gamma in (1e-12, 1e-6, 1e-3, 0.01, 0.1, 0.9)]
        assert all(wide < narrow for narrow, wide in pairwise(by_margin))
        by_classes = [bound(K, 0.005) for K in (2, 3, 5, 9, 100, 10_000)]
        assert all(few < many for few, many in pairwise(by_classes))
    by_groups = [bounds.log2_mistakes_group(100, L, 0.005) for L in (1, 2, 4, 8, 100)]
    assert all(few < many for few, many in pairwise(by_groups))


def test_margins_that_no_float_could_hold() -> None:
    assert bounds.log2_gamma_group(10**6, 1000, 1e-9) < -1e6
    assert bounds.log2_mistakes(2, -1e300) == pytest.approx(2e300)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.log2_gamma_1(1, 0.1), "classes=1: must be a whole number, 2 or larger"),
        (lambda: bounds.log2_gamma_2(2.5, 0.1), "classes=2.5: must be a whole number"),  # type: ignore[arg-type]  # the mistake under test
        (lambda: bounds.log2_gamma_1(9, 0), "margin=0: must be a number between 0 and 1"),
        (lambda: bounds.log2_mistakes_weak(9, 1), "margin=1: must be a number between 0 and 1"),
        (lambda: bounds.log2_gamma_2(9, float("nan")), "margin=nan: must be a number"),
        (lambda: bounds.log2_gamma_group(9, 0, 0.1), "groups=0: must be a whole number, 1 or larger"),
        (lambda: bounds.log2_mistakes_group(9, 10, 0.1), "groups=10: every group has a class; give 9 or fewer"),
        (lambda: bounds.log2_gamma_group(9, 3, 0.1, form="meant"), "form='meant': must be 'corrected' or 'printed'"),  # type: ignore[arg-type]  # the mistake under test
        (lambda: bounds.log2_mistakes(9, -5, radius=0), "radius=0: must be a number above 0"),
        (lambda: bounds.log2_mistakes(9, float("-inf")), "log2_margin=-inf: must be a finite number"),
        (lambda: bounds.log2_mistakes(9, 2.0), "log2_margin=2.0: rows of norm 1.0 have no margin above 2.0"),
    ],
)
def test_what_cannot_be(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=re.escape(message)):
        call()
