"""The graphs known by name, from the arrays of their files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import IntArray, Progress
from onebit.core.checks import check_flag
from onebit.core.errors import DataError
from onebit.streams.catalog import Dataset
from onebit.streams.graph.rows import RowOptions, check_options
from onebit.streams.graph.source import subgraph
from onebit.streams.graph.stream import GraphStream

Arrays = Mapping[str, Any]


def graph_dataset(
    entry: Dataset, z: Arrays, options: RowOptions, features: bool, shuffle: bool, progress: Progress | None = None
) -> GraphStream:
    """The stream of a graph's labelled nodes: its largest component, every edge of weight 1.

    `features` says whether the node features of the data set are joined.
    """
    n = len(z["labels"])
    kept = z["lcc"].astype(np.int64)
    check_flag("features", features, instead="a table of your own in from_graph")
    if features and "x_data" not in z:
        raise DataError(f"features=True: {entry.name} has no node features; leave features out")
    ones = np.ones(len(z["data"]))
    graph = subgraph(sp.csr_array((ones, z["indices"], z["indptr"]), shape=(n, n)), np.arange(n), kept)
    table = None
    if features:
        table = sp.csr_array((z["x_data"], z["x_indices"], z["x_indptr"]), shape=tuple(z["x_shape"].tolist()))[kept]
    options = options._replace(features=table)
    check_options(options, graph)
    codes = z["labels"][kept].astype(np.int64)
    return GraphStream(
        graph,
        np.arange(len(kept)),
        codes,
        z["class_names"].tolist(),
        options,
        name=entry.name,
        shuffle=shuffle,
        notes=_notes(z, n, kept),
        progress=progress,
    )


def _notes(z: Arrays, n: int, kept: IntArray) -> list[str]:
    """What was done to the graph, in its file and here."""
    loops = len(z.get("self_loops", ()))
    bare = int(np.count_nonzero(z["labels"] < 0))
    outside = n - bare - len(kept)
    notes = [f"{loops:,} self-loops are dropped"] if loops else []
    if (z["data"] != 1).any():
        notes.append("the counts on the edges are taken as 1")
    if bare:
        notes.append(f"{bare:,} of {n:,} nodes have no label and are left out")
    if outside:
        notes.append(f"{outside:,} of {n - bare:,} nodes lie outside the largest component and are left out")
    return notes
