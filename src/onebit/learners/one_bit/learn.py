"""How OneBit learns, compiled: one posterior step for a bit and for a label, and what else an answer tells."""

from __future__ import annotations

from onebit.contract.compiled import Draw
from onebit.core.aliases import FloatArray, Rng
from onebit.learners.one_bit.calibration import calibrate
from onebit.learners.one_bit.decide import believe
from onebit.learners.one_bit.drift import drifted, forget_bits
from onebit.learners.one_bit.features import as_row
from onebit.learners.one_bit.lies import DEVIATIONS, forget_em, forget_rates, hear
from onebit.learners.one_bit.state import NOTHING, SPREADS, Hyper, State
from onebit.ops.bit_likelihood import (
    Answer,
    Beliefs,
    curvature,
    gradient,
    gradient_bound,
    implicit_step,
    mass,
    posterior,
)
from onebit.ops.gaussian import is_full, move, reset, shrinkage, spreads
from onebit.ops.jit import inline, jit, noinline
from onebit.ops.random import first_best
from onebit.ops.rows import Row
from onebit.ops.sets import contains

WARM_UP_LESSONS = 500
"""So many first ones are learned with full covariances, where these are kept beside diagonals."""

_LEAST_GRADIENT_FULL = 0.01
_LEAST_GRADIENT_DIAGONAL = 0.001


@inline
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """A bit: whether the label is among those played, perhaps a lie."""
    answer = Answer(draw.labels, int(bit), state.lies.rho_0[0], state.lies.rho_1[0], 0.0)
    return learn_answer(hyper, state, row, draw, answer, bit > 0, False)


