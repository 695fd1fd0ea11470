"""Graphs of networkx, which is asked for only where GraphML is to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from onebit.core.errors import DataError
from onebit.streams.graph.edges import Edges
from onebit.streams.graph.files import check_file


def is_networkx(graph: Any) -> bool:
    """Whether this is a graph of networkx, or one that behaves like it.

    >>> is_networkx([[0, 1], [1, 0]])
    False
    """
    return all(hasattr(graph, part) for part in ("nodes", "edges", "is_directed", "is_multigraph"))


def networkx_edges(graph: Any, name: str) -> Edges:
    """The edges in the order of the graph's nodes; an edge without the attribute `weight` weighs 1."""
    nodes = list(graph.nodes)
    number = {node: i for i, node in enumerate(nodes)}
    found = list(graph.edges(data="weight", default=1))
    for one, other, weight in found:
        if isinstance(weight, bool) or not isinstance(weight, int | float | np.number):
            raise DataError(f"{name}: edge {(one, other)} has weight {weight!r}; weights must be numbers")
    first = np.fromiter((number[one] for one, _, _ in found), dtype=np.int64, count=len(found))
    second = np.fromiter((number[other] for _, other, _ in found), dtype=np.int64, count=len(found))
    weights = np.fromiter((weight for _, _, weight in found), dtype=np.float64, count=len(found))
    return Edges(nodes, first, second, None if (weights == 1).all() else weights, bool(graph.is_directed()))


def read_graphml(path: Path) -> Any:
    """The networkx graph in a GraphML file."""
    check_file(path)
    try:
        import networkx
    except ImportError:
        raise DataError(
            f"{path}: GraphML is read by networkx, which is not installed; pip install onebit[graph]"
        ) from None
    try:
        return networkx.read_graphml(path)
    except (OSError, EOFError, SyntaxError, ValueError, KeyError, TypeError, networkx.NetworkXException) as error:
        said = str(error) or type(error).__name__
        raise DataError(f"{path}: cannot be read as GraphML ({said}); is it whole, and of this format?") from error
