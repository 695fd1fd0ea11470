"""Columns of text in files and frames: a feature of 0 and 1 for each of their values."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import onebit
from onebit.streams import from_arrays, from_file, from_frame
from onebit.streams.tables import readers
from tests.features.samples import every_frame
from tests.streams.samples import N, X, Y, table, write

COLOURS = np.array(["red", "blue", ""])[np.arange(N) % 3]
NEW = np.arange(N) % 2 == 0
SPREAD = [np.equal(COLOURS, colour).astype(float) for colour in ("", "blue", "red")]


def mixed() -> pa.Table:
    """Numbers, then a column of text, then one of booleans."""
    return table().select(["f0", "y"]).append_column("colour", [COLOURS]).append_column("new", [NEW])


def rows() -> Any:
    return np.column_stack([X[:, 0], *SPREAD, NEW])


def test_each_value_is_a_feature_at_the_place_of_its_column(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.streams.tables.readers._BLOCK", 1_000)
    stream = from_file(write(path, mixed()), label="y", batch_rows=64, shuffle=False)
    assert stream.feature_names == ("f0", "colour=", "colour=blue", "colour=red", "new")
    assert (stream.sparse, stream.n_features) == (False, 5)
    assert stream.X.tolist() == rows().tolist()
    assert (stream.y == Y).all()
    assert stream.describe()["columns of text"] == {"colour": 3}


@every_frame
def test_a_frame_is_the_same_stream_as_its_file(make: Callable[[pa.Table], Any], tmp_path: Path) -> None:
    stream, file = from_frame(make(mixed()), "y"), from_file(write(tmp_path / "a.parquet", mixed()), "y")
    assert stream.X.tolist() == file.X.tolist() == rows().tolist()
    assert stream.feature_names == file.feature_names
    assert stream.describe()["columns of text"] == {"colour": 3}


def test_playing_it_gives_the_same_bits_as_playing_its_columns(path: Path) -> None:
    streams = [from_file(write(path, mixed()), "y"), from_frame(mixed(), "y"), from_arrays(rows(), Y)]
    learner = onebit.Banditron(streams[0].classes, gamma=0.2)
    results = [onebit.simulate(learner, stream, rounds=800) for stream in streams]
    scores = [result.learners[0].scores(rows()).tolist() for result in results]
    assert scores[0] == scores[1] == scores[2]
    assert results[0].updates > 0


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view()])
def test_categories_are_text_and_so_are_labels(kind: Any) -> None:
    names = pa.array(["w", "v", "w"]).dictionary_encode().cast(pa.dictionary(pa.int32(), kind))
    stream = from_frame(pa.table({"a": names, "y": names}), "y")
    assert (stream.feature_names, stream.classes) == (("a=v", "a=w"), ("v", "w"))
    assert stream.X.tolist() == [[0, 1], [1, 0], [0, 1]]


def test_options_and_chosen_columns(path: Path) -> None:
    options: dict[str, Any] = {"columns": ["colour", "f0"], "normalize": True, "bias": True}
    file, frame = from_file(write(path, mixed()), "y", **options), from_frame(mixed(), "y", **options)
    want = from_arrays(np.column_stack([*SPREAD, X[:, 0]]), Y, normalize=True, bias=True)
    np.testing.assert_allclose(file.X, want.X, rtol=1e-15)
    assert (frame.X == want.X).all()
    assert file.feature_names == ("colour=", "colour=blue", "colour=red", "f0", "bias")


def test_another_process_has_the_same_columns(path: Path) -> None:
    stream = from_file(write(path, mixed()), "y")
    identity = stream.identity()
    again = pickle.loads(pickle.dumps(stream))
    assert again.identity() == identity
    assert identity["values"] == {"colour": ["", "blue", "red"]}
    assert (pickle.loads(pickle.dumps(from_frame(mixed(), "y"))).seen(mixed()) == rows()).all()


def test_numbers_alone_keep_their_identity(path: Path) -> None:
    assert "values" not in from_file(write(path, table()), "y").identity()


def test_a_value_that_came_later(path: Path) -> None:
    stream = from_file(write(path, mixed()), "y")
    sent = pickle.dumps(stream)
    colours = np.where(np.arange(N) == 321, "green", COLOURS)
    write(path, mixed().set_column(2, "colour", [colours]))
    for one in (stream, pickle.loads(sent)):
        with pytest.raises(onebit.DataError, match=r"column 'colour' is 'green' in row 321 .*open it again"):
            list(one.windows(0))


def test_64_values_are_the_most(path: Path) -> None:
    codes = [f"E{i % 64}" for i in range(N)]
    assert from_file(write(path, table(code=codes)), "y").n_features == 4 + 64
    codes[-1] = "E64"
    many = table(code=codes, note=[f"{i} a" for i in range(N)], few=["a"] * N)
    remedy = r"columns=\[...\] \(--columns A,B,...\), or .*hash_features=2\*\*18 \(--hash-features 2\^18\)$"
    with pytest.raises(onebit.DataError, match=rf"columns 'code', 'note' hold text with more than 64 .*{remedy}"):
        from_file(write(path, many), "y")
    with pytest.raises(onebit.DataError, match=r"cases: column 'code' holds text .*hash_features=2\*\*18$"):
        from_frame(table(code=codes), "y", name="cases")
    assert from_file(path, "y", hash_features=64).n_features == 64
    assert from_file(path, "y", columns=["f1", "few"]).feature_names == ("f1", "few=a")


def test_missing_text_is_named_with_column_and_row(tmp_path: Path) -> None:
    bad = table(bad=[None if i == 321 else "x" for i in range(N)])
    for opened in (lambda: from_file(write(tmp_path / "a.parquet", bad), "y"), lambda: from_frame(bad, "y")):
        with pytest.raises(onebit.DataError, match="column 'bad' is missing in row 321"):
            opened()


def test_the_file_is_scanned_once_and_not_at_all_where_nothing_is_sought(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Any] = []
    for kind in ("ParquetTable", "CsvTable"):
        plain = getattr(readers, kind).read

        def read(self: Any, columns: Any, rows: int, plain: Any = plain) -> Any:
            reads.append(list(columns))
            return plain(self, columns, rows)

        monkeypatch.setattr(f"onebit.streams.tables.readers.{kind}.read", read)
    stream = from_file(write(path, mixed()), "y", classes=["ant", "bee", "cow"])
    assert reads == [["y", "colour"]]
    pickle.loads(pickle.dumps(stream))
    assert reads[1:] == ([] if path.suffix == ".parquet" else [["y"]])
