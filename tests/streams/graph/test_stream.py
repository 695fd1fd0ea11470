"""Streams of nodes: which nodes are played, by which rows, and what is told on the way."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.graph import Graph
from onebit.streams import GraphStream, from_graph, spectral_rows
from onebit.streams.graph import rows
from tests.streams.graph.samples import LABELS, RING, WEIGHED, N


def told(graph: Any, labels: Any, **options: Any) -> tuple[GraphStream, list[str]]:
    """The stream, and the warnings that came with it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        stream = from_graph(graph, labels, **{"d": 3, **options})
    return stream, [str(warning.message) for warning in caught]


def joined(*matrices: Any) -> Any:
    """Graphs beside each other."""
    return sp.block_diag(matrices, format="csr")


# What is played


def test_every_labelled_node_is_played_once_in_a_new_order_by_seed() -> None:
    stream = from_graph(WEIGHED, LABELS, d=4)
    assert (stream.rounds, stream.n_features, stream.classes) == (N, 4, ("cat", "cow", "dog"))
    assert stream.y.tolist() == LABELS
    orders = [window.order.tolist() for seed in (0, 1) for window in stream.windows(seed)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(N))
    assert stream.graph == Graph.of(WEIGHED)
    assert stream.graph.weights is not None
    kept = from_graph(WEIGHED, LABELS, d=4, shuffle=False)
    assert next(kept.windows(1)).order.tolist() == list(range(N))


def test_rows_are_spectral_rows() -> None:
    for options in ({}, {"weights": "1/lambda"}, {"unit": False}, {"weights": [3.0, 2.0, 1.0], "unit": False}):
        stream = from_graph(WEIGHED, LABELS, d=3, **options)
        want = spectral_rows(Graph.of(WEIGHED), 3, **options)
        assert (want == stream.X).all()
    assert (stream.row(5) == want[5]).all()


def test_rows_are_computed_once_and_not_before_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(options["progress"])
        return spectral_rows(*arguments, **options)

    monkeypatch.setattr(rows, "spectral_rows", counted)
    heard: list[Any] = []
    progress = lambda *what: heard.append(what)  # noqa: E731  # a name to compare with
    stream = from_graph(RING, [*LABELS[:-1], "dog"], d=3, progress=progress)
    stream.describe(), stream.by_node().X, next(stream.by_node().windows(0))
    assert not calls
    with ThreadPoolExecutor(4) as pool:
        tables = list(pool.map(lambda seed: next(stream.windows(seed)).X, range(4)))
    stream.row(0)
    assert calls == [progress]
    assert all((table == tables[0]).all() for table in tables)


def test_nodes_without_a_label_are_in_the_graph_but_not_played() -> None:
    labels = [None, *LABELS[1:6], float("nan"), *LABELS[7:]]
    stream, said = told(RING, labels)
    assert said == ["graph: 2 of 12 nodes have no label and are skipped"]
    assert stream.facts["notes"] == ["2 of 12 nodes have no label and are skipped"]
    assert stream.labelled.tolist() == [i for i in range(N) if i not in (0, 6)]
    assert (len(stream.nodes), stream.rounds) == (12, 10)
    whole = spectral_rows(Graph.of(RING), 3)
    assert (whole[stream.labelled] == stream.X).all()
    assert (stream.row(6) == whole[6]).all()


def test_by_node_has_the_same_order_and_a_one_for_each_node() -> None:
    stream, _ = told(RING, [None, *LABELS[1:]])
    nodes = stream.by_node()
    assert nodes.X.shape == (11, 12)
    assert (nodes.X.toarray() == np.eye(12)[1:]).all()
    assert (nodes.classes, nodes.y.tolist(), nodes.name) == (stream.classes, LABELS[1:], "graph")
    assert (next(nodes.windows(3)).order == next(stream.windows(3)).order).all()
    assert nodes.describe()["digest"] == stream.graph.digest
    assert (nodes.n_features, nodes.rounds, nodes.X.indices.dtype, nodes.X.indptr.dtype) == (12, 11, "int32", "int64")


