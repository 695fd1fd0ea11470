"""The folder of a sweep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import onebit
from onebit.sweep.store import Store
from tests.sweep.samples import plan, play


def made(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (folder / "cells").glob("*.parquet")}


def test_a_damaged_cell_is_played_again(tmp_path: Path, pool: Any) -> None:
    expected = play(plan(), tmp_path, pool).cells().drop_columns(["seconds"])
    victims = sorted((tmp_path / "cells").glob("*.parquet"))[:3]
    victims[0].write_bytes(victims[0].read_bytes()[:100])
    victims[1].write_bytes(b"")
    victims[2].write_bytes(victims[0].read_bytes())
    results = play(plan(), tmp_path, pool)
    assert results.complete
    assert results.cells().drop_columns(["seconds"]).equals(expected)


def test_the_plan_of_a_newer_onebit_or_of_none(tmp_path: Path) -> None:
    with pytest.raises(onebit.DataError, match="holds no sweep"):
        onebit.open_results(tmp_path)
    (tmp_path / "sweep.json").write_text(json.dumps({"format": 99, "onebit": "9.0", "entries": []}))
    with pytest.raises(onebit.ConfigError, match="onebit 9.0, which is newer"):
        onebit.open_results(tmp_path)
    (tmp_path / "sweep.json").write_text("{")
    with pytest.raises(onebit.DataError, match="cannot be read"):
        onebit.open_results(tmp_path)
    with pytest.raises(onebit.OutputError, match="cannot be made a folder"):
        Store("/dev/null/here").begin({})


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("seeds", None, "seeds is None"),
        ("seeds", [0, "x"], r"seeds\[1\] is 'x'"),
        ("tune_seeds", [10**400], "tune_seeds is "),
        ("format", "1", "format is '1'"),
        ("select", 3, "select is 3"),
        ("versions", [], r"versions is \[\]"),
        ("entries", [], r"entries is \[\]"),
        ("entries", [None], r"entries\[0\] is None"),
        ("entries", [{"arm": "\ud800"}], r"entries\[0\].learner is missing"),
    ],
)
def test_a_damaged_plan(tmp_path: Path, pool: Any, field: str, value: Any, said: str) -> None:
    play(plan(), tmp_path, pool)
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {field: value}))
    with pytest.raises(onebit.DataError, match=rf"damaged .{said}.*run the sweep again, its cells are kept"):
        onebit.open_results(tmp_path)
    assert play(plan(), tmp_path, pool).complete


def test_a_field_of_an_entry_that_is_damaged(tmp_path: Path, pool: Any) -> None:
    play(plan(), tmp_path, pool)
    path = tmp_path / "sweep.json"
    whole = path.read_bytes()
    changes: list[tuple[str, Any]] = [
        ("arm", 3),
        ("rounds", "x"),
        ("configurations", []),
        ("about", []),
        ("learner", "\ud800"),
    ]
    for field, value in changes:
        record = json.loads(whole)
        record["entries"][0][field] = value
        path.write_text(json.dumps(record))
        with pytest.raises(onebit.DataError, match=rf"damaged .entries\[0\].{field} is "):
            onebit.open_results(tmp_path)
    record = json.loads(whole)
    record["entries"][0]["configurations"][0]["report"] = {"0": "../../elsewhere"}
    path.write_text(json.dumps(record))
    with pytest.raises(onebit.DataError, match=r"configurations\[0\].report\[0\] is '../../elsewhere'"):
        onebit.open_results(tmp_path)
    path.write_text("[" * 100_000)
    with pytest.raises(onebit.DataError, match="cannot be read"):
        onebit.open_results(tmp_path)


@pytest.mark.parametrize("note", [b"", b"\xff", b"[]", b"null", b"{}", b'{"cell": "x"}', b"[" * 100_000])
def test_a_damaged_note_of_a_failure_is_none(tmp_path: Path, pool: Any, note: bytes) -> None:
    play(plan(), tmp_path, pool)
    (tmp_path / "failed").mkdir()
    (tmp_path / "failed" / "x.json").write_bytes(note)
    (tmp_path / "failed" / "folder.json").mkdir()
    assert onebit.open_results(tmp_path).failed == ()


def test_a_sound_table_that_is_no_cell_is_played_again(tmp_path: Path, pool: Any) -> None:
    import pyarrow
    from pyarrow import parquet

    play(plan(), tmp_path, pool)
    victims = sorted((tmp_path / "cells").glob("*.parquet"))
    table = parquet.read_table(victims[0])
    empty = pyarrow.nulls(table.num_rows)
    parquet.write_table(table.set_column(6, "rounds", empty), victims[0])
    parquet.write_table(parquet.read_table(victims[1]).drop_columns(["rounds"]), victims[1])
    table = parquet.read_table(victims[2])
    parquet.write_table(table.set_column(8, "greedy_mistakes", table["cell"]), victims[2])
    table = parquet.read_table(victims[3])
    parquet.write_table(table.take(list(range(table.num_rows))[::-1]), victims[3])
    found = onebit.open_results(tmp_path)
    assert found.cells_done == found.cells_total - 4
    assert play(plan(), tmp_path, pool).complete
