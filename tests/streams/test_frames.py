"""Streams from frames: the same rows, labels and bits as from a Parquet file or from arrays."""

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
from tests.features.samples import FRAMES, every_frame
from tests.streams.samples import D, N, X, Y, table, write

Make = Callable[[pa.Table], Any]
COLOURS = np.array(["red", "blue", ""])[np.arange(N) % 3]


# The same as a file


@every_frame
def test_a_frame_is_the_same_stream_as_its_file(make: Make, tmp_path: Path) -> None:
    stream = from_frame(make(table()), label="y")
    file = from_file(write(tmp_path / "a.parquet", table()), label="y")
    assert (stream.name, stream.rounds, stream.n_features, stream.sparse) == ("frame", N, D, False)
    assert stream.classes == file.classes == ("ant", "bee", "cow")
    assert (stream.X == file.X).all()
    assert (stream.y == file.y).all()
    for one, other in zip(stream.windows(9, rounds=1_200), file.windows(9, rounds=1_200), strict=True):
        assert (one.order == other.order).all()


@every_frame
def test_so_is_one_with_text(make: Make, tmp_path: Path) -> None:
    cases = table(colour=COLOURS, new=np.arange(N) % 2 == 0)
    stream = from_frame(make(cases), label="y", hash_features=2**10)
    file = from_file(write(tmp_path / "a.parquet", cases), label="y", hash_features=2**10)
    assert (stream.sparse, stream.n_features) == (True, 2**10)
    assert abs(stream.X - file.X).nnz == 0
    assert stream.y.tolist() == Y.tolist()


@every_frame
def test_so_is_one_of_raw_cases(make: Make, tmp_path: Path) -> None:
    gaps = [None if i % 5 == 0 else i / 3 for i in range(N)]
    cases = table(colour=COLOURS, gap=gaps)
    stream = from_frame(make(cases), label="y")
    file = from_file(write(tmp_path / "a.parquet", cases), label="y")
    assert stream.cases
    assert stream.feature_names == file.feature_names == ("f0", "f1", "f2", "f3", "colour", "gap")
    assert [case["gap"] for case in stream.X] == [case["gap"] for case in file.X] == gaps
    assert stream.y.tolist() == Y.tolist()
    learner = onebit.OneBit(stream.classes)
    a, b = (onebit.simulate(learner, one, rounds=700) for one in (stream, file))
    assert a.error == b.error
    assert a.learners[0].scores(file.X[:50]).tolist() == b.learners[0].scores(make(cases)).tolist()[:50]


def test_the_content_decides_the_identity_of_raw_cases_too() -> None:
    cases = table(colour=COLOURS)
    first, *others = [from_frame(make(cases), "y").identity() for make in FRAMES.values()]
    assert all(other == first for other in others)
    assert from_frame(cases.slice(1), "y").identity() != first
    stream = pickle.loads(pickle.dumps(from_frame(cases, "y")))
    assert stream.identity() == first


def test_columns_of_polars_of_every_kind() -> None:
    polars = pytest.importorskip("polars")
    columns = {
        "list": [["a", "b"], ["c"], ["a"]],
        "struct": [{"p": 1, "q": "z"}, {"p": 2, "q": None}, {"p": 3, "q": "y"}],
        "vector": [[1.0, 2.0, 3.0, 4.0]] * 3,
        "category": polars.Series(["u", "v", None], dtype=polars.Categorical),
        "chosen": polars.Series(["u", "v", "u"], dtype=polars.Enum(["u", "v"])),
        "when": polars.Series([1, 2, None]).cast(polars.Datetime("ns")),
        "y": ["yes", "no", "yes"],
    }
    stream = from_frame(polars.DataFrame(columns), "y")
    assert stream.X[1]["struct"] == {"p": 2, "q": None}
    assert stream.X[0]["category"] == stream.X[2]["chosen"] == "u"
    assert onebit.simulate(onebit.OneBit(stream.classes), stream, rounds=30).complete


def test_a_column_of_pandas_that_mixes_numbers_and_text_is_text() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": [12, "large", None, 1.5], "y": ["u", "v", "u", "v"]})
    stream = from_frame(frame, "y")
    assert [case["size"] for case in stream.X] == ["12", "large", None, "1.5"]
    assert onebit.OneBit(["u", "v"]).decide_many(frame[["size"]]).labels.shape == (4,)
    with pytest.raises(onebit.DataError, match="column size with type object"):
        from_frame(pandas.DataFrame({"size": [12, "large", ["x"]], "y": ["u", "v", "u"]}), "y")


def test_playing_a_frame_or_its_file_gives_the_same_bits(tmp_path: Path) -> None:
    streams = [from_frame(table(), "y"), from_file(write(tmp_path / "a.parquet", table()), "y"), from_arrays(X, Y)]
    learner = onebit.Banditron(streams[0].classes, gamma=0.2)
    results = [onebit.simulate(learner, stream, rounds=1_300, seeds=2) for stream in streams]
    scores = [[clone.scores(X).tolist() for clone in result.learners] for result in results]
    assert scores[0] == scores[1] == scores[2]
    assert results[0].updates > 0


def test_options(tmp_path: Path) -> None:
    stream = from_frame(table(), "y", columns=["f2", "f0"], normalize=True, bias=True, shuffle=False, name="cases")
    want = from_arrays(X[:, [2, 0]], Y, normalize=True, bias=True)
    assert (stream.X == want.X).all()
    assert stream.name == "cases"
    assert next(stream.windows(3)).order.tolist() == list(range(N))
    facts = stream.describe()
    assert facts["label"] == "y"
    assert facts["options"] == {"normalize": True, "bias": True, "shuffle": False}
    assert facts["counts"] == [Y.tolist().count(c) for c in stream.classes]


