"""One vector register as a value: what Numba lacks for sums over few classes and for short dense rows.

Numba vectorises long loops well, but keeps K class sums in memory when K is only known at run time, and
handles the end of a short row one number at a time. `Lanes` are 512 bits (8 doubles, 16 floats; LLVM
splits them where registers are shorter), loaded under a mask so that nothing beyond `count` is touched.
"""

from __future__ import annotations

from math import factorial
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model

_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)


class Lanes(types.Type):
    """The Numba type of a vector register of `dtype`."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        self.count = 512 // dtype.bitwidth
        super().__init__(f"Lanes({dtype} x {self.count})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba is not typed
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        element = manager.lookup(lanes.dtype).get_value_type()
        super().__init__(manager, lanes, ir.VectorType(element, lanes.count))


def _splat(builder: Any, value: Any, count: int) -> Any:
    vector = ir.VectorType(value.type, count)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _INT32(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_INT32, count), None))


def _mask(builder: Any, lanes: int, count: Any) -> Any:
    numbers = ir.Constant(ir.VectorType(_INT64, lanes), [_INT64(i) for i in range(lanes)])
    return builder.icmp_signed("<", numbers, _splat(builder, count, lanes))


def _call(builder: Any, name: str, vector: Any, result: Any, *args: Any) -> Any:
    suffix = f"v{vector.count}f{64 if isinstance(vector.element, ir.DoubleType) else 32}"
    pointer = ".p0" if name.startswith("masked") else ""
    signature = ir.FunctionType(result, [a.type for a in args])
    function = cgutils.get_or_insert_function(builder.module, signature, f"llvm.{name}.{suffix}{pointer}")
    return builder.call(function, args)


def _address(context: Any, builder: Any, array_type: Any, array: Any, offset: Any, vector: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), vector.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]  # Numba is not typed
def zeros(_: Any, array: Any) -> Any:
    """Lanes of zeros, of the array's dtype."""
    lanes = Lanes(array.dtype)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return ir.Constant(context.get_value_type(lanes), None)

    return lanes(array), build


