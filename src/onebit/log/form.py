"""The form of a log: which columns it has, of which types, and what its metadata say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from onebit.core.aliases import Label
from onebit.core.errors import DataError
from onebit.core.lessons import Lessons
from onebit.core.version import __version__
from onebit.feedback import AnswerKind
from onebit.ops.rows import DenseRows, SparseRows

FORMAT = 2
"""The latest: a log whose classes may change, and in which labels may be closed. Any other is of format 1."""

METADATA = b"onebit"
CLASSES = "classes"
"""The column of the classes of the time: a list in JSON where they are others than before, else nothing."""

AMONG = "among"
"""The column of the labels that a decision was drawn among: a list where some were closed, else nothing."""

LATER = (CLASSES, AMONG)
"""The columns that only logs of the second format have."""

HOW_ROWS_WERE_MADE = ("normalize", "bias")
"""What a log tells of the table whose rows it counts, so that the same rows can be made again."""
_NUMBERS = ("id", "step", "row")


class RowForm(Protocol):
    """What a log must know of the rows it keeps; a learner's layout says it."""

    @property
    def n_features(self) -> int:
        """How many features a row has."""

    @property
    def kind(self) -> str:
        """Whether rows are "dense" or "sparse"."""

    @property
    def dtype(self) -> str:
        """The type of their values, "float64" or "float32"."""


@dataclass(frozen=True)
class Form:
    """What the decisions of one log have in common."""

    classes: tuple[Label, ...]
    learner: str
    feedback: AnswerKind
    set_size: int
    top_size: int
    layout: RowForm | None
    has_row: bool
    rows_made_with: Mapping[str, bool] = field(default_factory=dict)
    classes_change: bool = False

    @cached_property
    def label_type(self) -> Any:
        """The Arrow type of the labels."""
        return label_values(self.classes).type

    @cached_property
    def schema(self) -> Any:
        """The columns and the metadata, as an Arrow schema."""
        import pyarrow as pa

        label = self.label_type
        columns = [("id", pa.int64()), ("step", pa.int64())]
        columns.append(("played", label if self.set_size == 1 else pa.list_(label, self.set_size)))
        columns += [("propensity", pa.float64()), ("greedy", label), ("explored", pa.bool_())]
        if self.top_size:
            columns.append(("top", pa.list_(label, self.top_size)))
        columns.append(("bit", pa.bool_()) if self.feedback == "bit" else ("label", label))
        if self.classes_change:
            columns += [(CLASSES, pa.string()), (AMONG, pa.list_(label))]
        if self.has_row:
            columns.append(("row", pa.int64()))
        if self.layout is not None:
            value = pa.from_numpy_dtype(self.layout.dtype)
            if self.layout.kind == "dense":
                columns.append(("features", pa.list_(value, self.layout.n_features)))
            else:
                columns += [("indices", pa.list_(pa.uint32())), ("values", pa.list_(value))]
        return pa.schema(columns, metadata={METADATA: json.dumps(self._facts())})

    def writer_options(self) -> dict[str, Any]:
        """How Parquet stores the columns: numbers that grow as differences, what repeats by dictionary."""
        repeated = ["played", "played.list.element", "top.list.element", "greedy", "propensity", "label", CLASSES]
        repeated.append(f"{AMONG}.list.element")
        growing = [name for name in _NUMBERS if name in self.schema.names]
        return {
            "compression": "zstd",
            "use_dictionary": repeated,
            "column_encoding": dict.fromkeys(growing, "DELTA_BINARY_PACKED"),
        }

    def check(self, lessons: Lessons) -> None:
        """A `DataError` where lessons are not of this form."""
        n = lessons.size
        columns: dict[str, Any] = lessons.draws._asdict() | {"step": lessons.step, "answer": lessons.answer}
        if self.has_row:
            columns["row"] = lessons.row
        for name, column in columns.items():
            found = np.shape(column)
            wanted = (n, self.set_size + self.top_size) if name == "labels" else (n,)
            if found != wanted:
                raise DataError(f"{name}: has shape {found}; this log takes {wanted} for {n} decisions")
        if lessons.among is not None and not self.classes_change:
            raise DataError("among: this log holds decisions among all labels only; open one with classes_change=True")
        if self.layout is not None:
            self._check_rows(lessons, self.layout)

    def table(self, lessons: Lessons, classes: tuple[Label, ...], tells: bool = False) -> Any:
        """The lessons as an Arrow table; they are about these classes, which the first one `tells` or not."""
        import pyarrow as pa

        draws = lessons.draws
        m = self.set_size
        named = _Named(label_values(classes))
        played = named.labels("labels", draws.labels[:, 0]) if m == 1 else named.lists("labels", draws.labels[:, :m])
        columns = [
            pa.array(lessons.id, pa.int64()),
            pa.array(lessons.step, pa.int64()),
            played,
            pa.array(draws.propensity, pa.float64()),
            named.labels("greedy", draws.greedy),
            pa.array(np.asarray(draws.explored, dtype=bool)),
        ]
        if self.top_size:
            columns.append(named.lists("top", draws.labels[:, m:]))
        if self.feedback == "bit":
            columns.append(pa.array(np.asarray(lessons.answer, dtype=bool)))
        else:
            columns.append(named.labels("answer", lessons.answer))
        if self.classes_change:
            told = [json.dumps(plain_labels(classes))] if tells else [None]
            columns.append(pa.array(told + [None] * (lessons.size - 1), pa.string()))
            columns.append(_among_column(lessons, self.label_type))
        if self.has_row:
            columns.append(pa.array(lessons.row, pa.int64()))
        if self.layout is not None:
            columns += _row_columns(lessons.rows, self.layout.n_features)
        return pa.table(columns, schema=self.schema)

    def _facts(self) -> dict[str, Any]:
        return {
            "kind": "decisions",
            "format": FORMAT if self.classes_change else 1,
            "version": __version__,
            "learner": self.learner,
            "feedback": self.feedback,
            "classes": plain_labels(self.classes),
            "set_size": self.set_size,
            "n_features": None if self.layout is None else self.layout.n_features,
            "rows_made_with": dict(self.rows_made_with),
        }

    def _check_rows(self, lessons: Lessons, layout: RowForm) -> None:
        rows = lessons.rows
        n = lessons.size
        if layout.kind == "dense":
            fits = isinstance(rows, DenseRows) and rows.X.shape == (n, layout.n_features)
        else:
            fits = isinstance(rows, SparseRows) and len(rows.indptr) == n + 1
        if not fits:
            raise DataError(f"rows: this log takes {n} {layout.kind} rows of {layout.n_features} features with {n} ids")


