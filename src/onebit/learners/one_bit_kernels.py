"""The compiled part of OneBit: what it keeps, how it decides, how it learns from a bit or from a label."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.types import FloatArray, IntArray, Rng
from onebit.learners.kernels import Draw
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
from onebit.ops.calibration import calibrate
from onebit.ops.gaussian import is_full, move, reset, shrinkage, spreads
from onebit.ops.inputs import Room, Statistics, held, prepare
from onebit.ops.inverse_gap import swap_in
from onebit.ops.jit import jit
from onebit.ops.lies import MOST_LYING, USUAL, explored_rate, hear, hear_explored, look, reckon
from onebit.ops.page_hinkley import rings
from onebit.ops.random import first_best
from onebit.ops.rows import Row, scores
from onebit.ops.sets import best_labels, contains
from onebit.ops.softmax import softmax

_OPTIMISTIC = 64
_STEEP, _STEEP_LYING = 40.0, 20.0
_LEAST_STEP_FULL, _LEAST_STEP = 0.01, 0.001


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
    likely a decision explores, averaged over the last hundred.
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


@jit
def _statistics(state: State) -> Statistics:
    return Statistics(state.seen, state.mean, state.variance, state.counts, state.weights)


@jit
def _room(state: State) -> Room:
    return Room(state.x, state.scale, state.indices, state.size)


@jit
def score(hyper: Hyper, state: State, row: Row, out: FloatArray) -> None:
    """z = W x, of the row as it is learned. Uses the room for a row."""
    room = _room(state)
    prepare(_statistics(state), hyper.standardize, False, row, room)
    scores(state.W, held(room, row), out)


@jit
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


@jit
def decide(hyper: Hyper, state: State, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """The m labels with the largest p~, or another in place of the last, by inverse-gap weighting."""
    K, credit, hope = state.p.shape[0], optimism(state.P), state.p
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


@jit
def step(hyper: Hyper, state: State, row: Row, answer: Answer, within: float) -> int:
    """The posterior step, where the answer is news; z and p must be those of the row."""
    p, q, g, s, D, full = state.p, state.q, state.g, state.s, state.D, is_full(state.P)
    least = _LEAST_STEP_FULL if full else _LEAST_STEP
    if surprise(within, answer) < least:
        return 0
    posterior(p, answer, q)
    if gradient(p, q, g) < least:
        return 0
    K, x = p.shape[0], held(_room(state), row)
    for k in range(K):
        g[k] = 0.0 if full and abs(g[k]) < _LEAST_STEP_FULL else g[k]
        s[k] = 0.0 if g[k] == 0 else s[k]
    if state.fresh[0] < 2:
        spreads(state.P, x, g, state.G, s)
    tau = implicit_step(Beliefs(state.z, state.moved, p, q, g, D), answer, s)
    for k in range(K):
        g[k] *= tau
        D[k] = shrinkage(state.P, curvature(p, q, k), s[k]) if g[k] != 0 else 0.0
    move(state.W, state.P, x, g, D, state.G)
    return 1


@jit
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


@jit
def restart(state: State, because: int) -> None:
    """Back to the prior; statistics of features stay."""
    state.restarts[because] += 1
    state.t[0] = state.n[0] = 0
    for i in range(4):
        state.evidence[i] = 0
    for i in range(3):
        state.watch[i] = 0
    reset(state.W, state.P, state.prior[0] * state.trust[0])


@jit
def judge(hyper: Hyper, state: State, draw: Draw, answer: Answer, within: float) -> None:
    """What the bit says of the flip rates: if it lies often, begin again and trust bits less."""
    evidence, rho, n = state.evidence, state.rho, state.n[0]
    hear(evidence, n, inside(within, answer, state.p.shape[0]), answer.bit)
    if draw.labels.shape[0] == 1:
        if draw.explored:
            hear_explored(evidence, within, rho[1], answer.bit)
        if state.lying[0] == 0 and look(evidence, n, state.p.shape[0], rho[1]):
            state.lying[0] = 1
            rho[0] = explored_rate(evidence)
            rho[1] = max(rho[0], min(rho[1], MOST_LYING))
            state.trust[0] = (1 - rho[0] - rho[1]) ** 2
            restart(state, 1)
            return
    reckon(evidence, state.lying[0] == 1, rho)
    if state.lying[0] == 1:
        state.trust[0] = (1 - rho[0] - rho[1]) ** 2


@jit
def watch(hyper: Hyper, state: State, hit: bool) -> None:
    """If wrong answers have become more frequent, begin again."""
    if hyper.drift and rings(state.watch, not hit):
        if hyper.estimate:
            state.lying[0] = 0
            state.trust[0] = 1
            state.rho[0] = state.rho[1] = USUAL
            state.evidence[4] = state.evidence[5] = 0
        restart(state, 0)


@jit
def learn(hyper: Hyper, state: State, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """p becomes q by Bayes; W follows q - p."""
    answer = Answer(draw.labels, int(bit), state.rho[0], state.rho[1])
    recall(hyper, state, row, draw)
    state.n[0] += 1
    within = mass(state.p, draw.labels)
    calibrate(state.line, state.n[0], within, answer.bit, answer.rho_0, answer.rho_1)
    updates = step(hyper, state, row, answer, within)
    if hyper.estimate:
        judge(hyper, state, draw, answer, within)
    watch(hyper, state, answer.bit == 1)
    state.fresh[0] = 0
    return updates


@jit
def learn_label(hyper: Hyper, state: State, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """The same for a label that is told: q = e_y."""
    hit = contains(draw.labels, y)
    recall(hyper, state, row, draw)
    state.n[0] += 1
    within = mass(state.p, draw.labels)
    calibrate(state.line, state.n[0], within, int(hit), 0.0, 0.0)
    state.told[0] = y
    answer = Answer(state.told, 1, 0.0, 0.0)
    updates = step(hyper, state, row, answer, state.p[y])
    watch(hyper, state, hit)
    state.fresh[0] = 0
    return updates
