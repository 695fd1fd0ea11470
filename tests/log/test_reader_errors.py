"""Logs that cannot be: each error says what is wrong, where, and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import onebit
from onebit.log import read_log
from tests.log.samples import batch, written
from tests.log.test_reader import foreign

NAN = float("nan")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(onebit.DataError, match=r"none.parquet: there is no such file or folder"):
        read_log(tmp_path / "none.parquet")


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(onebit.DataError, match=r"the folder has no .parquet files"):
        read_log(tmp_path)


@pytest.mark.parametrize("content", [b"", b"played,propensity,bit\na,1,1\n"])
def test_not_parquet(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.parquet").write_bytes(content)
    with pytest.raises(onebit.FormatError, match=r"a.parquet: cannot be read as Parquet"):
        read_log(tmp_path / "a.parquet")


def test_a_file_cut_short(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", batch(100))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(onebit.FormatError, match="cannot be read as Parquet"):
        read_log(path)


def test_a_newer_format(tmp_path: Path) -> None:
    facts = json.dumps({"kind": "decisions", "format": 3})
    with pytest.raises(onebit.FormatError, match="format 3, and this onebit reads formats up to 2; upgrade"):
        read_log(foreign().replace_schema_metadata({"onebit": facts}))


@pytest.mark.parametrize("metadata", ["no JSON", "[1]", '{"settings": 1}'])
def test_metadata_that_say_nothing(metadata: str) -> None:
    assert len(read_log(foreign().replace_schema_metadata({"onebit": metadata}))) == 3


def test_neither_a_path_nor_a_table() -> None:
    with pytest.raises(onebit.ConfigError, match=r"log=\[1\]: give the path of a file or folder, or a table"):
        read_log([1])


@pytest.mark.parametrize("column", ["played", "propensity", "bit"])
def test_a_missing_column_names_those_there_are(column: str) -> None:
    there = [name for name in ("played", "propensity", "bit") if name != column]
    message = f"the table: has no column {column!r}; its columns are {there[0]!r}, {there[1]!r}, 'age'"
    with pytest.raises(onebit.DataError, match=message):
        read_log(foreign(**{column: None}, age=[1, 2, 3]))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"propensity": [0.5, None, None]}, "'propensity' is missing in row 1 .from 0.; must be above 0 and at most 1"),
        ({"propensity": [0.5, NAN, 0.5]}, "'propensity' is missing in row 1"),
        ({"propensity": [0.5, 0.5, 0.0]}, "'propensity' is 0.0 in row 2"),
        ({"propensity": [1.5, 0.5, 0.0]}, "'propensity' is 1.5 in row 0"),
        ({"propensity": [-0.5, 0.5, 0.5]}, "'propensity' is -0.5 in row 0"),
        ({"propensity": ["0.5", "0.5", "1"]}, "'propensity' holds string; must be above 0"),
        ({"propensity": [0.5, 0.5, 0.0], "bit": [None, 1, 0]}, "'propensity' is 0.0 in row 2"),
        ({"bit": [0, 1, 2]}, "'bit' is 2.0 in row 2 .from 0.; must be 0 .wrong. or 1 .right."),
        ({"bit": [0.5, 1, 0]}, "'bit' is 0.5 in row 0"),
        ({"bit": ["yes", "no", "no"]}, "'bit' holds string; must be 0"),
        ({"bit": pa.array([None] * 3, pa.bool_())}, "'bit' is missing in every row; none of the decisions"),
        ({"played": ["a", None, "b"]}, "'played' is missing in row 1"),
        ({"played": [1.0, NAN, 2.0]}, "'played' is missing in row 1"),
        ({"played": [["a"], ["b", "c"], ["a"]]}, "'played' is a list of 2 in row 1 .*; the first one has 1"),
        ({"played": [["a"], [None], ["a"]]}, "'played' has a list with a missing label"),
        ({"played": pa.array([[], [], []], pa.list_(pa.int64()))}, "'played' is empty in row 0"),
        ({"played": pa.array([1, 2, 3], pa.date32())}, "'played' holds date32.*; labels are whole numbers"),
        ({"greedy": ["a", None, "b"]}, "'greedy' is missing in row 1"),
        ({"explored": [0, 1, 3]}, "'explored' is 3.0 in row 2"),
        ({"age": [1.0, 2.0, NAN]}, "'age' is missing in row 2 .from 0.; rows must be finite"),
        ({"age": [1, None, 2]}, "'age' is missing in row 1"),
        ({"age": [1.0, float("inf"), 0.0]}, "'age' is inf in row 1"),
        ({"features": [[1.0], [1.0, 2.0], [1.0]]}, "'features' is a list of 2 in row 1 .*; the first one has 1"),
        ({"features": [[1.0], None, [1.0]]}, "'features' is missing in row 1"),
        ({"features": [[1.0, 2.0], [3.0, NAN], [1.0, 1.0]]}, "'features' is nan at feature 1 in row 1"),
        ({"features": [[1, 2], [None, 3], [1, 1]]}, "'features' is nan at feature 0 in row 1"),
        ({"features": [["a"], ["b"], ["c"]]}, "'features' holds list<.*string.; must hold lists of numbers"),
        ({"features": pa.array([[], [], []], pa.list_(pa.float64()))}, "'features' is empty in row 0"),
        ({"indices": [[0], [1], [2]]}, "has no column 'values'"),
        ({"values": [[0.5], [1], [2]]}, "has no column 'indices'"),
        ({"indices": [[0], [1], [2]], "values": [[1.0], [2.0, 3.0], [1.0]]}, "'values' is a list of 2 in row 1"),
        ({"indices": [[0], [1], [-2]], "values": [[1.0], [2.0], [1.0]]}, "'indices' is -2 in row 2"),
        ({"indices": [[], [0, 1], [2]], "values": [[], [2.0, NAN], [1.0]]}, "'values' is nan in row 1"),
    ],
)
def test_values_that_cannot_be(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.DataError, match=f"the table: column {message}" if message[0] == "'" else message):
        read_log(foreign(**columns))


@pytest.mark.parametrize(
    ("rows", "numbers", "message"),
    [
        ([[1.0], [2.0]], [0, 1, 2], "'row' is 2.0 in row 2 .from 0.; `rows` has 2 rows, counted from 0"),
        ([[1.0], [2.0]], [0, -1, 1], "'row' is -1.0 in row 1"),
        ([[1.0], [2.0]], [0, 0.5, 1], "'row' is 0.5 in row 1"),
        ([[1.0], [2.0]], [0, None, 1], "'row' is missing in row 1"),
        ([[1.0], [2.0]], None, "has no column 'row'"),
        ([1.0, 2.0], [0, 1, 0], "rows: float64 with 1 dimensions"),
        ([["a"], ["b"]], [0, 1, 0], "rows: <U1 with 2 dimensions"),
        ([[1.0], [NAN]], [0, 1, 0], "rows: holds nan; rows must be finite"),
    ],
)
def test_rows_that_cannot_be(rows: Any, numbers: Any, message: str) -> None:
    with pytest.raises(onebit.DataError, match=message):
        read_log(foreign(row=numbers), rows=rows)


def test_an_empty_log() -> None:
    with pytest.raises(onebit.DataError, match="the table: has no decisions; log some first"):
        read_log(foreign().slice(0, 0))


def test_columns_of_one_name() -> None:
    log = foreign().append_column("bit", pa.array([1, 0, 1]))
    with pytest.raises(onebit.DataError, match="several columns named 'bit'; rename all but one"):
        read_log(log)


def test_a_folder_of_files_that_differ(tmp_path: Path) -> None:
    parquet.write_table(foreign(), tmp_path / "a.parquet")
    parquet.write_table(foreign(played=[1, 2, 3]), tmp_path / "b.parquet")
    with pytest.raises(onebit.DataError, match="its files have different columns .*; read them one by one"):
        read_log(tmp_path)


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("format", None), ("format", "x"), ("format", 10**400), ("classes", None), ("classes", []),
        ("classes", [[], []]), ("learner", 3), ("n_features", -1), ("n_features", 1.5), ("n_features", 10**400),
        ("rows_made_with", {"bias": 1}),
    ],
)  # fmt: skip
def test_metadata_that_cannot_be(fact: str, value: object) -> None:
    facts = {"kind": "decisions", "format": 1, "learner": "", "classes": [0, 1], "n_features": None} | {fact: value}
    with pytest.raises(onebit.FormatError):
        read_log(foreign().replace_schema_metadata({"onebit": json.dumps(facts)}))


def test_metadata_of_deep_brackets() -> None:
    assert len(read_log(foreign().replace_schema_metadata({"onebit": "[" * 100_000}))) == 3


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("format", None),
        ("format", "1"),
        ("classes", 0.5),
        ("classes", [[1]]),
        ("classes", []),
        ("learner", 3),
        ("n_features", []),
    ],
)
def test_damaged_metadata(tmp_path: Path, fact: str, value: object) -> None:
    path = written(tmp_path / "a.parquet", batch(5))
    table = parquet.read_table(path)
    facts = json.loads(table.schema.metadata[b"onebit"]) | {fact: value}
    parquet.write_table(table.replace_schema_metadata({"onebit": json.dumps(facts)}), path)
    with pytest.raises(onebit.FormatError, match=f"its metadata are damaged .{fact}"):
        read_log(path)
    parquet.write_table(table.replace_schema_metadata({"onebit": "[" * 100_000}), path)
    assert len(read_log(path)) == 5


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", batch(5))
    path.write_bytes(path.read_bytes().replace(b"propensity", b"prop\xf9nsity"))
    with pytest.raises(onebit.FormatError, match="cannot be read as Parquet"):
        read_log(path)


def test_labels_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(foreign(), path)
    table = parquet.read_table(path)
    text = pa.array([b"\xe2", b"b", b"c"]).cast("binary").view("string")
    parquet.write_table(table.set_column(0, "played", text), path)
    with pytest.raises(onebit.FormatError, match="cannot be read as Parquet"):
        read_log(path)
