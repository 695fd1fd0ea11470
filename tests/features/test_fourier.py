"""RandomFourier: no bias, by many draws; and less variance where that is promised."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.gaussian_process.kernels import RBF, Matern
from sklearn.utils.estimator_checks import check_estimator

from onebit import ConfigError
from onebit.features import RandomFourier

X = np.array([[0.0, 0.0, 0.0], [0.3, -0.2, 0.1], [1.0, 0.5, -0.5], [-1.0, 2.0, 0.0]])
KERNELS = {
    "rbf": ({"gamma": 0.4}, RBF(length_scale=0.8**-0.5)),
    "matern-3/2": ({"length_scale": 1.5}, Matern(length_scale=1.5, nu=1.5)),
    "matern-5/2": ({"length_scale": 0.7}, Matern(length_scale=0.7, nu=2.5)),
}


def draws(count: int, **options: Any) -> Any:
    """The estimated kernel matrices of many maps."""
    maps = (RandomFourier(random_state=seed, **options).fit_transform(X) for seed in range(count))
    return np.array([phi @ phi.T for phi in maps])


@pytest.mark.parametrize("orthogonal", [True, False])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_mean_over_draws_is_the_kernel(kernel: str, orthogonal: bool) -> None:
    options, exact = KERNELS[kernel]
    estimates = draws(300, n_components=14, kernel=kernel, orthogonal=orthogonal, **options)
    error = np.abs(estimates.mean(axis=0) - exact(X))
    standard = estimates.std(axis=0) / np.sqrt(300)
    assert np.abs(np.diagonal(estimates, axis1=1, axis2=2) - 1).max() < 1e-14
    assert standard.max() < 0.02
    assert (error <= 4 * standard + 1e-14).all()


def test_independent_frequencies_keep_the_stated_deviation() -> None:
    deviation = draws(300, n_components=40, gamma=0.4, orthogonal=False).std(axis=0)
    stated = (1 - KERNELS["rbf"][1](X) ** 2) / np.sqrt(40)
    np.testing.assert_allclose(deviation, stated, rtol=0.15, atol=1e-14)


def test_frequencies_at_right_angles_lower_the_variance() -> None:
    apart, square = (draws(200, n_components=12, gamma=0.3, orthogonal=o).var(axis=0) for o in (False, True))
    off = ~np.eye(len(X), dtype=bool)
    assert (square[off] < apart[off]).all()
    assert square[off].sum() < 0.75 * apart[off].sum()


def test_groups_of_frequencies_stand_at_right_angles() -> None:
    waves = RandomFourier(20).fit(X).frequencies_
    assert waves.shape == (3, 10)
    for first in (0, 3, 6):
        group = waves[:, first : first + 3] / np.linalg.norm(waves[:, first : first + 3], axis=0)
        np.testing.assert_allclose(group.T @ group, np.eye(3), atol=1e-12)


def test_it_depends_on_the_seed_alone() -> None:
    phi = RandomFourier(6).fit_transform(X)
    assert np.array_equal(phi, RandomFourier(6).fit(X[:1] + 7).transform(X))
    assert not np.array_equal(phi, RandomFourier(6, random_state=1).fit_transform(X))


def test_sparse_rows_and_floats_of_32_bits() -> None:
    waves = RandomFourier(6).fit(X)
    np.testing.assert_allclose(waves.transform(sp.csr_array(X)), waves.transform(X), atol=1e-15)
    assert waves.transform(X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 7}, "n_components=7: must be even"),
        ({"n_components": 0}, "n_components=0: must be a whole number, 2 or larger"),
        ({"kernel": "linear"}, "kernel='linear': must be 'rbf' or 'matern-3/2' or 'matern-5/2'"),
        ({"gamma": 0}, "gamma=0: must be a number above 0"),
        ({"length_scale": float("nan")}, "length_scale=nan: must be a number above 0"),
    ],
)
def test_bad_parameters_raise_in_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RandomFourier(**options).fit(X)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_it_is_an_estimator_to_scikit_learn_but_where_that_asks_for_one_component() -> None:
    if "on_fail" not in signature(check_estimator).parameters:
        pytest.skip("scikit-learn before 1.6 stops at the first check that fails")
    failed = [record for record in check_estimator(RandomFourier(8), on_fail=None) if record["status"] == "failed"]
    assert {"n_components=1: must be" in str(record["exception"]) for record in failed} == {True}
    assert len(failed) < 10
