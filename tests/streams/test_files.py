"""Streams from Parquet and CSV files: the same rows as in memory, in windows."""

from __future__ import annotations

import csv
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import onebit
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.features import hash_rows
from onebit.streams import files, from_arrays, from_file
from tests.streams.samples import D, N, X, Y, table, write

FORMS = ["a.parquet", "a.csv", "a.csv.gz", "a.csv.bz2", "a.tsv", "A.TSV.gz", "A.Parquet"]


# The same rows as in memory


@pytest.mark.parametrize("name", FORMS)
def test_a_file_is_the_same_stream_as_its_arrays(tmp_path: Path, name: str) -> None:
    stream = from_file(write(tmp_path / name, table()), label="y")
    assert (stream.name, stream.rounds, stream.n_features, stream.sparse) == (name, N, D, False)
    assert stream.classes == ("ant", "bee", "cow")
    assert (stream.X == X).all()
    assert (stream.y == Y).all()


def test_windows_of_any_size_give_the_rows_in_order(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.streams.tables.readers._BLOCK", 1_000)
    write(path, table(), **({"row_group_size": 70} if path.suffix == ".parquet" else {}))
    for batch_rows in (1, 7, 64, 499, 500, 501):
        stream = from_file(path, label="y", shuffle=False, batch_rows=batch_rows)
        windows = list(stream.windows(seed=0))
        assert [len(w.y) for w in windows[:-1]] == [batch_rows] * (len(windows) - 1)
        assert (np.concatenate([w.X[w.order] for w in windows]) == X).all()
        assert (stream.y == Y).all()


def test_a_window_is_bounded_in_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_WINDOW_BYTES", 8 * D * 100)
    stream = from_file(write(path, table()), label="y")
    assert [len(w.y) for w in stream.windows(0)] == [100] * 5
    assert max(w.X.nbytes for w in stream.windows(0)) == 8 * D * 100


def test_options_are_those_of_arrays(path: Path) -> None:
    want = from_arrays(X, Y, normalize=True, bias=True)
    stream = from_file(write(path, table()), label="y", normalize=True, bias=True, batch_rows=64)
    assert stream.n_features == D + 1
    np.testing.assert_allclose(stream.X, want.X, rtol=1e-15)


def test_columns_choose_and_order_the_features(path: Path) -> None:
    stream = from_file(write(path, table(note=["text"] * N)), label="y", columns=["f2", "f0"])
    assert stream.X.tolist() == X[:, [2, 0]].tolist()


def test_numbers_of_every_type_become_float64(tmp_path: Path) -> None:
    columns: dict[str, Any] = {
        "i8": pa.array([1, 2, 3], pa.int8()),
        "u64": pa.array([2**63, 1, 0], pa.uint64()),
        "f16": pa.array(np.array([0.5, 1, 2], dtype=np.float16)),
        "f32": pa.array([0.25, 1, 2], pa.float32()),
        "bool": pa.array([True, False, True]),
        "decimal": pa.array([1, 2, 3], pa.decimal128(5, 2)),
        "category": pa.array([7, 8, 7]).dictionary_encode(),
        "y": pa.array(["a", "b", "a"]).dictionary_encode(),
    }
    stream = from_file(write(tmp_path / "a.parquet", pa.table(columns)), label="y")
    assert stream.X.dtype == np.float64
    assert stream.X[0].tolist() == [1, 2.0**63, 0.5, 0.25, 1, 1, 7]
    assert stream.y.tolist() == ["a", "b", "a"]


def test_csv_numbers_may_change_their_looks_after_the_first_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onebit.streams.tables.readers._BLOCK", 64)
    lines = ["a,b,y"] + ["1,true,0"] * 50 + ["2.5,false,1"] * 50
    (tmp_path / "a.csv").write_text("\n".join(lines))
    stream = from_file(tmp_path / "a.csv", label="y")
    assert stream.X[49:51].tolist() == [[1, 1], [2.5, 0]]
    assert stream.classes == (0, 1)


def test_pandas_nameless_index_is_not_a_feature(tmp_path: Path) -> None:
    frame = pytest.importorskip("pandas").DataFrame({"a": [1.0, 2, 3], "y": ["u", "v", "u"]}, index=[5, 3, 9])
    frame.to_parquet(tmp_path / "a.parquet")
    assert from_file(tmp_path / "a.parquet", label="y").X.tolist() == [[1], [2], [3]]


def test_description(path: Path) -> None:
    write(path, table())
    facts = from_file(path, label="y").describe()
    assert facts["file"] == str(path)
    assert (facts["label"], facts["rows"], facts["kind"]) == ("y", N, "dense")
    assert facts["counts"] == [Y.tolist().count(c) for c in ("ant", "bee", "cow")]


# Shuffling and passes


def test_a_file_of_one_window_is_shuffled_as_arrays_are(path: Path) -> None:
    stream, want = from_file(write(path, table()), label="y"), from_arrays(X, Y)
    pairs = zip(stream.windows(9, rounds=1_200), want.windows(9, rounds=1_200), strict=True)
    assert all(one.order.tolist() == other.order.tolist() for one, other in pairs)


def test_rows_are_shuffled_inside_each_window_anew_in_each_pass(path: Path) -> None:
    stream = from_file(write(path, table()), label="y", batch_rows=200)
    windows = list(stream.windows(1, rounds=N + 300))
    assert [len(w.order) for w in windows] == [200, 200, 100, 200, 100]
    assert [len(w.y) for w in windows] == [200, 200, 100, 200, 200]
    assert sorted(windows[0].order.tolist()) == sorted(windows[3].order.tolist()) == list(range(200))
    assert windows[0].order.tolist() != windows[3].order.tolist()
    assert (windows[0].X == windows[3].X).all()
    assert windows[0].X is not windows[1].X
    again = [w.order.tolist() for w in stream.windows(1, rounds=N + 300)]
    assert again == [w.order.tolist() for w in windows]
    assert [w.order.tolist() for w in stream.windows(2, rounds=N + 300)] != again


def test_shuffle_false_keeps_the_order_through_all_passes(path: Path) -> None:
    stream = from_file(write(path, table()), label="y", batch_rows=300, shuffle=False)
    rows = np.concatenate([w.X[w.order] for w in stream.windows(0, rounds=1_100)])
    assert (rows == np.concatenate([X, X, X[:100]])).all()


def test_a_stream_can_be_sent_to_another_process(path: Path) -> None:
    stream = pickle.loads(pickle.dumps(from_file(write(path, table()), label="y")))
    assert (stream.X == X).all()


def test_play_with_late_feedback_is_the_same_from_file_and_memory(path: Path) -> None:
    stream = from_file(write(path, table()), label="y", batch_rows=37, shuffle=False)
    want = from_arrays(X, Y, shuffle=False)
    channel = onebit.NoisyBit(0.1, 0.2, delay=(0, 90))
    weights = []
    for source in (stream, want):
        learner = prepare(onebit.Banditron(source.classes, gamma=0.2), source, seed=3)
        trace = play(learner, source, channel, seed=3, rounds=1_300)
        weights.append((trace.mistakes.tolist(), trace.updates.tolist(), learner.scores(np.eye(D)).tolist()))
    assert weights[0] == weights[1]
    assert np.abs(weights[0][2]).max() > 0


# Labels


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([2, 0, 1], (0, 1, 2)),
        ([0.5, -1.5, 0.5], (-1.5, 0.5)),
        ([True, False, True], (False, True)),
        (["b", "a", "ö"], ("a", "b", "ö")),
    ],
)
def test_labels_become_plain_values(path: Path, labels: list[Any], classes: tuple[Any, ...]) -> None:
    stream = from_file(write(path, pa.table({"a": [1.0, 2.0, 3.0], "y": labels})), label="y")
    assert stream.classes == classes
    assert {type(c) for c in stream.classes} == {type(labels[0])}
    assert stream.y.tolist() == labels
    assert stream.describe()["counts"] == [labels.count(c) for c in classes]


