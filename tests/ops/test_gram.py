"""Kernels compiled over a dictionary of vectors equal those in NumPy, block by block and summed by class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.ops.dictionary import Dictionary, copy_row, new_dictionary, put_vector, weighted_sums
from onebit.ops.gram import BLOCK, block_values
from onebit.ops.jit import entry_point
from onebit.ops.rows import DenseRow
from tests.test_kernels import ALL, ball


@entry_point
def fill(dictionary: Any, X: Any, owner: Any, weights: Any, x: Any) -> None:
    for i in range(len(X)):
        copy_row(DenseRow(X, i, 1.0), x)
        put_vector(dictionary, owner[i], dictionary.counts[owner[i]], x, weights[i])


@entry_point
def measure(kernel: Any, dictionary: Any, x: Any, sums: Any, values: Any) -> None:
    weighted_sums(kernel, dictionary, x, sums)
    for b in range(dictionary.counts[-1]):
        block_values(kernel, dictionary.blocks, b, x, values, b * BLOCK)


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
    sums, values = np.zeros(K), np.zeros(8 * BLOCK)
    for kernel in ALL:
        measure(kernel.values(), dictionary, x, sums, values)
        k = kernel(X, probe[None])[:, 0]
        expected = [weights[owner == c] @ k[owner == c] for c in range(K)]
        np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-12)
        held = np.concatenate(
            [np.arange(BLOCK) < dictionary.counts[c] - BLOCK * n for c, n in block_numbers(dictionary)]
        )
        np.testing.assert_allclose(np.sort(values[: len(held)][held]), np.sort(k), rtol=1e-13, atol=1e-15)


def block_numbers(dictionary: Any) -> list[tuple[int, int]]:
    """The class of each block in use, and which of its blocks it is."""
    owners = dictionary.owner[: dictionary.counts[-1]].tolist()
    return [(c, owners[:b].count(c)) for b, c in enumerate(owners)]
