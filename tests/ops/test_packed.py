"""Packed symmetric matrices equal dense NumPy ones, of any size, and stay where they are when they grow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.ops.jit import entry_point
from onebit.ops.packed import packed_add_outer, packed_length, packed_product, strip_start
from tests.naive.packed import packed, strips, whole

SIZES = [
    1,
    2,
    7,
    8,
    9,
    15,
    16,
    17,
    31,
    40,
    63,
    64,
    65,
    100,
    *np.random.default_rng(0).integers(1, 200, size=6).tolist(),
]
EXACT = 1e-14
OUTSIDE = 7.25  # what lies behind a matrix or a vector, and has to stay


@entry_point
def multiply(A: Any, x: Any, n: int, out: Any) -> None:
    packed_product(A, x, n, out)


@entry_point
def add_outer(A: Any, v: Any, factor: float, n: int) -> None:
    packed_add_outer(A, v, factor, n)


def symmetric(n: int) -> Any:
    A = np.random.default_rng(n).normal(size=(n, n))
    return A + A.T


def vector(n: int, behind: float = 0.0) -> Any:
    """Of n numbers, with zeros up to the end of the strip, and one strip more behind them."""
    x = np.full(whole_strips(n) + 8, behind)
    x[: whole_strips(n)] = 0
    x[:n] = np.random.default_rng(n + 1000).normal(size=n)
    return x


def whole_strips(n: int) -> int:
    return -(-n // 8) * 8


def with_more_behind(A: Any, behind: float) -> Any:
    """Packed, with numbers behind it that are none of the matrix."""
    return np.append(packed(A), np.full(64, behind))


@pytest.mark.parametrize("n", SIZES)
def test_there_is_room_for_whole_strips(n: int) -> None:
    assert packed_length(n) == len(packed(symmetric(n)))
    assert [strip_start(q) for q in range(len(strips(n)))] == [start for start, *_ in strips(n)]


@pytest.mark.parametrize("n", SIZES)
def test_there_and_back(n: int) -> None:
    A = symmetric(n)
    np.testing.assert_array_equal(whole(packed(A), n), A)


@pytest.mark.parametrize("n", SIZES)
def test_product(n: int) -> None:
    A, x = symmetric(n), vector(n, np.nan)
    out = np.full(len(x), OUTSIDE)
    multiply(with_more_behind(A, np.nan), x, n, out)
    np.testing.assert_allclose(out[:n], A @ x[:n], rtol=0, atol=EXACT * n * np.abs(A).max() * np.abs(x[:n]).max())
    assert (out[n : whole_strips(n)] == 0).all()
    assert (out[whole_strips(n) :] == OUTSIDE).all()


def test_product_with_an_empty_matrix() -> None:
    out = np.full(8, OUTSIDE)
    multiply(np.zeros(0), np.zeros(8), 0, out)
    assert (out == OUTSIDE).all()


@pytest.mark.parametrize("factor", [0.3, 1.0, 50.0])
@pytest.mark.parametrize("n", SIZES)
def test_outer_product(n: int, factor: float) -> None:
    A, v = symmetric(n), vector(n)
    before = v[:n].copy()
    held = with_more_behind(A, OUTSIDE)
    add_outer(held, v, factor, n)
    expected = A + factor * np.outer(before, before)
    np.testing.assert_allclose(whole(held, n), expected, rtol=0, atol=EXACT * np.abs(expected).max())
    np.testing.assert_allclose(v[:n], np.sqrt(factor) * before, rtol=EXACT)
    assert (held[packed_length(n) :] == OUTSIDE).all()
    assert (v[n:] == 0).all()


@pytest.mark.parametrize("n", SIZES)
def test_both_halves_of_a_block_on_the_diagonal_have_the_same_bits(n: int) -> None:
    held = packed(symmetric(n))
    for factor in (0.1, 0.7, 3.0):
        add_outer(held, vector(n), factor, n)
    for start, row, width in strips(n):
        block = held[start : start + 8 * width].reshape(8, width)[:, row:]
        np.testing.assert_array_equal(block, block.T)


@pytest.mark.parametrize("n", SIZES)
def test_behind_the_last_row_there_are_zeros(n: int) -> None:
    held = packed(symmetric(n))
    add_outer(held, vector(n), 2.0, n)
    N = whole_strips(n)
    assert not whole(held, N)[n:].any()


def test_a_matrix_that_grows_row_by_row() -> None:
    """What was there stays where it is, and each outer product reaches the rows so far alone."""
    most = 50
    dense = np.zeros((most, most))
    held = np.zeros(packed_length(most))
    for n in range(1, most + 1):
        v = vector(n)
        dense[:n, :n] += 0.5 * np.outer(v[:n], v[:n])
        add_outer(held, v, 0.5, n)
        np.testing.assert_allclose(whole(held, most), dense, rtol=0, atol=EXACT * np.abs(dense).max())
        assert not held[packed_length(n) :].any()
