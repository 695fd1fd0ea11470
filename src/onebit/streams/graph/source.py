"""Anything that is a graph, as one matrix and the names of its nodes; then made undirected and connected."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import IntArray
from onebit.core.errors import ConfigError, DataError
from onebit.graph import Graph, check_adjacency
from onebit.streams.graph.edges import Edges, adjacency
from onebit.streams.graph.files import read_edges
from onebit.streams.graph.networkx_graphs import is_networkx, networkx_edges, read_graphml
from onebit.streams.tables.readers import suffix_of


class GivenGraph(NamedTuple):
    """A graph as it was given: its matrix, its node ids, what happened so far, and the networkx graph if it is one."""

    matrix: Any
    nodes: NDArray[Any]
    directed: bool | None
    notes: list[str]
    network: Any = None


def read_graph(graph: Any, *, nodes: Sequence[Any] | None = None, name: str = "graph") -> Graph:
    """The largest component of a graph of any form that `from_graph` takes, undirected and without self-loops.

    What had to be done for it is told by warnings. `graph.nodes` holds the ids, in the order of the rows that
    `spectral_rows(graph)` gives.

    >>> graph = read_graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], nodes=["ann", "bea", "cid"])
    >>> graph, graph.nodes.tolist()
    (Graph(3 nodes, 2 edges), ['ann', 'bea', 'cid'])
    """
    source = read_source(graph, nodes, name)
    matrix, notes = undirected(source, name)
    kept, cut = largest_component(matrix)
    for note in notes + cut:
        warnings.warn(f"{name}: {note}", stacklevel=2)
    return subgraph(matrix, source.nodes, kept)


def read_source(graph: Any, nodes: Any, name: str) -> GivenGraph:
    """The matrix and the node ids of a `Graph`, an adjacency matrix, a networkx graph, or a file.

    >>> read_source([[0, 1], [1, 0]], ["here", "there"], "graph").nodes
    array(['here', 'there'], dtype=object)
    """
    if isinstance(graph, Graph):
        return GivenGraph(graph.matrix, _node_ids(nodes, len(graph)) if nodes is not None else graph.nodes, True, [])
    if isinstance(graph, str | os.PathLike) or is_networkx(graph):
        if nodes is not None:
            raise ConfigError("nodes=...: this graph names its nodes itself; leave nodes out")
        return _listed(graph, name)
    matrix = check_adjacency(graph, name)
    return GivenGraph(matrix, _node_ids(nodes, matrix.shape[0]), True, [])


def undirected(source: GivenGraph, name: str) -> tuple[Any, list[str]]:
    """The matrix without self-loops and with every edge both ways, and what had to be done for it.

    Where the two ways differ, the larger weight holds.
    """
    matrix = source.matrix
    notes = list(source.notes)
    n = matrix.shape[0]
    if n < 2:
        raise DataError(
            f"{name}: has {n} node{'s' * (n != 1)}; give a graph of two or more nodes with edges between them"
        )
    loops = int(np.count_nonzero(matrix.diagonal()))
    if loops:
        matrix = matrix.copy()
        matrix.setdiag(0)
        matrix.eliminate_zeros()
        notes.append(f"{_count(loops, 'self-loop')} dropped")
    if not matrix.nnz:
        raise DataError(f"{name}: has {n:,} nodes and no edges between them; a graph needs edges to learn from")
    back = matrix.T.tocsr()
    uneven = int((matrix != back).nnz) // 2
    if uneven:
        given = matrix.nnz
        matrix = matrix.maximum(back)
        pairs = matrix.nnz // 2
        if source.directed or (source.directed is None and given > pairs):
            notes.append(
                f"{uneven:,} of {pairs:,} edges lead one way only or weigh differently each way; "
                "edges are taken as undirected, with the larger weight"
            )
    return matrix, notes


def largest_component(matrix: Any) -> tuple[IntArray, list[str]]:
    """The numbers of the nodes of the largest component (of equal ones, that of the smallest node), and a note."""
    from scipy.sparse.csgraph import connected_components

    parts, part = connected_components(matrix, directed=False)
    if parts == 1:
        return np.arange(matrix.shape[0]), []
    sizes = np.bincount(part)
    kept = np.flatnonzero(part == part[np.argmax(sizes[part] == sizes.max())])
    outside = matrix.shape[0] - len(kept)
    return kept, [
        f"{outside:,} of {matrix.shape[0]:,} nodes lie outside the largest of {parts:,} components and are left out"
    ]


def subgraph(matrix: Any, nodes: NDArray[Any], kept: IntArray) -> Graph:
    """The graph of these nodes alone, from a symmetric matrix."""
    if len(kept) == matrix.shape[0]:
        return Graph(matrix, nodes)
    part = matrix[kept][:, kept]
    part.sort_indices()
    return Graph(part, nodes[kept])


def _listed(graph: Any, name: str) -> GivenGraph:
    """A graph that lists its edges: of networkx, or in a file."""
    network = None
    if isinstance(graph, str | os.PathLike):
        path = Path(graph)
        if suffix_of(path) != ".graphml":
            return _from_edges(read_edges(path), None, str(path))
        name = str(path)
        graph = read_graphml(path)
    network = graph
    return _from_edges(networkx_edges(network, name), network, name)


def _from_edges(edges: Edges, network: Any, name: str) -> GivenGraph:
    matrix, repeats = adjacency(edges, name)
    largest = "" if edges.weights is None else ", with the largest weight"
    notes = [f"{_count(repeats, 'repeated edge')} counted once{largest}"] if repeats else []
    return GivenGraph(matrix, _id_array(edges.nodes), edges.directed, notes, network)


def _node_ids(nodes: Any, n: int) -> NDArray[Any]:
    """The ids that a user gave for the nodes of a matrix, else 0 .. n-1."""
    if nodes is None:
        return np.arange(n)
    ids = list(nodes)
    if len(ids) != n:
        raise DataError(f"nodes: {len(ids):,} ids for a graph of {n:,} nodes; give one per node")
    try:
        distinct = len(set(ids))
    except TypeError:
        raise DataError("nodes: ids must be hashable (strings, numbers, tuples, ...)") from None
    if distinct < n:
        twice = next(node for node, times in Counter(ids).items() if times > 1)
        raise DataError(f"nodes: the id {twice!r} is given more than once; each node needs its own")
    return _id_array(ids)


def _id_array(ids: list[Any]) -> NDArray[Any]:
    """Ids as an array: of whole numbers where they are, else of objects."""
    ids = [node.item() if isinstance(node, np.generic) else node for node in ids]
    if all(type(node) is int and abs(node) < 2**63 for node in ids):
        return np.array(ids, dtype=np.int64)
    array = np.empty(len(ids), dtype=object)
    array[:] = ids
    return array


def _count(n: int, what: str) -> str:
    return f"1 {what} is" if n == 1 else f"{n:,} {what}s are"