@pytest.mark.parametrize(
    ("written", "classes"),
    [(["1", "2", "2x"], ("1", "2", "2x")), (["01", "1", "2"], (1, 2)), (["1", "1.5", "2"], (1.0, 1.5, 2.0))],
)
def test_csv_labels_are_what_all_of_them_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: list[str], classes: tuple[Any, ...]
) -> None:
    monkeypatch.setattr("onebit.streams.tables.readers._BLOCK", 32)
    (tmp_path / "a.csv").write_text("a,y\n" + "".join(f"1,{label}\n" * 20 for label in written))
    stream = from_file(tmp_path / "a.csv", label="y")
    assert stream.classes == classes
    assert len(stream.y) == 60
    assert set(stream.y.tolist()) == set(classes)


def test_given_classes_fix_the_order_and_allow_more(path: Path) -> None:
    stream = from_file(write(path, table()), label="y", classes=["cow", "dog", "bee", "ant"])
    assert stream.classes == ("cow", "dog", "bee", "ant")
    assert (stream.y == Y).all()


def test_csv_labels_stay_text_where_the_classes_are(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,y\n1,01\n2,1\n")
    assert from_file(tmp_path / "a.csv", label="y", classes=["1", "01"]).y.tolist() == ["01", "1"]


def test_an_unknown_label_is_named_with_its_row(path: Path) -> None:
    labels = np.where(np.arange(N) == 123, "yak", Y)
    with pytest.raises(onebit.DataError, match=r"row 123 .*label 'yak'.* not among the classes \['ant', "):
        list(from_file(write(path, table(labels)), "y", classes=["ant", "bee", "cow"], batch_rows=50).windows(0))


@pytest.mark.parametrize("classes", [["ant"], ["ant", "bee", "ant"]])
def test_classes_that_cannot_be(path: Path, classes: list[str]) -> None:
    with pytest.raises(onebit.ConfigError, match="classes="):
        from_file(write(path, table()), label="y", classes=classes)


def test_classes_of_another_type_than_the_column(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", table(np.arange(N) % 3))
    with pytest.raises(onebit.DataError, match=r"classes=.*which holds int64"):
        from_file(path, label="y", classes=["one", "two"])


@pytest.mark.parametrize("gap", [None, float("nan")])
def test_a_missing_label_is_named_with_its_row(path: Path, gap: Any) -> None:
    labels = [float(i % 2) for i in range(N)]
    labels[77] = gap
    with pytest.raises(onebit.DataError, match=r"row 77 .*no label in column 'y'"):
        from_file(write(path, table(labels)), label="y")


def test_a_missing_label_under_given_classes(tmp_path: Path) -> None:
    labels = [None if i == 77 else str(label) for i, label in enumerate(Y)]
    stream = from_file(write(tmp_path / "a.parquet", table(labels)), "y", classes=["ant", "bee", "cow"])
    with pytest.raises(onebit.DataError, match=r"row 77 .*no label"):
        list(stream.windows(0))
    (tmp_path / "a.csv").write_text("a,y\n1,u\n2,\n3,v\n")
    with pytest.raises(onebit.DataError, match=r"row 1 .*no label"):
        from_file(tmp_path / "a.csv", label="y")


# Hashed columns


def mixed() -> pa.Table:
    more = {"colour": np.array(["red", "blue", ""])[np.arange(N) % 3], "new": np.arange(N) % 2 == 0}
    return table(**more)


def test_hashed_columns_are_rows_hashed_by_name(path: Path) -> None:
    stream = from_file(write(path, mixed()), label="y", hash_features=2**18, batch_rows=64, shuffle=False)
    assert (stream.sparse, stream.n_features) == (True, 2**18)
    names = [name for name in mixed().column_names if name != "y"]
    want = hash_rows(mixed().select(names).to_pylist(), 2**18)
    assert abs(stream.X - want).nnz == 0
    learner = onebit.Banditron(stream.classes, cases=None)
    one = prepare(learner, stream, seed=0)
    play(one, stream, onebit.Bit(), seed=0)
    assert one.scores(mixed().select(names).to_pylist()[:5]) == pytest.approx(one.scores(want[:5]), rel=1e-12)


def test_hashed_columns_take_the_options(path: Path) -> None:
    stream = from_file(write(path, mixed()), "y", hash_features=64, columns=["colour"], normalize=True, bias=True)
    assert stream.X.shape == (N, 65)
    assert (stream.X[:, [64]].toarray() == 1).all()
    assert (stream.X.sum(axis=1) == 2).all()


def test_columns_that_are_neither_numbers_nor_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", table(when=pa.array([0] * N, pa.timestamp("s"))))
    refused: list[dict[str, Any]] = [{"hash_features": 64}, {"cases": False}]
    for options in refused:
        with pytest.raises(onebit.DataError, match=r"'when' holds timestamp\[.*leave it out"):
            from_file(path, label="y", **options)
    path = write(tmp_path / "b.parquet", table(span=pa.array([0] * N, pa.duration("s"))))
    with pytest.raises(onebit.DataError, match=r"'span' holds duration.*a case has text, numbers.*--columns A,B"):
        from_file(path, label="y")


@pytest.mark.parametrize("hashed", [None, 2**10])
@pytest.mark.parametrize(("value", "said"), [(None, "missing"), (np.nan, "missing"), (np.inf, "inf")])
def test_bad_numbers_are_named_with_column_and_row(path: Path, hashed: Any, value: Any, said: str) -> None:
    bad = [value if i == 321 else 0.5 for i in range(N)]
    options: dict[str, Any] = {"cases": False} if hashed is None else {"hash_features": hashed}
    stream = from_file(write(path, table(bad=bad)), label="y", batch_rows=100, **options)
    with pytest.raises(onebit.DataError, match=f"column 'bad' is {said} in row 321"):
        list(stream.windows(0))


def test_missing_text_is_named_with_column_and_row(tmp_path: Path) -> None:
    bad = [None if i == 321 else "x" for i in range(N)]
    stream = from_file(write(tmp_path / "a.parquet", table(bad=bad)), label="y", hash_features=64)
    with pytest.raises(onebit.DataError, match="column 'bad' is missing in row 321"):
        list(stream.windows(0))


# Raw cases


def raw() -> pa.Table:
    gaps = [None if i % 5 == 0 else i / 4 for i in range(N)]
    return table(
        subject=[f"ticket {i} of the {'first' if i % 3 else 'other'} kind" for i in range(N)],
        code=[f"{i:05d}" for i in range(N)],
        gap=gaps,
        when=pa.array(range(N), pa.date32()),
        new=np.arange(N) % 2 == 0,
    )


def test_anything_but_numbers_makes_raw_cases(path: Path) -> None:
    stream = from_file(write(path, raw()), label="y", batch_rows=64)
    assert (stream.cases, stream.sparse, stream.n_features) == (True, True, D + 5)
    assert stream.feature_names == ("f0", "f1", "f2", "f3", "subject", "code", "gap", "when", "new")
    assert stream.describe()["kind"] == "cases"
    assert [case["subject"] for case in stream.X] == raw()["subject"].to_pylist()
    assert [case["code"] for case in stream.X] == raw()["code"].to_pylist()
    assert stream.y.tolist() == Y.tolist()
    assert [len(window.y) for window in stream.windows(0)] == [64] * 7 + [N - 7 * 64]
    chosen = from_file(path, label="y", columns=["f2", "f0"])
    assert not chosen.cases
    assert chosen.X.tolist() == X[:, [2, 0]].tolist()


def test_a_gap_among_numbers_does_too(path: Path) -> None:
    for gap in (None, np.nan):
        write(path, table(gap=[gap if i == 321 else 0.5 for i in range(N)]))
        stream = from_file(path, label="y")
        assert stream.cases
        value = stream.X[321]["gap"]
        assert value in ("", "nan", None) or value != value
        assert stream.X[320]["gap"] in (0.5, "0.5")
    assert not from_file(write(path, table(full=[0.5] * N)), label="y").cases


def test_numbers_can_be_asked_for_and_refused(path: Path) -> None:
    write(path, table())
    stream = from_file(path, label="y", cases=True)
    assert stream.cases
    assert [float(case["f2"]) for case in stream.X] == X[:, 2].tolist()
    refused: list[dict[str, Any]] = [{"normalize": True}, {"bias": True}]
    for options in refused:
        with pytest.raises(onebit.ConfigError, match="is for rows of numbers, and these are raw cases"):
            from_file(path, label="y", cases=True, **options)
    with pytest.raises(onebit.ConfigError, match="hash_features=64: is not for raw cases"):
        from_file(path, label="y", cases=True, hash_features=64)


def test_csv_is_read_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.streams.tables.readers._BLOCK", 64)
    rows = [["007", "1", "2026-11-02", "", "true", "a"], ["10", " 2.50", "3.11.2026", "NA", "no", "b"]] * 40
    rows.append(["7", "late", "", 'x, "y"', "", "a"])
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "late", "when", "empty", "flag", "y"], *rows])
    stream = from_file(tmp_path / "a.csv", label="y", shuffle=False)
    assert [list(case.values()) for case in stream.X] == [row[:-1] for row in rows]
    assert stream.classes == ("a", "b")


