"""MOLGB: least squares per class on the nodes of a graph, weighted by doubt and played with optimism."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import checked, number
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.learners.molgf import State, check_unit_rows, effect_of_row, first_state, inverses, schema
from onebit.ops.jit import jit
from onebit.ops.low_rank import downdate_inverse, quadratic_form, sound_inverse_times_row
from onebit.ops.random import best_label, first_best
from onebit.ops.rows import Row, squared_norm
from onebit.ops.weights import dot, scores

INSTEAD = "Confidit with its diagonal covariance"


class Hyper(NamedTuple):
    """b, the margin φ, the optimism ϕ; whether a row weighs a = 1/(1-q) or 1, and whether there is a margin at all."""

    b: float
    phi: float
    varphi: float
    adaptive: bool
    gated: bool
    random_ties: bool


@jit
def optimistic_scores(hyper: Hyper, state: State, row: Row, v: FloatArray, upper: FloatArray) -> None:
    """v_k = w_k·x, shrunk as if the row had been added to A_k;  upper_k = v_k + ϕ√σ_k. Works in z."""
    P = inverses(hyper.b, state)
    norm = squared_norm(row)
    scores(state.W, row, v)
    for k in range(v.shape[0]):
        shrink, _, sigma = effect_of_row(quadratic_form(P, k, row, norm), hyper.adaptive)
        v[k] *= shrink
        upper[k] = v[k] + hyper.varphi * sqrt(sigma)


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """argmax_k v_k + ϕ√σ_k."""
    optimistic_scores(hyper, state, row, state.s, state.C)
    labels[0], ties = best_label(state.C, hyper.random_ties, rng)
    return 1 / ties, first_best(state.s), False


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """If wrong or v_k < φσ_k, for the played k: w_k += (C - w_k·x) g_k;  A_k += a x xᵀ.  C = ±1, right or wrong."""
    k = draw.labels[0]
    W = state.W
    g = state.g
    P = inverses(hyper.b, state)
    # Whether the played class is sure enough of the row to leave it.
    q = sound_inverse_times_row(P, k, row, g, W, (k, k + 1))
    score = dot(W, k, row)
    shrink, factor, sigma = effect_of_row(q, hyper.adaptive)
    if hyper.gated and f != 0 and shrink * score >= hyper.phi * sigma:
        return 0
    # If not, the row joins its least-squares problem.
    by = g.dtype.type(factor * (2 * f - 1 - score))
    for j in range(g.shape[0]):
        W[k, j] += by * g[j]
    downdate_inverse(P, k, g, factor)
    return 1


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """v_k for every class. Works in z and C."""
    optimistic_scores(hyper, state, row, out, state.C)


functions = Functions(decide, learn, score)


@register("molg-b")
class MOLGB(Learner):
    """Online learning on a graph by adaptive optimization, with bandit feedback (MOLG-B).

    Each class has a least-squares problem of its own, in which a row counts the more the less is known in its
    direction; the class that may have the largest score is played. Only the played class learns, and only if it was
    wrong or its score does not exceed the doubt σ by a factor φ. What it plays is decided by the past alone, so
    propensities are 1. Its rows are meant to be those of graph nodes (`onebit.streams.from_graph`), of unit norm.

        g_k = A_k⁻¹x,   q_k = x·g_k,   a_k = 1/(1-q_k),   v_k = (1-q_k) w_k·x,   σ_k = q_k/(2(1-q_k))
        k = argmax v_k + ϕ√σ_k;   if wrong or v_k < φσ_k:   w_k += (C - w_k·x) g_k,   A_k += a_k x xᵀ

    with C = 1 if k was right and -1 if wrong, and A_k⁻¹ -= g_k g_kᵀ in place of the last. The inverses are kept as
    update vectors until a class has d of them: 1,000 features and more are fine while lessons are few.

    Parameters: `b`, above 1, with A_k = bI at the start (the paper has 100 for its graphs of 17,000 nodes and more);
    `phi`, the margin φ; `varphi`, the width ϕ of the optimism; `normalize`, here always True, since q must stay below
    1; the others as for every learner.

    Guarantee: O(√T log T) regret to the best rule with high probability, by the paper, if P(y = i | x) = (1 + u_i·x)/2
    for some u_i and ϕ grows as its Theorem 4 has it. For a fixed ϕ, as here and in the paper's experiments, none.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(500, d=10)
    >>> result = onebit.simulate(onebit.MOLGB(stream.classes), stream, seeds=1)
    >>> bool(result.error < 0.05)
    True

    Reference: Yang, Zhao, Gao, "Bandit online learning on graphs via adaptive optimization", IJCAI 2018, Algorithm 2.
    """

    normalize: bool = checked(default=True, check=check_unit_rows)
    b: float = number(default=10, low=1, open_low=True)
    phi: float = number(default=10, low=0)
    varphi: float = number(default=0.05, low=0)

    no_noise_because = "whether it learns depends on the bit, so its step is not linear in the bit; OSLGBandit's is"
    functions = functions

    def hyper(self) -> Hyper:
        """b, φ and ϕ for compiled code, with a = 1/(1-q) and the margin."""
        return Hyper(self.b, self.phi, self.varphi, True, True, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0, A_k = bI."""
        return first_state(layout, layout.n_classes, "MOLGB", INSTEAD)

    def scoring_state(self, state: State) -> State:
        """The state with other room for `score`."""
        return state._replace(z=np.zeros_like(state.z), C=np.zeros_like(state.C))

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout, layout.n_classes)
