"""The push against the exact PageRank, its bound, and the room it leaves clean."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.graph import Graph
from onebit.ops.page_rank import Room, Walk, add_page_rank, edge_shares, new_room
from onebit.ops.rows import DenseRow
from tests.naive.pagerankucb import page_rank
from tests.needed import small_world

N = 60
GRAPHS = {"unweighted": small_world(N), "weighted": small_world(N, weighted=True)}


def walk_of(graph: Graph, teleport: float, eps: float) -> Walk:
    shares = edge_shares(graph.indices, graph.weights, graph.degrees, "float64")
    return Walk(graph.indptr, graph.indices.view(np.uint32), *shares, teleport, eps)


def pushed(graph: Graph, x: Any, teleport: float = 0.05, eps: float = 1e-4, f: float = 1.0) -> tuple[Any, Room, int]:
    """p, the room after the pushes, and their number."""
    counts, room, walk = np.zeros((4, len(graph))), new_room(len(graph), "float64"), walk_of(graph, teleport, eps)
    pushes = add_page_rank(walk, room, DenseRow(np.array([x]), 0, 1.0), counts, 1, f)
    assert not counts[:2].any()
    assert np.array_equal(counts[3], f * counts[2])
    return counts[2] * walk.degrees, room, pushes


def exact(graph: Graph, x: Any, teleport: float) -> Any:
    """α (I - (1-α) Wᵀ)⁻¹ x, with the walk W = D⁻¹S."""
    S = graph.matrix.toarray()
    W = S / S.sum(axis=1, keepdims=True)
    return np.linalg.solve(np.eye(len(S)) - (1 - teleport) * W.T, teleport * x)


@pytest.mark.parametrize("kind", list(GRAPHS))
@pytest.mark.parametrize(("teleport", "eps"), [(0.05, 1e-4), (0.05, 1e-2), (0.3, 1e-6)])
def test_what_is_left_out_is_at_most_eps_times_the_degree(kind: str, teleport: float, eps: float) -> None:
    graph = GRAPHS[kind]
    for s in range(0, N, 7):
        x = np.eye(N)[s]
        p, room, pushes = pushed(graph, x, teleport, eps)
        missing = exact(graph, x, teleport) - p
        assert (missing >= -1e-15).all()
        assert (missing <= eps * graph.degrees).all()
        assert 0 < p.sum() <= 1
        assert pushes <= 1 / (eps * teleport * graph.degrees.min())
        assert not room.residual.any()
        np.testing.assert_allclose(p, page_rank(graph.matrix.toarray(), x, teleport, eps), rtol=1e-12, atol=1e-18)


def test_it_ends_where_nothing_is_left_out() -> None:
    graph = GRAPHS["weighted"]
    x = np.eye(N)[4]
    p, room, pushes = pushed(graph, x, eps=1e-12)
    assert pushes > len(room.queue)  # the ring has gone round
    np.testing.assert_allclose(p, exact(graph, x, 0.05), atol=1e-10)


def test_a_row_of_weights_walks_from_all_of_its_nodes() -> None:
    graph, x = GRAPHS["weighted"], np.zeros(N)
    x[[3, 20, 41]] = 0.5, 1.5, 2.0
    p, _, _ = pushed(graph, x)
    missing = exact(graph, x, 0.05) - p
    assert (missing >= -1e-15).all()
    assert (missing <= 1e-4 * 4 * graph.degrees).all()  # eps is relative to the sum of the weights
    larger, _, pushes = pushed(graph, 1e9 * x)
    np.testing.assert_allclose(larger, 1e9 * p, rtol=1e-12)
    assert pushes == pushed(graph, x)[2]
    x[7] = -3.0
    assert np.array_equal(pushed(graph, x)[0], p)


@pytest.mark.parametrize("x", [np.zeros(N), -np.ones(N), np.full(N, 1e308)], ids=["zeros", "negative", "too large"])
def test_rows_from_which_nothing_can_walk(x: Any) -> None:
    p, room, pushes = pushed(GRAPHS["unweighted"], x)
    assert not p.any()
    assert pushes == 0
    assert not room.residual.any()


def test_a_node_without_edges_keeps_what_it_has() -> None:
    graph = Graph.of([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    p, _, pushes = pushed(graph, np.array([0.0, 0.0, 2.0]))
    assert p.tolist() == [0, 0, 2]
    assert pushes == 1


def test_a_walk_that_ends_at_once() -> None:
    p, room, pushes = pushed(GRAPHS["unweighted"], np.eye(N)[9], teleport=1.0)
    assert np.array_equal(p, np.eye(N)[9])
    assert pushes == 1
    assert not room.residual.any()


def test_a_hub_of_more_than_1_over_eps_edges_is_too_large_to_push() -> None:
    star = np.zeros((30, 30))
    star[0, 1:] = star[1:, 0] = 1
    p, room, pushes = pushed(Graph.of(star), np.eye(30)[0], eps=0.04)
    assert pushes == 0
    assert not p.any()
    assert not room.residual.any()


def test_few_pushes_on_a_long_path_touch_and_clean_only_their_surroundings() -> None:
    n = 140_000  # so many that residuals are asked for ahead
    path = np.ones(n - 1)
    graph = Graph.of(sp.diags_array([path, path], offsets=[-1, 1]))
    p, room, pushes = pushed(graph, np.eye(1, n, n // 2)[0], eps=1e-3)
    reached = np.flatnonzero(p)
    assert 20 < len(reached) < 200
    assert 12 * pushes < n  # each follows 2 edges: so few that not everything is wiped out
    assert not room.residual.any()
    missing = exact_on_path(n)[reached] - p[reached]
    assert (missing >= -1e-15).all()
    assert (missing <= 1e-3 * 2).all()


def exact_on_path(n: int, teleport: float = 0.05) -> Any:
    """The same as `exact` from the middle of a path, far from its ends: a geometric law on both sides."""
    onward = (1 - teleport) / 2
    ratio = (1 - np.sqrt(1 - 4 * onward**2)) / (2 * onward)
    return teleport / (1 - 2 * onward * ratio) * ratio ** np.abs(np.arange(n) - n // 2)


def test_the_same_bits_every_time() -> None:
    graph, x = GRAPHS["weighted"], np.eye(N)[11] + np.eye(N)[12]
    room, walk = new_room(N, "float64"), walk_of(graph, 0.05, 1e-4)
    one, other = np.zeros((2, N)), np.zeros((2, N))
    for counts in (one, other):
        add_page_rank(walk, room, DenseRow(x[None], 0, 0.5), counts, 0, 1.0)
    assert np.array_equal(one, other)
    np.testing.assert_allclose(one[0], pushed(graph, x / 2)[0] / graph.degrees, rtol=1e-12)


def test_a_push_ends_however_late_its_walks_end() -> None:
    ring = np.roll(np.eye(8), 1, axis=0)
    p, room, pushes = pushed(Graph.of(ring + ring.T), np.eye(8)[0], teleport=1e-12, eps=1e-4)
    assert pushes < 2**24
    assert 0 < p.sum() < 1
    assert not room.residual.any()
