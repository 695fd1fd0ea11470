"""Graph: what it holds, when two are equal, and which matrices it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.graph import Graph

PATH = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]], dtype=float)


def test_a_graph_is_its_matrix() -> None:
    graph = Graph.of(PATH)
    assert (len(graph), graph.edges, repr(graph)) == (3, 2, "Graph(3 nodes, 2 edges)")
    assert (graph.matrix.toarray() == PATH).all()
    assert graph.degrees.tolist() == [1, 3, 2]
    assert graph.nodes.tolist() == [0, 1, 2]
    assert graph.indptr.dtype == np.int64
    assert graph.indices.dtype == np.int32


def test_edges_of_weight_1_need_no_weights() -> None:
    assert Graph.of(PATH > 0).weights is None
    assert Graph.of(PATH).weights is not None


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.coo_array, sp.csc_matrix, lambda m: m.astype(np.int8)])
def test_the_form_of_the_matrix_does_not_matter(form: Any) -> None:
    graph = Graph.of(form(PATH))
    assert graph == Graph.of(PATH)
    assert hash(graph) == hash(Graph.of(PATH))


def test_graphs_differ_by_their_edges_and_weights() -> None:
    assert len({Graph.of(PATH), Graph.of(PATH > 0), Graph.of(PATH[::-1, ::-1]), Graph.of(np.pad(PATH, (0, 1)))}) == 4
    assert Graph.of(PATH) != PATH.tolist()


def test_what_comes_in_is_not_changed_and_not_kept() -> None:
    given = sp.csr_array(PATH)
    graph = Graph.of(given)
    given.data[:] = 9
    assert (graph.matrix.toarray() == PATH).all()


@pytest.mark.parametrize(
    ("matrix", "says"),
    [
        ([[0, 1], [2, 0]], r"graph: edge \(0, 1\) has weight 1, its way back 2; give a symmetric"),
        ([[1, 1], [1, 0]], "graph: node 0 has an edge to itself; drop it"),
        ([[0, -1], [-1, 0]], r"graph: edge \(0, 1\) has weight -1; weights must be finite and above 0"),
        ([[0, np.nan], [np.nan, 0]], r"edge \(0, 1\) has weight nan"),
        ([[0, np.inf], [np.inf, 0]], r"edge \(0, 1\) has weight inf"),
        ([[0, 1, 0], [1, 0, 0]], r"graph: has shape \(2, 3\); an adjacency matrix is square"),
        ([["a", "b"], ["b", "a"]], "graph: "),
        (None, "graph: "),
    ],
)
def test_a_matrix_that_is_no_graph(matrix: Any, says: str) -> None:
    with pytest.raises(onebit.DataError, match=says):
        Graph.of(matrix)
