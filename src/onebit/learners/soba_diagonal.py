"""SOBADiagonal: the second-order Banditron with one variance per weight."""

from __future__ import annotations

from typing import Any, NamedTuple

from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import number
from onebit.contract.schema import reals, room
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.learners.soba import (
    NOT_FROM_LIES,
    Hyper,
    add_to_sums,
    best_rival,
    counters,
    counters_schema,
    decide,
    growth_of_S,
    hyper_for,
    pmf,
)
from onebit.ops.jit import jit
from onebit.ops.rows import Row, index, is_sparse, size, value
from onebit.ops.weights import scores, weighted_norm


class State(NamedTuple):
    """W and V = A⁻¹ (K × d), rounds t, S = Σ n m, Q = Σ n q, and room for K scores."""

    W: FloatArray
    V: FloatArray
    t: IntArray
    S: FloatArray
    Q: FloatArray
    s: FloatArray


@jit
def _step_at(state: State, y: int, other: int, j: int, x: Any, pull: Any) -> Any:
    """A_ȳj, A_yj += pull x;  θ_yj += pull;  θ_ȳj -= pull;  W = θ/A, for V = 1/A. Returns V_ȳj + V_yj from before."""
    V = state.V
    W = state.W
    one = V.dtype.type(1)
    v_y = V[y, j]
    v_o = V[other, j]
    grown_y = one + v_y * pull * x
    grown_o = one + v_o * pull * x
    both = one / (grown_y * grown_o)  # one division for two
    W[y, j] = (W[y, j] + v_y * pull) * (both * grown_o)
    W[other, j] = (W[other, j] - v_o * pull) * (both * grown_y)
    V[y, j] = v_y * (both * grown_o)
    V[other, j] = v_o * (both * grown_y)
    return v_y + v_o


@jit
def step(state: State, row: Row, y: int, other: int, p: float) -> float:
    """A_ȳ, A_y += x²/p;  θ_y += x/p;  θ_ȳ -= x/p;  W = θ/A. Returns r = zᵀA⁻¹z, A from before."""
    inverse = state.V.dtype.type(1 / p)
    r = 0.0
    if is_sparse(row):
        for i in range(size(row)):
            j = index(row, i)
            x = value(row, i)
            r += _step_at(state, y, other, j, x, inverse * x) * x * x
    else:
        r = weighted_norm(state.V, y, row) + weighted_norm(state.V, other, row)
        for j in range(size(row)):
            x = value(row, j)
            _step_at(state, y, other, j, x, inverse * x)
    return r / p


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """On a hit, if S + m ≥ 0: the step."""
    if bit == 0:
        return 0
    V = state.V
    y = draw.labels[0]
    p = draw.propensity
    # Whether m lets it learn; r is needed for that only where it is in doubt.
    scores(state.W, row, state.s)
    other = best_rival(state.s, y)
    most = growth_of_S(float(state.s[other]) - float(state.s[y]), p)
    if state.S[0] + most < 0:  # m = most/(1+r) is negative, and it takes r to say how much
        r = (weighted_norm(V, other, row) + weighted_norm(V, y, row)) / p
        if state.S[0] + most / (1 + r) < 0:
            return 0
    r = step(state, row, y, other, p)
    add_to_sums(state, most / (1 + r), r)
    return 1


@register("soba-diagonal")
class SOBADiagonal(Learner):
    """SOBA with a diagonal covariance: as cheap as a first-order learner, for any number of features.

    It plays as SOBA does and learns from hits as SOBA does, but each weight has a learning rate of its own
    that falls with the squares it has seen. Misses teach nothing, so a γ below 2^-7 leaves it at its start
    for a very long time.

        g = (e_ȳ - e_y) ⊗ x / p_y,   z = √p_y g,   m = (⟨W, z⟩² + 2⟨W, g⟩) / (1 + zᵀA⁻¹z)
        if ỹ = y and S + m ≥ 0:   S += m,   A += diag(z zᵀ),   θ -= g,   W = A⁻¹θ

    Parameters: `gamma`, the exploration γ from 0 to 1, or "adaptive" for γ_t = min(1, c √(K (1 + Q)/t)), Q
    the sum of q = r/(1+r), r = zᵀA⁻¹z, over past updates; `c`, its constant; `a`, the start A = aI; the
    others as for every learner.

    Guarantee: none is proved; SOBA's holds for the full matrix.

    >>> import onebit
    >>> result = onebit.simulate(onebit.SOBADiagonal(9), onebit.streams.synnonsep(50_000), seeds=1)
    >>> bool(result.error < 0.3)
    True

    Reference: Beygelzimer, Orabona, Zhang, "Efficient online bandit multiclass learning with Õ(√T) regret",
    ICML 2017, Section 5. The adaptive γ is our reading of Theorem 2.
    """

    gamma: float | str = number(default=2**-7, low=0, high=1, words=("adaptive",))
    a: float = number(default=1, low=0, open_low=True)
    c: float = number(default=0.01, low=0, open_low=True)

    no_noise_because = NOT_FROM_LIES
    functions = Functions(decide, learn, linear_score, pmf=pmf)
    decides_in = ("s", "t")

    def hyper(self) -> Hyper:
        """γ for compiled code."""
        return hyper_for(self.gamma, self.c, self.a, self.ties)

    def start(self, layout: Layout) -> State:
        """W = 0, A = aI."""
        t, S, Q = counters()
        return State(layout.per_feature(), layout.per_feature(1 / self.a), t, S, Q, layout.per_class())

    def count_decisions(self, state: State, n: int) -> None:
        """By the clock."""
        state.t[0] += n

    def schema(self, layout: Layout, capacity: int) -> State:
        """What a file may hold of it."""
        K = layout.n_classes
        d = layout.n_features
        t, S, Q = counters_schema()
        return State(W=reals(K, d), V=reals(K, d, low=0), t=t, S=S, Q=Q, s=room(K))
