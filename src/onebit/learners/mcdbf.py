"""MCDBF: a set of labels drawn one after another, its update estimated from one bit about the set."""

from __future__ import annotations

from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.bounds import mcdbf_gamma
from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.parameters import horizon, number
from onebit.contract.schema import reals, room, zeros
from onebit.contract.set_learner import SetLearner
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.errors import ConfigError
from onebit.core.registry import register
from onebit.ops.jit import jit
from onebit.ops.rows import Row
from onebit.ops.sets import best_labels, draw_without_replacement, inclusion_without_replacement
from onebit.ops.weights import add_all, scores

_LEAST_PROPENSITY = 1e-300
"""One over it is still a number."""


class Hyper(NamedTuple):
    """m, γ, and the two constants of the estimate."""

    m: int
    gamma: float
    tau_1: float
    tau_2: float


class State(NamedTuple):
    """W (K × d), and room for K scores, K factors of the update and K marks."""

    W: FloatArray
    s: FloatArray
    U: FloatArray
    taken: NDArray[np.bool_]


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """Ŷ = the m best; Ã drawn without replacement from P(r) = ((1-γ)/m) 1[r ∈ Ŷ] + γ/K."""
    top = labels[hyper.m :]
    scores(state.W, row, state.s)
    best_labels(state.s, top)
    propensity, explored = draw_without_replacement(hyper.gamma, top, state.taken, rng, labels[: hyper.m])
    return propensity, top[0], explored


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """How likely each label is to be in Ã."""
    top = labels[hyper.m :]
    scores(state.W, row, state.s)
    best_labels(state.s, top)
    inclusion_without_replacement(hyper.gamma, top, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """w_r += (f 1[r ∈ Ã]/(Z τ1) - τ2 - 1[r ∈ Ŷ]/m) x."""
    m = hyper.m
    U = state.U
    hit = f / (draw.propensity * hyper.tau_1)
    for r in range(U.shape[0]):
        U[r] = -hyper.tau_2
    for i in range(m):
        U[draw.labels[i]] += hit
    for i in range(m, 2 * m):
        U[draw.labels[i]] -= 1 / m
    add_all(state.W, U, row)
    return 1


@register("mc-dbf")
class MCDBF(SetLearner):
    """Multiclass classification with diluted bandit feedback: the bit says whether the label is in a set of m.

    It draws m labels one after another, mostly among the m best ones, and weighs a hit by one over the
    probability of having drawn just these in this order; so on average its update is that of MCSLP without the
    gate. The estimate's variance grows like γ^-min(m, K-m): past m = 2 prefer SetBanditron. With m = 1 it is
    Banditron.

        Ŷ = the m labels with the largest scores,   P(r) = ((1-γ)/m) 1[r ∈ Ŷ] + γ/K
        b_i ~ P(b_i) / (1 - Σ_{j<i} P(b_j)),   Ã = (b_1, ..., b_m),   Z = the product of these probabilities
        τ1 = m (K-2)!/(K-m-1)!,   τ2 = (m-1)/(K-m)
        w_r += (f 1[r ∈ Ã]/(Z τ1) - τ2 - 1[r ∈ Ŷ]/m) x   for every r

    (The paper prints a product of the 1 - P(b_j) where 1 - Σ P(b_j) belongs; beyond m = 2 its probabilities do
    not sum to 1.)

    Parameters: `m`, how many labels it plays, 1 to K-1; `gamma`, the exploration γ above 0 and up to 1, or
    "theory:T" for the paper's γ = (c₂/T)^(1/(m+2)) for T rounds, with ‖W*‖ = 1 (`onebit.bounds.mcdbf_gamma`);
    the others as for every learner. It takes `noise`, which no paper has.

    Guarantee: none. For ‖x‖ ≤ 1 and γ = O(T^(-1/(m+2))) the paper bounds the rounds in which Ŷ misses the label
    by O(T^(1-1/(m+2))) beyond the average hinge loss of the best W; but that is false, since without a gate right
    answers keep moving W: there are three rows in the plane that some W gets right and it misses for ever
    (`onebit.bounds.mcdbf_mistakes`).

    >>> import onebit
    >>> result = onebit.simulate(onebit.MCDBF(9, m=2), onebit.streams.synsep(20_000), seeds=1)
    >>> bool(result.greedy_error < 0.1)
    True

    Reference: Batra, Manwani, "Multiclass classification using dilute bandit feedback", 2021, Algorithm 2.
    """

    gamma: float | str = number(default=2**-3, low=0, high=1, open_low=True, theory=True)

    takes_noise = True
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s", "taken")

    @property
    def bound_to_classes(self) -> bool:
        """τ1 and τ2 are those of K, but for m = 1."""
        return self.m > 1

    def check(self) -> None:
        """The propensity of every set can be told from 0."""
        super().check()
        K = len(self.classes)
        gamma = self._exploration()
        if (gamma / K) ** self.m < _LEAST_PROPENSITY:
            raise ConfigError(
                f"m={self.m}: with {K} classes and gamma={gamma:g} the probability of drawing some sets is too "
                "small for a number; choose a smaller m, or SetBanditron"
            )

    def hyper(self) -> Hyper:
        """m, γ, τ1 and τ2 for compiled code."""
        K = len(self.classes)
        m = self.m
        return Hyper(m, self._exploration(), float(m * perm(K - 2, m - 1)), (m - 1) / (K - m))

    def _exploration(self) -> float:
        """γ as a number."""
        T = horizon(self.gamma)
        return float(self.gamma) if T is None else mcdbf_gamma(T, len(self.classes), self.m)

    def start(self, layout: Layout) -> State:
        """W = 0."""
        taken = np.zeros(layout.n_classes, dtype=np.bool_)
        return State(layout.per_feature(), layout.per_class(), layout.per_class(), taken)

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        return State(W=reals(K, d), s=room(K), U=room(K), taken=zeros(K, dtype="bool"))
