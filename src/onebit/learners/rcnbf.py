"""RCNBF: Banditron for a bit that lies at known rates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.bounds import rcnbf_gamma
from onebit.contract.compiled import Draw, Functions
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import choice, horizon, number
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.feedback import NoiseRates
from onebit.learners.banditron import banditron_step
from onebit.ops.jit import jit
from onebit.ops.random import best_label, gamma_greedy, gamma_greedy_pmf
from onebit.ops.rows import Row, scaled
from onebit.ops.weights import add_scores, scores

NOT_AVERAGED_AMONG = (
    "with average=True a lesson is also about the best of all labels, which would count as wrong where it was closed; "
    "average=False can"
)


class Hyper(NamedTuple):
    """γ, the share of uniform exploration, and whether to play the averaged W."""

    gamma: float
    random_ties: bool
    average: bool


class State(NamedTuple):
    """W and U (K × d), the number t of lessons, and room for K scores. The average of W is W - U/t.

    For W_i after lesson i, Σ_{i≤t} W_i = t W_t - Σ_{i≤t} (i-1) (W_i - W_{i-1}); U is the last sum. So the
    average costs no more than the entries that a row touches. Without averaging U is empty.
    """

    W: FloatArray
    U: FloatArray
    t: IntArray
    s: FloatArray


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """s = W x, with the averaged W if asked."""
    scores(state.W, row, out)
    if hyper.average and state.t[0] > 0:
        add_scores(state.U, scaled(row, -1 / state.t[0]), out)


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """γ-greedy on s."""
    score(hyper, state, row, state.s)
    labels[0], greedy, propensity, explored = gamma_greedy(state.s, hyper.gamma, hyper.random_ties, rng)
    return propensity, greedy, explored


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """p_r = (1-γ) 1[r = ŷ] + γ/K."""
    score(hyper, state, row, state.s)
    gamma_greedy_pmf(state.s, hyper.gamma, hyper.random_ties, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, h: float, rng: Rng) -> int:
    """Banditron's step on h = h(f). When averaging, ŷ is that of the W which learns, not of the average."""
    if hyper.average:
        scores(state.W, row, state.s)
        greedy, _ = best_label(state.s, hyper.random_ties, rng)
        draw = Draw(draw.labels, draw.propensity, greedy, draw.explored, draw.last)
        banditron_step(state.U, scaled(row, state.t[0]), draw, h)
    banditron_step(state.W, row, draw, h)
    state.t[0] += 1
    return 1


@register("rcnbf")
class RCNBF(Learner):
    """Robust Classifier for Noisy Bandit Feedback: Banditron when the bit lies at known rates.

    In place of the bit f it takes h(f), a number whose mean over the lies is the true bit; so on average
    its update is still the Perceptron's, and with ρ0 = ρ1 = 0 it is Banditron. The price is variance, which
    grows like 1/β². `average=True` plays the average of all W so far, which removes much of it.

        β = 1-ρ0-ρ1,   h(1) = (1-ρ0)/β,   h(0) = -ρ0/β
        p_r = (1-γ) 1[r = ŷ] + γ/K,   ỹ ~ p,   w_ỹ += (h(f) / p_ỹ) x,   w_ŷ -= x

    Parameters: `gamma`, the exploration γ between 0 and 0.5, or "theory:T" for γ = T^(-1/3)/β, 0.5 at most, for
    T rounds (`onebit.bounds.rcnbf_gamma`); `rho_0` = P(says right | wrong) and `rho_1` = P(says wrong | right),
    their sum below 1; `average`; the others as for every learner. (When averaging, ŷ of the draw comes from the
    average, and ŷ of the update from the W that is updated.)

    Guarantee: O(T^(2/3)/β) expected mistakes beyond the hinge loss of the best linear classifier, for
    ‖x‖ ≤ 1 and γ = O(T^(-1/3)/β); as a number, `onebit.bounds.rcnbf_mistakes`. For the average, none is known.

    >>> import onebit
    >>> stream, noise = onebit.streams.synsep(20_000), onebit.NoisyBit(0.2, 0.2)
    >>> fooled = onebit.simulate(onebit.Banditron(9, gamma=0.125), stream, feedback=noise, seeds=1)
    >>> robust = onebit.simulate(onebit.RCNBF(9, rho_0=0.2, rho_1=0.2), stream, feedback=noise, seeds=1)
    >>> bool(robust.error < fooled.error)
    True

    Reference: Agarwal, Manwani, "Learning multiclass classifier under noisy bandit feedback", PAKDD 2021,
    Algorithm 1.
    """

    gamma: float | str = number(default=2**-3, low=0, high=0.5, open_low=True, open_high=True, theory=True)
    rho_0: float = number(default=0.0, low=0, high=1, open_high=True)
    rho_1: float = number(default=0.0, low=0, high=1, open_high=True)
    average: bool = choice(False, True, default=False)

    no_noise_because = "its flip rates are rho_0 and rho_1 (RCINE estimates them)"
    functions = Functions(decide, learn, score, pmf=pmf)
    decides_in = ("s",)

    def check(self) -> None:
        """ρ0 + ρ1 < 1."""
        NoiseRates(self.rho_0, self.rho_1).checked()

    @property
    def no_among_because(self) -> str:
        """When averaging, ŷ of the update is the best of all labels, and may be one that could not be played."""
        return NOT_AVERAGED_AMONG if self.average else ""

    def hyper(self) -> Hyper:
        """γ and whether to average, for compiled code."""
        T = horizon(self.gamma)
        gamma = float(self.gamma) if T is None else rcnbf_gamma(T, self.rho_0, self.rho_1)
        return Hyper(gamma, self.ties == "random", self.average)

    def flip_rates(self) -> NoiseRates:
        """ρ0 and ρ1."""
        return NoiseRates(self.rho_0, self.rho_1)

    def start(self, layout: Layout) -> State:
        """W = 0, U = 0."""
        return first_state(layout, self.average)

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        return schema(layout, self.average)


def first_state(layout: Layout, average: bool) -> State:
    """W = 0, U = 0; without averaging U has no columns."""
    for_U = layout if average else layout._replace(n_features=0)
    lessons = np.zeros(1, dtype=np.int64)
    return State(layout.per_feature(), for_U.per_feature(), lessons, layout.per_class())


def schema(layout: Layout, average: bool) -> State:
    """What a file may hold of it."""
    K = layout.n_classes
    d = layout.n_features
    return State(W=reals(K, d), U=reals(K, d if average else 0), t=whole(1), s=room(K))
