"""Kernels compute what their source says, to the last bit."""

import numpy as np

from onebit.ops.jit import entry_point


@entry_point
def in_order(numbers, factors):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(len(numbers)):
        total += numbers[i] * factors[i]
    return total


def test_sums_are_not_reordered_and_products_not_contracted() -> None:
    draw = np.random.default_rng(0)
    numbers, factors = draw.normal(size=1001) * 10.0 ** draw.integers(-8, 8, size=1001), draw.normal(size=1001)
    expected = 0.0
    for product in (numbers * factors).tolist():
        expected += product
    assert in_order(numbers, factors) == expected
