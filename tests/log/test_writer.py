"""What is written is what was decided, in the types that were promised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import onebit
from onebit.core.lessons import new_lessons
from onebit.log import DecisionLog, Lessons, read_log
from onebit.ops.rows import DenseRows
from tests.log.samples import NAMES, batch, changed, layout, written


@pytest.fixture(params=["log.parquet", "folder"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / "new" / str(request.param)


def test_columns(tmp_path: Path) -> None:
    table = parquet.read_table(written(tmp_path / "a.parquet", batch(7), has_row=True, learner="Banditron(4)"))
    kinds = {"id": "int64", "step": "int64", "played": "string", "propensity": "double", "greedy": "string"}
    kinds |= {"explored": "bool", "bit": "bool", "row": "int64"}
    assert {field.name: str(field.type) for field in table.schema} == kinds
    sent = batch(7)
    assert table["id"].to_pylist() == sent.id.tolist()
    assert table["step"].to_pylist() == sent.step.tolist()
    assert table["played"].to_pylist() == [NAMES[k] for k in sent.draws.labels[:, 0]]
    assert table["propensity"].to_pylist() == sent.draws.propensity.tolist()
    assert table["greedy"].to_pylist() == [NAMES[k] for k in sent.draws.greedy]
    assert table["explored"].to_pylist() == (sent.draws.explored == 1).tolist()
    assert table["bit"].to_pylist() == (sent.answer == 1).tolist()
    assert sent.row is not None
    assert table["row"].to_pylist() == sent.row.tolist()
    facts = json.loads(table.schema.metadata[b"onebit"])
    assert (facts["version"], facts["learner"], facts["classes"]) == (onebit.__version__, "Banditron(4)", NAMES)
    assert (facts["set_size"], facts["n_features"], facts["feedback"]) == (1, None, "bit")


def test_sets_and_true_labels(tmp_path: Path) -> None:
    sent = batch(9, m=2, k=3)._replace(answer=np.arange(9) % 4)
    options = {"classes": [10, 20, 30, 40], "feedback": "label", "set_size": 2, "top_size": 3}
    table = parquet.read_table(written(tmp_path / "a.parquet", sent, **options))
    assert table["played"].to_pylist() == (10 * sent.draws.labels[:, :2] + 10).tolist()
    assert table["top"].to_pylist() == (10 * sent.draws.labels[:, 2:] + 10).tolist()
    assert table["label"].to_pylist() == (10 * sent.answer + 10).tolist()
    assert "bit" not in table.column_names


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        ([7, 5, -1, 3], "int64"),
        (["a", "b", "", "é"], "string"),
        ([0.5, 1.5, 2.0, float("inf")], "double"),
        ([False, True], "bool"),
        ([0, "b", None, ("c", 1)], "string"),
        ([0, 1.5, 2, 3], "string"),
        ([0, 1, 2, 2**70], "string"),
    ],
)
def test_label_types(path: Path, classes: list[Any], kind: str) -> None:
    sent = changed(batch(8), labels=np.arange(8)[:, None] % len(classes), greedy=np.arange(8) % len(classes))
    file = written(path, sent, classes=classes)
    parts = [file] if file.is_file() else sorted(file.iterdir())
    assert str(parquet.read_schema(parts[0]).field("played").type) == kind
    table = read_log(file)
    as_read = tuple(str(c) if isinstance(c, tuple) else c for c in classes)
    assert table.classes == as_read
    assert table.played.tolist() == table.greedy.tolist() == [as_read[i % len(classes)] for i in range(8)]


def test_labels_that_look_the_same_as_text(tmp_path: Path) -> None:
    with pytest.raises(onebit.DataError, match="two labels read '1' as text"):
        DecisionLog(tmp_path / "a.parquet", classes=[1, "1"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_come_back_to_the_bit(path: Path, kind: Any, dtype: str) -> None:
    first, second = batch(30, kind=kind, dtype=dtype), batch(5, first=30, kind=kind, dtype=dtype)
    table = read_log(written(path, first, second, layout=layout(kind, dtype)))
    assert table.rows.shape == (35, 6)
    assert table.rows.dtype == dtype
    plain = [_plain(sent.rows) for sent in (first, second)]
    found = table.rows.toarray() if kind == "sparse" else table.rows
    assert np.array_equal(found, np.concatenate(plain))


def _plain(rows: Any) -> Any:
    if len(rows) == 1:
        return rows.X
    out = np.zeros((len(rows.indptr) - 1, 6), dtype=rows.values.dtype)
    for i, (start, stop) in enumerate(zip(rows.indptr[:-1], rows.indptr[1:], strict=True)):
        out[i, rows.indices[start:stop]] = rows.values[start:stop]
    return out


def test_sparse_rows_from_the_middle_of_a_table(tmp_path: Path) -> None:
    sent = batch(20, kind="sparse")
    rows: Any = sent.rows
    some = slice(5, 9)
    middle = rows._replace(indptr=rows.indptr[5:10])
    part = Lessons(sent.id[some], sent.step[some], sent.draws.at(some), sent.answer[some], rows=middle)
    table = read_log(written(tmp_path / "a.parquet", part, layout=layout("sparse")))
    assert np.array_equal(table.rows.toarray(), _plain(rows)[5:9])


def test_batches_make_row_groups_and_parts(path: Path) -> None:
    with DecisionLog(path, classes=NAMES, batch_rows=10) as log:
        for i in range(25):
            log.write(batch(1, first=i))
    groups = (
        [parquet.ParquetFile(path).metadata.row_group(g).num_rows for g in range(3)]
        if path.is_file()
        else [parquet.ParquetFile(part).metadata.num_rows for part in sorted(path.iterdir())]
    )
    assert groups == [10, 10, 5]
    ids = read_log(path).id
    assert ids is not None
    assert ids.tolist() == list(range(25))


def test_wide_rows_are_written_before_they_fill_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.log.writer._BUFFER_BYTES", 10 * 6 * 8)
    path = tmp_path / "folder"
    written(path, *(batch(4, first=4 * i, kind="dense") for i in range(6)), layout=layout("dense"))
    assert [parquet.ParquetFile(part).metadata.num_rows for part in sorted(path.iterdir())] == [12, 12]


def test_the_callers_arrays_may_change_afterwards(path: Path) -> None:
    sent = batch(10, kind="dense")
    played, X = sent.draws.labels.copy(), sent.rows.X
    sent = sent._replace(rows=DenseRows(X.copy()))
    with DecisionLog(path, classes=NAMES, layout=layout("dense")) as log:
        log.write(sent)
        sent.draws.labels[:] = 0
        sent.rows.X[:] = 0
    table = read_log(path)
    assert table.played.tolist() == [NAMES[k] for k in played[:, 0]]
    assert np.array_equal(table.rows, X)


def test_a_folder_is_added_to(tmp_path: Path) -> None:
    for first in (0, 10, 20):
        written(tmp_path / "log", batch(10, first=first), learner=f"the one from {first}")
    table = read_log(tmp_path / "log")
    assert table.id is not None
    assert table.id.tolist() == list(range(30))
    assert table.learner == "the one from 0"


@pytest.mark.parametrize(
    ("options", "differs"),
    [
        ({"classes": ["ant", "bee"]}, "classes"),
        ({"classes": [1, 2, 3, 4]}, "greedy, played"),
        ({"has_row": True}, "row"),
        ({"feedback": "label"}, "bit, label"),
        ({"layout": layout("sparse")}, "indices, values"),
    ],
)
def test_a_folder_of_other_decisions_is_not(tmp_path: Path, options: dict[str, Any], differs: str) -> None:
    written(tmp_path / "log", batch(10))
    with pytest.raises(onebit.DataError, match=f"differs in {differs};"):
        DecisionLog(tmp_path / "log", **({"classes": NAMES} | options))


def test_a_folder_of_other_tables_is_not(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"error": [0.5]}), tmp_path / "curve.parquet")
    with pytest.raises(onebit.DataError, match=r"holds curve.parquet, which differs in bit, error"):
        DecisionLog(tmp_path, classes=NAMES)


def test_a_file_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", batch(10))
    with pytest.raises(onebit.ConfigError, match="there is such a file; choose another name, or give overwrite=True"):
        DecisionLog(path, classes=NAMES)
    assert len(read_log(path)) == 10
    written(path, batch(3), overwrite=True)
    assert len(read_log(path)) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_is_not_overwritten_by_a_file(tmp_path: Path, overwrite: bool) -> None:
    (tmp_path / "a.parquet").mkdir()
    with pytest.raises(onebit.ConfigError, match="is a folder, and a name in .parquet means a file"):
        DecisionLog(tmp_path / "a.parquet", classes=NAMES, overwrite=overwrite)


def test_no_decisions_make_no_part(path: Path) -> None:
    with DecisionLog(path, classes=NAMES) as log:
        log.write(new_lessons(0, 1))
        log.flush()
    assert path.is_file() or list(path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"overwrite": True}, "overwrite=True: .* is a folder"),
        ({"batch_rows": 0}, "batch_rows=0"),
        ({"classes": ["a"]}, "at least 2 classes"),
    ],
)
def test_arguments_that_cannot_be(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=message):
        DecisionLog(tmp_path / "folder", **({"classes": NAMES} | options))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": np.zeros((5, 2), int)}, "labels: has shape"),
        ({"answer": np.zeros((5, 1), int)}, "answer: has shape"),
        ({"greedy": np.zeros(4, int)}, "greedy: has shape"),
        ({"row": None}, "row: has shape"),
        ({"rows": None}, "rows: this log takes 5 dense rows of 6 features"),
        ({"rows": batch(5, kind="sparse").rows}, "rows: this log takes 5 dense rows"),
        ({"rows": batch(4, kind="dense").rows}, "rows: this log takes 5 dense rows"),
    ],
)
def test_batches_that_do_not_fit(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with DecisionLog(tmp_path / "a.parquet", classes=NAMES, has_row=True, layout=layout("dense")) as log:
        log.write(batch(5, kind="dense"))
        with pytest.raises(onebit.DataError, match=message):
            log.write(changed(batch(5, first=5, kind="dense"), **change))
    assert len(read_log(tmp_path / "a.parquet")) == 5


@pytest.mark.parametrize("number", [-1, 4])
def test_class_numbers_that_do_not_exist(tmp_path: Path, number: int) -> None:
    log = DecisionLog(tmp_path / "a.parquet", classes=NAMES)
    log.write(changed(batch(2), greedy=np.array([0, number])))
    with pytest.raises(onebit.DataError, match="greedy: holds a class number outside 0 to 3"):
        log.close()
