"""The fused loop: decide, feedback, learn and count, compiled into one kernel per learner."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onebit.core.types import FloatArray, IntArray, Rng
from onebit.feedback import ChannelValues, answer, draw_delay
from onebit.learners.kernels import Draw, Functions
from onebit.ops.jit import kernel
from onebit.ops.rows import Rows, row_at


class World(NamedTuple):
    """The window being played and the channel that answers. Round i of the window plays row `order[i]`."""

    rows: Rows
    y: IntArray
    order: IntArray
    channel: ChannelValues
    rng: Rng


class Ring(NamedTuple):
    """Decisions whose feedback is under way, in as many slots as rounds it can take.

    Slot t % C holds the decision of round t. The slots due in the same round form a list, oldest first:
    `head[due % C]`, then `after[slot]`, until -1.
    """

    row: IntArray
    labels: IntArray
    propensity: FloatArray
    greedy: IntArray
    explored: IntArray
    answer: IntArray
    after: IntArray
    head: IntArray
    tail: IntArray
    now: IntArray  # room for the labels of this round
    late: IntArray  # and for those of the round whose feedback has come


class Tally(NamedTuple):
    """Counts so far (mistakes, greedy mistakes, updates), and the counts at each round of the grid."""

    counts: IntArray
    grid: IntArray
    curve: IntArray
    reached: IntArray


def new_ring(delay: int, set_size: int) -> Ring:
    """An empty ring for feedback that takes at most `delay` rounds."""
    n = delay + 1
    row, greedy, explored, answers, after = (np.zeros(n, dtype=np.int64) for _ in range(5))
    head, tail = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    now, late = np.zeros(set_size, dtype=np.int64), np.zeros(set_size, dtype=np.int64)
    labels, propensity = np.zeros((n, set_size), dtype=np.int64), np.zeros(n)
    return Ring(row, labels, propensity, greedy, explored, answers, after, head, tail, now, late)


def new_tally(grid: IntArray) -> Tally:
    """All counts at zero."""
    return Tally(np.zeros(3, np.int64), grid, np.zeros((len(grid), 3), np.int64), np.zeros(1, np.int64))


@cache
def fused(functions: Functions) -> Callable[..., None]:
    """The loop of one learner: plays rounds `t .. t+n-1`, from the window's round `first` on."""
    decide, learn, _ = functions

    @kernel
    def play(
        hyper: Any, state: Any, normalize: bool, rng: Rng, world: World, ring: Ring, tally: Tally,
        first: int, t: int, n: int,
    ) -> None:  # fmt: skip
        rows, channel, counts = world.rows, world.channel, tally.counts
        slots, m = ring.labels.shape
        labels, late_labels = ring.now, ring.late
        slot = t % slots
        for i in range(first, first + n):
            r = world.order[i]
            y = world.y[r]
            propensity, greedy, explored = decide(hyper, state, row_at(rows, r, normalize), rng, labels)
            hit = False
            for j in range(m):
                hit |= labels[j] == y
                ring.labels[slot, j] = labels[j]
            ring.row[slot], ring.propensity[slot] = r, propensity
            ring.greedy[slot], ring.explored[slot] = greedy, explored
            ring.answer[slot] = answer(channel, hit, y, world.rng)
            ring.after[slot] = -1
            due = slot + draw_delay(channel, world.rng)
            due -= slots if due >= slots else 0
            if ring.head[due] < 0:
                ring.head[due] = slot
            else:
                ring.after[ring.tail[due]] = slot
            ring.tail[due] = slot

            late = ring.head[slot]
            ring.head[slot] = -1
            while late >= 0:
                for j in range(m):
                    late_labels[j] = ring.labels[late, j]
                draw = Draw(late_labels, ring.propensity[late], ring.greedy[late], ring.explored[late] != 0)
                row = row_at(rows, ring.row[late], normalize)
                counts[2] += learn(hyper, state, row, draw, ring.answer[late], rng)
                late = ring.after[late]

            t += 1
            slot = slot + 1 if slot + 1 < slots else 0
            counts[0] += not hit
            counts[1] += greedy != y
            if t == tally.grid[tally.reached[0]]:
                for j in range(3):
                    tally.curve[tally.reached[0], j] = counts[j]
                tally.reached[0] += 1

    return play