def test_a_node_by_its_id() -> None:
    ids = [("u", i) for i in range(N)]
    stream = from_graph(RING, dict(zip(ids, LABELS, strict=True)), d=3, nodes=ids)
    assert stream.nodes.tolist() == ids
    assert (stream.row(("u", 4)) == stream.X[4]).all()
    for unknown in ("u", ["u", 4]):
        with pytest.raises(onebit.DataError, match=r"node=.*: graph has no such node; its 12 are \('u', 0\), "):
            stream.row(unknown)
    stream.row(("u", 4))[:] = 7
    assert (stream.X != 7).all()


def test_what_a_stream_says_of_itself() -> None:
    facts = from_graph(WEIGHED, LABELS, d=3, weights=np.ones(3), name="pets").describe()
    want = {"name": "pets", "rows": 12, "nodes": 12, "edges": 14, "labelled": 12, "d": 3, "notes": []}
    assert {key: facts[key] for key in want} == want
    assert facts["weights"] == [1, 1, 1]
    assert facts["options"] == {"unit": True, "features": False, "normalize": False, "bias": False, "shuffle": True}
    assert facts["digest"] == Graph.of(WEIGHED).digest
    assert facts["counts"] == [4, 4, 4]


def test_features_of_the_nodes_are_joined() -> None:
    features = np.random.default_rng(0).random((N + 3, 4))
    graph, labels = joined(np.ones((3, 3)) - np.eye(3), RING), ["cat"] * 3 + LABELS
    one, _ = told(graph, labels, features=features)
    other, _ = told(graph, labels, features=sp.csr_array(features))
    alone = from_graph(RING, LABELS, d=3, features=features[3:])
    assert one.n_features == one.X.shape[1] == 3 + 4
    assert pytest.approx(alone.X, rel=1e-9, abs=1e-12) == one.X
    assert pytest.approx(alone.X, rel=1e-9, abs=1e-12) == other.X
    assert one.describe()["options"]["features"] is True


# What is tidied, and told


def test_one_way_edges_become_edges_with_the_larger_weight() -> None:
    stream, said = told(np.triu(WEIGHED), LABELS)
    assert said == [
        "graph: 14 of 14 edges lead one way only or weigh differently each way; "
        "edges are taken as undirected, with the larger weight"
    ]
    assert stream.graph == Graph.of(WEIGHED)
    lopsided = WEIGHED.copy()
    lopsided[0, 1] = 5
    stream, said = told(lopsided, LABELS)
    assert said[0].startswith("graph: 1 of 14 edges lead one way only or weigh differently")
    assert stream.graph.matrix[0, 1] == stream.graph.matrix[1, 0] == 5


def test_self_loops_are_dropped() -> None:
    given = sp.csr_array(RING + np.diag([0] * 10 + [3, 1]))
    stream, said = told(given, LABELS)
    assert said == ["graph: 2 self-loops are dropped"]
    assert stream.graph == Graph.of(RING)
    assert given.diagonal().any()


@pytest.mark.parametrize(("sizes", "kept"), [((5, 7), range(5, 12)), ((6, 6), range(6)), ((4, 4, 4), range(4))])
def test_the_largest_component_is_taken_and_of_equal_ones_the_first(sizes: Sequence[int], kept: Sequence[int]) -> None:
    cliques = joined(*(np.ones((n, n)) - np.eye(n) for n in sizes))
    shuffled = np.random.default_rng(1).permutation(12) if len(set(sizes)) > 1 else np.arange(12)
    stream, said = told(cliques[shuffled][:, shuffled], np.array(["a", "b"])[shuffled % 2], nodes=shuffled)
    left, parts = 12 - len(kept), len(sizes)
    assert said == [f"graph: {left} of 12 nodes lie outside the largest of {parts} components and are left out"]
    assert sorted(stream.nodes.tolist()) == list(kept)
    assert [("a", "b")[node % 2] for node in stream.nodes] == stream.y.tolist()
    assert stream.graph.edges == len(kept) * (len(kept) - 1) / 2
    assert stream.graph.matrix.has_sorted_indices


