"""Kernels k(x, x'), a register of them at a time: functions of ⟨x, x'⟩ and the norms, for vectors that lie in blocks.

A block holds `BLOCK` vectors feature by feature, then their squared norms, then their weights: an array of
shape (blocks, d + 2, BLOCK). All arithmetic is in doubles, whatever the block's dtype.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from onebit.core.aliases import FloatArray
from onebit.ops.jit import jit
from onebit.ops.simd import (
    DOUBLES,
    broadcast,
    divide,
    exponential,
    load_doubles,
    multiply,
    multiply_add,
    scale_add,
    square_root,
    store,
    total,
)

BLOCK = 64
"""How many vectors lie in one block."""

LINEAR, POLYNOMIAL, RATIONAL, RBF, MATERN_3, MATERN_5, CALLED = range(7)
"""The kinds of kernels, as compiled code knows them; the last is a Python function, called by its address."""


class KernelValues(NamedTuple):
    """A kernel as compiled code sees it: z, (p z + q)^degree, 1/(1 - p z), exp(-p r²), Matérn at p r, or called."""

    kind: int
    p: float
    q: float
    degree: int
    address: int


@jit
def similarity(kernel: KernelValues, z: Any, norm: float, norms: Any) -> Any:
    """k(x, x') in lanes, from z = ⟨x, x'⟩, ‖x‖² and the ‖x'‖²."""
    one = broadcast(1.0)
    if kernel.kind == LINEAR:
        return z
    if kernel.kind == RATIONAL:
        return divide(one, scale_add(one, -kernel.p, z))
    if kernel.kind == POLYNOMIAL:
        base = scale_add(broadcast(kernel.q), kernel.p, z)
        power = one
        for _ in range(kernel.degree):
            power = multiply(power, base)
        return power
    squares = scale_add(scale_add(norms, 1.0, broadcast(norm)), -2.0, z)  # r² = ‖x - x'‖²
    if kernel.kind == RBF:
        return exponential(multiply(square_root(squares), square_root(squares)), 0.0, -kernel.p, DOUBLES)
    r = multiply(broadcast(kernel.p), square_root(squares))
    rest = scale_add(one, 1.0, r)
    if kernel.kind == MATERN_5:
        rest = scale_add(rest, 1 / 3, multiply(r, r))
    return multiply(rest, exponential(r, 0.0, -1.0, DOUBLES))


@jit
def eight_similarities(kernel: KernelValues, blocks: FloatArray, at: int, x: FloatArray, d: int) -> Any:
    """k(x, x') for the eight vectors at a flat offset; x holds d features and, behind them, ‖x‖²."""
    z = broadcast(0.0)
    for f in range(d):
        z = scale_add(z, x[f], load_doubles(blocks, at + f * BLOCK, DOUBLES))
    return similarity(kernel, z, x[d], load_doubles(blocks, at + d * BLOCK, DOUBLES))


@jit
def rational_sums(c: float, blocks: FloatArray, at: int, x: FloatArray, d: int) -> tuple[Any, Any]:
    """Σ w/(1 - c⟨x, x'⟩) over 32 vectors, as numerators and denominators in lanes: division is dear."""
    # The denominators of four registers of vectors: first ⟨x, x'⟩, then 1 - c⟨x, x'⟩.
    one = broadcast(1.0)
    a = broadcast(0.0)
    b = broadcast(0.0)
    p = broadcast(0.0)
    q = broadcast(0.0)
    for f in range(d):
        offset = at + f * BLOCK
        a = scale_add(a, x[f], load_doubles(blocks, offset, DOUBLES))
        b = scale_add(b, x[f], load_doubles(blocks, offset + DOUBLES, DOUBLES))
        p = scale_add(p, x[f], load_doubles(blocks, offset + 2 * DOUBLES, DOUBLES))
        q = scale_add(q, x[f], load_doubles(blocks, offset + 3 * DOUBLES, DOUBLES))
    a = scale_add(one, -c, a)
    b = scale_add(one, -c, b)
    p = scale_add(one, -c, p)
    q = scale_add(one, -c, q)
    # Fractions are added in pairs: w_a/a + w_b/b = (w_a b + w_b a)/(a b), and the two pairs likewise.
    weights = at + (d + 1) * BLOCK
    w_a = load_doubles(blocks, weights, DOUBLES)
    w_b = load_doubles(blocks, weights + DOUBLES, DOUBLES)
    w_p = load_doubles(blocks, weights + 2 * DOUBLES, DOUBLES)
    w_q = load_doubles(blocks, weights + 3 * DOUBLES, DOUBLES)
    over_ab = multiply_add(multiply(w_a, b), w_b, a)
    over_pq = multiply_add(multiply(w_p, q), w_q, p)
    ab = multiply(a, b)
    pq = multiply(p, q)
    return multiply_add(multiply(over_ab, pq), over_pq, ab), multiply(ab, pq)


@jit
def block_sum(kernel: KernelValues, blocks: FloatArray, b: int, x: FloatArray) -> float:
    """Σ w k(x, x') over the vectors of block b."""
    d = blocks.shape[1] - 2
    at = b * (d + 2) * BLOCK
    if kernel.kind == RATIONAL:
        over_left, left = rational_sums(kernel.p, blocks, at, x, d)
        over_right, right = rational_sums(kernel.p, blocks, at + BLOCK // 2, x, d)
        return total(divide(multiply_add(multiply(over_left, right), over_right, left), multiply(left, right)))
    sum_ = broadcast(0.0)
    for j in range(0, BLOCK, DOUBLES):
        weights = load_doubles(blocks, at + (d + 1) * BLOCK + j, DOUBLES)
        sum_ = multiply_add(sum_, weights, eight_similarities(kernel, blocks, at + j, x, d))
    return total(sum_)


@jit
def block_values(kernel: KernelValues, blocks: FloatArray, b: int, x: FloatArray, out: FloatArray, start: int) -> None:
    """out[start + j] = k(x, x'_j) for the vectors of block b; out holds doubles."""
    d = blocks.shape[1] - 2
    at = b * (d + 2) * BLOCK
    for j in range(0, BLOCK, DOUBLES):
        store(out, start + j, DOUBLES, eight_similarities(kernel, blocks, at + j, x, d))


@intrinsic  # type: ignore[untyped-decorator]
def call_python_kernel(_: Any, address: Any, blocks: Any, used: Any, x: Any, out: Any) -> Any:
    """Have a Python function, a ctypes callback at this address, write k(x, x') for all vectors of `used` blocks."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        arrays = [(blocks, args[1]), (x, args[3]), (out, args[4])]
        data = [builder.bitcast(context.make_array(t)(context, builder, v).data, pointer) for t, v in arrays]
        word = ir.IntType(64)
        function = ir.FunctionType(ir.VoidType(), [pointer, word, pointer, pointer])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [data[0], args[2], data[1], data[2]])
        return context.get_dummy_value()

    return types.void(types.int64, blocks, types.int64, x, out), build
