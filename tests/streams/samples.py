"""A small table, and how to write it to a file of any kind."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

N, D = 500, 4
DRAW = np.random.default_rng(5)
X = DRAW.normal(size=(N, D)).round(6)
Y = np.array(["ant", "bee", "cow"])[DRAW.integers(3, size=N)]
NAMES = [f"f{j}" for j in range(D)]


def table(y: Any = Y, **more: Any) -> pa.Table:
    columns = {"f0": X[:, 0], "y": y, **{name: X[:, j] for j, name in enumerate(NAMES) if j}}
    return pa.table(columns | more)


def write(path: Path, content: pa.Table, **options: Any) -> Path:
    """The table as a file of the kind that the path's name says."""
    name = path.name.lower()
    if name.endswith(".parquet"):
        pq.write_table(content, path, **options)
        return path
    plain = path.with_name("plain")
    delimiter = "\t" if ".tsv" in name else ","
    pa.csv.write_csv(content, plain, pa.csv.WriteOptions(delimiter=delimiter))
    pack = gzip.compress if name.endswith(".gz") else bz2.compress if name.endswith(".bz2") else bytes
    path.write_bytes(pack(plain.read_bytes()))
    return path
