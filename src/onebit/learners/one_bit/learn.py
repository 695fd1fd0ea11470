"""The compiled part of OneBit: what it keeps, how it decides, how it learns from a bit or from a label."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.compiled import Draw
from onebit.core.types import FloatArray, IntArray, Rng
from onebit.learners.one_bit.calibration import calibrate
from onebit.learners.one_bit.drift import rings
from onebit.learners.one_bit.features import Room, Statistics, held, prepare
from onebit.learners.one_bit.inverse_gap import swap_in
from onebit.learners.one_bit.lies import MOST_LYING, USUAL, explored_rate, hear, hear_explored, look, reckon
from onebit.ops.bit_likelihood import (
    Answer,
    Beliefs,
    curvature,
    gradient,
    implicit_step,
    inside,
    mass,
    posterior,
    surprise,
)
from onebit.ops.gaussian import is_full, move, reset, shrinkage, spreads
from onebit.ops.jit import inline, jit, noinline
from onebit.ops.random import first_best
from onebit.ops.rows import Row
from onebit.ops.sets import best_labels, contains
from onebit.ops.softmax import softmax
from onebit.ops.weights import scores

_OPTIMISTIC = 64
_STEEP = 40.0
_STEEP_LYING = 20.0
_LEAST_STEP_FULL = 0.01
_LEAST_STEP = 0.001
WARM_UP = 500
"""So many lessons are learned with whole covariances, where they fit, before only their diagonals are kept."""


class Hyper(NamedTuple):
    """γ; whether to estimate the flip rates, watch for drift, and bring features to equal standing."""

    gamma: float
    estimate: bool
    drift: bool
    standardize: bool


class State(NamedTuple):
    """Everything that changes.

    W (K × d, with the bias) and P; the prior variance and κ², the trust in bits; decisions t and lessons n since
    the last restart (t counts those of others too, when they are learned); decisions that wait for their answer;
    restarts after drift and after lies; whether z and p (1), s and G as well (2), are those of the last decision;
    statistics of the features, room for one row; beliefs about it, s_k = xᵀP_k x, p~, G_k = P_k x; a told label;
    ρ, the evidence for it, whether bits are known to lie; the line of calibration, the watch for drift, and how
    likely a decision explores, averaged over the last hundred; whole covariances F that stand in for a diagonal P in
    the warm-up, with H_k = F_k x (empty without one).
    """

    W: FloatArray
    P: FloatArray
    prior: FloatArray
    trust: FloatArray
    t: IntArray
    n: IntArray
    waiting: IntArray
    restarts: IntArray
    fresh: IntArray
    seen: IntArray
    mean: FloatArray
    variance: FloatArray
    counts: IntArray
    weights: FloatArray
    x: FloatArray
    scale: FloatArray
    indices: NDArray[np.uint32]
    size: IntArray
    z: FloatArray
    moved: FloatArray
    p: FloatArray
    q: FloatArray
    g: FloatArray
    D: FloatArray
    s: FloatArray
    hope: FloatArray
    G: FloatArray
    told: IntArray
    rho: FloatArray
    evidence: FloatArray
    lying: IntArray
    line: FloatArray
    watch: FloatArray
    odds: FloatArray
    F: FloatArray
    H: FloatArray


@inline
def _statistics(state: State) -> Statistics:
    return Statistics(state.seen, state.mean, state.variance, state.counts, state.weights)


@inline
def _room(state: State) -> Room:
    return Room(state.x, state.scale, state.indices, state.size)


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """z = W x, of the row as it is learned. Uses the room for a row."""
    room = _room(state)
    prepare(_statistics(state), hyper.standardize, False, row, room)
    scores(state.W, held(room, row), out)


@inline
def believe(hyper: Hyper, state: State, row: Row, new: bool) -> None:
    """z = W x and p = softmax(z); a new row counts in the statistics of the features."""
    room = _room(state)
    prepare(_statistics(state), hyper.standardize, new, row, room)
    scores(state.W, held(room, row), state.z)
    softmax(state.z, 1.0, state.p)


@jit
def optimism(P: FloatArray) -> float:
    """How many deviations of its score a label is given credit for: max(1, 5/√d) up to d = 64 if P is full."""
    d = P.shape[1]
    return max(1.0, 5 / sqrt(d)) if is_full(P) and d <= _OPTIMISTIC else 0.0


@inline
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """The m labels with the largest p~, or another in place of the last, by inverse-gap weighting."""
    K = state.p.shape[0]
    credit = optimism(state.P)
    hope = state.p
    state.t[0] += 1
    state.waiting[0] += 1
    believe(hyper, state, row, True)
    state.fresh[0] = 1
    if credit > 0:
        hope = state.hope
        for k in range(K):
            hope[k] = 1.0
        spreads(state.P, held(_room(state), row), hope, state.G, state.s)
        for k in range(K):
            state.moved[k] = state.z[k] + credit * sqrt(state.s[k])
        softmax(state.moved, 1.0, hope)
        state.fresh[0] = 2
        best_labels(state.moved, labels)
        greedy = first_best(state.z)
    else:
        best_labels(state.z, labels)
        greedy = labels[0]
    steep = (_STEEP_LYING if state.lying[0] else _STEEP) * state.trust[0] * sqrt(K * state.t[0])
    propensity, odds, explored = swap_in(hope, steep, hyper.gamma, rng, labels)
    state.odds[0] += (0.01 if state.t[0] > 100 else 1 / state.t[0]) * (odds - state.odds[0])
    return propensity, greedy, explored


@noinline
def step(
    W: FloatArray, P: FloatArray, G: FloatArray, s: FloatArray, beliefs: Beliefs, answer: Answer, x: Row, known: bool
) -> int:  # fmt: skip
    """The posterior step; z and p must be those of the row, and s and G too if they are known."""
    p = beliefs.p
    q = beliefs.q
    g = beliefs.g
    D = beliefs.D
    full = is_full(P)
    posterior(p, answer, q)
    if gradient(p, q, g) < least_step(P):
        return 0
    for k in range(p.shape[0]):
        g[k] = 0.0 if full and abs(g[k]) < _LEAST_STEP_FULL else g[k]
        s[k] = 0.0 if g[k] == 0 else s[k]
    if not known:
        spreads(P, x, g, G, s)
    tau = implicit_step(beliefs, answer, s)
    for k in range(p.shape[0]):
        g[k] *= tau
        D[k] = shrinkage(P, curvature(p, q, k), s[k]) if g[k] != 0 else 0.0
    move(W, P, x, g, D, G)
    return 1


@jit
def least_step(P: FloatArray) -> float:
    """If no |q_r - p_r| is larger, the answer is no news."""
    return _LEAST_STEP_FULL if is_full(P) else _LEAST_STEP


@jit
def warming(F: FloatArray, n: int) -> bool:
    """Whether lesson n is one of those that whole covariances are kept for, beside the diagonals."""
    return F.shape[0] > 0 and n <= WARM_UP


@jit
def settle(P: FloatArray, F: FloatArray) -> None:
    """The warm-up is over: P becomes the diagonals of F."""
    if P.ndim == 2:
        for k in range(F.shape[0]):
            for j in range(F.shape[1]):
                P[k, j] = F[k, j, j]


@inline
def judge(state: State, draw: Draw, answer: Answer, within: float) -> bool:
    """What the bit says of the flip rates. Whether it lies so often that one should begin again, trusting it less."""
    evidence = state.evidence
    rho = state.rho
    n = state.n[0]
    K = state.p.shape[0]
    hear(evidence, n, inside(within, answer, K), answer.bit)
    if draw.labels.shape[0] == 1 and draw.explored:
        hear_explored(evidence, within, rho[1], answer.bit)
    found = draw.labels.shape[0] == 1 and state.lying[0] == 0 and look(evidence, n, K, rho[1])
    if found:
        state.lying[0] = 1
        rho[0] = explored_rate(evidence)
        rho[1] = max(rho[0], min(rho[1], MOST_LYING))
    else:
        reckon(evidence, state.lying[0] == 1, rho)
    if state.lying[0] == 1:
        state.trust[0] = (1 - rho[0] - rho[1]) ** 2
    return bool(found)


@inline
def trust_again(state: State) -> None:
    """After a drift the flip rates are unknown again."""
    state.lying[0] = 0
    state.trust[0] = 1
    state.rho[0] = state.rho[1] = USUAL
    state.evidence[4] = state.evidence[5] = 0


@inline
def restart(state: State, because: int) -> None:
    """Back to the prior; statistics of features stay."""
    state.restarts[because] += 1
    state.t[0] = state.n[0] = 0
    for i in range(4):
        state.evidence[i] = 0
    for i in range(3):
        state.watch[i] = 0
    reset(state.W, state.P, state.prior[0] * state.trust[0])
    if state.F.shape[0] > 0:
        reset(state.W, state.F, state.prior[0] * state.trust[0])


@inline
def recall(hyper: Hyper, state: State, row: Row, draw: Draw) -> None:
    """z and p of the row as of now; they are there already if it was decided last and nothing has changed.

    A lesson beyond those it waits for is about another's decision: its row counts as if it had been decided here.
    """
    known = state.waiting[0] > 0
    if known:
        state.waiting[0] -= 1
    else:
        state.t[0] += 1
    if state.fresh[0] == 0 or not draw.last:
        believe(hyper, state, row, not known)
        state.fresh[0] = 0
    state.n[0] += 1


@inline
def take(hyper: Hyper, state: State, row: Row, draw: Draw, answer: Answer, hit: bool, told: bool) -> int:
    """Learn from an answer about the labels in it: those played, or the one told."""
    recall(hyper, state, row, draw)
    within = mass(state.p, draw.labels)
    calibrate(state.line, state.n[0], within, int(hit), answer.rho_0, answer.rho_1)
    updates = 0
    because = -1
    warm = warming(state.F, state.n[0])
    least = least_step(state.F) if warm else least_step(state.P)
    if surprise(state.p[answer.played[0]] if told else within, answer) >= least:
        beliefs = Beliefs(state.z, state.moved, state.p, state.q, state.g, state.D)
        x = held(_room(state), row)
        known = state.fresh[0] == 2
        if warm:
            updates = step(state.W, state.F, state.H, state.s, beliefs, answer, x, False)
        else:
            updates = step(state.W, state.P, state.G, state.s, beliefs, answer, x, known)
    if warm and state.n[0] == WARM_UP:
        settle(state.P, state.F)
    if hyper.estimate and not told and judge(state, draw, answer, within):
        because = 1
    if hyper.drift and rings(state.watch, not hit):
        because = 0
        if hyper.estimate:
            trust_again(state)
    if because >= 0:
        restart(state, because)
    state.fresh[0] = 0
    return updates


@inline
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """p becomes q by Bayes; W follows q - p."""
    answer = Answer(draw.labels, int(bit), state.rho[0], state.rho[1])
    return take(hyper, state, row, draw, answer, bit > 0, False)


@inline
def learn_label(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """The same for a label that is told: q = e_y."""
    state.told[0] = y
    return take(hyper, state, row, draw, Answer(state.told, 1, 0.0, 0.0), contains(draw.labels, y), True)
