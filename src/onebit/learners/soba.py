"""SOBA: the second-order Banditron, with a full covariance."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from onebit.bounds import soba_gamma
from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import horizon, number
from onebit.contract.schema import reals, room, whole
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.ops.jit import jit, noinline
from onebit.ops.random import first_best, gamma_greedy, gamma_greedy_pmf
from onebit.ops.rows import Row, size
from onebit.ops.second_order import (
    PASS_OVER,
    add_rows,
    fit_prior,
    largest_form,
    rank_one_downdate,
    sound_form,
    spread_bound,
)
from onebit.ops.weights import dot, scores

NOT_FROM_LIES = "it adds hits to a covariance, and h(0) is negative: with it the covariance could lose its inverse"


class Hyper(NamedTuple):
    """γ, whether it adapts instead, the constant c with which it does, 1/a, and whether γ is for one feature."""

    gamma: float
    adaptive: bool
    c: float
    prior: float
    random_ties: bool
    theory: bool = False


class State(NamedTuple):
    """W (K × d), P = A⁻¹ (Kd × Kd), rounds t, S = Σ n m, Q = Σ n q, room for K scores and v = A⁻¹z (K × d)."""

    W: FloatArray
    P: FloatArray
    t: IntArray
    S: FloatArray
    Q: FloatArray
    s: FloatArray
    v: FloatArray


@jit
def exploration(hyper: Hyper, t: int, Q: float, shape: tuple[int, int]) -> float:
    """γ, or γ_t = min(1, c √(K (1 + Q)/t)), or what theory sets for d features; `shape` is (K, d)."""
    K, d = shape
    if hyper.adaptive:
        return min(1.0, hyper.c * sqrt(K * (1 + Q) / t))
    return min(1.0, hyper.gamma * sqrt(d)) if hyper.theory else hyper.gamma


@jit
def decide(hyper: Hyper, state: Any, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """γ-greedy on s = W x."""
    state.t[0] += 1
    gamma = exploration(hyper, state.t[0], state.Q[0], state.W.shape)
    scores(state.W, row, state.s)
    labels[0], greedy, propensity, explored = gamma_greedy(state.s, gamma, hyper.random_ties, rng)
    return propensity, greedy, explored


@jit
def pmf(hyper: Hyper, state: Any, row: Row, labels: IntArray, out: FloatArray) -> None:
    """γ-greedy, with the γ of the next decision."""
    gamma = exploration(hyper, state.t[0] + 1, state.Q[0], state.W.shape)
    scores(state.W, row, state.s)
    gamma_greedy_pmf(state.s, gamma, hyper.random_ties, out)


@jit
def best_rival(s: FloatArray, y: int) -> int:
    """ȳ: the class other than y with the largest score, the lowest of a tie, whatever `ties` says of what is played."""
    own = s[y]
    s[y] = -inf
    other = first_best(s)
    s[y] = own
    return other


@jit
def growth_of_S(gap: float, p: float) -> float:
    """⟨W, z⟩² + 2⟨W, g⟩ for the gap s_ȳ - s_y: over 1 + zᵀA⁻¹z it is m, by which S grows."""
    return (gap * gap + 2 * gap) / p


@jit
def add_to_sums(state: Any, m: float, r: float) -> None:
    """S += m;  Q += q, where q = r/(1+r) = zᵀA⁻¹z with the new A."""
    state.S[0] += m
    state.Q[0] += r / (1 + r)


@jit
def fill_class_part(state: State, k: int, other: int, y: int, row: Row, root: float) -> None:
    """The part of v = A⁻¹z that belongs to class k."""
    v = state.v[k]
    d = state.v.shape[1]
    v[:] = 0
    add_rows(state.P, other * d, k * d, row, 1 / root, v)
    add_rows(state.P, y * d, k * d, row, -1 / root, v)


@noinline
def fitted(hyper: Hyper, state: State, other: int, y: int, row: Row, root: float) -> tuple[float, float]:
    """zᵀA⁻¹z and a bound on it, once A⁻¹ fits a row of this scale; leaves the parts of v for y and its rival."""
    P = state.P
    v = state.v
    d = v.shape[1]
    entries = 2 * size(row)
    for k in (other, y):
        fit_prior(P, k * d, state.W, (k, k + 1), row, 1 / root, hyper.prior, entries)
    fill_class_part(state, other, other, y, row, root)
    fill_class_part(state, y, other, y, row, root)
    r = max((dot(v, other, row) - dot(v, y, row)) / root, 0.0)
    spread = spread_bound(P, other * d, row, 1 / root) + spread_bound(P, y * d, row, 1 / root)
    return r, spread * spread


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """On a hit, if S + m ≥ 0: A += z zᵀ and W = A⁻¹θ, by a rank-one update."""
    if bit == 0:
        return 0
    v = state.v
    y = draw.labels[0]
    root = sqrt(draw.propensity)
    # m takes only the parts of v = A⁻¹z that belong to y and its rival; it says whether there is a step.
    scores(state.W, row, state.s)
    other = best_rival(state.s, y)
    gap = float(state.s[other]) - float(state.s[y])
    fill_class_part(state, other, other, y, row, root)
    fill_class_part(state, y, other, y, row, root)
    r = max((dot(v, other, row) - dot(v, y, row)) / root, 0.0)
    bound = r
    if r > largest_form(state.P):
        r, bound = fitted(hyper, state, other, y, row, root)
        scores(state.W, row, state.s)
        gap = float(state.s[other]) - float(state.s[y])
    if state.S[0] + growth_of_S(gap, draw.propensity) / (1 + r) < 0:
        return 0
    # The other parts of v; whether A⁻¹ can bear the step.
    K, d = v.shape
    for k in range(K):
        if k not in (other, y):
            fill_class_part(state, k, other, y, row, root)
    r = sound_form(state.P, v.reshape(K * d), r, bound)
    if r == PASS_OVER:
        return 1
    # S, W along v, and A⁻¹.
    add_to_sums(state, growth_of_S(gap, draw.propensity) / (1 + r), r)
    step = v.dtype.type((1 + gap) / root / (1 + r))
    for k in range(K):
        for j in range(d):
            state.W[k, j] -= step * v[k, j]
    rank_one_downdate(state.P, v.reshape(K * d), r)
    return 1


@register("soba")
class SOBA(Learner):
    """The second-order Banditron: a second-order Perceptron that learns from hits.

    It plays the best label, or with probability γ a uniform one. A hit shows the true label y, and the
    weights move from its best rival ȳ towards y, scaled by the inverse covariance of all such moves; hits
    with a margin already large enough are passed over. Misses teach nothing, so a γ below 2^-7 leaves it
    at its start for a very long time. The matrix has (K d)² entries: beyond some thousands of weights, use
    `SOBADiagonal`; and in float32 give it rows of about unit norm, or rounding ruins the inverse.

        g = (e_ȳ - e_y) ⊗ x / p_y,   z = √p_y g,   m = (⟨W, z⟩² + 2⟨W, g⟩) / (1 + zᵀA⁻¹z)
        if ỹ = y and S + m ≥ 0:   S += m,   A += z zᵀ,   θ -= g,   W = A⁻¹θ

    Parameters: `gamma`, the exploration γ from 0 to 1, or "adaptive" for γ_t = min(1, c √(K (1 + Q)/t)), Q
    the sum of zᵀA⁻¹z over past updates (A after the update), or "theory:T" for the γ of Theorem 2 for T rounds
    (`onebit.bounds.soba_gamma`); `c`, the constant of "adaptive" (theory has 1; both γ of theory explore far too
    much in practice); `a`, the start A = aI; the others as for every learner.

    Guarantee: O(X² ‖U‖² + (K/η) √(d T ln T)) expected mistakes beyond the η-loss of any linear classifier U,
    at once for all losses of a family that goes from the hinge (η near 0) to its square (η = 1), the larger U
    the smaller η; for ‖x‖ ≤ X, a = X² and γ = O(√(K² d ln T / T)), and no other assumption on the data. As a
    number: `onebit.bounds.soba_mistakes`.

    >>> import onebit
    >>> learner = onebit.SOBA(10, gamma=0.25, normalize=True)
    >>> result = onebit.simulate(learner, onebit.streams.load("digits"), rounds=5_000, seeds=1)
    >>> bool(result.error < 0.5)
    True

    Reference: Beygelzimer, Orabona, Zhang, "Efficient online bandit multiclass learning with Õ(√T) regret",
    ICML 2017, Algorithm 1 and Theorem 2. The adaptive γ is our reading of Theorem 2.
    """

    gamma: float | str = number(default=2**-7, low=0, high=1, words=("adaptive",), theory=True)
    a: float = number(default=1, low=0, open_low=True)
    c: float = number(default=0.01, low=0, open_low=True)

    no_noise_because = NOT_FROM_LIES
    no_retiring_because = (
        "its one matrix ties the weights of all classes together, so a class that left could not come back as it was; "
        "SOBADiagonal can"
    )
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s", "t")

    def hyper(self) -> Hyper:
        """γ for compiled code; of theory that for one feature, since d is not known yet."""
        T = horizon(self.gamma)
        if T is None:
            return hyper_for(self.gamma, self.c, self.a, self.ties)
        for_one = soba_gamma(T, len(self.classes), 1)
        return hyper_for(for_one, self.c, self.a, self.ties)._replace(theory=True)

    def start(self, layout: Layout) -> State:
        """W = 0, A = aI."""
        K = layout.n_classes
        d = layout.n_features
        P = layout.identities(1, K * d, 1 / self.a, "SOBA", "SOBADiagonal")[0]
        t, S, Q = counters()
        v = np.zeros((K, d), dtype=layout.dtype)
        return State(layout.per_feature(), P, t, S, Q, layout.per_class(), v)

    def count_decisions(self, state: State, n: int) -> None:
        """By the clock."""
        state.t[0] += n

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        t, S, Q = counters_schema()
        return State(W=reals(K, d), P=reals(K * d, K * d), t=t, S=S, Q=Q, s=room(K), v=room(K, d))


def hyper_for(gamma: float | str, c: float, a: float, ties: str) -> Hyper:
    """γ as compiled code sees it: a number, or a word that makes it adapt."""
    fixed = 0.0 if isinstance(gamma, str) else gamma
    return Hyper(fixed, isinstance(gamma, str), c, 1 / a, ties == "random")


def counters() -> tuple[IntArray, FloatArray, FloatArray]:
    """t, S and Q at zero; S and Q are sums over all rounds, so they are doubles for every dtype."""
    return np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1)


def counters_schema() -> tuple[IntArray, FloatArray, FloatArray]:
    """What a file may hold of t, S and Q."""
    return whole(1), reals(1, dtype="float64"), reals(1, dtype="float64", low=0)
