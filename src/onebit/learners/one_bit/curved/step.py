"""What OneBit makes of a dense row and of an answer, compiled: kernels, what is kept, a step of each expert."""

from __future__ import annotations

from onebit.learners.one_bit.curved.dictionary import compare, explain_by_kept, forget_kept, keep_if_novel
from onebit.learners.one_bit.curved.experts import forget_weights, spread_over_kept
from onebit.learners.one_bit.curved.state import CurvedState
from onebit.learners.one_bit.curved.views import look
from onebit.learners.one_bit.rated.decide import seen
from onebit.learners.one_bit.rated.learn import EXPERTS, forget_lessons, learn_from
from onebit.learners.one_bit.rated.rates import Rates, hear, heard_by
from onebit.learners.one_bit.state import Hyper
from onebit.ops.bit_likelihood import (
    Answer,
    curvature,
    gradient,
    gradient_bound,
    implicit_step,
    mass,
    posterior,
    posterior_mass,
)
from onebit.ops.flat import add_scaled, inner
from onebit.ops.jit import jit, noinline
from onebit.ops.packed import packed_add_outer
from onebit.ops.rows import DenseRow, body

_LEAST_GRADIENT = 0.01
"""Classes of which an answer says less are left alone; a row of which it says no more is not kept."""

_LEAST_IN_DOUBT = 0.003
"""The same for an expert that takes many bits for lies: to it a "no" says less than a "yes", so that labels which are
hardly believed in would only gain."""

_DOUBT = 0.75
"""κ = 1-ρ0-ρ1 below which an expert is such a one."""

_LEAST_SHRINKAGE = 0.1
"""A covariance is left as it is if a lesson would take a smaller share of it along the row."""

FUNCTIONS = EXPERTS


@body(seen, "dense")
def _(hyper: Hyper, state: CurvedState, row: DenseRow, new: bool) -> DenseRow:
    look(state.statistics, hyper.standardize, new, row, state.views)
    compare(state.dictionary, state.views)
    return DenseRow(state.dictionary.k, 0, 1.0)


@body(learn_from, "dense")
def _(hyper: Hyper, state: CurvedState, row: DenseRow, answer: Answer, told: bool) -> int:
    return learn_on_kept(state, answer, told, hyper.budget)


@body(forget_lessons, "dense")
def _(state: CurvedState, row: DenseRow) -> None:
    forget_kept(state.dictionary)
    forget_weights(state.weights)


@noinline
def learn_on_kept(state: CurvedState, answer: Answer, told: bool, budget: int) -> int:
    """Keep the row if it is news, weigh the experts by the bit, and take a step with each that is awake."""
    rates = state.rates
    share = rates.share
    mixture = state.mixture
    n = state.clock.n[0]

    # Whether the answer is news to all together, or to any of the experts alone.
    moved = answer_moves(mass(mixture.p, answer.played), answer, mixture.p.shape[0])
    news = moved > _LEAST_GRADIENT
    for e in range(share.shape[0]):
        if share[e] > 0:
            mixture.inside[e] = mass(mixture.believed[e], answer.played)
            news |= gradient_bound(mixture.inside[e], heard_by(rates, e, answer, told)) >= least_gradient(rates, e)

    # The row as the dictionary sees it, K⁻¹k; it is kept if that leaves too much unexplained.
    if news and not state.dictionary.closed[0]:
        explain_by_kept(state.dictionary)
    if moved > _LEAST_GRADIENT:
        keep_if_novel(state.dictionary, state.views, n, budget)

    # The shares of the experts; a label that is told says nothing of lies.
    if not told:
        hear(rates, n, mixture.inside, answer.bit)

    # A step with each.
    updates = 0
    for e in range(share.shape[0]):
        if news and share[e] > 0:
            updates |= expert_step(state, e, heard_by(rates, e, answer, told))
    return updates


@jit
def answer_moves(believed: float, answer: Answer, n_classes: int) -> float:
    """|Σ_{r∈A} q_r - p_r|: by how much the answer moves the belief that the label is among those in it."""
    return abs(posterior_mass(believed, answer, n_classes) - believed)


@jit
def least_gradient(rates: Rates, e: int) -> float:
    """From which |q_r - p_r| on an answer is news to expert e."""
    kappa = 1 - rates.rho_0[e] - rates.rho_1[e]
    return _LEAST_GRADIENT if kappa >= _DOUBT else _LEAST_IN_DOUBT


@jit
def expert_step(state: CurvedState, e: int, answer: Answer) -> int:
    """w_r += τ g_r P_r k;  P_r -= h_r/(1 + h_r s_r) P_r k kᵀP_r, where P_r = v K⁻¹ - Q_r; 1 if there was any step."""
    dictionary = state.dictionary
    mixture = state.mixture
    beliefs = mixture.expert
    p = beliefs.p
    q = beliefs.q
    g = beliefs.g
    s = mixture.s
    Pk = state.Pk
    Q = state.weights.Q[e]
    W = state.weights.W[e]
    K, N = W.shape
    kept = dictionary.size[0]
    least = least_gradient(state.rates, e)

    # g = q - p: what the answer has to say. Classes of which it says little are left alone.
    for r in range(K):
        beliefs.z[r] = mixture.z[e, r]
        p[r] = mixture.believed[e, r]
    posterior(p, answer, q)
    if gradient(p, q, g) < least:
        return 0

    # s_r = kᵀP_r k, and how far to go: τ. This leaves p and q where the step ends.
    for r in range(K):
        g[r] = 0.0 if abs(g[r]) < least else g[r]
        s[r] = 0.0
        if g[r] != 0:
            spread_over_kept(dictionary, state.weights, e, r, state.rates.variance[e], Pk[r])
            s[r] = max(0.0, inner(dictionary.k, 0, Pk, r * N, kept))
    tau = implicit_step(beliefs, answer, s)

    # The step, and the curvature h_r at its end, which leaves the covariance.
    for r in range(K):
        if g[r] != 0:
            add_scaled(W, r * N, tau * g[r], Pk, r * N, kept)
            h = curvature(p, q, r)
            shrink = h / (1 + h * s[r])
            if shrink * s[r] >= _LEAST_SHRINKAGE:
                packed_add_outer(Q[r], Pk[r], shrink, kept)
    return 1
