"""How OneBit learns about dense rows, compiled: what is kept, how far each expert is believed, a step for each."""

from __future__ import annotations

from onebit.contract.compiled import Draw
from onebit.core.aliases import FloatArray, Rng
from onebit.learners.one_bit.calibration import calibrate
from onebit.learners.one_bit.curved.decide import believe
from onebit.learners.one_bit.curved.dictionary import Dictionary, explain_by_kept, forget_kept, keep_if_novel
from onebit.learners.one_bit.curved.experts import Experts, expected_rates, forget_lessons, hear
from onebit.learners.one_bit.curved.state import CurvedState, Room
from onebit.learners.one_bit.drift import drifted, forget_bits
from onebit.learners.one_bit.learn import is_best_of_all
from onebit.learners.one_bit.state import NOTHING, Hyper
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
from onebit.ops.jit import inline, jit, noinline
from onebit.ops.packed import packed_add_outer, packed_product
from onebit.ops.rows import Row
from onebit.ops.sets import contains

_LEAST_GRADIENT = 0.01
"""Classes of which an answer says less are left alone; a row of which it says no more is not kept."""

_LEAST_SHRINKAGE = 0.1
"""A covariance is left as it is if a lesson would take a smaller share of it along the row."""


@inline
def learn(hyper: Hyper, state: CurvedState, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """A bit: whether the label is among those played, perhaps a lie."""
    rho_0, rho_1 = expected_rates(state.experts)
    answer = Answer(draw.labels, int(bit), rho_0, rho_1, 0.0)
    return learn_answer(hyper, state, row, draw, answer, bit > 0, False)


@inline
def learn_label(hyper: Hyper, state: CurvedState, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """The label: the same as an honest "yes" to that label alone, which makes q = e_y."""
    state.room.told[0] = y
    answer = Answer(state.room.told, 1, 0.0, 0.0, 0.0)
    return learn_answer(hyper, state, row, draw, answer, contains(draw.labels, y), True)


@inline
def learn_answer(hyper: Hyper, state: CurvedState, row: Row, draw: Draw, answer: Answer, hit: bool, told: bool) -> int:
    """Learn from an answer about the labels in it, those played or the one told; `hit`, whether the play was right."""
    clock = state.clock
    room = state.room

    # What is believed of the row as of now, and how likely the play was held to be right.
    recall(hyper, state, row, draw)
    clock.n[0] += 1
    n = clock.n[0]
    believed = mass(room.p, draw.labels)
    comparable = not hyper.among or is_best_of_all(room.p, draw)

    # Calibration sees every answer, before the weights do.
    calibrate(state.calibration, n, believed, int(hit), answer.rho_0, answer.rho_1)

    # The dictionary, the experts' shares and their weights.
    updates = learn_from(state.dictionary, state.experts, room, answer, n, told, hyper.budget)

    # After a change of the world nothing that was learned is kept; the statistics of the features stay.
    if hyper.drift and comparable and drifted(state.drift, not hit):
        clock.drift_restarts[0] += 1
        restart(state)

    # Whatever was kept of the last decision is out of date.
    room.known[0] = NOTHING
    return updates


@inline
def recall(hyper: Hyper, state: CurvedState, row: Row, draw: Draw) -> None:
    """What is believed of the row as of now; it is there already if it was decided last and nothing has changed.

    A lesson beyond those it waits for is about another's decision: its row counts as if it had been decided here.
    """
    clock = state.clock
    ours = clock.waiting[0] > 0
    if ours:
        clock.waiting[0] -= 1
    else:
        clock.t[0] += 1
    if state.room.known[0] == NOTHING or not draw.last:
        believe(hyper, state, row, not ours)


@noinline
def learn_from(
    dictionary: Dictionary, experts: Experts, room: Room, answer: Answer, n: int, told: bool, budget: int
) -> int:
    """Keep the row if it is news, weigh the experts by the bit, and take a step with each that is awake.

    What is believed of the row must be there, and `answer` must hold the rates that the experts count on together.
    Returns 1 if anything was learned.
    """
    # Whether the answer is news to all together, or to any of the experts alone.
    share = experts.share
    moved = answer_moves(mass(room.p, answer.played), answer, room.p.shape[0])
    news = moved > _LEAST_GRADIENT
    for e in range(share.shape[0]):
        if share[e] > 0:
            room.inside[e] = mass(room.believed[e], answer.played)
            news |= gradient_bound(room.inside[e], heard_by(experts, e, answer, told)) >= _LEAST_GRADIENT

    # The row as the dictionary sees it, K⁻¹k; it is kept if that leaves too much unexplained.
    if news:
        explain_by_kept(dictionary)
    if moved > _LEAST_GRADIENT:
        keep_if_novel(dictionary, room.views, n, budget)

    # The shares of the experts; a label that is told says nothing of lies.
    if not told:
        hear(experts, n, room.inside, answer.bit)

    # A step with each.
    updates = 0
    for e in range(share.shape[0]):
        if news and share[e] > 0:
            updates |= expert_step(dictionary, experts, e, room, heard_by(experts, e, answer, told))
    return updates


@jit
def answer_moves(believed: float, answer: Answer, n_classes: int) -> float:
    """|Σ_{r∈A} q_r - p_r|: by how much the answer moves the belief that the label is among those in it."""
    return abs(posterior_mass(believed, answer, n_classes) - believed)


@jit
def heard_by(experts: Experts, e: int, answer: Answer, told: bool) -> Answer:
    """The answer as expert e reads it: a bit with its own flip rates, a label as it is."""
    if told:
        return answer
    return Answer(answer.played, answer.bit, experts.rho_0[e], experts.rho_1[e], 0.0)


@jit
def expert_step(dictionary: Dictionary, experts: Experts, e: int, room: Room, answer: Answer) -> int:
    """w_r += τ g_r P_r k;  P_r -= h_r/(1 + h_r s_r) P_r k kᵀP_r, where P_r = v K⁻¹ - Q_r; 1 if there was any step."""
    beliefs = room.expert
    p = beliefs.p
    q = beliefs.q
    g = beliefs.g
    s = room.s
    K = p.shape[0]
    kept = dictionary.size[0]
    W = experts.W[e]
    N = W.shape[1]

    # g = q - p: what the answer has to say. Classes of which it says little are left alone.
    for r in range(K):
        beliefs.z[r] = room.z[e, r]
        p[r] = room.believed[e, r]
    posterior(p, answer, q)
    if gradient(p, q, g) < _LEAST_GRADIENT:
        return 0

    # s_r = kᵀP_r k, and how far to go: τ. This leaves p and q where the step ends.
    for r in range(K):
        g[r] = 0.0 if abs(g[r]) < _LEAST_GRADIENT else g[r]
        s[r] = 0.0
        if g[r] != 0:
            spread_over_kept(dictionary, experts.Q[e, r], experts.variance[e], room.Pk[r])
            s[r] = max(0.0, inner(dictionary.k, 0, room.Pk, r * N, kept))
    tau = implicit_step(beliefs, answer, s)

    # The step, and the curvature h_r at its end, which leaves the covariance.
    for r in range(K):
        if g[r] != 0:
            add_scaled(W, r * N, tau * g[r], room.Pk, r * N, kept)
            h = curvature(p, q, r)
            shrink = h / (1 + h * s[r])
            if shrink * s[r] >= _LEAST_SHRINKAGE:
                packed_add_outer(experts.Q[e, r], room.Pk[r], shrink, kept)
    return 1


@jit
def spread_over_kept(dictionary: Dictionary, Q: FloatArray, variance: float, out: FloatArray) -> None:
    """out = P k = v K⁻¹k - Q k; K⁻¹k must be there."""
    kept = dictionary.size[0]
    packed_product(Q, dictionary.k[0], kept, out)
    for i in range(kept):
        out[i] = variance * dictionary.explained[i] - out[i]


@inline
def restart(state: CurvedState) -> None:
    """Back to the prior, with an empty dictionary; the statistics of the features stay."""
    state.clock.t[0] = 0
    state.clock.n[0] = 0
    forget_bits(state.drift)
    forget_kept(state.dictionary)
    forget_lessons(state.experts)