@inline
def learn_label(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """The label: the same as an honest "yes" to that label alone, which makes q = e_y."""
    state.room.told[0] = y
    answer = Answer(state.room.told, 1, 0.0, 0.0, 0.0)
    return learn_answer(hyper, state, row, draw, answer, contains(draw.labels, y), True)


@inline
def learn_answer(hyper: Hyper, state: State, row: Row, draw: Draw, answer: Answer, hit: bool, told: bool) -> int:
    """Learn from an answer about the labels in it, those played or the one told; `hit`, whether the play was right."""
    clock = state.clock
    weights = state.weights
    warm_up = state.warm_up
    room = state.room
    beliefs = room.beliefs

    # z and p of the row as of now, and how likely the play was held to be right.
    recall(hyper, state, row, draw)
    clock.n[0] += 1
    n = clock.n[0]
    believed = mass(beliefs.p, draw.labels)
    comparable = not hyper.among or is_best_of_all(beliefs.z, draw)

    # Calibration sees every answer, before the weights do.
    calibrate(state.calibration, n, believed, int(hit), answer.rho_0, answer.rho_1)

    # The weights: a posterior step, if the answer is news. The first lessons may be learned with full covariances.
    updates = 0
    warm = warming_up(warm_up.P, n)
    least = least_gradient(warm_up.P) if warm else least_gradient(weights.P)
    if gradient_bound(beliefs.p[answer.played[0]] if told else believed, answer) >= least:
        x = as_row(room.row, row)
        if warm:
            updates = posterior_step(weights.W, warm_up.P, warm_up.Px, room.s, beliefs, answer, x, False)
        else:
            known = room.known[0] == SPREADS
            updates = posterior_step(weights.W, weights.P, room.Px, room.s, beliefs, answer, x, known)
    if warm and n == WARM_UP_LESSONS:
        keep_diagonals(weights.P, warm_up.P)

    # The flip rates, of which only a bit can tell, and drift. Where bits turn out to lie often, or the world has
    # changed, what was learned is not kept; after a change neither is what was known of lies.
    K = beliefs.p.shape[0]
    lied = hyper.estimate and not told and hear(state.lies, n, draw, answer, believed, K, DEVIATIONS)
    changed = hyper.drift and comparable and drifted(state.drift, not hit)
    if changed:
        clock.drift_restarts[0] += 1
        if hyper.estimate:
            forget_rates(state.lies)
    elif lied:
        clock.lie_restarts[0] += 1
    if changed or lied:
        restart(state)

    # Whatever was kept of the last decision is out of date.
    room.known[0] = NOTHING
    return updates


@inline
def recall(hyper: Hyper, state: State, row: Row, draw: Draw) -> None:
    """z and p of the row as of now; they are there already if it was decided last and nothing has changed.

    A lesson beyond those it waits for is about another's decision: its row counts as if it had been decided here.
    """
    clock = state.clock
    room = state.room
    ours = clock.waiting[0] > 0
    if ours:
        clock.waiting[0] -= 1
    else:
        clock.t[0] += 1
    if room.known[0] == NOTHING or not draw.last:
        believe(hyper, state, row, not ours)
        room.known[0] = NOTHING


@jit
def is_best_of_all(z: FloatArray, draw: Draw) -> bool:
    """Whether a label played among some is the one that would be played among all: if not, no wrong answer is drift.

    Of a set, none can say so.
    """
    return draw.labels.shape[0] == 1 and first_best(z) == draw.greedy


@jit
def least_gradient(P: FloatArray) -> float:
    """An answer with no |q_r - p_r| as large as this is no news."""
    return _LEAST_GRADIENT_FULL if is_full(P) else _LEAST_GRADIENT_DIAGONAL


@noinline
def posterior_step(
    W: FloatArray, P: FloatArray, Px: FloatArray, s: FloatArray, beliefs: Beliefs, answer: Answer, x: Row, known: bool
) -> int:  # fmt: skip
    """w_r += τ g_r P_r x;  P_r -= h_r/(1 + h_r s_r) P_r x xᵀP_r.

    z and p must be those of the row, and s and Px too if they are known.
    """
    p = beliefs.p
    q = beliefs.q
    g = beliefs.g
    D = beliefs.D

    # g = q - p: what the answer has to say. With full covariances, classes of which it says little are left alone.
    posterior(p, answer, q)
    if gradient(p, q, g) < least_gradient(P):
        return 0
    for r in range(p.shape[0]):
        g[r] = 0.0 if is_full(P) and abs(g[r]) < _LEAST_GRADIENT_FULL else g[r]
        s[r] = 0.0 if g[r] == 0 else s[r]

    # s_r = xᵀP_r x, and how far to go: τ. This leaves p and q where the step ends.
    if not known:
        spreads(P, x, g, Px, s)
    tau = implicit_step(beliefs, answer, s)

    # The step, and the curvature h_r at its end, which leaves the covariance.
    for r in range(p.shape[0]):
        g[r] *= tau
        D[r] = shrinkage(P, curvature(p, q, r), s[r]) if g[r] != 0 else 0.0
    move(W, P, x, g, D, Px)
    return 1


@jit
def warming_up(full: FloatArray, n: int) -> bool:
    """Whether lesson n is learned with full covariances, which are kept beside the diagonals for the first ones."""
    return full.shape[0] > 0 and n <= WARM_UP_LESSONS


@jit
def keep_diagonals(P: FloatArray, full: FloatArray) -> None:
    """The warm-up is over: P becomes the diagonals of the full covariances."""
    if P.ndim == 2:
        for r in range(full.shape[0]):
            for j in range(full.shape[1]):
                P[r, j] = full[r, j, j]


@inline
def restart(state: State) -> None:
    """Back to the prior; the statistics of the features stay."""
    weights = state.weights
    state.clock.t[0] = 0
    state.clock.n[0] = 0
    forget_em(state.lies)
    forget_bits(state.drift)
    variance = weights.prior[0] * state.lies.trust[0]
    reset(weights.W, weights.P, variance)
    if state.warm_up.P.shape[0] > 0:
        reset(weights.W, state.warm_up.P, variance)
