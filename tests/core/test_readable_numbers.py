"""Numbers as people read them, and intervals."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from scipy import stats

from onebit.core.readable_numbers import student_interval
from onebit.papers.molg.claims import difference
from onebit.sweep.outcomes import Outcomes
from onebit.sweep.results import paired_difference


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("n", [2, 3, 30])
def test_the_interval_is_that_of_a_t_test(n: int, level: float) -> None:
    values = np.random.default_rng(n).normal(1.0, 2.0, n)
    found = student_interval(values, level)
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(level)
    assert found.mean == values.mean()
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)


def test_one_number_has_no_interval() -> None:
    assert student_interval([0.5]) == (0.5, -inf, inf)


@pytest.mark.parametrize("n", [1, 2, 3, 30])
def test_a_sweep_and_a_paper_that_compare_the_same_errors_agree(n: int) -> None:
    rounds = 1000
    a, b = (
        Outcomes(tuple(range(n)), np.array([rounds]), counts, counts, counts, np.ones(n), np.zeros((n, 2)))
        for counts in np.random.default_rng(n).integers(rounds, size=(2, n, 1))
    )
    assert paired_difference(a, b)[:3] == difference(a.errors, b.errors)
