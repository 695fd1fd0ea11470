"""Banditron: the Perceptron, its update estimated from one bit."""

from __future__ import annotations

from typing import NamedTuple

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.contract.schema import reals, room
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.ops.jit import jit
from onebit.ops.random import gamma_greedy, gamma_greedy_pmf
from onebit.ops.rows import Row
from onebit.ops.weights import add, scores


class Hyper(NamedTuple):
    """γ, the share of uniform exploration."""

    gamma: float
    random_ties: bool


class State(NamedTuple):
    """W (K × d), and room for K scores."""

    W: FloatArray
    s: FloatArray


def schema(layout: Layout) -> State:
    """What a file may hold of it."""
    return State(W=reals(layout.n_classes, layout.n_features), s=room(layout.n_classes))


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """γ-greedy on s = W x."""
    scores(state.W, row, state.s)
    labels[0], greedy, propensity, explored = gamma_greedy(state.s, hyper.gamma, hyper.random_ties, rng)
    return propensity, greedy, explored


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """p_r = (1-γ) 1[r = ŷ] + γ/K."""
    scores(state.W, row, state.s)
    gamma_greedy_pmf(state.s, hyper.gamma, hyper.random_ties, out)


@jit
def banditron_step(W: FloatArray, row: Row, draw: Draw, f: float) -> None:
    """w_ỹ += (f / p_ỹ) x;  w_ŷ -= x: one step where both are the same class."""
    played = draw.labels[0]
    greedy = draw.greedy
    if played == greedy:
        add(W, greedy, row, f / draw.propensity - 1)
    else:
        if f != 0:
            add(W, played, row, f / draw.propensity)
        add(W, greedy, row, -1.0)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """The estimated Perceptron step."""
    banditron_step(state.W, row, draw, f)
    return 1


@register("banditron")
class Banditron(Learner):
    """The Perceptron under bandit feedback.

    It plays the best label, or with probability γ a uniform one, and weighs a hit by one over the
    probability of having played it; so on average its update is the Perceptron's.

        p_r = (1-γ) 1[r = ŷ] + γ/K,   ỹ ~ p,   w_ỹ += (f / p_ỹ) x,   w_ŷ -= x

    Parameters: `gamma`, the exploration γ from 0 to 1; the others as for every learner. With `noise` it is
    RCNBF.

    Guarantee: O(T^(2/3)) expected mistakes beyond the hinge loss of the best linear classifier, for
    ‖x‖ ≤ 1 and γ tuned to T; O(√T) mistakes if the data are separable with a margin.

    >>> import onebit
    >>> result = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(20_000), seeds=1)
    >>> bool(result.error < 0.2)
    True

    Reference: Kakade, Shalev-Shwartz, Tewari, "Efficient bandit algorithms for online multiclass
    prediction", ICML 2008, Algorithm 1.
    """

    gamma: float = number(default=2**-7, low=0, high=1)

    takes_noise = True
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)

    def hyper(self) -> Hyper:
        """γ for compiled code."""
        return Hyper(self.gamma, self.ties == "random")

    def start(self, layout: Layout) -> State:
        """W = 0."""
        return State(layout.per_feature(), layout.per_class())

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout)
