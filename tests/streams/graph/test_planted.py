"""The planted partition: its sizes, how much of it lies inside the classes, and that a seed decides it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

import onebit
from onebit.streams import planted_graph


def test_sizes_and_classes() -> None:
    stream = planted_graph(2_000, classes=5, degree=12.0, d=8)
    assert stream.classes == tuple(range(5))
    assert stream.rounds == len(stream.graph) == 2_000
    assert stream.describe()["counts"] == [400] * 5
    assert stream.graph.weights is None
    assert 11.7 < stream.graph.degrees.mean() < 12
    assert not stream.graph.matrix.diagonal().any()
    assert (stream.graph.matrix != stream.graph.matrix.T).nnz == 0


@pytest.mark.parametrize("inside", [0.0, 0.6, 1.0])
def test_the_share_of_edges_inside_a_class(inside: float) -> None:
    stream = planted_graph(4_000, inside=inside, seed=2, d=8)
    edges = stream.graph.matrix.tocoo()
    share = float((stream.y[edges.row] == stream.y[edges.col]).mean())
    assert share == pytest.approx(inside + (1 - inside) / 4, abs=0.015)


def test_a_seed_decides() -> None:
    one, same, other = (planted_graph(300, seed=seed, d=8) for seed in (1, 1, 2))
    assert one.graph == same.graph
    assert (one.y == same.y).all()
    assert one.graph != other.graph


def test_the_largest_component_is_taken_without_a_warning() -> None:
    stream = planted_graph(500, degree=2.0, d=8, shuffle=False)
    left = 500 - len(stream.graph)
    assert left > 0
    assert stream.facts["notes"][0].startswith(f"{left} of 500 nodes lie outside the largest of ")
    assert connected_components(stream.graph.matrix)[0] == 1
    assert stream.nodes.max() < 500
    assert next(stream.windows(1)).order.tolist() == list(range(len(stream.graph)))
    assert stream.describe()["options"]["degree"] == 2.0


def test_sizes_that_do_not_divide() -> None:
    assert planted_graph(103, classes=4, degree=20.0, d=8).describe()["counts"] == [25, 26, 26, 26]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"nodes": 1}, "nodes=1: must be a whole number from 2 to"),
        ({"nodes": 10.5}, "nodes=10.5: must be a whole number"),
        ({"classes": 1}, "classes=1: must be a whole number, 2 or larger"),
        ({"nodes": 3, "classes": 4}, "classes=4: there are only nodes=3 nodes"),
        ({"degree": 0}, "degree=0: must be a number from 0.04 to 50, 50 excluded"),
        ({"degree": 50.0}, "degree=50.0: must be"),
        ({"degree": np.nan}, "degree=nan: must be"),
        ({"inside": 1.5}, "inside=1.5: must be a number from 0 to 1"),
        ({"inside": "most"}, "inside='most': must be a number"),
        ({"seed": -1}, "seed=-1"),
        ({"d": 50}, "d=50: the graph has 50 nodes"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], says: str) -> None:
    with pytest.raises(onebit.ConfigError, match=says):
        planted_graph(**{"nodes": 50, "d": 8, **options})
