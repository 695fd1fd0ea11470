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
