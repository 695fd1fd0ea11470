"""SetBanditron: the best set, or now and then a uniform one, and an estimate that pays for one exploration only."""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.parameters import choice, number
from onebit.contract.schema import reals, room
from onebit.contract.set_learner import SetLearner
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.errors import ConfigError
from onebit.core.registry import register
from onebit.ops.jit import jit
from onebit.ops.random import uniform
from onebit.ops.rows import Row, index, is_sparse, size, value
from onebit.ops.sets import best_labels, sort_by_score, uniform_set
from onebit.ops.softmax import softmax
from onebit.ops.weights import add_all, scores

_FIRST_SQUARE = 1e-12
"""Of G at the start: so AdaGrad's first step is η, and nothing is divided by 0."""

_MOST_SETS = 1e300
"""One over it is still a number."""


class Hyper(NamedTuple):
    """m, γ, the number of sets C(K, m), γc and γb of the estimate, the loss and its η."""

    m: int
    gamma: float
    sets: float
    gamma_c: float
    gamma_b: float
    log: bool
    eta: float


class State(NamedTuple):
    """W (K × d); for the log loss G, the sums of squares (else empty); room for scores, factors and q."""

    W: FloatArray
    G: FloatArray
    s: FloatArray
    U: FloatArray
    q: FloatArray


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """A = Ŷ, or with probability γ a uniform set; in the order of the scores."""
    m = hyper.m
    played = labels[:m]
    top = labels[m:]
    scores(state.W, row, state.s)
    best_labels(state.s, top)
    # Explore or not; only a set that is drawn has yet to be put in order.
    explored = uniform(rng) < hyper.gamma
    if explored:
        uniform_set(state.s.shape[0], rng, played)
        sort_by_score(state.s, played)
    # The best set may be drawn too, and then both ways count.
    same = True
    for i in range(m):
        played[i] = played[i] if explored else top[i]
        same &= played[i] == top[i]
    return hyper.gamma / hyper.sets + (1 - hyper.gamma if same else 0.0), top[0], explored


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """How likely each label is to be in A: (1-γ) 1[r ∈ Ŷ] + γ m/K."""
    m = hyper.m
    scores(state.W, row, state.s)
    best_labels(state.s, labels[m:])
    out[:] = hyper.gamma * m / out.shape[0]
    for i in range(m, 2 * m):
        out[labels[i]] += 1 - hyper.gamma


@jit
def inverse_times_played(hyper: Hyper, labels: IntArray, U: FloatArray) -> None:
    """U = M⁻¹ 1_A, for M = E[1_A 1_Aᵀ] = (1-γ) 1_Ŷ 1_Ŷᵀ + γ (cI + b 11ᵀ).

    A class has one of four values, as it is in A or not, and in Ŷ or not. Where (1-γ) Σ_{r∈Ŷ} U_r = 0, being in Ŷ
    makes no difference: so it is if |A ∩ Ŷ| is just what chance makes of it, m(m-1)/(K-1). Then one formula serves
    both, since two would differ in their last bit, and break a tie.
    """
    K = U.shape[0]
    m = hyper.m
    c = hyper.gamma_c
    b = hyper.gamma_b
    # Mark each class: +1 if it is in A, +2 if it is in Ŷ; n = |A ∩ Ŷ|.
    for r in range(K):
        U[r] = 0
    n = 0
    for i in range(m):
        U[labels[i]] = 1
    for i in range(m, 2 * m):
        n += U[labels[i]] == 1
        U[labels[i]] += 2
    # Solve for the means α over Ŷ and β over the rest, of which shares u and w are in A.
    u = n / m
    w = (m - n) / (K - m)
    top = c + (1 - hyper.gamma) * m
    rest = c + b * (K - m)
    det = top * rest + b * m * c
    alpha = (u * rest - w * b * (K - m)) / det
    beta = (w * (top + b * m) - u * b * m) / det
    # Around its mean, a class lies by whether it is in A.
    alike = hyper.gamma == 1 or n * (K - 1) == m * (m - 1)
    for r in range(K):
        inside = 1.0 if U[r] == 1 or U[r] == 3 else 0.0
        U[r] = alpha + (inside - u) / c if U[r] >= 2 or alike else beta + (inside - w) / c


@jit
def _step_at(state: State, k: int, j: int, x: Any, eta: Any) -> None:
    """g = U_k x_j;  G_kj += g²;  W_kj += η g/√G_kj."""
    g = state.U[k] * x
    state.G[k, j] += g * g
    state.W[k, j] += eta * g / np.sqrt(state.G[k, j])


