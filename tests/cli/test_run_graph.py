"""onebit run on a graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from onebit import MOLGB, PageRankUCB, simulate
from onebit.streams import from_graph, known, planted_graph
from tests.cli.conftest import Command

WITHOUT_CORA = not any(entry.name == "cora" and entry.available for entry in known())


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The edges of a small graph, and the labels of all its nodes but one."""
    stream = planted_graph(60, classes=2, degree=6, inside=0.9, d=8)
    edges, labels = tmp_path / "edges.csv", tmp_path / "topics.tsv"
    pairs = zip(*stream.graph.matrix.nonzero(), strict=True)
    edges.write_text("source,target\n" + "".join(f"n{i},n{j}\n" for i, j in pairs if i < j))
    named = zip(stream.nodes.tolist()[1:], stream.y[1:].tolist(), strict=True)
    labels.write_text("node\tlabel\n" + "".join(f"n{node}\t{'ab'[label]}\n" for node, label in named))
    return edges, labels


def test_the_files_of_a_graph(onebit: Command, files: tuple[Path, Path]) -> None:
    edges, labels = files
    outcome = onebit("run", "molg-b", "page-rank-ucb", "--graph", edges, "--labels", labels, "-d", 8, "--json")
    assert outcome.code == 0
    assert outcome.err == "onebit: warning: edges.csv: 1 of 60 nodes have no label and are skipped\n"
    spectral, walking = json.loads(outcome.out)["results"]
    with pytest.warns(UserWarning, match="no label"):
        stream = from_graph(edges, labels, d=8, name="edges.csv")
    assert spectral["errors"] == simulate(MOLGB(stream.classes), stream).errors
    assert walking["errors"] == simulate(PageRankUCB(stream.classes), stream).errors
    assert spectral["settings"]["stream"]["features"] == 8
    assert walking["settings"]["stream"]["features"] == 60
    assert spectral["settings"]["stream"]["digest"] == walking["settings"]["stream"]["digest"]


@pytest.mark.skipif(WITHOUT_CORA, reason="needs the data set cora")
def test_a_graph_by_name(onebit: Command) -> None:
    outcome = onebit("run", "molg-b", "--data", "cora", "--seeds", 2, "-d", 50, "--json")
    (record,) = json.loads(outcome.out)["results"]
    assert record["settings"]["stream"]["nodes"] == 2485
    assert max(record["errors"]) < 0.3


def test_bad_input_is_one_line(onebit: Command, files: tuple[Path, Path], tmp_path: Path) -> None:
    edges, labels = map(str, files)
    graph = ("--graph", edges, "--labels", labels)
    wrong = {
        (*graph, "--data", "digits"): "--data digits: --graph is given as well",
        ("--graph", edges): "needs --labels, a file with the columns node and label",
        ("--data", "digits", "--labels", labels): "belongs to --graph",
        ("--data", "digits", "-d", "5"): "d=5: is for graphs, and digits is a data set of rows",
        ("--data", edges, "--label", "target", "-d", "5"): "--dims and --node-features are for graphs",
        (*graph, "--label", "topic"): "--label: is not for a graph's file",
        (*graph, "--bias"): "--bias: is not for a graph's file",
        (*graph, "--node-features"): "--node-features: is not for a graph's file",
        graph: "d=100: the graph has 60 nodes, so d must be from 1 to 59; choose a smaller d",
        (*graph, "--set", "graph=x"): "graph comes from --data or --graph",
    }
    for arguments, message in wrong.items():
        outcome = onebit("run", "page-rank-ucb", *arguments)
        assert message in outcome.one_line_error, arguments
        assert outcome.code == 2, arguments
    outcome = onebit("run", "molg-b", "--graph", tmp_path / "none.csv", "--labels", labels)
    assert "none.csv: there is no such file" in outcome.one_line_error
    assert outcome.code == 1


def test_a_learner_that_walks_a_graph_needs_one(onebit: Command) -> None:
    outcome = onebit("run", "page-rank-ucb", "--data", "iris")
    assert "stream='iris': PageRankUCB walks a graph, and this stream has none" in outcome.one_line_error