class _Named(NamedTuple):
    """The label of each class, as an Arrow array."""

    values: Any

    def labels(self, name: str, numbers: Any) -> Any:
        """The labels of these class numbers."""
        import pyarrow as pa

        try:
            return self.values.take(pa.array(numbers, pa.int64()))
        except IndexError:
            raise DataError(f"{name}: holds a class number outside 0 to {len(self.values) - 1}") from None

    def lists(self, name: str, numbers: Any) -> Any:
        """The labels of class numbers in rows, as lists."""
        import pyarrow as pa

        return pa.FixedSizeListArray.from_arrays(self.labels(name, numbers.ravel()), numbers.shape[1])


def plain_labels(classes: Sequence[Label]) -> list[Any]:
    """The labels as JSON knows them; any other as text.

    >>> plain_labels(["a", 7, ("b", 1)])
    ['a', 7, "('b', 1)"]
    """
    return [label if label is None or isinstance(label, str | int | float) else str(label) for label in classes]


def label_values(classes: Sequence[Label]) -> Any:
    """The labels as an Arrow array: whole numbers, numbers, booleans or text if all are, else each as text.

    >>> label_values([3, 7]).type, label_values(["a", 7]).to_pylist()
    (DataType(int64), ['a', '7'])
    """
    import pyarrow as pa

    kinds = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}
    found = {type(label) for label in classes}
    kind = kinds.get(found.pop()) if len(found) == 1 else None
    if kind is not None:
        try:
            return pa.array(classes, kind)
        except OverflowError:
            pass
    texts = [str(label) for label in classes]
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise DataError(f"classes: two labels read {twice!r} as text, and a log could not tell them apart; rename one")
    return pa.array(texts, pa.string())


def _among_column(lessons: Lessons, kind: Any) -> Any:
    """The labels that each decision was drawn among, as lists of labels of this kind."""
    import pyarrow as pa

    each = [None] * lessons.size if lessons.among is None else lessons.among
    as_text = pa.types.is_string(kind)
    lists = [None if one is None else [str(label) if as_text else label for label in one] for one in each]
    return pa.array(lists, pa.list_(kind))


def _row_columns(rows: Any, n_features: int) -> list[Any]:
    import pyarrow as pa

    if isinstance(rows, DenseRows):
        return [pa.FixedSizeListArray.from_arrays(pa.array(rows.X.ravel()), n_features)]
    starts = pa.array(rows.indptr.astype(np.int32))
    return [pa.ListArray.from_arrays(starts, pa.array(part)) for part in (rows.indices, rows.values)]
