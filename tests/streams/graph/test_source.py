"""Graphs from networkx and from files: the same graph in every form, and files that cannot be."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

import onebit
from onebit.streams import GraphStream, from_graph
from tests.streams.graph.samples import LABELS, RING, WEIGHED, N, edge_file

IDS = [f"n{i:02d}" for i in range(N)]
BY_ID = dict(zip(IDS, LABELS, strict=True))
BY_NUMBER = dict(enumerate(LABELS))


def play(graph: Any, labels: Any = BY_NUMBER, **options: Any) -> GraphStream:
    return from_graph(graph, labels, **{"d": 3, **options})


@pytest.mark.parametrize("matrix", [RING, WEIGHED], ids=["equal", "weighed"])
@pytest.mark.parametrize("name", ["e.csv", "e.tsv", "e.parquet", "e.csv.gz", "E.TSV.bz2"])
def test_a_file_is_the_same_graph_as_its_matrix(tmp_path: Path, name: str, matrix: Any) -> None:
    weight = matrix is WEIGHED
    want = play(matrix)
    numbers = play(edge_file(tmp_path / name, matrix, weight=weight))
    assert (numbers.graph, numbers.nodes.tolist()) == (want.graph, list(range(N)))
    assert numbers.describe()["digest"] == want.describe()["digest"]
    texts = play(str(edge_file(tmp_path / name, matrix, IDS, weight)), BY_ID)
    assert (texts.graph, texts.nodes.tolist()) == (want.graph, IDS)
    assert (texts.y.tolist(), texts.facts["notes"]) == (LABELS, [])


@pytest.mark.parametrize("matrix", [RING, WEIGHED], ids=["equal", "weighed"])
def test_networkx_and_graphml_are_the_same_graph(tmp_path: Path, matrix: Any) -> None:
    want = play(matrix)
    graph = nx.relabel_nodes(nx.from_numpy_array(matrix), dict(enumerate(IDS)))
    nx.set_node_attributes(graph, BY_ID, "pet")
    nx.write_graphml(graph, tmp_path / "g.graphml")
    for given in (graph, tmp_path / "g.graphml"):
        stream = play(given, "pet")
        assert (stream.graph, stream.nodes.tolist(), stream.y.tolist()) == (want.graph, IDS, LABELS)
    assert play(graph, LABELS).y.tolist() == LABELS


def test_a_directed_networkx_graph() -> None:
    with pytest.warns(UserWarning, match="14 of 14 edges lead one way only"):
        stream = play(nx.from_numpy_array(np.triu(WEIGHED), create_using=nx.DiGraph))
    assert stream.graph == play(WEIGHED).graph
    both_ways = nx.from_numpy_array(WEIGHED, create_using=nx.DiGraph)
    assert play(both_ways).graph == play(WEIGHED).graph


def test_parallel_edges_count_once_with_the_largest_weight() -> None:
    graph = nx.MultiGraph(nx.from_numpy_array(RING))
    graph.add_edge(0, 1)
    with pytest.warns(UserWarning, match="graph: 1 repeated edge is counted once$"):
        assert play(graph).graph == play(RING).graph
    graph.add_edge(1, 0, weight=4)
    with pytest.warns(UserWarning, match="graph: 2 repeated edges are counted once, with the largest weight"):
        assert play(graph).graph.matrix[0, 1] == 4


def test_loops_and_isolated_nodes_of_networkx() -> None:
    graph = nx.from_numpy_array(RING)
    graph.add_edge(3, 3)
    graph.add_node("far")
    with pytest.warns(UserWarning, match="graph: ") as caught:
        stream = play(graph)
    assert [str(w.message) for w in caught] == [
        "graph: 1 self-loop is dropped",
        "graph: 1 of 13 nodes lie outside the largest of 2 components and are left out",
    ]
    assert stream.graph == play(RING).graph


def test_columns_go_by_name_else_by_place(tmp_path: Path) -> None:
    first, second = np.nonzero(np.triu(RING))
    path = tmp_path / "e.csv"
    lines = (f"{j},7,{i},{i}\n" for i, j in zip(first, second, strict=True))
    path.write_text("target,year,from,source\n" + "".join(lines))
    assert play(path).graph == play(RING).graph
    lines = (f"{i},{j},x\n" for i, j in zip(first, second, strict=True))
    path.write_text("a,b,c\n" + "".join(lines))
    assert play(path).graph == play(RING).graph


def test_a_list_with_some_edges_both_ways_is_directed(tmp_path: Path) -> None:
    one_way = edge_file(tmp_path / "e.csv", RING)
    assert play(one_way).facts["notes"] == []
    back = "".join(",".join(reversed(line.split(","))) + "\n" for line in one_way.read_text().splitlines()[1:])
    all_ways = tmp_path / "both.csv"
    all_ways.write_text(one_way.read_text() + back)
    assert play(all_ways).facts["notes"] == []
    with one_way.open("a") as file:
        file.write(back.splitlines()[0] + "\n")
    with pytest.warns(UserWarning, match="13 of 14 edges lead one way only"):
        assert play(one_way).graph == play(RING).graph


def test_a_line_given_twice_counts_once(tmp_path: Path) -> None:
    path = edge_file(tmp_path / "e.csv", RING)
    with path.open("a") as file:
        file.write("0,1\n0,1\n")
    with pytest.warns(UserWarning, match="2 repeated edges are counted once$"):
        assert play(path).graph == play(RING).graph


def test_ends_of_different_kinds_are_text(tmp_path: Path) -> None:
    path = tmp_path / "e.parquet"
    pq.write_table(pa.table({"source": [1, 1, 2], "target": ["a", "b", "a"]}), path)
    stream = play(path, {"1": "x", "2": "x", "a": "y", "b": "y"})
    assert stream.nodes.tolist() == ["1", "2", "a", "b"]


# What cannot be


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("source\n1\n", "e.csv: has one column, 'source'; give two, such as source,target"),
        ("source,target\n", "e.csv: has no rows"),
        ("", "e.csv: cannot be read as CSV"),
        ("source,target\n1,2,3\n", "e.csv: cannot be read as CSV"),
        ("source,source\n1,2\n", "e.csv: has several columns named 'source'"),
        ("source,target\n1,2\n3,\n", r"e.csv: row 1 \(from 0\) has nothing in column 'target'; an edge has two ends"),
        ("1,2\n2,3\n", "e.csv: its first line, 1,2, looks like data; put a header line before it"),
        ("a,b\nb,c\nc,a\n", "e.csv: its first line, a,b, looks like data"),
        ("source,target,weight\n1,2,-1\n", r"e.csv: edge \(1, 2\) has weight -1; weights must be finite and above 0"),
        ("source,target,weight\na,b,1\nb,c,nan\n", r"e.csv: edge \('b', 'c'\) has weight nan"),
        ("source,target,weight\na,b,1\nb,c,\n", r"e.csv: edge \('b', 'c'\) has weight nan"),
        ("source,target,weight\na,b,inf\n", r"e.csv: edge \('a', 'b'\) has weight inf"),
        ("source,target,weight\na,b,heavy\n", "e.csv: column 'weight' holds string; weights must be numbers"),
        ("source,target\n1,1\n2,2\n", "graph: has 2 nodes and no edges between them"),
        ("source,target\n1,1\n", "graph: has 1 node; "),
    ],
)
def test_edge_lists_that_cannot_be(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "e.csv").write_text(text)
    with pytest.raises(onebit.DataError, match=says):
        play(tmp_path / "e.csv", {})


def test_files_that_cannot_be(tmp_path: Path) -> None:
    for name, says in {"e.csv": "there is no such file", "e.graphml": "there is no such file"}.items():
        with pytest.raises(onebit.DataError, match=says):
            play(tmp_path / name)
    (tmp_path / "e.parquet").write_text("no")
    (tmp_path / "e.graphml").write_text("<graphml><graph>")
    (tmp_path / "e.txt").write_text("1 2")
    for name, says in {
        "e.parquet": "cannot be read as Parquet",
        "e.graphml": "cannot be read as GraphML",
        "e.txt": "cannot tell its format by its name; it must end in .parquet, .csv, .tsv, .graphml",
    }.items():
        with pytest.raises(onebit.DataError, match=says):
            play(tmp_path / name)
    pq.write_table(pa.table({"source": [[1]], "target": [[2]]}), tmp_path / "e.parquet")
    with pytest.raises(onebit.DataError, match="column 'source' holds list.*; give a single value per row"):
        play(tmp_path / "e.parquet")


def test_graphml_without_networkx_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.graphml").write_text("<graphml/>")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(onebit.DataError, match=r"networkx, which is not installed; pip install onebit\[graph\]"):
        play(tmp_path / "g.graphml")


@pytest.mark.parametrize("weight", [-1.0, float("nan"), "heavy", None, True])
def test_weights_of_networkx_that_cannot_be(weight: Any) -> None:
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=weight)
    with pytest.raises(onebit.DataError, match=r"graph: edge \('a', 'b'\) has weight "):
        play(graph, {"a": 0, "b": 1}, d=1)


def test_graphs_that_name_their_nodes_take_no_other_names(tmp_path: Path) -> None:
    for graph in (nx.from_numpy_array(RING), edge_file(tmp_path / "e.csv", RING)):
        with pytest.raises(onebit.ConfigError, match="nodes=...: this graph names its nodes itself; leave nodes out"):
            play(graph, nodes=IDS)


def test_a_matrix_with_an_edge_of_weight_0_has_no_such_edge() -> None:
    stored = sp.csr_array(RING)
    stored.data[:] = 0
    with pytest.raises(onebit.DataError, match="no edges between them"):
        play(stored)
