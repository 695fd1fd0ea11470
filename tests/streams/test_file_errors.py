"""Files, and arguments of `from_file`, that cannot be: each says what is wrong and where."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import onebit
from onebit.streams import from_file
from tests.streams.samples import N, table, write


@pytest.mark.parametrize("label", ["target", None])
def test_a_missing_label_column_lists_those_there_are(path: Path, label: str | None) -> None:
    with pytest.raises(onebit.DataError, match=f"label={label!r}.*'f0', 'y', 'f1', 'f2', 'f3'"):
        from_file(write(path, table()), label=label)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"columns": ["f0", "f9"]}, onebit.DataError, "no column 'f9'; its columns are 'f0'"),
        ({"columns": ["f0", "y"]}, onebit.ConfigError, "label 'y'.*leave it out"),
        ({"columns": ["f0", "f0"]}, onebit.ConfigError, "none twice"),
        ({"columns": []}, onebit.ConfigError, "at least one column"),
        ({"columns": "f0"}, onebit.ConfigError, "list of column names"),
        ({"batch_rows": 0}, onebit.ConfigError, "batch_rows=0"),
        ({"hash_features": 2.5}, onebit.ConfigError, "hash_features=2.5"),
    ],
)
def test_arguments_that_cannot_be(path: Path, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        from_file(write(path, table()), label="y", **options)


def test_one_class_is_not_enough(path: Path) -> None:
    with pytest.raises(onebit.DataError, match=r"every row .* says 'ant'"):
        from_file(write(path, table(["ant"] * N)), label="y")


def test_a_file_of_labels_only(path: Path) -> None:
    with pytest.raises(onebit.DataError, match="no column beside the label"):
        from_file(write(path, table().select(["y"])), label="y")


def test_a_file_without_rows(path: Path) -> None:
    with pytest.raises(onebit.DataError, match="has no rows"):
        from_file(write(path, table().slice(0, 0)), label="y")


def test_columns_of_one_name(path: Path) -> None:
    content = pa.Table.from_arrays([pa.array([1, 2]), pa.array([3, 4]), pa.array(["a", "b"])], ["a", "a", "y"])
    with pytest.raises(onebit.DataError, match="several columns named 'a'"):
        from_file(write(path, content), label="y")


def test_labels_are_single_values(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", pa.table({"a": [1, 2], "y": [["u"], ["v"]]}))
    with pytest.raises(onebit.DataError, match="label='y': holds list"):
        from_file(path, label="y")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "cannot be read as CSV"),
        ("a.csv", b"\n\n", "cannot be read as CSV"),
        ("a.csv", b"a,y\n1,u\n2\n", "cannot be read as CSV .*Expected 2 columns, got 1"),
        ("a.csv", b"a,y\n1,\xff\n2,v\n", "cannot be read as CSV .*UTF8"),
        ("a.csv.gz", b"not gzip", "cannot be read as CSV"),
        ("a.csv.gz", gzip.compress(b"a,y\n1,u\n2,v\n" * 999, mtime=0)[:-20], "cannot be read as CSV"),
        ("a.parquet", b"", "cannot be read as Parquet"),
        ("a.parquet", b"no Parquet at all", "cannot be read as Parquet"),
        ("a.parquet.gz", b"", "cannot tell its format"),
        ("a.npz", b"", "cannot tell its format.*parquet, .csv"),
        ("a", b"", "cannot tell its format"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(onebit.DataError, match=message):
        from_file(tmp_path / name, label="y")


def test_a_parquet_file_damaged_inside(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", table(), compression="zstd")
    content = bytearray(path.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    path.write_bytes(content)
    with pytest.raises(onebit.DataError, match="cannot be read as Parquet"):
        list(from_file(path, label="y", classes=["ant", "bee", "cow"]).windows(0))


def test_a_file_that_has_shrunk(path: Path) -> None:
    stream = from_file(write(path, table()), label="y")
    write(path, table().slice(0, 400))
    with pytest.raises(onebit.DataError, match="had 500 rows when opened, and fewer now"):
        list(stream.windows(0))


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(onebit.DataError, match="there is no such file"):
            from_file(path, label="y")
