"""MOLGB: least squares per class on the nodes of a graph, weighted by doubt and played with optimism."""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from onebit.bounds.molg import molgb_phi_terms
from onebit.contract.compiled import Draw, Functions
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import checked, number
from onebit.contract.schema import reals, whole
from onebit.contract.states import with_copies
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.registry import register
from onebit.learners.molgf import State, check_unit_rows, effect_of_row, first_state, inverses, schema
from onebit.ops.jit import jit
from onebit.ops.low_rank import downdate_inverse, quadratic_form, sound_inverse_times_row
from onebit.ops.random import best_label, best_label_pmf, first_best
from onebit.ops.rows import Row, squared_norm
from onebit.ops.weights import dot, scores

INSTEAD = "Confidit with its diagonal covariance"

_SQUARE_LOSS = 4.0
"""γ of Theorem 4: (u_k·x - C)² is never larger, with both between -1 and 1."""

_DELTA = 0.05
"""δ of Theorem 4, the chance that it fails."""


class Hyper(NamedTuple):
    """b, the margin φ, the optimism ϕ; whether a row weighs a = 1/(1-q) or 1, and whether there is a margin at all.

    `schedule` has the three constants of ϕ² in Theorem 4, where it takes the place of ϕ.
    """

    b: float
    phi: float
    varphi: float
    adaptive: bool
    gated: bool
    random_ties: bool
    schedule: tuple[float, float, float] = (0.0, 0.0, 0.0)


class ScheduledState(NamedTuple):
    """The same as `State`; and what the ϕ of Theorem 4 grows with, rounds t and log|A_k/b| of every class."""

    W: FloatArray
    U: FloatArray
    n: IntArray
    z: FloatArray
    T: FloatArray
    s: FloatArray
    C: FloatArray
    g: FloatArray
    t: IntArray
    log_det: FloatArray


@jit
def optimistic_score(
    hyper: Hyper, state: Any, k: int, row: Row, norm: float, varphi: float, v: FloatArray, upper: FloatArray
) -> None:
    """Shrink v_k as if the row had been added to A_k;  upper_k = v_k + ϕ√σ_k. norm = ‖x‖²; works in z."""
    shrink, _, sigma = effect_of_row(quadratic_form(inverses(hyper.b, state), k, row, norm), hyper.adaptive)
    v[k] *= shrink
    upper[k] = v[k] + varphi * sqrt(sigma)


@jit
def optimistic_scores(hyper: Hyper, state: Any, row: Row, v: FloatArray, upper: FloatArray) -> None:
    """v and upper of every class, from v = W x, with the same ϕ for all."""
    norm = squared_norm(row)
    scores(state.W, row, v)
    for k in range(v.shape[0]):
        optimistic_score(hyper, state, k, row, norm, hyper.varphi, v, upper)


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """argmax_k v_k + ϕ√σ_k."""
    optimistic_scores(hyper, state, row, state.s, state.C)
    labels[0], ties = best_label(state.C, hyper.random_ties, rng)
    return 1 / ties, first_best(state.s), False


@jit
def decide_on_schedule(
    hyper: Hyper, state: ScheduledState, row: Row, rng: Rng, labels: IntArray
) -> tuple[float, int, bool]:
    """argmax_k v_k + ϕ_k√σ_k, where ϕ_k is that of Theorem 4 for round t and log|A_k/b|."""
    state.t[0] += 1
    scheduled_scores(hyper, state, state.t[0], row)
    labels[0], ties = best_label(state.C, hyper.random_ties, rng)
    return 1 / ties, first_best(state.s), False


@jit
def scheduled_scores(hyper: Hyper, state: ScheduledState, t: int, row: Row) -> None:
    """v and upper of every class in round t, to s and C."""
    constant, per_log_det, per_log_step = hyper.schedule
    same_for_all = constant + per_log_step * log(t + 4.0)
    norm = squared_norm(row)
    scores(state.W, row, state.s)
    for k in range(state.s.shape[0]):
        varphi = sqrt(same_for_all + per_log_det * state.log_det[k])
        optimistic_score(hyper, state, k, row, norm, varphi, state.s, state.C)


@jit
def pmf(hyper: Hyper, state: State, row: Row, labels: IntArray, out: FloatArray) -> None:
    """All on the largest v_k + ϕ√σ_k."""
    optimistic_scores(hyper, state, row, state.s, state.C)
    best_label_pmf(state.C, hyper.random_ties, out)


@jit
def pmf_on_schedule(hyper: Hyper, state: ScheduledState, row: Row, labels: IntArray, out: FloatArray) -> None:
    """All on the largest v_k + ϕ_k√σ_k, in the next round."""
    scheduled_scores(hyper, state, state.t[0] + 1, row)
    best_label_pmf(state.C, hyper.random_ties, out)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """One step for the played class, unless it is right and sure enough."""
    return int(shrink_by_lesson(hyper, state, row, draw, f) > 0)