@intrinsic  # type: ignore[untyped-decorator]
def load(_: Any, array: Any, offset: Any, count: Any) -> Any:
    """The contiguous array's numbers from a flat `offset`, the first `count` of them, zeros after."""
    lanes = Lanes(array.dtype)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = context.get_value_type(lanes)
        address = _address(context, builder, array, args[0], args[1], vector)
        mask = _mask(builder, lanes.count, args[2])
        align = _INT32(array.dtype.bitwidth // 8)
        return _call(builder, "masked.load", vector, vector, address, align, mask, ir.Constant(vector, None))

    return lanes(array, types.int64, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def load_full(_: Any, array: Any, offset: Any) -> Any:
    """The contiguous array's numbers from a flat `offset`, as many as there are lanes."""
    lanes = Lanes(array.dtype)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, array, args[0], args[1], context.get_value_type(lanes))
        return builder.load(address, align=array.dtype.bitwidth // 8)

    return lanes(array, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def store(_: Any, array: Any, offset: Any, count: Any, value: Any) -> Any:
    """Write the first `count` lanes to the contiguous array at a flat `offset`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = args[3].type
        address = _address(context, builder, array, args[0], args[1], vector)
        align = _INT32(array.dtype.bitwidth // 8)
        mask = _mask(builder, vector.count, args[2])
        _call(builder, "masked.store", vector, ir.VoidType(), args[3], address, align, mask)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64, value), build


@intrinsic  # type: ignore[untyped-decorator]
def scale_add(_: Any, total: Any, factor: Any, value: Any) -> Any:
    """`total + factor * value` for lanes `total` and `value` and a number `factor`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = args[0].type
        return _call(builder, "fma", vector, vector, _splat(builder, args[1], vector.count), args[2], args[0])

    return total(total, total.dtype, value), build


@intrinsic  # type: ignore[untyped-decorator]
def multiply_add(_: Any, total: Any, left: Any, right: Any) -> Any:
    """`total + left * right`, lane by lane."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _call(builder, "fma", args[0].type, args[0].type, args[1], args[2], args[0])

    return total(total, left, right), build


@intrinsic  # type: ignore[untyped-decorator]
def total(_: Any, value: Any) -> Any:
    """The sum of all lanes: the upper half is added to the lower one until one lane is left."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sum_ = args[0]
        while sum_.type.count > 1:
            half = sum_.type.count // 2
            lower, upper = (
                builder.shuffle_vector(sum_, sum_, ir.Constant(ir.VectorType(_INT32, half), list(range(at, at + half))))
                for at in (0, half)
            )
            sum_ = builder.fadd(lower, upper)
        return builder.extract_element(sum_, _INT32(0))

    return value.dtype(value), build


@intrinsic  # type: ignore[untyped-decorator]
def multiply(_: Any, left: Any, right: Any) -> Any:
    """`left * right`, lane by lane."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fmul(args[0], args[1])

    return left(left, right), build


@intrinsic  # type: ignore[untyped-decorator]
def divide(_: Any, left: Any, right: Any) -> Any:
    """`left / right`, lane by lane."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fdiv(args[0], args[1])

    return left(left, right), build


@intrinsic  # type: ignore[untyped-decorator]
def square_root(_: Any, value: Any) -> Any:
    """The square root of each lane, and 0 of one below 0."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = args[0].type
        none = ir.Constant(vector, None)
        positive = builder.select(builder.fcmp_ordered(">", args[0], none), args[0], none)
        return _call(builder, "sqrt", vector, vector, positive)

    return value(value), build


@intrinsic  # type: ignore[untyped-decorator]
def broadcast(_: Any, number: Any) -> Any:
    """Eight doubles, all the same number."""
    lanes = Lanes(types.float64)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _splat(builder, args[0], lanes.count)

    return lanes(types.float64), build


DOUBLES = 8
"""How many doubles there are in a register of 512 bits."""

_SHIFT = 1.5 * 2.0**52
"""Added to a double, leaves its nearest whole number in the lowest bits."""

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.693147180369123816490
_LN2_LOW = 1.90821492927058770002e-10
"""ln 2 in two parts: whole numbers times the high one are exact."""

_TAYLOR_TERMS = 14
"""As many as make exp exact to rounding on ±(ln 2)/2."""

_LEAST_EXPONENT = -708.0
"""Below, exp would not be a normal double."""


@intrinsic  # type: ignore[untyped-decorator]
def load_doubles(_: Any, array: Any, offset: Any, count: Any) -> Any:
    """Eight doubles from a contiguous array of doubles or floats, the first `count` of them, zeros after."""
    lanes = Lanes(types.float64)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        element = context.get_value_type(array.dtype)
        vector = ir.VectorType(element, lanes.count)
        wide = context.get_value_type(lanes)
        address = _address(context, builder, array, args[0], args[1], vector)
        align = _INT32(array.dtype.bitwidth // 8)
        mask = _mask(builder, lanes.count, args[2])
        loaded = _call(builder, "masked.load", vector, vector, address, align, mask, ir.Constant(vector, None))
        return loaded if array.dtype == types.float64 else builder.fpext(loaded, wide)

    return lanes(array, types.int64, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def largest(_: Any, value: Any, count: Any) -> Any:
    """The largest of the first `count` lanes."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = args[0].type
        least = ir.Constant(vector, [float("-inf")] * vector.count)
        best = builder.select(_mask(builder, vector.count, args[1]), args[0], least)
        while best.type.count > 1:
            half = best.type.count // 2
            lower, upper = (
                builder.shuffle_vector(best, best, ir.Constant(ir.VectorType(_INT32, half), list(range(at, at + half))))
                for at in (0, half)
            )
            best = builder.select(builder.fcmp_ordered(">", upper, lower), upper, lower)
        return builder.extract_element(best, _INT32(0))

    return value.dtype(value, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def exponential(_: Any, value: Any, top: Any, factor: Any, count: Any) -> Any:
    """exp(factor (x - top)) of the first `count` lanes x ≤ top, 0 after: 2^k times a Taylor sum on ±(ln 2)/2."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = args[0].type
        n = args[0].type.count
        bits = ir.VectorType(_INT64, n)

        def constant(number: float) -> Any:
            return ir.Constant(vector, [number] * n)

        def fma(a: Any, b: Any, c: Any) -> Any:
            return _call(builder, "fma", vector, vector, a, b, c)

        # x = factor (x - top), cut where exp would be 0; k = x/ln 2, rounded; r = x - k ln 2.
        x = builder.fmul(builder.fsub(args[0], _splat(builder, args[1], n)), _splat(builder, args[2], n))
        x = builder.select(builder.fcmp_ordered(">", x, constant(_LEAST_EXPONENT)), x, constant(_LEAST_EXPONENT))
        shifted = fma(x, constant(_LOG2_E), constant(_SHIFT))  # k in the lowest bits
        k = builder.fsub(shifted, constant(_SHIFT))
        r = fma(k, constant(-_LN2_LOW), fma(k, constant(-_LN2_HIGH), x))
        # exp(r) by its Taylor sum.
        terms = [constant(1 / factorial(i)) for i in range(_TAYLOR_TERMS)]
        power = r
        while len(terms) > 1:  # neighbours are joined at once, so that no sum waits long for another (Estrin)
            pairs = zip(terms[::2], [*terms[1::2], constant(0)][: (len(terms) + 1) // 2], strict=True)
            terms = [fma(high, power, low) for low, high in pairs]
            power = builder.fmul(power, power)
        # Times 2^k, by adding k to the exponent's bits.
        exponent = builder.shl(builder.bitcast(shifted, bits), ir.Constant(bits, [52] * n))
        raised = builder.bitcast(builder.add(builder.bitcast(terms[0], bits), exponent), vector)
        return builder.select(_mask(builder, n, args[3]), raised, constant(0.0))

    return value(value, types.float64, types.float64, types.int64), build
