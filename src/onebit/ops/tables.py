"""Tables of rows, and lessons with their rows, as compiled code reads them: parts of one, and several as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.lessons import Draws, Lessons
from onebit.ops.rows import DenseRows, Rows, SparseRows


def dense_rows(X: FloatArray) -> DenseRows:
    """Dense rows that nothing can be written through: so compiled code is made once, whatever array is behind them.

    >>> table = np.eye(2)
    >>> dense_rows(table).X.flags.writeable, table.flags.writeable
    (False, True)
    """
    view = X.view()
    view.setflags(write=False)
    return DenseRows(view)


def copied_rows(rows: Rows) -> Rows:
    """The same rows in memory of their own.

    >>> copied_rows(DenseRows(np.array([[1.0, 2.0]]))).X
    array([[1., 2.]])
    """
    if isinstance(rows, DenseRows):
        return dense_rows(rows.X.copy())
    return SparseRows(rows.indptr.copy(), rows.indices.copy(), rows.values.copy())


def rows_at(rows: Rows, at: IntArray) -> Rows:
    """A copy of some rows of a table, in this order.

    >>> rows_at(DenseRows(np.array([[1.0, 2.0], [3.0, 4.0]])), np.array([1])).X
    array([[3., 4.]])
    """
    if isinstance(rows, DenseRows):
        return dense_rows(rows.X[at])
    lengths = np.diff(rows.indptr)[at]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    entries = np.repeat(rows.indptr[at] - indptr[:-1], lengths) + np.arange(indptr[-1])
    return SparseRows(indptr, rows.indices[entries], rows.values[entries])


def joined_rows(tables: Sequence[Any]) -> Rows:
    """The rows of several tables of one kind, one table after the other.

    >>> joined_rows([DenseRows(np.ones((1, 2))), DenseRows(np.zeros((1, 2)))]).X
    array([[1., 1.],
           [0., 0.]])
    """
    if isinstance(tables[0], DenseRows):
        return dense_rows(np.concatenate([table.X for table in tables]))
    counts = np.concatenate([[0], *(np.diff(table.indptr) for table in tables)])
    return SparseRows(
        np.cumsum(counts, dtype=np.int64),
        np.concatenate([table.indices[_used(table)] for table in tables]),
        np.concatenate([table.values[_used(table)] for table in tables]),
    )


def _used(table: SparseRows) -> slice:
    """Where the entries of a table lie: it may be the middle of a larger one."""
    return slice(table.indptr[0], table.indptr[-1])


def joined_lessons(parts: Sequence[Lessons]) -> Lessons:
    """The lessons of several parts of one form, one part after the other, in memory of their own.

    >>> from onebit.core.lessons import new_lessons
    >>> joined_lessons([new_lessons(2, 1), new_lessons(3, 1)]).size
    5
    """
    id, step, draws, answer, row, rows, among = zip(*parts, strict=True)
    return Lessons(
        id=np.concatenate(id),
        step=np.concatenate(step),
        draws=Draws._make(np.concatenate(column) for column in zip(*draws, strict=True)),
        answer=np.concatenate(answer),
        row=None if row[0] is None else np.concatenate(row),
        rows=None if rows[0] is None else joined_rows(rows),
        among=None if all(one is None for one in among) else np.concatenate(list(map(_among_of, parts))),
    )


def _among_of(lessons: Lessons) -> NDArray[np.object_]:
    """What each lesson was drawn among."""
    found: NDArray[np.object_] = np.full(lessons.size, None) if lessons.among is None else lessons.among
    return found


def to_table(rows: Any, n_features: int) -> Any:
    """The rows as an array or a CSR array.

    >>> to_table(SparseRows(np.array([0, 1]), np.array([1], np.uint32), np.array([5.0])), 2).toarray()
    array([[0., 5.]])
    """
    if isinstance(rows, DenseRows):
        return rows.X
    indices = rows.indices.astype(np.int64)
    return sp.csr_array((rows.values, indices, rows.indptr), shape=(len(rows.indptr) - 1, n_features))