def test_each_happening_is_told_once_under_the_streams_name() -> None:
    given = joined(np.triu(RING), [[4.0]]).tolil()
    given[3, 3] = 1
    stream, said = told(given, [None, *LABELS[1:], "cat"], name="pets")
    assert len(said) == 4
    assert said == [f"pets: {note}" for note in stream.facts["notes"]]
    with pytest.warns(UserWarning, match="graph: ") as caught:
        from_graph(given, [None, *LABELS[1:], "cat"], d=3)
    assert {warning.filename for warning in caught} == {__file__}


def test_a_graph_that_is_tidy_says_nothing() -> None:
    stream, said = told(Graph.of(RING), LABELS)
    assert not said
    assert stream.facts["notes"] == []


# What cannot be


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        (np.zeros((4, 4)), "graph: has 4 nodes and no edges between them"),
        (np.eye(4), "graph: has 4 nodes and no edges between them"),
        ([[0]], "graph: has 1 node; give a graph of two or more nodes"),
        (np.empty((0, 0)), "graph: has 0 nodes; "),
        ([[0, -1], [-1, 0]], r"graph: edge \(0, 1\) has weight -1"),
        ([[0, np.nan], [1, 0]], r"graph: edge \(0, 1\) has weight nan"),
        ([[0, np.inf], [1, 0]], r"graph: edge \(0, 1\) has weight inf"),
        ([[0, 1, 1]], r"graph: has shape \(1, 3\)"),
        (7, "graph: "),
    ],
)
def test_graphs_that_cannot_be(graph: Any, says: str) -> None:
    n = np.shape(graph)[0] if np.ndim(graph) else 2
    with pytest.raises(onebit.DataError, match=says):
        from_graph(graph, (["a", "b"] * 2)[:n], d=1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"d": 12}, "d=12: the graph has 12 nodes, so d must be from 1 to 11; choose a smaller d"),
        ({"d": 100}, "d=100: the graph has 12 nodes"),
        ({"d": 0}, "d=0: must be a whole number, 1 or larger"),
        ({"d": 2.5}, "d=2.5: must be a whole number"),
        ({"d": True}, "d=True: must be a whole number"),
        ({"weights": "1/x"}, "weights='1/x': must be '1/sqrt', '1/lambda' or 3 numbers"),
        ({"weights": [1.0, 2.0]}, r"weights=\[1.0, 2.0\]: must be .* 3 finite numbers"),
        ({"weights": [1.0, 2.0, np.inf]}, "weights=.*3 finite numbers"),
        ({"weights": None}, "weights=None: must be"),
        ({"unit": "yes"}, "unit='yes': must be True or False"),
        ({"nodes": range(3)}, "nodes: 3 ids for a graph of 12 nodes; give one per node"),
        ({"nodes": [0, *range(11)]}, "nodes: the id 0 is given more than once"),
        ({"nodes": [[i] for i in range(12)]}, "nodes: ids must be hashable"),
        ({"features": np.ones((11, 2))}, "features: have 11 rows for a graph of 12 nodes; give one row per node"),
        ({"features": np.ones(12)}, "features: has 1 dimensions"),
        ({"features": np.full((12, 2), np.nan)}, "features: row 0, feature 0 is nan"),
        ({"classes": ["cat", "dog"]}, r"labels: node 8 has the label 'cow', which is not among the classes"),
        ({"classes": ["cat"]}, "classes="),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], says: str) -> None:
    with pytest.raises((onebit.ConfigError, onebit.DataError), match=says):
        from_graph(RING, LABELS, **{"d": 3, **options})


def test_d_is_held_against_the_component() -> None:
    cliques = joined(np.ones((5, 5)) - np.eye(5), np.ones((7, 7)) - np.eye(7))
    with pytest.raises(onebit.ConfigError, match="d=7: the graph has 7 nodes"):
        from_graph(cliques, LABELS, d=7)
