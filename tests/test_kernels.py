"""The named kernels: in NumPy, compiled, from text, and what is wrong about some."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

import onebit
from onebit import ConfigError, kernels
from onebit.kernels import as_kernel
from onebit.ops.dictionary import Dictionary, copy_row, new_dictionary, put_vector, weighted_sums
from onebit.ops.gram import block_values
from onebit.ops.jit import entry_point as compiled
from onebit.ops.rows import DenseRow

ALL = [
    kernels.Linear(),
    kernels.Polynomial(4, 0.5, 0.2),
    kernels.Rational(0.7),
    kernels.RBF(1.7),
    kernels.Matern(1.5, 0.4),
    kernels.Matern(2.5, 2.0),
]


@compiled
def fill(dictionary: Any, X: Any, owner: Any, weights: Any, x: Any) -> None:
    for i in range(len(X)):
        copy_row(DenseRow(X, i, 1.0), x)
        put_vector(dictionary, owner[i], dictionary.counts[owner[i]], x, weights[i])


@compiled
def measure(kernel: Any, dictionary: Any, x: Any, sums: Any, values: Any) -> None:
    weighted_sums(kernel, dictionary, x, sums)
    for b in range(dictionary.counts[-1]):
        block_values(kernel, dictionary.blocks, b, x, values, b * 64)


def ball(n: int, d: int, seed: int = 0) -> Any:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True) * draw.random((n, 1)) ** (1 / d)


@pytest.mark.parametrize("d", [1, 2, 7])
def test_compiled_kernels_equal_numpy(d: int) -> None:
    K, X = 3, ball(200, d)
    draw = np.random.default_rng(1)
    owner, weights = draw.integers(K, size=200), draw.normal(size=200)
    dictionary = Dictionary(*new_dictionary(8, d, K, "float64", 0))
    x = np.zeros(d + 1)
    fill(dictionary, X, owner, weights, x)
    probe = ball(1, d, seed=2)[0]
    x[:d], x[d] = probe, probe @ probe
    sums, values = np.zeros(K), np.zeros(8 * 64)
    for kernel in ALL:
        measure(kernel.values(), dictionary, x, sums, values)
        k = kernel(X, probe[None])[:, 0]
        expected = [weights[owner == c] @ k[owner == c] for c in range(K)]
        np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-12)
        held = np.concatenate([np.arange(64) < dictionary.counts[c] - 64 * n for c, n in block_numbers(dictionary)])
        np.testing.assert_allclose(np.sort(values[: len(held)][held]), np.sort(k), rtol=1e-13, atol=1e-15)


def block_numbers(dictionary: Any) -> list[tuple[int, int]]:
    """The class of each block in use, and which of its blocks it is."""
    owners = dictionary.owner[: dictionary.counts[-1]].tolist()
    return [(c, owners[:b].count(c)) for b, c in enumerate(owners)]


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
