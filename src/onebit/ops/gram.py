"""Kernels k(x, x'), eight at a time: functions of ⟨x, x'⟩ and the norms, for vectors that lie in blocks.

A block holds `BLOCK` vectors feature by feature, then their squared norms, then their weights: an array of
shape (blocks, d + 2, BLOCK). All arithmetic is in doubles, whatever the block's dtype.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from onebit.core.types import FloatArray
from onebit.ops.jit import jit
from onebit.ops.simd import (
    exponential,
    lanes_of,
    load_doubles,
    multiply_add,
    over,
    root,
    scale_add,
    store,
    times,
    total,
)

BLOCK = 64
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
    one = lanes_of(1.0)
    if kernel.kind == LINEAR:
        return z
    if kernel.kind == RATIONAL:
        return over(one, scale_add(one, -kernel.p, z))
    if kernel.kind == POLYNOMIAL:
        base = scale_add(lanes_of(kernel.q), kernel.p, z)
        power = one
        for _ in range(kernel.degree):
            power = times(power, base)
        return power
    squares = scale_add(scale_add(norms, 1.0, lanes_of(norm)), -2.0, z)  # r² = ‖x - x'‖²
    if kernel.kind == RBF:
        return exponential(times(root(squares), root(squares)), 0.0, -kernel.p, 8)
    r = times(lanes_of(kernel.p), root(squares))
    rest = scale_add(one, 1.0, r)
    if kernel.kind == MATERN_5:
        rest = scale_add(rest, 1 / 3, times(r, r))
    return times(rest, exponential(r, 0.0, -1.0, 8))


@jit
def eight(kernel: KernelValues, blocks: FloatArray, at: int, x: FloatArray, d: int) -> Any:
    """k(x, x') for the eight vectors at a flat offset; x holds d features and, behind them, ‖x‖²."""
    z = lanes_of(0.0)
    for f in range(d):
        z = scale_add(z, x[f], load_doubles(blocks, at + f * BLOCK, 8))
    return similarity(kernel, z, x[d], load_doubles(blocks, at + d * BLOCK, 8))


@jit
def rational_sums(c: float, blocks: FloatArray, at: int, x: FloatArray, d: int) -> tuple[Any, Any]:
    """Σ w/(1 - c⟨x, x'⟩) over 32 vectors, as numerators and denominators in lanes: division is dear."""
    one = lanes_of(1.0)
    a = lanes_of(0.0)
    b = lanes_of(0.0)
    c_ = lanes_of(0.0)
    e = lanes_of(0.0)
    for f in range(d):
        offset = at + f * BLOCK
        a = scale_add(a, x[f], load_doubles(blocks, offset, 8))
        b = scale_add(b, x[f], load_doubles(blocks, offset + 8, 8))
        c_ = scale_add(c_, x[f], load_doubles(blocks, offset + 16, 8))
        e = scale_add(e, x[f], load_doubles(blocks, offset + 24, 8))
    a = scale_add(one, -c, a)
    b = scale_add(one, -c, b)
    c_ = scale_add(one, -c, c_)
    e = scale_add(one, -c, e)
    w = at + (d + 1) * BLOCK
    ab = multiply_add(times(load_doubles(blocks, w, 8), b), load_doubles(blocks, w + 8, 8), a)
    ce = multiply_add(times(load_doubles(blocks, w + 16, 8), e), load_doubles(blocks, w + 24, 8), c_)
    p = times(a, b)
    q = times(c_, e)
    return multiply_add(times(ab, q), ce, p), times(p, q)


@jit
def block_sum(kernel: KernelValues, blocks: FloatArray, b: int, x: FloatArray) -> float:
    """Σ w k(x, x') over the vectors of block b."""
    d = blocks.shape[1] - 2
    at = b * (d + 2) * BLOCK
    if kernel.kind == RATIONAL:
        over_left, left = rational_sums(kernel.p, blocks, at, x, d)
        over_right, right = rational_sums(kernel.p, blocks, at + BLOCK // 2, x, d)
        return total(over(multiply_add(times(over_left, right), over_right, left), times(left, right)))
    sum_ = lanes_of(0.0)
    for j in range(0, BLOCK, 8):
        weights = load_doubles(blocks, at + (d + 1) * BLOCK + j, 8)
        sum_ = multiply_add(sum_, weights, eight(kernel, blocks, at + j, x, d))
    return total(sum_)


@jit
def block_values(kernel: KernelValues, blocks: FloatArray, b: int, x: FloatArray, out: FloatArray, start: int) -> None:
    """out[start + j] = k(x, x'_j) for the vectors of block b; out holds doubles."""
    d = blocks.shape[1] - 2
    at = b * (d + 2) * BLOCK
    for j in range(0, BLOCK, 8):
        store(out, start + j, 8, eight(kernel, blocks, at + j, x, d))


@intrinsic  # type: ignore[untyped-decorator]
def call(_: Any, address: Any, blocks: Any, used: Any, x: Any, out: Any) -> Any:
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
