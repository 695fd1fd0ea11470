"""Folders of sweeps that went bad: cells, the plan, notes of failures; opened, and played on."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from pyarrow import parquet

import onebit
from onebit.cli import main
from tests.fuzz.bad_bytes import mutated

_ODD: list[Any] = [None, -1, 0, 10**400, 0.5, "", "x", "\ud800", [], [None], {}, {"a": []}, True, "../../x", "/etc/x"]
_FAILED = {"cell": "x", "error": "it failed", "tries": 3, "settings": {}}


def plan() -> onebit.Sweep:
    """A small sweep."""
    arms: list[Any] = [onebit.Arm(onebit.Banditron(9), {"gamma": [0.01, 0.1]}), onebit.Perceptron(9)]
    return onebit.Sweep.cross(arms, onebit.streams.synsep(200), seeds=2, tune_seeds=1)


@cache
def _played() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="onebit-fuzz-sweep-"))
    _play(folder)
    return folder


def _play(folder: Path) -> onebit.Results:
    with ThreadPoolExecutor(1) as pool:
        return onebit.sweep(plan(), folder, executor=pool, workers=1, progress=False)


def trial(draw: random.Random, folder: Path) -> None:
    """Change one to three files, open the results, and play on: all cells are done then, with the same counts."""
    expected = onebit.open_results(_played())
    place = folder / "sweep"
    shutil.copytree(_played(), place)
    for _ in range(draw.randint(1, 3)):
        draw.choice([_bad_bytes, _bad_bytes, _swapped_cells, _other_cell, _other_plan, _other_failure, _no_file])(
            place, draw
        )
    _look(place, draw)
    if draw.random() < 0.5:
        found = _play(place)
        assert found.complete, "a damaged cell was not played again"
        ours, theirs = (r.cells().drop_columns(["seconds"]) for r in (found, expected))
        assert ours.num_rows == theirs.num_rows


def _look(place: Path, draw: random.Random) -> None:
    """All that a user may ask of the results."""
    try:
        found = onebit.open_results(place)
        found.summary()
        found.cells()
        found.curves()
        found.best()
        repr(found)
    except onebit.OnebitError:
        pass
    if draw.random() < 0.3:
        code = main(["report", str(place)])
        assert code in (0, 1, 2, 3), f"exit code {code}"


def _files(place: Path) -> list[Path]:
    found = [place / "sweep.json", *sorted((place / "cells").glob("*"))]
    return [path for path in found if not path.is_dir()]


def _bad_bytes(place: Path, draw: random.Random) -> None:
    path = draw.choice(_files(place))
    path.write_bytes(mutated(path.read_bytes() if path.exists() else b"", draw))


def _no_file(place: Path, draw: random.Random) -> None:
    path = draw.choice(_files(place))
    path.unlink(missing_ok=True)
    if draw.random() < 0.3:
        path.mkdir()


def _swapped_cells(place: Path, draw: random.Random) -> None:
    cells = [path for path in _files(place)[1:] if path.is_file()]
    if len(cells) > 1:
        one, other = draw.sample(cells, 2)
        one.write_bytes(other.read_bytes())


def _other_cell(place: Path, draw: random.Random) -> None:
    """A sound Parquet file whose columns are not those of a cell."""
    path = draw.choice(_files(place))
    try:
        table = parquet.read_table(path)
    except (OSError, ValueError):
        return
    if not table.num_columns:
        return
    at = draw.randrange(table.num_columns)
    name = table.column_names[at]
    change = draw.randrange(4)
    if change == 0:
        table = table.remove_column(at)
    elif change == 1:
        table = table.set_column(at, name, table.column(draw.randrange(table.num_columns)))
    elif change == 2:
        table = table.slice(0, draw.choice([0, 1]))
    else:
        table = table.set_column(at, name, [[None] * table.num_rows])
    parquet.write_table(table, path)


def _other_plan(place: Path, draw: random.Random) -> None:
    """A field of the plan gets another value, or goes."""
    path = place / "sweep.json"
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return
    spots = list(_spots(found))
    if spots:
        holder, key = draw.choice(spots)
        if draw.random() < 0.3 and isinstance(holder, dict):
            del holder[key]
        else:
            holder[key] = draw.choice(_ODD)
    path.write_text(json.dumps(found))


def _spots(value: Any) -> Any:
    """Every place in a nest of lists and dicts that holds a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from _spots(inner)


def _other_failure(place: Path, draw: random.Random) -> None:
    """A note that a cell has failed, which is not one."""
    folder = place / "failed"
    folder.mkdir(exist_ok=True)
    cells = [path.stem for path in _files(place)[1:]] or ["x"]
    record: Any = dict(_FAILED, cell=draw.choice(cells))
    record[draw.choice(list(record))] = draw.choice(_ODD)
    text = json.dumps(draw.choice([record, record, [], None, {}]))
    (folder / f"{draw.choice(cells)}.json").write_bytes(
        mutated(text.encode(), draw) if draw.random() < 0.3 else text.encode()
    )
