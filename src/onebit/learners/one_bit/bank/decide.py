"""How OneBit decides about raw cases, compiled: the mixture of the members' beliefs, and exploration."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.learners.one_bit.among import explore_among
from onebit.learners.one_bit.bank.kept import add_scores, compare, has_room, look
from onebit.learners.one_bit.bank.state import CURVED, Bank, BankState, Room
from onebit.learners.one_bit.decide import AVERAGED_DECISIONS, steepness
from onebit.learners.one_bit.exploration import explore, explore_pmf
from onebit.learners.one_bit.features import as_row, prepare
from onebit.learners.one_bit.state import BELIEFS, Hyper
from onebit.ops.jit import inline, jit
from onebit.ops.random import first_best
from onebit.ops.rows import Row, index, size, value
from onebit.ops.sets import best_labels
from onebit.ops.softmax import softmax

_LEAST = 1e-300


@jit
def member_scores(bank: Bank, x: Row, z: FloatArray) -> None:
    """z_b = W_b x, for all members in one pass: what they keep of a column lies side by side, in the order of z."""
    n = z.size
    flat_W = bank.W.T.reshape(bank.W.size)
    flat_z = z.reshape(n)
    for t in range(n):
        flat_z[t] = 0.0
    for i in range(size(x)):
        column = np.int64(index(x, i)) * n
        x_j = value(x, i)
        for t in range(n):
            flat_z[t] += flat_W[column + t] * x_j


@jit
def mix(bank: Bank, room: Room) -> None:
    """What the members that are awake believe together by their scores: p = Σ share_b softmax(z_b)."""
    p = room.p
    for r in range(p.shape[0]):
        p[r] = 0.0
    for b in range(bank.share.shape[0]):
        if bank.share[b] > 0:
            softmax(room.z[b], 1.0, room.member.p)
            for r in range(p.shape[0]):
                p[r] += bank.share[b] * room.member.p[r]


@inline
def believe(hyper: Hyper, state: BankState, row: Row, new: bool) -> None:
    """What the members believe about a row; a new one counts in the statistics of the features."""
    room = state.room
    prepare(state.statistics, hyper.standardize, new, row, room.row)
    member_scores(state.bank, as_row(room.row, row), room.z)
    if has_room(state.kept):
        look(state.kept, row, new)
        if state.bank.share[CURVED] > 0:
            compare(state.kept)
            add_scores(state.kept, room.z[CURVED])
    mix(state.bank, room)


@inline
def score(hyper: Hyper, state: BankState, row: Row, out: FloatArray) -> None:
    """log p, whose softmax is p. Uses the room."""
    believe(hyper, state, row, False)
    for r in range(out.shape[0]):
        out[r] = log(max(state.room.p[r], _LEAST))


@jit
def average_exploration(state: BankState, exploration: float) -> None:
    """How likely a decision explores, over about the last hundred."""
    share = 1 / min(state.clock.t[0], AVERAGED_DECISIONS)
    state.exploration[0] += share * (exploration - state.exploration[0])


@inline
def decide(hyper: Hyper, state: BankState, row: Row, rng: Rng, labels: IntArray) -> tuple[float, int, bool]:
    """The m labels with the largest p, or another in place of the last, by inverse-gap weighting."""
    room = state.room
    state.clock.t[0] += 1
    state.clock.waiting[0] += 1
    believe(hyper, state, row, hyper.counts)
    room.known[0] = BELIEFS
    best_labels(room.p, labels)
    greedy = labels[0]
    steep = steepness(state.lies, state.clock.t[0], room.p.shape[0])
    propensity, exploration, explored = explore(room.p, steep, hyper.gamma, rng, labels)
    average_exploration(state, exploration)
    return propensity, greedy, explored


@inline
def pmf(hyper: Hyper, state: BankState, row: Row, labels: IntArray, out: FloatArray) -> None:
    """How likely the next decision is to play each label."""
    believe(hyper, state, row, hyper.counts)
    best_labels(state.room.p, labels)
    steep = steepness(state.lies, state.clock.t[0] + 1, out.shape[0])
    explore_pmf(state.room.p, steep, hyper.gamma, labels, out)


@inline
def decide_among(
    hyper: Hyper, state: BankState, row: Row, rng: Rng, labels: IntArray, is_open: NDArray[np.bool_]
) -> tuple[float, int, bool]:
    """`decide` with p over the open labels alone, and K their number; the bits are the same if all are open."""
    room = state.room
    state.clock.t[0] += 1
    state.clock.waiting[0] += 1
    believe(hyper, state, row, hyper.counts)
    room.known[0] = BELIEFS

    # p among the open labels, -1 for the others; then as probabilities.
    n_open = 0
    sum_ = 0.0
    for r in range(is_open.shape[0]):
        room.open[r] = room.p[r] if is_open[r] else -1.0
        sum_ += room.p[r] if is_open[r] else 0.0
        n_open += is_open[r]
    best_labels(room.open, labels)
    greedy = first_best(room.open)
    all_open = n_open == is_open.shape[0]
    for r in range(is_open.shape[0]):
        if not all_open:
            room.open[r] = among_open(room.p[r], sum_, n_open) if is_open[r] else 0.0
    steep = steepness(state.lies, state.clock.t[0], n_open)
    propensity, exploration, explored = explore_among(room.open, steep, hyper.gamma, rng, labels, is_open)
    average_exploration(state, exploration)
    return propensity, greedy, explored


@jit
def among_open(p: float, sum_: float, n_open: int) -> float:
    """A probability among the open labels; where none of them is believed in at all, they are alike.

    >>> among_open(0.25, 0.5, 3), among_open(0.0, 0.0, 4)
    (0.5, 0.25)
    """
    return p / sum_ if sum_ > 0 else 1.0 / n_open