@jit
def learn_on_schedule(hyper: Hyper, state: ScheduledState, row: Row, draw: Draw, f: float, rng: Rng) -> int:
    """The same, and |A_k| grows by 1 + a xᵀA_k⁻¹x."""
    shrink = shrink_by_lesson(hyper, state, row, draw, f)
    if shrink == 0:
        return 0
    state.log_det[draw.labels[0]] -= log(shrink)
    return 1


@jit
def shrink_by_lesson(hyper: Hyper, state: Any, row: Row, draw: Draw, f: float) -> float:
    """If wrong or v_k < φσ_k, for the played k: w_k += (C - w_k·x) g_k;  A_k += a x xᵀ.  C = ±1, right or wrong.

    Returns 1/(1 + a xᵀA_k⁻¹x), or 0 if there was no step.
    """
    k = draw.labels[0]
    W = state.W
    g = state.g
    P = inverses(hyper.b, state)
    # Whether the played class is sure enough of the row to leave it.
    q = sound_inverse_times_row(P, k, row, g, W, (k, k + 1))
    score = dot(W, k, row)
    shrink, factor, sigma = effect_of_row(q, hyper.adaptive)
    if hyper.gated and f != 0 and shrink * score >= hyper.phi * sigma:
        return 0.0
    # If not, the row joins its least-squares problem.
    by = g.dtype.type(factor * (2 * f - 1 - score))
    for j in range(g.shape[0]):
        W[k, j] += by * g[j]
    downdate_inverse(P, k, g, factor)
    return shrink


@jit
def score(hyper: Hyper, state: Any, row: Row, out: FloatArray) -> None:
    """v_k for every class. Works in z and C."""
    optimistic_scores(hyper, state, row, out, state.C)


functions = Functions(decide, learn, score, pmf=pmf)
_scheduled = Functions(decide_on_schedule, learn_on_schedule, score, pmf=pmf_on_schedule)


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
    `phi`, the margin φ; `varphi`, the width ϕ of the optimism, or "schedule" for that of Theorem 4 (below);
    `normalize`, here always True, since q must stay below 1; the others as for every learner.

    With "schedule" every class has a width of its own, which grows with the rounds t and with what the class has
    learned; it needs no horizon:

        ϕ_k² = (b/(b-1))² (4(b-1)‖U‖² + 4γ log|A_k/b| + 144 log((t+4)/δ)),   ‖U‖² = K,   γ = 4,   δ = 0.05

    No rule with |u_k·x| ≤ 1 for all rows of unit norm has a larger ‖U‖, nor a squared loss above γ. This is 30 and
    more, where the paper's experiments have 0.05, and explores far more than they do.

    Guarantee: with "schedule", by the paper's Theorem 4, O(√T log T) regret to the best rule with probability 0.95, if
    P(y = i | x) = (1 + u_i·x)/2 for some u_i (`onebit.bounds.molgb_regret`); the proof is not in the paper, and we
    know none that covers the right answers it passes over. For a fixed ϕ, as by default and in the paper's
    experiments, none.

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
    varphi: float | str = number(default=0.05, low=0, words=("schedule",))

    no_noise_because = "whether it learns depends on the bit, so its step is not linear in the bit; OSLGBandit's is"
    functions = functions
    decides_in = ("z", "s", "C")

    def hyper(self) -> Hyper:
        """b, φ and ϕ for compiled code, with a = 1/(1-q) and the margin."""
        random_ties = self.ties == "random"
        if not isinstance(self.varphi, str):
            return Hyper(self.b, self.phi, self.varphi, True, True, random_ties)
        terms = molgb_phi_terms(sqrt(len(self.classes)), self.b, _SQUARE_LOSS, _DELTA)
        return Hyper(self.b, self.phi, 0.0, True, True, random_ties, terms)

    def compiled_for(self, state: Any) -> Functions:
        """With a schedule, those that count."""
        return _scheduled if self.varphi == "schedule" else functions

    def start(self, layout: Layout) -> State | ScheduledState:
        """W = 0, A_k = bI."""
        state = first_state(layout, layout.n_classes, "MOLGB", INSTEAD)
        if self.varphi != "schedule":
            return state
        return ScheduledState(*state, t=np.zeros(1, dtype=np.int64), log_det=np.zeros(layout.n_classes))

    def scoring_state(self, state: Any) -> Any:
        """The state with other room for `score`."""
        return state._replace(z=np.zeros_like(state.z), C=np.zeros_like(state.C))

    def deciding_state(self, state: Any) -> Any:
        """With a clock of its own, if there is one."""
        names = (*self.decides_in, "t") if self.varphi == "schedule" else self.decides_in
        return with_copies(state, names)

    def count_decisions(self, state: Any, n: int) -> None:
        """By the clock, if there is one."""
        if self.varphi == "schedule":
            state.t[0] += n

    def schema(self, layout: Layout, capacity: int) -> State | ScheduledState:
        """What a file may hold of it."""
        state = schema(layout, layout.n_classes)
        if self.varphi != "schedule":
            return state
        return ScheduledState(*state, t=whole(1), log_det=reals(layout.n_classes, dtype="float64", low=0))
