"""Whether one column dwarfs the others, of which a learner that does not scale columns must be told."""

from __future__ import annotations

import warnings

import numpy as np

from onebit.contract.algorithm import Algorithm
from onebit.ops.rows import DenseRows, Rows

_LARGEST_SPREAD = 1e6  # a value so many times the median of all dwarfs the others in every inner product
_LOOKED_AT = 2048  # values of the first rows


def warn_of_scale(learner: Algorithm, kind: str, rows: Rows) -> None:
    """Say, once, that the first rows are so badly scaled that the learner cannot do well."""
    if learner.scales_columns(kind):
        return
    if problem := scale_problem(rows):
        warnings.warn(
            f"row: {problem}: {type(learner).__name__} will see little else; bring the columns to one scale first "
            "(by their deviation, or by logarithms; OneBit does so itself for dense rows)",
            stacklevel=4,
        )


def scale_problem(rows: Rows) -> str | None:
    """What is wrong with the scale of rows in which one value dwarfs the others; None if none does.

    >>> scale_problem(DenseRows(np.array([[0.5, 1.7e9, 1.0]])))
    'feature 1 is 1.7e+09, and half of the values are at most 1 in size'
    """
    values = rows.X.reshape(-1) if isinstance(rows, DenseRows) else rows.values
    sizes = np.abs(values[:_LOOKED_AT])
    if not len(sizes):
        return None
    at = int(np.argmax(sizes))
    # Whether at least half of what is there is so much smaller than the largest.
    small = np.count_nonzero(sizes * _LARGEST_SPREAD < sizes[at])
    missing = np.count_nonzero(sizes == 0)
    if 2 * (small - missing) < len(sizes) - missing or small == missing:
        return None
    usual = np.median(sizes[sizes > 0])
    feature = at % rows.X.shape[1] if isinstance(rows, DenseRows) else rows.indices[at]
    return f"feature {feature} is {values[at]:g}, and half of the values are at most {usual:g} in size"
