"""How the rows of a graph's nodes are made, and what can be asked of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray, Progress
from onebit.core.errors import DataError
from onebit.features.labelled import prepare_rows, with_norm_and_bias
from onebit.graph import Graph
from onebit.streams.graph.node_features import join_node_features
from onebit.streams.graph.spectral import check_spectral, spectral_rows

_FEATURE_DIMS = 50


class RowOptions(NamedTuple):
    """How rows are made of a graph: spectral ones of d numbers, joined with node features if there are any."""

    d: int = 100
    weights: Any = "1/sqrt"
    unit: bool = True
    features: Any = None
    normalize: bool = False
    bias: bool = False

    @property
    def width(self) -> int:
        """The number of features of a row."""
        more = 0 if self.features is None else min(_FEATURE_DIMS, *self.features.shape)
        return self.d + more + self.bias

    def told(self) -> dict[str, Any]:
        """All of them as plain values; of the features, whether there are any (their table is told by a digest)."""
        weights = self.weights if isinstance(self.weights, str) else np.asarray(self.weights).tolist()
        return self._asdict() | {"weights": weights, "features": self.features is not None}


def make_rows(graph: Graph, options: RowOptions, progress: Progress | None = None) -> FloatArray:
    """The rows of all nodes.

    >>> make_rows(Graph.of([[0, 1], [1, 0]]), RowOptions(d=1, bias=True)).shape
    (2, 2)
    """
    rows = spectral_rows(graph, options.d, weights=options.weights, unit=options.unit, progress=progress)
    if options.features is not None:
        rows = join_node_features(rows, graph, options.features, _FEATURE_DIMS)
    table: FloatArray = with_norm_and_bias(rows, options.normalize, options.bias)
    return table


def check_options(options: RowOptions, graph: Graph) -> None:
    """A `ConfigError` if such rows cannot be made of this graph.

    >>> check_options(RowOptions(d=2), Graph.of([[0, 1], [1, 0]]))
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: d=2: the graph has 2 nodes, so d must be from 1 to 1; choose a smaller d
    """
    check_spectral(len(graph), options.d, options.weights, options.unit)


def features_of_nodes(features: Any, n: int, kept: IntArray) -> Any:
    """The features of the nodes that are kept, from a table with a row for each of n nodes."""
    if features is None:
        return None
    try:
        table = prepare_rows(features)
    except DataError as error:
        raise DataError(f"features: {str(error).removeprefix('X: ')}") from None
    if table.shape[0] != n:
        raise DataError(f"features: have {table.shape[0]:,} rows for a graph of {n:,} nodes; give one row per node")
    return table if len(kept) == n else table[kept]
