"""PNewtron: online Newton steps on the log loss, estimated from one bit, with a diagonal matrix."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.contract.schema import reals, room
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.ops.flat import inner
from onebit.ops.jit import jit
from onebit.ops.random import best_label, uniform
from onebit.ops.rows import Row, index, is_sparse, size, value
from onebit.ops.softmax import label_at, softmax
from onebit.ops.weights import scores


class Hyper(NamedTuple):
    """γ, the exploration; α, the sharpness of P; β, the curvature; D, the radius of the ball."""

    gamma: float
    random_ties: bool
    alpha: float
    beta: float
    D: float


class State(NamedTuple):
    """b and A (K × d); V = -b/A and ‖V‖² (W is V, scaled back to the ball); and room for K numbers each."""

    b: FloatArray
    A: FloatArray
    V: FloatArray
    squared_norm: FloatArray
    s: FloatArray
    P: FloatArray
    linear: FloatArray
    quadratic: FloatArray


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """s = W x, where W = V min(1, D/‖V‖)."""
    scores(state.V, row, out)
    if state.squared_norm[0] > hyper.D**2:
        shrink = hyper.D / sqrt(state.squared_norm[0])
        for r in range(out.shape[0]):
            out[r] *= shrink


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """ỹ ~ p = (1-γ) P + γ/K, where P = softmax(α s)."""
    K = state.P.shape[0]
    score(hyper, state, row, state.s)
    softmax(state.s, hyper.alpha, state.P)
    greedy, _ = best_label(state.s, hyper.random_ties, rng)
    # One uniform number says whether to explore, and then, scaled, which label.
    u = uniform(rng)
    explored = u < hyper.gamma
    if explored:
        labels[0] = min(int(u / hyper.gamma * K), K - 1)
    else:
        labels[0] = label_at(state.P, (u - hyper.gamma) / (1 - hyper.gamma))
    return (1 - hyper.gamma) * state.P[labels[0]] + hyper.gamma / K, greedy, explored


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """p = (1-γ) P + γ/K."""
    score(hyper, state, row, state.s)
    softmax(state.s, hyper.alpha, state.P)
    for k in range(out.shape[0]):
        out[k] = (1 - hyper.gamma) * state.P[k] + hyper.gamma / out.shape[0]


@jit
def _step_at(state: State, k: int, j: int, x: float) -> float:
    """b_kj += linear_k x;  A_kj += quadratic_k x²;  V_kj = -b_kj/A_kj. By how much V_kj² grew."""
    old = np.float64(state.V[k, j])
    state.b[k, j] += state.linear[k] * x
    state.A[k, j] += state.quadratic[k] * x**2
    state.V[k, j] = -state.b[k, j] / state.A[k, j]
    return np.float64(state.V[k, j]) ** 2 - old**2


@jit
def _step(state: State, row: Row) -> None:
    """`_step_at` for all classes and entries of the row, in the order of memory; and ‖V‖²."""
    K, d = state.V.shape
    if is_sparse(row):
        for i in range(size(row)):
            j = index(row, i)
            x = value(row, i)
            for k in range(K):
                state.squared_norm[0] += _step_at(state, k, j, x)
    else:
        for k in range(K):
            for j in range(d):
                _step_at(state, k, j, value(row, j))
        state.squared_norm[0] = inner(state.V, 0, state.V, 0, K * d)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """b += (1 - κβ⟨g, W⟩) g;  A += κβ g², for g = c ⊗ x with c_r = slope (1/K - 1[r = ỹ])."""
    K = state.P.shape[0]
    played = draw.labels[0]
    p = draw.propensity
    score(hyper, state, row, state.s)
    softmax(state.s, hyper.alpha, state.P)
    # The slope and the curvature of the model, from the bit.
    slope = (1 - state.P[played]) / p if bit else -state.P[played] / p
    kappa_beta = p * hyper.beta if bit else hyper.beta
    along_W = 0.0  # ⟨g, W⟩; taken at W = 0 on rounds that explored
    if not draw.explored:
        for r in range(K):
            along_W += slope * (1 / K - (r == played)) * state.s[r]
    # What each class adds to b and A, per unit of x and of x².
    for r in range(K):
        c = slope * (1 / K - (r == played))
        state.linear[r] = (1 - kappa_beta * along_W) * c
        state.quadratic[r] = kappa_beta * c**2
    _step(state, row)
    return 1


@register("pnewtron")
class PNewtron(Learner):
    """Newtron with a diagonal matrix: follow the regularised leader of quadratic models of the log loss.

    It draws a label from the softmax of its scores, or with probability γ a uniform one. The bit gives an
    unbiased estimate g of the gradient (P - e_y) ⊗ x of the log loss, and a lower bound κβ g gᵀ of its
    curvature; W minimises the sum of these models in the ball of radius D.

        P = softmax(α s),   p = (1-γ) P + γ/K,   ỹ ~ p
        right:  g = (1-P_ỹ)/p_ỹ (1/K - e_ỹ) ⊗ x,   κ = p_ỹ
        wrong:  g = P_ỹ/p_ỹ (e_ỹ - 1/K) ⊗ x,       κ = 1
        b += (1 - κβ⟨g, W⟩) g,   A += κβ g²,   W = -b/A, scaled back where ‖W‖ > D

    A starts at 1/D, and the linear term takes W = 0 on rounds that explored.

    Parameters: `gamma`, the exploration γ from 0 to 1; `alpha`, the sharpness of the softmax; `beta`, the
    curvature; `D`, the largest norm of W; the others as for every learner.

    Guarantee: with a full matrix in place of the diagonal, regret O(log T) in the log loss for an α that
    does not grow with T, and O(T^(2/3)) for every α, on every sequence with ‖x‖ ≤ 1. The diagonal has none.

    >>> import onebit
    >>> result = onebit.simulate(onebit.PNewtron(9), onebit.streams.synsep(20_000), seeds=1)
    >>> bool(result.error < 0.1)
    True

    Reference: Hazan, Kale, "Newtron: an efficient bandit algorithm for online multiclass prediction",
    NIPS 2011, Algorithm 1; PNewtron is the diagonal form of its experiments.
    """

    gamma: float = number(default=2**-9, low=0, high=1)
    alpha: float = number(default=10.0, low=0, open_low=True)
    beta: float = number(default=0.01, low=0, open_low=True)
    D: float = number(default=1.0, low=0, open_low=True)

    no_noise_because = "the curvature of its step depends on the bit, so the step is not linear in it"
    functions = Functions(decide, learn, score, pmf=pmf)
    decides_in = ("s", "P")

    @property
    def no_among_because(self) -> str:
        """g has the mean (P - e_y) ⊗ x only where all K labels can be drawn."""
        return "its estimate of the gradient is right only on average over draws among all labels"

    def hyper(self) -> Hyper:
        """γ, α, β and D for compiled code."""
        return Hyper(self.gamma, self.ties == "random", self.alpha, self.beta, self.D)

    def start(self, layout: Layout) -> State:
        """b = 0, A = 1/D, W = 0. P is kept in float64 whatever the dtype, so propensities are exact."""
        return State(
            b=layout.per_feature(),
            A=layout.per_feature(1 / self.D),
            V=layout.per_feature(),
            squared_norm=np.zeros(1),
            s=layout.per_class(),
            P=np.zeros(layout.n_classes),
            linear=layout.per_class(),
            quadratic=layout.per_class(),
        )

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        return State(
            b=reals(K, d),
            A=reals(K, d, low=0),
            V=reals(K, d),
            squared_norm=reals(1, dtype="float64"),
            s=room(K),
            P=room(K, dtype="float64"),
            linear=room(K),
            quadratic=room(K),
        )

    def recount(self, state: State) -> None:
        """‖V‖²."""
        V = state.V.astype(np.float64)
        state.squared_norm[0] = np.vdot(V, V)

    def predict_proba(self, X: Any) -> FloatArray:
        """P = softmax(α s): one column per class, for one row a vector. No exploration, and changes nothing.

        >>> import onebit
        >>> onebit.PNewtron(4, n_features=2).predict_proba([1.0, 2.0])
        array([0.25, 0.25, 0.25, 0.25])
        """
        s = self.scores(X)
        raised: FloatArray = np.exp(self.alpha * (s - s.max(axis=-1, keepdims=True)))
        raised /= raised.sum(axis=-1, keepdims=True)
        return raised
