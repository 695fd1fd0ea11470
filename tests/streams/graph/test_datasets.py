"""Graphs by name: their components, classes and features (skipped where the file is absent)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.graph import Graph
from onebit.streams import GraphStream, datasets, from_graph, known, load
from onebit.streams.catalog import dataset
from onebit.streams.graph import rows
from tests.streams.test_datasets import need

SIZES = {
    "cora": (2_485, 5_069),
    "citeseer": (2_110, 3_668),
    "pubmed": (19_717, 44_324),
    "dblp_coauthor": (1_747, 8_805),
    "dblp_coauthor_full": (23_816, 78_643),
    "wiki_movies": (6_154, 87_189),
    "wiki_movies_big": (24_000, 745_402),
}


def graph(name: str, **options: Any) -> GraphStream:
    need(name)
    stream = load(name, **options)
    assert isinstance(stream, GraphStream)
    return stream


def test_every_graph_of_the_catalog_is_here() -> None:
    assert set(SIZES) == {d.name for d in known() if d.form == "graph"}


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    stream, entry = graph(name), dataset(name)
    assert (len(stream.graph), stream.graph.edges) == SIZES[name]
    assert (stream.rounds, stream.n_features, len(stream.classes)) == (SIZES[name][0], 100, entry.classes)
    assert stream.graph.weights is None
    assert all(type(c) is str for c in stream.classes)
    facts = stream.describe()
    assert min(facts["counts"]) > 0
    assert (facts["title"], facts["sha256"], facts["nodes"]) == (entry.title, entry.sha256, SIZES[name][0])


def test_notes_say_what_was_left_out() -> None:
    assert graph("cora").facts["notes"] == ["223 of 2,708 nodes lie outside the largest component and are left out"]
    assert graph("citeseer").facts["notes"][1] == "15 of 3,327 nodes have no label and are left out"
    assert graph("dblp_coauthor").facts["notes"] == ["the counts on the edges are taken as 1"]
    assert graph("pubmed").facts["notes"] == ["3 self-loops are dropped"]


def test_cora_by_name_is_cora_by_hand() -> None:
    stream = graph("cora", shuffle=False)
    z = datasets._read(dataset("cora"))
    whole = sp.csr_array((z["data"], z["indices"], z["indptr"]), shape=z["shape"])
    with pytest.warns(UserWarning, match="223 of 2,708 nodes lie outside the largest of 78 components"):
        by_hand = from_graph(whole, z["class_names"][z["labels"]], classes=stream.classes)
    assert by_hand.graph == stream.graph
    assert (by_hand.nodes == stream.nodes).all()
    assert (by_hand.y == stream.y).all()
    assert stream.nodes.tolist() == z["lcc"].tolist()


def test_rows_with_options(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def quick(graph: Graph, d: int, **options: Any) -> Any:
        asked.append({"d": d, **options})
        return np.arange(1.0, len(graph) * d + 1).reshape(len(graph), d)

    monkeypatch.setattr(rows, "spectral_rows", quick)
    stream = graph("dblp_coauthor", d=5, weights="1/lambda", unit=False, normalize=True, bias=True)
    assert stream.n_features == stream.X.shape[1] == 6
    assert np.linalg.norm(stream.X[:, :5], axis=1) == pytest.approx(1, rel=1e-12)
    assert (stream.X[:, 5] == 1).all()
    assert asked == [{"d": 5, "weights": "1/lambda", "unit": False, "progress": None}]
    facts = stream.describe()
    assert (facts["d"], facts["weights"], facts["features"]) == (5, "1/lambda", 6)
    assert facts["options"] == {"unit": False, "features": False, "normalize": True, "bias": True, "shuffle": True}


@pytest.mark.parametrize("name", ["cora", "citeseer"])
def test_node_features_widen_the_rows(name: str) -> None:
    stream = graph(name, features=True, d=20)
    assert stream.n_features == 70
    assert stream.describe()["options"]["features"] is True
    assert stream._row_options.features.shape == (SIZES[name][0], dataset(name).features)


def test_options_that_cannot_be() -> None:
    for name, options, says in [
        ("dblp_coauthor", {"features": True}, "features=True: dblp_coauthor has no node features; leave features out"),
        ("dblp_coauthor", {"features": [1]}, r"features=\[1\]: must be True or False"),
        ("dblp_coauthor", {"d": 1_747}, "d=1747: the graph has 1,747 nodes"),
        ("cora", {"split": "test"}, "split='test': cora has no test part"),
    ]:
        need(name)
        with pytest.raises((onebit.ConfigError, onebit.DataError), match=says):
            load(name, **options)  # type: ignore[arg-type]  # mistakes under test
