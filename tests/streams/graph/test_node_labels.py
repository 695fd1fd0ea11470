"""Labels of nodes: as a sequence, a mapping, a file, an attribute; and those that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import onebit
from onebit.streams import GraphStream, from_graph
from tests.streams.graph.samples import LABELS, RING, N, edge_file, label_file


def play(labels: Any, graph: Any = RING, **options: Any) -> GraphStream:
    return from_graph(graph, labels, **{"d": 3, **options})


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        tuple(LABELS),
        np.array(LABELS),
        np.array(LABELS, dtype=object),
        dict(enumerate(LABELS)),
        {np.int64(i): np.str_(label) for i, label in reversed(list(enumerate(LABELS)))},
        pd.Series(LABELS),
        pd.Series(LABELS[::-1], index=range(N)[::-1]),
    ],
)
def test_labels_in_memory(labels: Any) -> None:
    stream = play(labels)
    assert stream.y.tolist() == LABELS
    assert [type(label) for label in stream.classes] == [str] * 3


def test_labels_of_any_kind() -> None:
    assert play([i % 2 for i in range(N)]).classes == (0, 1)
    assert play(np.arange(N) % 3 == 0).classes == (False, True)
    pairs = [("a", i % 2) for i in range(N)]
    stream = play(pairs)
    assert stream.classes == (("a", 0), ("a", 1))
    assert stream.y.tolist() == pairs
    mixed: list[Any] = [1, "one"] * 6
    with pytest.raises(onebit.DataError, match=r"labels: are of several types.*classes=\[...\]"):
        play(mixed)
    stream = play(mixed, classes=["one", 1, "none"])
    assert stream.classes == ("one", 1, "none")
    assert stream.y.tolist() == mixed


@pytest.mark.parametrize("gap", [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT])
def test_labels_that_are_missing(gap: Any) -> None:
    for labels in ([gap, *LABELS[1:]], {0: gap, **dict(enumerate(LABELS[1:], 1))}):
        with pytest.warns(UserWarning, match="graph: 1 of 12 nodes have no label and are skipped"):
            assert play(labels).y.tolist() == LABELS[1:]


@pytest.mark.parametrize("name", ["l.csv", "l.tsv", "l.parquet", "l.csv.gz", "l.tsv.bz2"])
def test_labels_in_a_file(tmp_path: Path, name: str) -> None:
    path = label_file(tmp_path / name, reversed(range(N)), reversed(LABELS))
    assert play(path).y.tolist() == LABELS
    assert play(str(path)).y.tolist() == LABELS


def test_columns_go_by_name_else_by_place(tmp_path: Path) -> None:
    named, placed = tmp_path / "named.csv", tmp_path / "placed.csv"
    named.write_text("label,size,node\n" + "".join(f"{label},1,{i}\n" for i, label in enumerate(LABELS)))
    placed.write_text("who,what,size\n" + "".join(f"{i},{label},1\n" for i, label in enumerate(LABELS)))
    assert play(named).y.tolist() == play(placed).y.tolist() == LABELS


def test_labels_in_a_csv_file_are_what_all_can_be(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("node,label\n" + "".join(f"{i},{i % 2}\n" for i in range(N - 1)) + f"{N - 1},\n")
    with pytest.warns(UserWarning, match="1 of 12 nodes have no label"):
        assert play(path).classes == (0, 1)
    path.write_text("node,label\n" + "".join(f"{i},{'NA' if i else 'x'}\n" for i in range(N)))
    assert play(path).classes == ("NA", "x")


@pytest.mark.parametrize(
    ("in_edges", "in_labels"),
    [
        ([f"0{i}" for i in range(N - 1)] + ["x"], None),
        (range(N), [str(i) for i in range(N)]),
        ([str(i) for i in range(N)], range(N)),
        (range(N), range(N)),
    ],
)
@pytest.mark.parametrize("kinds", [("csv", "csv"), ("parquet", "csv"), ("csv", "parquet"), ("parquet", "parquet")])
def test_ids_as_text_and_as_numbers_meet(tmp_path: Path, in_edges: Any, in_labels: Any, kinds: tuple[str, str]) -> None:
    edges = edge_file(tmp_path / f"e.{kinds[0]}", RING, in_edges)
    labels = label_file(tmp_path / f"l.{kinds[1]}", in_edges if in_labels is None else in_labels)
    stream = play(labels, edges)
    by_text = {str(node): label for node, label in zip(in_edges, LABELS, strict=True)}
    assert stream.y.tolist() == [by_text[str(node)] for node in stream.nodes.tolist()]


def test_text_that_looks_like_a_number_stays_text_where_the_graph_has_text(tmp_path: Path) -> None:
    ids = ["007", *(f"n{i}" for i in range(1, N))]
    edges = edge_file(tmp_path / "e.csv", RING, ids)
    labels = tmp_path / "l.csv"
    labels.write_text("node,label\n007,cat\n")
    with pytest.raises(onebit.DataError, match="labels: every labelled node says 'cat'; there must be at least 2"):
        play(labels, edges)


def test_an_attribute_of_the_nodes(tmp_path: Path) -> None:
    graph = nx.from_numpy_array(RING)
    nx.set_node_attributes(graph, dict(enumerate(LABELS[:-1])), "pet")
    with pytest.warns(UserWarning, match="1 of 12 nodes have no label"):
        assert play("pet", graph).y.tolist() == LABELS[:-1]
    with pytest.raises(onebit.DataError, match=r"labels='pets': no node has such an attribute, .*; known are pet"):
        play("pets", graph)
    assert play(str(label_file(tmp_path / "l.csv")), graph).y.tolist() == LABELS


# What cannot be


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (LABELS[:-1], "labels: 11 labels for a graph of 12 nodes; give one per node, None where there is none"),
        ([None] * N, "labels: no node of graph has a label; label at least 2 nodes"),
        ({}, "labels: no node of graph has a label"),
        (["cat"] * N, "labels: every labelled node says 'cat'; there must be at least 2 classes"),
        ([["cat"]] * N, "labels: labels must be hashable"),
        (7, "labels: of type int; give one label per node"),
        (pd.DataFrame({"node": range(N)}), "labels: of type DataFrame; give one label per node"),
        (np.ones((N, 2)), "labels: of type ndarray; give one label per node"),
        (
            {0: "cat", 99: "dog", "x": "dog"},
            "labels: 2 of 3 labels are for nodes that the graph does not have, the first for 99; drop them",
        ),
        ("nowhere.csv", "nowhere.csv: there is no such file"),
        (Path("nowhere.csv"), "nowhere.csv: there is no such file"),
    ],
)
def test_labels_that_cannot_be(labels: Any, says: str) -> None:
    with pytest.raises(onebit.DataError, match=says):
        play(labels)


def test_labels_outside_the_component_alone() -> None:
    pair_and_ring = sp.block_diag([[[0, 1], [1, 0]], RING], format="csr")
    with pytest.raises(onebit.DataError, match="none of the 12 nodes of the largest component of graph has a label"):
        play({0: "cat", 1: "dog"}, pair_and_ring)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("node,label\n0,cat\n1,dog\n0,dog\n", "l.csv: node 0 has two labels, 'cat' and 'dog'; leave one"),
        ("node,label\n0,cat\n99,dog\n", "l.csv: 1 of 2 labels are for nodes that the graph .* first for 99"),
        ("node,label\n0,cat\nzero,dog\n", "l.csv: 1 of 2 labels are for nodes .* first for 'zero'"),
        ("node\n0\n", "l.csv: has one column, 'node'; give two, such as node,label"),
        ("node,label\n", "l.csv: has no rows"),
        ("", "l.csv: cannot be read as CSV"),
        ("node,label\n0,cat\n1,dog,3\n", "l.csv: cannot be read as CSV"),
        ("0,1\n1,0\n", "l.csv: its first line, 0,1, looks like data; put a header line before it"),
    ],
)
def test_label_files_that_cannot_be(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "l.csv").write_text(text)
    with pytest.raises(onebit.DataError, match=says):
        play(tmp_path / "l.csv")


def test_a_label_given_twice_is_fine_if_it_is_the_same(tmp_path: Path) -> None:
    path = label_file(tmp_path / "l.csv", [*range(N), 3], [*LABELS, LABELS[3]])
    assert play(path).y.tolist() == LABELS
