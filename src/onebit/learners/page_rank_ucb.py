"""PageRankUCB: nodes of a graph; what one answer says spreads along the edges."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from onebit.contract.compiled import Draw, Functions
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import checked, number
from onebit.contract.schema import reals, room, zeros
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.errors import ConfigError
from onebit.core.registry import register
from onebit.graph import Graph
from onebit.ops.jit import jit
from onebit.ops.page_rank import Room, Walk, add_page_rank, edge_shares, new_room
from onebit.ops.random import best_label, best_label_pmf, first_best
from onebit.ops.rows import Row
from onebit.ops.weights import scores

_SHARES: WeakKeyDictionary[Graph, dict[str, tuple[FloatArray, FloatArray]]] = WeakKeyDictionary()


class Hyper(NamedTuple):
    """The graph and how it is walked, τ, η."""

    walk: Walk
    tau: float
    eta: float
    random_ties: bool


class State(NamedTuple):
    """N_k in row 2k and R_k in row 2k+1 (2K × nodes), and room to work."""

    counts: FloatArray
    s: FloatArray
    mean: FloatArray
    upper: FloatArray
    residual: FloatArray
    queue: NDArray[np.uint32]


@jit
def upper(hyper: Hyper, state: State, row: Row) -> None:
    """(R + τ/K)/(N + τ), and behind it the same + η √(τ/(N + τ))."""
    mean = state.mean
    score(hyper, state, row, mean)
    for k in range(mean.shape[0]):
        state.upper[k] = mean[k] + hyper.eta * sqrt(hyper.tau / (max(state.s[2 * k], 0) + hyper.tau))


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """argmax_k (R + τ/K)/(N + τ) + η √(τ/(N + τ))."""
    upper(hyper, state, row)
    labels[0], ties = best_label(state.upper, hyper.random_ties, rng)
    return 1 / ties, first_best(state.mean), False


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """All on the largest upper bound."""
    upper(hyper, state, row)
    best_label_pmf(state.upper, hyper.random_ties, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """For the played class: N(i) += ppr(i)/deg_i,  R(i) += f ppr(i)/deg_i."""
    add_page_rank(hyper.walk, Room(state.residual, state.queue), row, state.counts, draw.labels[0], f)
    return 1


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """(R + τ/K)/(N + τ); leaves N and R of the row in s."""
    s = state.s
    K = out.shape[0]
    scores(state.counts, row, s)
    for k in range(K):
        out[k] = (s[2 * k + 1] + hyper.tau / K) / (max(s[2 * k], 0) + hyper.tau)


def _check_graph(name: str, graph: Any) -> Graph | None:
    return graph if graph is None or isinstance(graph, Graph) else Graph.of(graph, name)


@register("page-rank-ucb")
class PageRankUCB(Learner):
    """Nodes of a graph: an answer about one counts for the others as far as random walks from it reach.

    For every class it counts around each node how often it was played (N) and was right (R), where a play at
    node s counts ppr_s(i)/deg_i at node i: the personalised PageRank, found by pushes along the edges near s. The
    class with the largest upper confidence bound is played. It needs no eigenvectors, and a round costs the same
    on a graph of any size; what it plays is decided by the past alone, so propensities are 1.

        ỹ = argmax_k (R_k + τ/K)/(N_k + τ) + η √(τ/(N_k + τ))   at the node s
        N_ỹ(i) += ppr_s(i)/deg_i,   R_ỹ(i) += f ppr_s(i)/deg_i   for every node i that the pushes reach

    A row says which node it is: one feature per node, 1 at the node and 0 elsewhere (`stream.by_node()`). More
    generally it holds weights over the nodes, with N_k(x) = Σ_i x_i N_k(i), and walks that begin at node i with a
    chance in proportion to x_i: so a new node is played as the mean of its neighbours. Weights below 0 are no walks.

    Parameters: `graph`, a `Graph` or a symmetric adjacency matrix, whose edges weigh about 1 (its degrees are held
    against τ and eps); None only for a pattern that `onebit.simulate` plays on a graph's stream, which fills it in.
    `teleport`, the chance α with which a walk ends at each step, 1e-6 or more; `eps`, what the pushes leave out: at
    most eps deg_i at node i, for about 1/(eps α) steps along edges at worst (a lesson ends after 2^24 steps, and
    leaves out the rest); `tau`, how many plays the prior is worth; `eta`, the
    width of the confidence (small ones can lock a class out); the others as for every learner.

    Guarantee: none proved for its mistakes.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(500, classes=3, seed=1)
    >>> result = onebit.simulate(onebit.PageRankUCB(3), stream, seeds=3)
    >>> bool(result.error < 0.2)
    True

    Reference: ours; the pushes are those of Andersen, Chung, Lang, "Local graph partitioning using PageRank
    vectors", FOCS 2006.
    """

    graph: Any = checked(default=None, check=_check_graph)
    teleport: float = number(default=0.05, low=1e-6, high=1)
    eps: float = number(default=1e-4, low=1e-12, high=1)
    tau: float = number(default=0.1, low=0, open_low=True)
    eta: float = number(default=0.5, low=0)

    takes_noise = True
    walks_graph = True
    functions = Functions(decide, learn, score, pmf=pmf)
    decides_in = ("s", "mean", "upper")

    def check(self) -> None:
        """As many features as nodes."""
        if self.graph is not None and self.n_features not in (None, len(self.graph)):
            raise ConfigError(_wrong_width(self.n_features, self.graph))

    def hyper(self) -> Hyper:
        """The graph's arrays, shared by all learners on it, and the numbers."""
        return Hyper(self._walk(), self.tau, self.eta, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """N = R = 0."""
        if self.graph is None:
            raise ConfigError(
                "graph=None: PageRankUCB cannot play without a graph; give graph=..., or let onebit.simulate play it "
                "on a stream from onebit.streams.from_graph, which brings its own"
            )
        if layout.n_features != len(self.graph):
            raise ConfigError(_wrong_width(layout.n_features, self.graph))
        s = np.zeros(2 * layout.n_classes, dtype=layout.dtype)
        counts = layout._replace(n_classes=len(s)).per_feature()
        room = new_room(layout.n_features, layout.dtype)
        return State(counts, s, layout.per_class(), layout.per_class(), room.residual, room.queue)

    def scoring_state(self, state: State) -> State:
        """With other room for N and R of a row."""
        return state._replace(s=np.zeros_like(state.s))

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it; a push begins with residuals of 0."""
        K = layout.n_classes
        d = layout.n_features
        queue = room(1 << d.bit_length(), dtype="uint32")
        return State(counts=reals(2 * K, d), s=room(2 * K), mean=room(K), upper=room(K), residual=zeros(d), queue=queue)

    def _walk(self) -> Walk:
        graph: Graph | None = self.graph
        if graph is None:
            none = np.zeros(0, self.dtype)
            return Walk(np.zeros(1, np.int64), np.zeros(0, np.uint32), none, none, self.teleport, self.eps)
        known = _SHARES.setdefault(graph, {})
        if self.dtype not in known:
            known[self.dtype] = edge_shares(graph.indices, graph.weights, graph.degrees, self.dtype)
        return Walk(graph.indptr, graph.indices.view(np.uint32), *known[self.dtype], self.teleport, self.eps)


def _wrong_width(n_features: int | None, graph: Graph) -> str:
    return (
        f"n_features={n_features}: a row of PageRankUCB has one feature per node of its graph, {len(graph)}; "
        "take rows from stream.by_node(), or give the graph that the rows are about"
    )
