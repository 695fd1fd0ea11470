"""Logs that went bad: bytes, columns, metadata; read by the public reader and by `onebit noise`."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import onebit
from onebit.cli import main
from tests.fuzz.bad_bytes import mutated
from tests.log.samples import NAMES, batch, layout, written

_ODD: list[Any] = [
    None, -1, 0, 1, 2**31, 2**63 - 1, 0.5, 1e-320, 1e300, float("nan"), float("inf"), "", "ant", "\U0001f41d" * 3, True,
    [], [0], [[1]], b"\xff",
]  # fmt: skip
_FACTS = ("kind", "format", "classes", "n_features", "feedback", "learner", "set_size", "more")


def trial_bytes(draw: random.Random, folder: Path) -> None:
    """A log whose bytes were changed."""
    path = _written(draw, folder)
    path.write_bytes(mutated(path.read_bytes(), draw))
    _exercise(path, draw, folder)


def trial_columns(draw: random.Random, folder: Path) -> None:
    """A sound Parquet file with columns, types, values or metadata that no log has."""
    path = _written(draw, folder)
    table = parquet.read_table(path)
    for _ in range(draw.randint(1, 3)):
        table = draw.choice([_other_column, _without_column, _twice, _other_facts, _some_rows])(table, draw)
    try:
        parquet.write_table(table, path)
    except (pa.ArrowException, OSError):
        return  # Parquet itself cannot hold it
    _exercise(path, draw, folder)


def _written(draw: random.Random, folder: Path) -> Path:
    kind: Any = draw.choice([None, "dense", "sparse"])
    m = draw.choice([1, 1, 2])
    lessons = batch(draw.choice([1, 40, 200]), m=m, kind=kind)
    path = folder / "log.parquet"
    return written(path, lessons, set_size=m, layout=None if kind is None else layout(kind), has_row=kind is None)


def _exercise(path: Path, draw: random.Random, folder: Path) -> None:
    try:
        table = onebit.read_log(path)
        if draw.random() < 0.3:
            learner = onebit.Banditron(NAMES)
            for decision, answer in onebit.log.replay(table):
                learner.learn(decision, answer)
    except onebit.OnebitError:
        pass
    if draw.random() < 0.15:
        code = main(["noise", str(path), "--out", str(folder / "noise"), *draw.choice([[], ["--json"]])])
        assert code in (0, 1, 2), f"exit code {code}"
    if draw.random() < 0.2:
        parts = folder / "parts"
        parts.mkdir()
        path.rename(parts / "part-0.parquet")
        written(parts, batch(5))
        onebit.read_log(parts)


def _other_column(table: pa.Table, draw: random.Random) -> pa.Table:
    name = draw.choice([*(one for one in table.column_names if table.column_names.count(one) == 1), "label", "extra"])
    values = [draw.choice(_ODD)] * table.num_rows
    if draw.random() < 0.5 and name in table.column_names:
        values = table[name].to_pylist()
        if values:
            values[draw.randrange(len(values))] = draw.choice(_ODD)
    try:
        column = pa.array(values)
    except (pa.ArrowException, TypeError, OverflowError, ValueError):
        column = pa.array(np.full(table.num_rows, draw.choice([-1, 7, 2**40])))
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, column)
    return table.append_column(name, column)


def _without_column(table: pa.Table, draw: random.Random) -> pa.Table:
    return table.remove_column(draw.randrange(table.num_columns)) if table.num_columns > 1 else table


def _twice(table: pa.Table, draw: random.Random) -> pa.Table:
    name = draw.choice(table.column_names)
    return table.append_column(name, table.column(table.column_names.index(name)))


def _some_rows(table: pa.Table, draw: random.Random) -> pa.Table:
    return table.slice(0, draw.choice([0, 1, 2]))


def _other_facts(table: pa.Table, draw: random.Random) -> pa.Table:
    """Other metadata: a fact that is missing or of another kind, or no JSON at all."""
    known = dict(table.schema.metadata or {})
    key = draw.choice(sorted(known)) if known else b"onebit"
    try:
        facts = json.loads(known.get(key, b"{}"))
        odd = draw.choice([value for value in _ODD if not isinstance(value, bytes)])
        if isinstance(facts, dict):
            facts[draw.choice([*facts, *_FACTS])] = odd
            if draw.random() < 0.3:
                facts.pop(draw.choice(sorted(facts)))
        known[key] = json.dumps(facts).encode()
    except ValueError:
        known[key] = draw.choice([b"", b"{", b"\xff\xfe", b"[]", b"null", b"[" * 5000])
    return table.replace_schema_metadata(known)
