"""Graphs in files: lists of edges and lists of labels (CSV, TSV, Parquet)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.errors import DataError
from onebit.streams.graph.edges import Edges
from onebit.streams.tables.label_column import MISSING_NUMBERS, cast_text, common_type
from onebit.streams.tables.readers import CsvTable, Table, open_table

_BATCH = 65_536


def read_edges(path: Path) -> Edges:
    """The edges of a table: its columns `source` and `target`, else its first two; and `weight`, if it has one.

    The nodes are sorted, so the order of the lines does not matter.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "edges.csv"
    >>> _ = path.write_text("source,target\\n7,3\\n3,5\\n")
    >>> read_edges(path)[:3]
    ([3, 5, 7], array([2, 0]), array([0, 1]))
    """
    table = _open(path)
    ends = _pair(table, "source", "target")
    first, second = _read(table, ends)
    if first.type != second.type:
        first = first.cast("string")
        second = second.cast("string")
    _check_ends(table, ends, (first, second))
    nodes, codes = _numbered(table, [*first.chunks, *second.chunks])
    if isinstance(table, CsvTable):
        _check_header(table, ends, {str(node) for node in nodes})
    return Edges(nodes, codes[: len(first)], codes[len(first) :], _weights(table, "weight"), None)


def read_labels_of_nodes(path: Path, text: bool) -> tuple[list[Any], list[Any]]:
    """Node ids and their labels (None: no label): the columns `node` and `label`, else the first two.

    With `text`, ids are read as text whatever they look like.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "labels.csv"
    >>> _ = path.write_text("node,label\\n7,cat\\n3,\\n")
    >>> read_labels_of_nodes(path, text=False)
    ([7, 3], ['cat', None])
    """
    table = _open(path)
    columns = _pair(table, "node", "label")
    ids, labels = _read(table, columns)
    if not isinstance(table, CsvTable):
        return (ids.cast("string") if text else ids).to_pylist(), labels.to_pylist()
    raw = ids.to_pylist()
    _check_header(table, columns, set(raw))
    return (raw if text else _typed(raw, missing=set())), _typed(labels.to_pylist(), MISSING_NUMBERS)


def check_file(path: Path) -> None:
    """A `DataError` unless there is such a file.

    >>> check_file(Path("nowhere.csv"))
    Traceback (most recent call last):
    onebit.core.errors.DataError: nowhere.csv: there is no such file; check its name and folder
    """
    if not path.is_file():
        raise DataError(f"{path}: there is no such file; check its name and folder")


def _open(path: Path) -> Table:
    check_file(path)
    return open_table(path, [".graphml"])


def _pair(table: Table, first: str, second: str) -> tuple[str, str]:
    """The two columns that matter: those of these names, else the first two."""
    import pyarrow.types as kinds

    names = list(table.types)
    if len(names) < 2:
        raise DataError(f"{table.path}: has one column, {names[0]!r}; give two, such as {first},{second}")
    chosen = (first, second) if {first, second} <= set(names) else (names[0], names[1])
    for name in chosen:
        if kinds.is_nested(table.types[name]):
            raise DataError(f"{table.path}: column {name!r} holds {table.types[name]}; give a single value per row")
    return chosen


def _read(table: Table, columns: Sequence[str]) -> list[Any]:
    """The columns whole; those of CSV as text."""
    import pyarrow as pa

    if isinstance(table, CsvTable):
        table.types |= dict.fromkeys(columns, pa.string())
    batches = list(table.read(columns, _BATCH))
    if not sum(batch.num_rows for batch in batches):
        raise DataError(f"{table.path}: has no rows; give one edge or label per row")
    return [pa.chunked_array([batch.column(name) for batch in batches]).cast(table.types[name]) for name in columns]


def _check_ends(table: Table, names: Sequence[str], columns: Sequence[Any]) -> None:
    """Every edge has both ends."""
    import pyarrow.compute as pc

    for name, column in zip(names, columns, strict=True):
        gaps = pc.is_null(column, nan_is_null=True)
        if column.type == "string":
            gaps = pc.or_kleene(gaps, pc.equal(column, ""))
        row = pc.index(gaps, True).as_py()
        if row >= 0:
            raise DataError(f"{table.path}: row {row} (from 0) has nothing in column {name!r}; an edge has two ends")


def _check_header(table: Table, columns: Sequence[str], ids: set[str]) -> None:
    """A file without a header line would lose its first row to it."""
    if columns[0] in ids or all(common_type([name]) != "string" for name in columns):
        raise DataError(
            f"{table.path}: its first line, {','.join(columns)}, looks like data; "
            "put a header line before it, such as source,target or node,label"
        )


def _numbered(table: Table, chunks: Sequence[Any]) -> tuple[list[Any], Any]:
    """The different values, sorted, and the number of each value among them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pa.chunked_array(chunks)
    distinct = values.unique()
    typed = pa.array(_typed(distinct.to_pylist(), set())) if isinstance(table, CsvTable) else distinct
    nodes = typed.unique()
    nodes = nodes.take(pc.sort_indices(nodes))
    numbers = pc.index_in(typed, value_set=nodes).to_numpy().astype(np.int64)
    return nodes.to_pylist(), numbers[pc.index_in(values, value_set=distinct).to_numpy()]


def _typed(texts: list[str], missing: set[str]) -> list[Any]:
    """Texts as what all of them can be; those that stand for a missing number, and empty ones, as None."""
    import pyarrow as pa

    distinct = list(dict.fromkeys(texts))
    kind = common_type([text for text in distinct if text not in missing])
    gaps = {""} & missing if kind == pa.string() else missing
    proper = [text for text in distinct if text not in gaps]
    value = dict(zip(proper, cast_text(proper, kind).to_pylist(), strict=True))
    return [value.get(text) for text in texts]


def _weights(table: Table, name: str) -> FloatArray | None:
    import pyarrow as pa

    if name not in table.types:
        return None
    if table.content(name) != "numbers":
        raise DataError(f"{table.path}: column {name!r} holds {table.types[name]}; weights must be numbers")
    column = pa.chunked_array([batch.column(name) for batch in table.read([name], _BATCH)]).cast(pa.float64())
    return np.asarray(column.to_numpy(), dtype=np.float64)
