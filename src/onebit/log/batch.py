"""Answered decisions on their way into a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.core.types import FloatArray, IntArray
from onebit.ops.rows import DenseRows, Rows, SparseRows
from onebit.ops.tables import joined_rows


class Batch(NamedTuple):
    """n answered decisions, in the order learned. Labels are class numbers.

    `id` is a decision's number and `step` how many decisions had been made when its answer was learned;
    `labels` (n, m) are those played, `top` (n, k) those believed best where the learner tells (k may be 0);
    `answer` is the bit, or the number of the true label; `row` the number of the row in its data set and
    `rows` the n rows themselves, if they are to be logged.

    >>> number = np.array([0, 1])
    >>> batch = Batch(number, number, np.array([[2], [0]]), np.empty((2, 0), int),
    ...               np.array([0.9, 0.1]), np.array([2, 2]), np.array([False, True]), np.array([1, 0]))
    >>> batch.size
    2
    """

    id: IntArray
    step: IntArray
    labels: IntArray
    top: IntArray
    propensity: FloatArray
    greedy: IntArray
    explored: Any
    answer: IntArray
    row: IntArray | None = None
    rows: Rows | None = None

    @property
    def size(self) -> int:
        """How many decisions these are."""
        return len(self.id)

    def copy(self) -> Batch:
        """The same in memory of its own."""
        columns = [None if column is None else np.array(column) for column in self[:-1]]
        rows = self.rows
        if isinstance(rows, DenseRows):
            rows = DenseRows(rows.X.copy())
        elif rows is not None:
            used = slice(rows.indptr[0], rows.indptr[-1])
            rows = SparseRows(rows.indptr - rows.indptr[0], rows.indices[used].copy(), rows.values[used].copy())
        return Batch._make([*columns, rows])

    def row_bytes(self) -> int:
        """The memory that the logged rows take."""
        return 0 if self.rows is None else sum(part.nbytes for part in self.rows)


def join(batches: Sequence[Batch]) -> Batch:
    """Several batches of the same form as one."""
    if len(batches) == 1:
        return batches[0]
    *columns, rows = zip(*batches, strict=True)
    joined = [None if column[0] is None else np.concatenate(column) for column in columns]
    return Batch._make([*joined, None if rows[0] is None else joined_rows(rows)])
