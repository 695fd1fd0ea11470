"""PageRankUCB: its counts step by step, graphs and rows of every kind, what it refuses, its figures."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError, DataError
from onebit.core.paths import data_folder
from onebit.core.seeds import bit_generator
from tests.naive.pagerankucb import Twin
from tests.needed import small_world

N, K = 40, 3
Y = np.arange(N) * K // N


def node(i: int, kind: str) -> Any:
    """The row of one node."""
    return sp.csr_array(([1.0], [i], [0, 1]), shape=(1, N)) if kind == "sparse" else np.eye(N)[i]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_and_decisions_equal_the_twins(kind: str, weighted: bool) -> None:
    graph = small_world(N, weighted)
    learner = onebit.PageRankUCB(K, graph=graph, ties="random", seed=3)
    twin = Twin(K, N, np.random.Generator(bit_generator(3, "learner")), graph, ties="random")
    propensities = set()
    for s in np.random.default_rng(0).integers(N, size=100).tolist():
        decision, (played, greedy, propensity, _) = learner.decide(node(s, kind)), twin.decide(np.eye(N)[s])
        assert (decision.label, decision.greedy, decision.propensity) == (played, greedy, propensity)
        learner.learn(decision, bool(Y[s] == played))
        twin.learn(np.eye(N)[s], played, greedy, propensity, False, int(Y[s] == played))
        propensities.add(propensity)
        counts = learner._session.state.counts
        np.testing.assert_allclose(counts[::2], twin.N, rtol=1e-12, atol=1e-18)
        np.testing.assert_allclose(counts[1::2], twin.R, rtol=1e-12, atol=1e-18)
        assert not learner._session.state.residual.any()
    assert 1 / 3 in propensities
    assert 1 in propensities
    assert learner.updates == 100


def test_one_answer_by_the_formula() -> None:
    """Two nodes and one edge: from the one that is played, ppr = 1/(2-α) and (1-α)/(2-α)."""
    learner = onebit.PageRankUCB(["x", "y"], graph=[[0, 1], [1, 0]], eps=1e-12)
    decision = learner.decide([1.0, 0.0])
    assert decision.label == "x"
    learner.learn(decision, True)
    N_0, N_1 = 1 / 1.95, 0.95 / 1.95
    assert learner.scores([0.0, 1.0]) == pytest.approx([(N_1 + 0.05) / (N_1 + 0.1), 0.5], abs=1e-9)
    assert learner.scores([0.5, 0.5])[0] == pytest.approx(((N_0 + N_1) / 2 + 0.05) / ((N_0 + N_1) / 2 + 0.1), abs=1e-9)
    learner.learn(learner.decide([0.0, 1.0]), False)
    means = [(N_0 + 0.05) / 1.1, (N_1 + 0.05) / 1.1]  # N = 1 at both now
    assert learner.scores(np.eye(2))[:, 0] == pytest.approx(means, abs=1e-9)
    assert learner.predict(np.eye(2)).tolist() == ["x", "y"]


def test_a_new_node_is_what_its_neighbours_are() -> None:
    stream = onebit.streams.planted_graph(300, classes=3, inside=0.95, seed=1)
    nodes, n = stream.by_node(), len(stream.graph)
    learner = onebit.PageRankUCB(3, graph=stream.graph)
    for i in range(n):
        decision = learner.decide(nodes.X[[i]])
        learner.learn(decision, bool(decision.label == nodes.y[i]))
    S = stream.graph.matrix
    newcomers = sp.csr_array(S.multiply(1 / S.sum(axis=1)[:, None]))
    assert np.mean(learner.predict(newcomers) == nodes.y) > 0.95


def test_a_graph_in_any_form_is_shown_and_shared() -> None:
    matrix = small_world(N).matrix
    learner = onebit.PageRankUCB(K, graph=matrix)
    assert learner.graph == small_world(N)
    assert repr(learner) == f"PageRankUCB(3, graph={learner.graph!r})"
    assert onebit.PageRankUCB(K, graph=matrix.toarray()).graph == learner.graph
    clone = learner.clone(seed=4, tau=0.5)
    assert clone.graph is learner.graph
    assert np.shares_memory(clone.hyper().walk.shares, learner.hyper().walk.shares)
    assert clone.clone(dtype="float32").hyper().walk.shares.dtype == np.float32
    assert learner.clone(graph=None).graph is None


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"teleport": 0}, r"teleport=0: must be a number from 1e-06 to 1"),
        ({"teleport": 1.5}, r"teleport=1.5: must be a number from 1e-06 to 1"),
        ({"eps": 0}, r"eps=0: must be a number from 1e-12 to 1"),
        ({"tau": 0}, r"tau=0: must be a number above 0"),
        ({"eta": -1}, r"eta=-1: must be a number, 0 or larger"),
        ({"graph": small_world(N), "n_features": 41}, r"n_features=41: a row of PageRankUCB has one feature per node"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.PageRankUCB(K, **parameters)


@pytest.mark.parametrize("graph", [[[0, 1], [0, 0]], [[0, -1], [-1, 0]], [[1, 1], [1, 0]], "cora"])
def test_what_is_no_graph(graph: Any) -> None:
    with pytest.raises(DataError, match="graph: "):
        onebit.PageRankUCB(K, graph=graph)


def test_rows_that_fit_no_graph_change_nothing() -> None:
    pattern = onebit.PageRankUCB(K)
    with pytest.raises(ConfigError, match=r"graph=None: PageRankUCB cannot play without a graph; give graph=\.\.\."):
        pattern.decide(np.eye(N)[0])
    learner = onebit.PageRankUCB(K, graph=small_world(N))
    with pytest.raises(ConfigError, match="n_features=41: a row of PageRankUCB has one feature per node of its graph"):
        learner.scores(np.ones(N + 1))
    with pytest.raises(ConfigError, match="n_features=41"):
        learner.decide(np.ones(N + 1))
    assert learner.decide(np.eye(N)[0]).id == 0


def test_nothing_is_learned_from_a_row_of_zeros() -> None:
    learner = onebit.PageRankUCB(K, graph=small_world(N))
    learner.learn(learner.decide(np.zeros(N)), True)
    assert not learner._session.state.counts.any()
    assert learner.scores(np.eye(N)[3]) == pytest.approx(np.full(K, 1 / K))


def test_cora() -> None:
    if not (data_folder() / "cora.npz").is_file():
        pytest.skip("the file of cora is not in the data folder")
    stream = onebit.streams.load("cora")
    result = onebit.simulate(onebit.PageRankUCB(stream.classes), stream, seeds=4, progress=False)
    assert result.error < 0.196