def test_a_column_that_is_text_only_far_down_makes_raw_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.streams.tables.readers._BLOCK", 64)
    (tmp_path / "a.csv").write_text("a,b,y\n" + "01,1.50,u\n2,2,v\n" * 50 + "oops,3,u\n")
    stream = from_file(tmp_path / "a.csv", label="y")
    assert stream.cases
    assert stream.X[0] == {"a": "01", "b": "1.50"}
    assert stream.X[100] == {"a": "oops", "b": "3"}
    assert from_file(tmp_path / "a.csv", label="y", columns=["b"]).X[:2].tolist() == [[1.5], [2]]
    stream = from_file(tmp_path / "a.csv", label="y", cases=False)
    with pytest.raises(onebit.DataError, match=r"cannot be read as CSV .*Row #102.*'oops'"):
        list(stream.windows(0))


def test_late_feedback_across_windows_of_raw_cases(path: Path) -> None:
    stream = from_file(write(path, raw()), label="y", batch_rows=37, shuffle=False)
    want = from_arrays(stream.X, Y, shuffle=False)
    channel = onebit.NoisyBit(0.1, 0.2, delay=(0, 90))
    found = []
    for source in (stream, want, pickle.loads(pickle.dumps(stream))):
        learner = prepare(onebit.OneBit(source.classes), source, seed=3)
        trace = play(learner, source, channel, seed=3, rounds=1_300)
        found.append((trace.mistakes.tolist(), trace.updates.tolist(), learner.scores(want.X[:9]).tolist()))
    assert found[0] == found[1] == found[2]
    assert np.abs(found[0][2]).max() > 0


def test_a_file_of_one_window_is_the_same_stream_as_its_cases(path: Path) -> None:
    stream = from_file(write(path, raw()), label="y")
    want = from_arrays(stream.X, Y)
    learner = onebit.OneBit(stream.classes)
    a, b = (onebit.simulate(learner, one, seeds=[4], rounds=900) for one in (stream, want))
    assert a.error == b.error
    assert a.learners[0].scores(want.X[:9]).tolist() == b.learners[0].scores(want.X[:9]).tolist()
