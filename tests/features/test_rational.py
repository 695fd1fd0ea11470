"""RationalMap: its inner products are the rational kernel, to the error it states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.utils.estimator_checks import check_estimator

from onebit import ConfigError, DataError
from onebit.features import RationalMap
from onebit.features.rational import nonnegative_coefficients
from onebit.ops.monomials import rational_coefficients

STATED = {4: 4.4e-3, 8: 2.2e-5, 12: 1.2e-7, 14: 8.4e-9, 18: 1.4e-10, 22: 1.2e-12, 27: 1e-14}


def ball(rows: int, d: int, seed: int = 0) -> Any:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(rows, d))
    return X / np.linalg.norm(X, axis=1)[:, None] * draw.uniform(size=(rows, 1)) ** (1 / d)


@pytest.mark.parametrize("degree", STATED)
def test_inner_products_are_the_kernel_to_the_error_in_the_docstring(degree: int) -> None:
    turn = np.linspace(0, np.pi, 2001)
    X = np.column_stack([np.cos(turn), np.sin(turn)])  # with the first row: every z from 1 to -1
    rational = RationalMap(degree).fit(X)
    phi = rational.transform(X)
    error = np.abs(phi @ phi[0] - 1 / (1 - 0.5 * X @ X[0])).max()
    assert error <= 1.03 * STATED[degree] + 1e-15  # two digits are printed
    assert rational.error_ == pytest.approx(error, rel=0.01, abs=3e-15)


@pytest.mark.parametrize("c", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("degree", [1, 5, 18, 40, 64])
def test_coefficients_are_not_negative_and_better_than_taylors(c: float, degree: int) -> None:
    a, error = nonnegative_coefficients(c, degree)
    assert (a >= 0).all()
    assert error <= 0.62 * c ** (degree + 1) / (1 - c) + 3e-14  # the last term: rounding


def test_chebyshevs_would_not_do() -> None:
    assert (rational_coefficients(0.5, 12) > 0).all()
    assert (rational_coefficients(0.5, 14) < 0).any()
    assert (rational_coefficients(0.5, 18) < 0).any()


def test_three_features_and_floats_of_32_bits() -> None:
    X = ball(50, 3)
    phi = RationalMap(18).fit_transform(X)
    assert phi.shape == (50, 1330)
    assert np.abs(phi @ phi.T - 1 / (1 - 0.5 * X @ X.T)).max() < 1.5e-10
    short = RationalMap(18).fit_transform(X.astype(np.float32))
    assert short.dtype == np.float32
    np.testing.assert_allclose(short, phi, atol=1e-6)


def test_sparse_rows_and_rows_one_by_one_give_the_same() -> None:
    X = ball(9, 3)
    rational = RationalMap(4).fit(X)
    phi = rational.transform(X)
    assert np.array_equal(rational.transform(sp.csr_array(X)), phi)
    assert np.array_equal(np.vstack([rational.transform(x[None]) for x in X]), phi)


def test_rows_outside_the_unit_ball_are_named_or_scaled() -> None:
    X = ball(5, 2)
    far = X.copy()
    far[3] = [3.0, 4.0]
    for call in (RationalMap(2).fit, RationalMap(2).fit(X).transform):
        with pytest.raises(DataError, match=r"row 3: has norm 5, .*unit ball; divide all rows .* normalize=True"):
            call(far)
    far[0] = 0
    scaled = RationalMap(2, normalize=True).fit_transform(far)
    unit = far / np.maximum(np.linalg.norm(far, axis=1), 1e-300)[:, None]
    np.testing.assert_allclose(scaled, RationalMap(2).fit_transform(unit), rtol=1e-15)


def test_rows_of_norm_1_but_for_rounding_are_inside() -> None:
    X = np.random.default_rng(0).normal(size=(1000, 2)).astype(np.float32)
    X /= np.linalg.norm(X, axis=1)[:, None]
    assert np.linalg.norm(X.astype(float), axis=1).max() > 1
    assert RationalMap(2).fit_transform(X).shape == (1000, 6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"degree": 0}, "degree=0: must be a whole number, 1 or larger"),
        ({"degree": 2.5}, "degree=2.5: must be a whole number"),
        ({"c": 1.0}, "c=1.0: must be a number between 0 and 1, both excluded"),
        ({"c": "half"}, "c='half': must be a number"),
        ({"degree": 47}, r"degree=47: rows of 4 features would have 249,900 monomials.*RandomFourier or Nystroem"),
    ],
)
def test_bad_parameters_raise_in_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RationalMap(**options).fit(ball(3, 4))


def test_names_of_the_features() -> None:
    rational = RationalMap(2).fit(ball(3, 2))
    assert rational.get_feature_names_out().tolist() == ["1", "x0", "x1", "x0^2", "x0 x1", "x1^2"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_it_is_an_estimator_to_scikit_learn() -> None:
    check_estimator(RationalMap(2, normalize=True))
