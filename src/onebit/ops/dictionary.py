"""A dictionary: for each class the vectors it has kept, each with a weight.

The vectors lie in blocks (see `onebit.ops.gram`); a block belongs to one class, and the next one is taken when
a class has filled its last. So the memory grows with the vectors, however they fall to the classes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.ops.gram import BLOCK, CALLED, KernelValues, block_sum, block_values, call_python_kernel
from onebit.ops.jit import jit
from onebit.ops.rows import Row, index, is_sparse, size, value


class Dictionary(NamedTuple):
    """Blocks of vectors, the class of each block, and counts: vectors per class and, last, blocks in use."""

    blocks: FloatArray
    owner: IntArray
    counts: IntArray
    values: FloatArray  # room for k(x, x') of all vectors


def new_dictionary(blocks: int, d: int, classes: int, dtype: str, values: int) -> Dictionary:
    """An empty dictionary with room for so many blocks."""
    return Dictionary(
        np.zeros((blocks, d + 2, BLOCK), dtype=dtype),
        np.zeros(blocks, dtype=np.int64),
        np.zeros(classes + 1, dtype=np.int64),
        np.zeros(values),
    )


def blocks_for(counts: IntArray, lessons: int) -> int:
    """How many blocks hold what is kept and as many lessons more, whichever classes they fall to."""
    classes = len(counts) - 1
    used = int(counts[-1])
    needed = used + min(lessons, lessons // BLOCK + classes)
    return max(classes, 1 << (needed - 1).bit_length())


def resized(array: Any, length: int) -> Any:
    """The array with another first length: cut, or with zeros behind."""
    out = np.zeros((length, *array.shape[1:]), dtype=array.dtype)
    n = min(length, len(array))
    out[:n] = array[:n]
    return out


@jit
def copy_row(row: Row, x: FloatArray) -> None:
    """Write the row's features to x and, behind them, its squared norm."""
    d = x.shape[0] - 1
    if is_sparse(row):
        for f in range(d):
            x[f] = 0.0
    norm = 0.0
    for i in range(size(row)):
        v = np.float64(value(row, i))
        x[index(row, i)] = v
        norm += v * v
    x[d] = norm


@jit
def similarities(kernel: KernelValues, blocks: FloatArray, used: int, x: FloatArray, out: FloatArray) -> None:
    """out_j = k(x, x'_j) for the vectors of the first blocks; out holds doubles."""
    if kernel.kind == CALLED:
        call_python_kernel(kernel.address, blocks, used, x, out)
    else:
        for b in range(used):
            block_values(kernel, blocks, b, x, out, b * BLOCK)


@jit
def write_vector(blocks: FloatArray, slot: int, x: FloatArray, weight: float) -> None:
    """Write x, its squared norm and a weight to a slot."""
    b = slot // BLOCK
    j = slot % BLOCK
    for f in range(x.shape[0]):
        blocks[b, f, j] = x[f]
    blocks[b, x.shape[0], j] = weight


@jit
def fill_block(blocks: FloatArray, b: int, x: FloatArray) -> None:
    """Begin a block: every slot is x, without weight. So a kernel never sees a vector that is none."""
    for j in range(BLOCK):
        write_vector(blocks, b * BLOCK + j, x, 0.0)


@jit
def weighted_sums(kernel: KernelValues, dictionary: Dictionary, x: FloatArray, out: FloatArray) -> None:
    """out_k = Σ w k(x, x') over the vectors of class k."""
    for k in range(out.shape[0]):
        out[k] = 0.0
    used = dictionary.counts[-1]
    d = x.shape[0] - 1
    if kernel.kind == CALLED:
        similarities(kernel, dictionary.blocks, used, x, dictionary.values)
        for b in range(used):
            for j in range(BLOCK):
                out[dictionary.owner[b]] += dictionary.blocks[b, d + 1, j] * dictionary.values[b * BLOCK + j]
    else:
        for b in range(used):
            out[dictionary.owner[b]] += block_sum(kernel, dictionary.blocks, b, x)


@jit
def block_at(dictionary: Dictionary, k: int, number: int) -> int:
    """The block of class k with this number, or -1."""
    for b in range(dictionary.counts[-1]):
        if dictionary.owner[b] == k:
            if number == 0:
                return b
            number -= 1
    return -1


@jit
def put_vector(dictionary: Dictionary, k: int, slot: int, x: FloatArray, weight: float) -> None:
    """Write x to a slot of class k: over the vector that is there, or behind the last one."""
    b = block_at(dictionary, k, slot // BLOCK)
    if b < 0:  # the class begins a new block
        b = dictionary.counts[-1]
        dictionary.owner[b] = k
        dictionary.counts[-1] += 1
        fill_block(dictionary.blocks, b, x)
    write_vector(dictionary.blocks, b * BLOCK + slot % BLOCK, x, weight)
    dictionary.counts[k] = max(dictionary.counts[k], slot + 1)
