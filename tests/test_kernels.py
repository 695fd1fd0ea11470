"""The named kernels: in NumPy, from text, and what is wrong about some."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

import onebit
from onebit import ConfigError, kernels
from onebit.kernels import as_kernel

ALL = [
    kernels.Linear(),
    kernels.Polynomial(4, 0.5, 0.2),
    kernels.Rational(0.7),
    kernels.RBF(1.7),
    kernels.Matern(1.5, 0.4),
    kernels.Matern(2.5, 2.0),
]


def ball(n: int, d: int, seed: int = 0) -> Any:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True) * draw.random((n, 1)) ** (1 / d)


def test_they_are_those_of_scikit_learn() -> None:
    X, Z = ball(20, 4), ball(15, 4, seed=1)
    np.testing.assert_allclose(kernels.Linear()(X, Z), linear_kernel(X, Z))
    np.testing.assert_allclose(kernels.RBF(0.3)(X, Z), rbf_kernel(X, Z, gamma=0.3))
    np.testing.assert_allclose(
        kernels.Polynomial(3, 0.5, 2)(X, Z), polynomial_kernel(X, Z, degree=3, gamma=0.5, coef0=2)
    )
    for nu in (1.5, 2.5):
        np.testing.assert_allclose(kernels.Matern(nu, 0.7)(X, Z), Matern(0.7, nu=nu)(X, Z))


@pytest.mark.parametrize("kernel", ALL, ids=str)
def test_a_kernel_reads_its_own_text(kernel: kernels.Kernel) -> None:
    assert as_kernel("kernel", str(kernel)) == kernel


@pytest.mark.parametrize("kernel", [k for k in ALL if k.coefficients(1) is not None], ids=str)
def test_power_series(kernel: kernels.Kernel) -> None:
    z = np.linspace(-1, 1, 101)
    a = kernel.coefficients(40)
    assert a is not None
    series = sum(a_n * z**n for n, a_n in enumerate(a))
    np.testing.assert_allclose(series, kernel(z[:, None], [[1.0]])[:, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("ratonal", "no such kernel; did you mean rational\\?"),
        ("rbf:wide", "'wide' is not a number"),
        ("rbf:1:2", "write rbf:GAMMA"),
        ("rbf:0", "RBF.gamma=0: must be a number above 0"),
        ("rbf:nan", "RBF.gamma=nan: must be a number above 0"),
        ("rational:1", "Rational.c=1: must be a number between 0 and 1, both excluded"),
        ("matern:2", "Matern.nu=2.0: must be 1.5 or 2.5"),
        ("matern:1.5:-1", "Matern.length_scale=-1: must be a number above 0"),
        ("polynomial:2.5", "Polynomial.degree=2.5: must be a whole number from 1 to 100"),
        ("polynomial:0", "Polynomial.degree=0"),
        ("polynomial:2:1:-1", "Polynomial.coef0=-1: must be a number, 0 or larger"),
        (3, "kernel=3: must be a kernel"),
        (kernels.RBF, "must be a kernel"),
    ],
)
def test_wrong_kernels(given: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.KernelBandit(3, kernel=given)
