"""Eigenpairs kept on disk: computed once for a graph and a number of pairs."""

from __future__ import annotations

import hashlib
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from onebit.core.aliases import FloatArray, Progress
from onebit.core.errors import OutputError
from onebit.core.files import written_whole
from onebit.core.paths import cache_folder
from onebit.graph import Graph
from onebit.streams.graph.eigenpairs import DENSE, smallest_pairs

_VERSION = 1
"""Of the solver: raise it when the same graph may get other bits."""


def cached_pairs(graph: Graph, d: int, progress: Progress | None = None) -> tuple[FloatArray, FloatArray]:
    """`smallest_pairs`, read from the cache or written there. Only the same d counts as the same.

    More pairs than asked for would not do: where the cut falls among equal eigenvalues, the vectors may differ.
    A file that cannot be read is computed again; a folder that cannot be written is done without.

    >>> values, vectors = cached_pairs(Graph.of([[0, 1], [1, 0]]), 1)
    >>> values, vectors.shape
    (array([2.]), (2, 1))
    """
    if len(graph) <= DENSE:
        return smallest_pairs(graph, d, progress)
    path = cache_path(graph, d)
    stored = _read(path, len(graph), d)
    if stored is not None:
        return stored
    values, vectors = smallest_pairs(graph, d, progress)
    with suppress(OutputError), written_whole(path) as draft, draft.open("wb") as file:
        np.savez(file, values=values, vectors=vectors)
    return values, vectors


def cache_path(graph: Graph, d: int) -> Path:
    """Where the d pairs of this graph are kept.

    >>> cache_path(Graph.of([[0, 1], [1, 0]]), 1).parent.name
    'spectral'
    """
    name = hashlib.sha256(f"{_VERSION} {d} {graph.digest}".encode()).hexdigest()
    return cache_folder() / "spectral" / f"{name}.npz"


def _read(path: Path, n: int, d: int) -> tuple[FloatArray, FloatArray] | None:
    """The pairs in a file, if it is whole and of the right form (zip archives hold a checksum of each part)."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            values = stored["values"]
            vectors = stored["vectors"]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return None
    right = values.shape == (d,) and vectors.shape == (n, d) and values.dtype == vectors.dtype == np.float64
    return (values, vectors) if right else None
