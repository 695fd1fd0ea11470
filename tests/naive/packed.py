"""Packed matrices (`onebit.ops.packed`), obviously: strips of eight rows, whole ones made of them, and back."""

from typing import Any

import numpy as np


def strips(n: int) -> list[tuple[int, int, int]]:
    """Of each strip of a matrix with n rows: where it begins, its first row, and how many numbers its rows hold."""
    found, start = [], 0
    for row in range(0, n, 8):
        width = row + 8
        found.append((start, row, width))
        start += 8 * width
    return found


def whole(packed: Any, n: int) -> Any:
    """The n × n matrix, by the entries on and below the diagonal."""
    N = -(-n // 8) * 8
    A = np.zeros((N, N))
    for start, row, width in strips(n):
        A[row : row + 8, :width] = np.reshape(packed[start : start + 8 * width], (8, width))
    lower = np.tril(A)
    return (lower + np.tril(lower, -1).T)[:n, :n]


def packed(A: Any) -> Any:
    """The other way: zeros behind the end of the matrix."""
    n = len(A)
    N = -(-n // 8) * 8
    wide = np.zeros((N, N))
    wide[:n, :n] = A
    parts = [wide[row : row + 8, :width].ravel() for _, row, width in strips(n)]
    return np.concatenate(parts) if parts else np.zeros(0)
