"""Confidit: a ridge regression per class, played by its upper confidence."""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import choice, number
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.ops.jit import jit
from onebit.ops.random import best_label, best_label_pmf, first_best, uniform
from onebit.ops.rows import Row
from onebit.ops.second_order import least_squares_step, quadratics
from onebit.ops.weights import scores


class Hyper(NamedTuple):
    """α, which bounds the margins from below, η, the width of the confidence, and (1+α)⁻²."""

    alpha: float
    eta: float
    prior: float
    random_ties: bool


class State(NamedTuple):
    """W (K × d), A_i⁻¹ for every class (K × d × d, or their diagonals K × d), rounds t, and room to work."""

    W: FloatArray
    P: FloatArray
    t: IntArray
    s: FloatArray
    q: FloatArray
    g: FloatArray


@jit
def clipped(margin: float, alpha: float) -> float:
    """Δ: the margin, brought into [-α, 1].

    >>> clipped(1.5, 1.0), clipped(-0.5, 1.0), clipped(-0.5, 0.25)
    (1.0, -0.5, -0.25)
    """
    return min(max(margin, -alpha), 1.0)


@jit
def upper(hyper: Hyper, state: State, t: int, row: Row) -> None:
    """q_i = Δ_i + √(η log(t+1) xᵀA_i⁻¹x), and s_i = w_i·x."""
    s = state.s
    q = state.q
    width = hyper.eta * log(t + 1)
    scores(state.W, row, s)
    quadratics(state.P, row, state.g, q)
    for i in range(s.shape[0]):
        q[i] = clipped(s[i], hyper.alpha) + sqrt(width * q[i])


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """argmax_i Δ_i + √(η log(t+1) xᵀA_i⁻¹x)."""
    state.t[0] += 1
    upper(hyper, state, state.t[0], row)
    labels[0], ties = best_label(state.q, hyper.random_ties, rng)
    return 1 / ties, first_best(state.s), False


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """All on the largest upper bound, in the next decision."""
    upper(hyper, state, state.t[0] + 1, row)
    best_label_pmf(state.q, hyper.random_ties, out)


@jit
def target(alpha: float, f: float, rng: Rng) -> float:
    """The number by which x becomes X: 1 if right; if wrong -1 with probability (1+α)/2, else 1. Linear in f.

    >>> from onebit.ops.random import pack
    >>> rng = pack(np.random.PCG64(0))
    >>> target(1.0, 1.0, rng), target(1.0, 0.0, rng), target(0.5, 1.0, rng)
    (1.0, -1.0, 1.0)
    """
    if alpha == 1:
        return 2 * f - 1
    coin = -1.0 if uniform(rng) < (1 + alpha) / 2 else 1.0
    return f + (1 - f) * coin


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """X = ±x for the played class; then A += x xᵀ, w = A⁻¹(A w + X)."""
    y = target(hyper.alpha, f, rng)
    least_squares_step(state.P, state.W, draw.labels[0], row, y, state.g, hyper.prior)
    return 1


@register("confidit")
class Confidit(Learner):
    """Least squares per class, played with optimism.

    It plays the class whose margin may be the largest, given how little its weights have seen of such
    rows; so exploration ends by itself, and no γ is needed. Only the played class learns, in every round.
    Where α is below 1, a coin turns some of the wrong answers round: with it the mean of X is Δx, so that w
    estimates what it should. What it plays is decided by the past alone, so propensities are 1.

        Δ_i = w_i·x in [-α, 1],   ỹ = argmax_i Δ_i + √(η log(t+1) xᵀA_i⁻¹x)
        right: X = x;   wrong: X = -x with probability (1+α)/2, else X = x
        then for ỹ:   A += x xᵀ,   w = A⁻¹(A w + X)

    Parameters: `alpha`, above -1 and up to 1, with A = (1+α)² I at the start; `eta`, the width of the
    confidence; `covariance`, "full" (K matrices of d × d: better, for up to some hundreds of features) or
    "diagonal" (any number of features: the same step, after which A keeps its diagonal only); `normalize`,
    here by default, since the margins are meant for rows of unit norm; the others as for every learner.

    Guarantee: Õ(√T) regret to the best rule, if ‖x‖ = 1, P(y = i | x) = (α + u_i·x)/(1+α) for some u_i, the
    covariance is full, and the confidence is as wide as the analysis has it.

    >>> import onebit
    >>> result = onebit.simulate(onebit.Confidit(9), onebit.streams.synnonsep(20_000), seeds=1)
    >>> bool(result.error < 0.1)
    True

    Reference: Crammer, Gentile, "Multiclass classification with bandit feedback using adaptive
    regularization", Machine Learning 90(3), 2013: the algorithm Confidit, its confidence as in the experiments.
    """

    normalize: bool = choice(False, True, default=True)
    alpha: float = number(default=1, low=-1, high=1, open_low=True)
    eta: float = number(default=0.3, low=0)
    covariance: str = choice("full", "diagonal", default="diagonal")

    revision = 2
    takes_noise = True
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s", "q", "g", "t")

    def hyper(self) -> Hyper:
        """α, η and the prior variance for compiled code."""
        return Hyper(self.alpha, self.eta, (1 + self.alpha) ** -2, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0, A_i = (1+α)² I."""
        K = layout.n_classes
        d = layout.n_features
        inverse = (1 + self.alpha) ** -2
        if self.covariance == "full":
            P = layout.identities(K, d, inverse, "Confidit", "covariance='diagonal'")
        else:
            P = layout.per_feature(inverse)
        t = np.zeros(1, dtype=np.int64)
        s = layout.per_class()
        q = layout.per_class()
        g = np.zeros(d, layout.dtype)
        return State(layout.per_feature(), P, t, s, q, g)

    def count_decisions(self, state: State, n: int) -> None:
        """By the clock."""
        state.t[0] += n

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        P = reals(K, d, d) if self.covariance == "full" else reals(K, d)
        return State(W=reals(K, d), P=P, t=whole(1), s=room(K), q=room(K), g=room(d))
