"""LinUCB: the bit as a reward, one ridge regression per class."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.contract.schema import reals, room
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.ops.jit import jit
from onebit.ops.random import best_label, best_label_pmf, first_best
from onebit.ops.rows import Row
from onebit.ops.second_order import least_squares_step, quadratics
from onebit.ops.weights import scores


class Hyper(NamedTuple):
    """α, the width of the confidence, and 1/λ."""

    alpha: float
    prior: float
    random_ties: bool


class State(NamedTuple):
    """W (K × d), A_k⁻¹ for every class (K × d × d), and room to work."""

    W: FloatArray
    P: FloatArray
    s: FloatArray
    q: FloatArray
    g: FloatArray


@jit
def upper(hyper: Hyper, state: State, row: Row) -> None:
    """q_k = w_k·x + α √(xᵀA_k⁻¹x), and s_k = w_k·x."""
    s = state.s
    q = state.q
    scores(state.W, row, s)
    quadratics(state.P, row, state.g, q)
    for k in range(s.shape[0]):
        q[k] = s[k] + hyper.alpha * sqrt(q[k])


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """argmax_k w_k·x + α √(xᵀA_k⁻¹x)."""
    upper(hyper, state, row)
    labels[0], ties = best_label(state.q, hyper.random_ties, rng)
    return 1 / ties, first_best(state.s), False


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """All on the largest upper bound."""
    upper(hyper, state, row)
    best_label_pmf(state.q, hyper.random_ties, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """For the played class: A += x xᵀ,  b += f x,  w = A⁻¹b."""
    least_squares_step(state.P, state.W, draw.labels[0], row, f, state.g, hyper.prior)
    return 1


@register("lin-ucb")
class LinUCB(Learner):
    """The standard contextual bandit, with a class for an arm and the bit for its reward.

    Each class estimates, by ridge regression over the rounds in which it was played, how likely it is to
    be right; the class with the largest upper confidence bound is played. What it plays is decided by the
    past alone, so propensities are 1. A round costs K d² operations: meant for small dense rows, which in
    float32 should be of about unit norm, or rounding ruins the inverse.

        ỹ = argmax_k w_k·x + α √(xᵀA_k⁻¹x);   then for ỹ:   A += x xᵀ,   b += f x,   w = A⁻¹b

    Parameters: `alpha`, the width α of the confidence; `lam`, the ridge λ, with A = λI at the start; the
    others as for every learner.

    Guarantee: none for this form, in which what was seen decides what is seen next; its staged variant
    SupLinUCB has Õ(√(d T)) regret, if the chance of being right is linear in x and ‖x‖ ≤ 1.

    >>> import onebit
    >>> result = onebit.simulate(onebit.LinUCB(10), onebit.streams.load("digits"), rounds=5_000, seeds=1)
    >>> bool(result.error < 0.2)
    True

    Reference: Li, Chu, Langford, Schapire, "A contextual-bandit approach to personalized news article
    recommendation", WWW 2010, Algorithm 1 (disjoint models); Chu et al., AISTATS 2011, for the bound.
    """

    alpha: float = number(default=0.1, low=0)
    lam: float = number(default=1, low=0, open_low=True)

    takes_noise = True
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s", "q", "g")

    def hyper(self) -> Hyper:
        """α and 1/λ for compiled code."""
        return Hyper(self.alpha, 1 / self.lam, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0, A_k = λI."""
        K = layout.n_classes
        d = layout.n_features
        P = layout.identities(K, d, 1 / self.lam, "LinUCB", "Confidit with its diagonal covariance")
        g = np.zeros(d, dtype=layout.dtype)
        return State(layout.per_feature(), P, layout.per_class(), layout.per_class(), g)

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        return State(W=reals(K, d), P=reals(K, d, d), s=room(K), q=room(K), g=room(d))