def test_the_content_decides_the_identity_whatever_holds_it() -> None:
    first, *others = [from_frame(make(table()), "y").identity() for make in FRAMES.values()]
    assert all(other == first for other in others)
    assert from_frame(table().slice(1), "y").identity() != first


def test_a_stream_can_be_sent_to_another_process() -> None:
    assert (pickle.loads(pickle.dumps(from_frame(table(), "y"))).X == X).all()


def test_float32_stays_so() -> None:
    cases = pa.table({"a": pa.array([1.5, 2], pa.float32()), "y": [0, 1]})
    assert from_frame(cases, "y").X.dtype == np.float32


def test_given_classes_fix_the_order_and_allow_more() -> None:
    stream = from_frame(table(), "y", classes=["cow", "dog", "bee", "ant"])
    assert stream.classes == ("cow", "dog", "bee", "ant")
    assert (stream.y == Y).all()


@pytest.mark.parametrize("labels", [[2, 0, 1], [True, False, True], ["b", "a", "ö"], [0.5, -1.5, 0.5]])
def test_labels_become_plain_values(labels: list[Any]) -> None:
    stream = from_frame(pa.table({"a": [1.0, 2.0, 3.0], "y": labels}), "y")
    assert stream.classes == tuple(sorted(set(labels)))
    assert {type(c) for c in stream.classes} == {type(labels[0])}


def test_the_index_of_pandas_is_no_feature_in_frame_or_file(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2, 3], "y": ["u", "v", "u"]}, index=pandas.Index([5, 3, 9], name="id"))
    frame.to_parquet(tmp_path / "a.parquet")
    for stream in (from_frame(frame, "y"), from_file(tmp_path / "a.parquet", "y")):
        assert stream.X.tolist() == [[1], [2], [3]]
    for stream in (from_frame(frame, "y", columns=["id"]), from_file(tmp_path / "a.parquet", "y", columns=["id"])):
        assert stream.X.tolist() == [[5], [3], [9]]


# Errors


@pytest.mark.parametrize(
    ("cases", "options", "message"),
    [
        (table(when=pa.array([0] * N, pa.date32())), {"hash_features": 64}, r"cases: column 'when' holds date32"),
        (table(gap=[None] * N), {"cases": False}, r"cases: column 'gap' is missing in row 0 \(from 0\)"),
        (
            table(colour=COLOURS),
            {"cases": False},
            r"column 'colour' holds string.*cases=False asks for rows of numbers",
        ),
        (table(colour=COLOURS), {"normalize": True}, r"normalize=True: is for rows of numbers.*raw cases"),
        (table(colour=COLOURS), {"bias": True}, r"bias=True: is for rows of numbers.*raw cases"),
        (table(), {"cases": True, "hash_features": 64}, r"hash_features=64: is not for raw cases"),
        (table(odd=[b"x"] * N), {}, r"cases: column 'odd' holds binary, and a case has text, numbers"),
        (table(), {"label": "z"}, "label='z': cases has no such column; name one of 'f0'"),
        (table(), {"label": ["y"]}, r"label=\['y'\]: cases has no such column"),
        (table(["ant"] * N), {}, "every row of cases says 'ant'"),
        (table([None] * N), {}, r"cases: row 0 \(from 0\) has no label in column 'y'"),
        (table(), {"classes": ["ant", "bee"]}, r"cases: row \d+ .*label 'cow'.* not among the classes"),
        (table().slice(0, 0), {}, "cases: has no rows"),
        (table(), {"columns": ["f9"]}, "columns: cases has no column 'f9'"),
        (table(), {"columns": ["y"]}, "would give the answer away"),
        (table(), {"hash_features": 0}, "hash_features=0: must be a whole number"),
        (X, {}, "cases: is a ndarray, and no table of named columns"),
        ({"a": [1.0], "y": [1]}, {}, "cases: is a dict, and no table of named columns"),
    ],
)
def test_errors_name_the_place(cases: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.OnebitError, match=message):
        from_frame(cases, **({"label": "y", "name": "cases"} | options))


def test_a_lazy_frame_is_to_be_collected() -> None:
    lazy = pytest.importorskip("polars").DataFrame({"a": [1.0], "y": [1]}).lazy()
    with pytest.raises(onebit.DataError, match="is a LazyFrame.*collect a lazy one first"):
        from_frame(lazy, "y")


# from_arrays


@every_frame
def test_from_arrays_takes_frames(make: Make) -> None:
    features = table().drop_columns(["y"])
    assert (from_arrays(make(features), Y).X == X).all()
    mixed = features.append_column("colour", [COLOURS])
    stream = from_arrays(make(mixed), Y)
    assert stream.cases
    assert mixed.to_pylist() == stream.X


def test_from_arrays_takes_columns_of_labels() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    text = [str(label) for label in Y]
    columns = [
        pandas.Series(text), pandas.Series(text, dtype="category"), polars.Series(text), pa.array(text),
        polars.Series(text, dtype=polars.Categorical), pa.chunked_array([text[:9], text[9:]]).dictionary_encode(),
    ]  # fmt: skip
    for column in columns:
        stream = from_arrays(X, column)
        assert stream.classes == ("ant", "bee", "cow")
        assert stream.y.tolist() == text


def test_from_arrays_names_the_row_without_a_label() -> None:
    pandas = pytest.importorskip("pandas")
    gaps = [pa.chunked_array([["u"], ["v", None]]).dictionary_encode(), pandas.Series([1, 2, pandas.NA], dtype=object)]
    for gap in gaps:
        with pytest.raises(onebit.DataError, match=r"y: row 2 has the label .*; drop the rows without a label"):
            from_arrays(np.eye(3), gap)
