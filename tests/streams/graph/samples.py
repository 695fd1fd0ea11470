"""A small weighted graph, and how to write it down in every form that `from_graph` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tests.streams.samples import write

N = 12


def ring(n: int = N) -> Any:
    """A ring of n nodes with two chords."""
    matrix = np.zeros((n, n))
    for i, j in [*((i, (i + 1) % n) for i in range(n)), (0, 5), (2, 9)]:
        matrix[i, j] = matrix[j, i] = 1
    return matrix


RING = ring()
WEIGHED = RING * (1 + np.add.outer(np.arange(N), np.arange(N)) % 3)
LABELS = [("cat", "dog", "cow")[i // 4] for i in range(N)]


def edge_file(path: Path, matrix: Any, ids: Any = range(N), weight: bool = False) -> Path:
    """Each edge once, the last ones first."""
    ids = list(ids)
    first, second = (part[::-1] for part in np.nonzero(np.triu(matrix)))
    columns = {"source": [ids[i] for i in first], "target": [ids[j] for j in second]}
    return write(path, pa.table(columns | ({"weight": matrix[first, second]} if weight else {})))


def label_file(path: Path, ids: Any = range(N), labels: Any = LABELS) -> Path:
    return write(path, pa.table({"node": list(ids), "label": list(labels)}))