@jit
def _step(state: State, row: Row, eta: float) -> None:
    """`_step_at` for all classes and entries of the row, in the order of memory."""
    K = state.U.shape[0]
    rate = state.W.dtype.type(eta)
    if is_sparse(row):
        for i in range(size(row)):
            j = index(row, i)
            x = value(row, i)
            for k in range(K):
                _step_at(state, k, j, x, rate)
    else:
        for k in range(K):
            for j in range(size(row)):
                _step_at(state, k, j, value(row, j), rate)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """ê = M⁻¹1_A f, and the step of MCDBF; or ê = q + M⁻¹1_A (f - Σ_{r∈A} q_r), and AdaGrad along (ê - q) ⊗ x."""
    m = hyper.m
    U = state.U
    inverse_times_played(hyper, draw.labels, U)
    # What the bit tells: all of it, or what q does not know yet.
    told = f
    if hyper.log:
        scores(state.W, row, state.s)
        softmax(state.s, 1.0, state.q)
        for i in range(m):
            told -= state.q[draw.labels[i]]
    # U = M⁻¹1_A told: the estimate but for q, and the step along it.
    for r in range(U.shape[0]):
        U[r] *= told
    if hyper.log:
        _step(state, row, hyper.eta)
    else:
        for i in range(m, 2 * m):
            U[draw.labels[i]] -= 1 / m
        add_all(state.W, U, row)
    return 1


@register("set-banditron")
class SetBanditron(SetLearner):
    """Banditron for sets: plays the m best labels, or with probability γ a uniformly random set of m.

    The uniform sets show every two labels together now and then; so the matrix M of how often two labels are
    played together can be inverted, and a bit about a set tells about single labels. The estimate ê of e_y is
    unbiased, and its variance grows like 1/γ whatever m is (MCDBF's like γ^-min(m, K-m)). With `loss="log"` it
    estimates only what the softmax q does not know yet, and takes AdaGrad steps: the stronger learner.

        Ŷ = the m labels with the largest scores,   A = Ŷ, or with probability γ uniform among the C(K, m) sets
        M = E[1_A 1_Aᵀ],   ê = M⁻¹ 1_A f,   w_r += (ê_r - 1[r ∈ Ŷ]/m) x   for every r
        log:   q = softmax(W x),   ê = q + M⁻¹ 1_A (f - Σ_{r∈A} q_r),   g = (ê - q) ⊗ x
               G += g²,   W += η g/√G

    M = (1-γ) 1_Ŷ 1_Ŷᵀ + γ (cI + b 11ᵀ), c = m(K-m)/(K(K-1)), b = m(m-1)/(K(K-1)), so M⁻¹1_A costs O(K). M is
    singular at γ = 0.

    Parameters: `m`, how many labels it plays, 1 to K-1; `loss`, "perceptron" or "log"; `gamma`, the exploration
    γ above 0 and up to 1, or "auto" for 2^-4, and 2^-5 with the log loss; `eta`, the η of AdaGrad;
    `normalize`, here by default, since AdaGrad's first steps are as long as η however large the rows are; the
    others as for every learner.

    Guarantee: ê is unbiased, with lies too if `noise` is right; no bound on the mistakes is proved.

    >>> import onebit
    >>> stream = onebit.streams.synsep(20_000)
    >>> result = onebit.simulate(onebit.SetBanditron(9, m=4, loss="log"), stream, seeds=1)
    >>> bool(result.error < 0.05)
    True

    Reference: ours. The doubly robust form follows Dudík, Langford, Li, "Doubly robust policy evaluation and
    learning", ICML 2011.
    """

    normalize: bool = choice(False, True, default=True)
    gamma: float | str = number(default="auto", low=0, high=1, open_low=True, words=("auto",))
    loss: str = choice("perceptron", "log", default="perceptron")
    eta: float = number(default=0.5, low=0, open_low=True)

    takes_noise = True
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s",)

    @property
    def bound_to_classes(self) -> bool:
        """M is that of K."""
        return True

    def check(self) -> None:
        """There are not more sets than a number can count."""
        super().check()
        if comb(len(self.classes), self.m) > _MOST_SETS:
            raise ConfigError(
                f"m={self.m}: with {len(self.classes)} classes the probability of playing one set is too small for a "
                "number; choose a smaller m"
            )

    def hyper(self) -> Hyper:
        """All that compiled code needs, γ as a number."""
        K = len(self.classes)
        m = self.m
        log = self.loss == "log"
        gamma = (2**-5 if log else 2**-4) if isinstance(self.gamma, str) else self.gamma
        pairs = K * (K - 1)
        return Hyper(
            m, gamma, float(comb(K, m)), gamma * m * (K - m) / pairs, gamma * m * (m - 1) / pairs, log, self.eta
        )

    def start(self, layout: Layout) -> State:
        """W = 0, and G all but 0. q is kept in float64 whatever the dtype."""
        for_G = layout if self.loss == "log" else layout._replace(n_features=0)
        return State(
            W=layout.per_feature(),
            G=for_G.per_feature(_FIRST_SQUARE),
            s=layout.per_class(),
            U=layout.per_class(),
            q=np.zeros(layout.n_classes),
        )

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        G = reals(K, d if self.loss == "log" else 0, low=_FIRST_SQUARE / 2)
        return State(W=reals(K, d), G=G, s=room(K), U=room(K), q=room(K, dtype="float64"))
