"""The fused loop: decide, feedback, learn and count, compiled into one function per learner."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions, heard_of
from onebit.core.types import FloatArray, IntArray, Rng
from onebit.feedback import AnswerKind, DelayRange, draw_delay
from onebit.ops.jit import entry_point, jit
from onebit.ops.rows import Rows, row_at

MISTAKES = 0
GREEDY_MISTAKES = 1
UPDATES = 2
"""What the counts of a tally are about, by their place."""
N_COUNTS = 3


class World(NamedTuple):
    """The window being played and the channel that answers. Round i of the window plays row `order[i]`."""

    rows: Rows
    y: IntArray
    order: IntArray
    channel: Any  # what its `answer` reads
    delay: DelayRange
    rng: Rng  # the channel's own generator


class Ring(NamedTuple):
    """Decisions whose feedback is under way, in as many slots as rounds it can take.

    Slot t % C holds the decision of round t. The slots due in the same round form a list, oldest first:
    `head[due % C]`, then `after[slot]`, until -1.
    """

    row: IntArray
    labels: IntArray  # the set played, and behind it what the learner wrote there besides
    propensity: FloatArray
    greedy: IntArray
    explored: IntArray
    answer: IntArray
    after: IntArray
    head: IntArray
    tail: IntArray
    now: IntArray  # room for the labels of this round
    late: IntArray  # and for those of the round whose feedback has come
    set_size: int


class Tally(NamedTuple):
    """Counts so far (mistakes, greedy mistakes, updates), and the counts at each round of the grid."""

    counts: IntArray
    grid: IntArray
    curve: IntArray
    reached: IntArray  # how many rounds of the grid have been played


class Record(NamedTuple):
    """Lessons as they are learned, for the log and the noise estimate; `noted` of them so far, at most `limit`.

    `id` is the round of the decision, `step` the round in which its feedback came. Nothing is recorded where
    there is no room.
    """

    id: IntArray
    step: IntArray
    row: IntArray
    labels: IntArray
    propensity: FloatArray
    greedy: IntArray
    explored: IntArray
    answer: IntArray
    noted: IntArray
    limit: int


def new_ring(delay: int, set_size: int, top_size: int) -> Ring:
    """An empty ring for feedback that takes at most `delay` rounds."""
    n = delay + 1
    width = set_size + top_size
    row, greedy, explored, answers, after = (np.zeros(n, dtype=np.int64) for _ in range(5))
    head = np.full(n, -1, dtype=np.int64)
    tail = np.full(n, -1, dtype=np.int64)
    now = np.zeros(width, dtype=np.int64)
    late = np.zeros(width, dtype=np.int64)
    labels = np.zeros((n, width), dtype=np.int64)
    propensity = np.zeros(n)
    return Ring(row, labels, propensity, greedy, explored, answers, after, head, tail, now, late, set_size)


def new_tally(grid: IntArray) -> Tally:
    """All counts at zero."""
    curve = np.zeros((len(grid), N_COUNTS), np.int64)
    return Tally(np.zeros(N_COUNTS, np.int64), grid, curve, np.zeros(1, np.int64))


def new_record(room: int, width: int) -> Record:
    """An empty record with room for so many lessons."""
    id, step, row, greedy, explored, answers = (np.zeros(room, dtype=np.int64) for _ in range(6))
    labels = np.zeros((room, width), dtype=np.int64)
    propensity = np.zeros(room)
    noted = np.zeros(1, dtype=np.int64)
    return Record(id, step, row, labels, propensity, greedy, explored, answers, noted, room or 1)


@jit
def note(record: Record, ring: Ring, late: int, t: int, age: int) -> None:
    """Record the lesson from a slot, learned in round t and decided `age` rounds before."""
    at = record.noted[0]
    record.id[at] = t - age
    record.step[at] = t
    record.row[at] = ring.row[late]
    record.propensity[at] = ring.propensity[late]
    record.greedy[at] = ring.greedy[late]
    record.explored[at] = ring.explored[late]
    record.answer[at] = ring.answer[late]
    for j in range(ring.labels.shape[1]):
        record.labels[at, j] = ring.labels[late, j]
    record.noted[0] = at + 1


@cache
def fused(functions: Functions, kind: AnswerKind, answer: Callable[..., int]) -> Callable[..., int]:
    """The loop of one learner and one way to answer, by bits or by labels. It plays up to n rounds, and says how many.

    The rounds are `t .. t+n-1`, from the window's round `first` on. It stops early when the record has
    reached its limit, perhaps in the middle of the lessons of the last round played; the next call goes on
    with those.
    """
    decide = functions.decide
    learn = functions.of(kind)
    heard = heard_of(kind)

    @entry_point
    def play(
        hyper: Any, state: Any, normalize: bool, rng: Rng, worth: FloatArray, world: World, ring: Ring, tally: Tally,
        record: Record, first: int, t: int, n: int,
    ) -> int:  # fmt: skip
        rows = world.rows
        counts = tally.counts
        noted = record.noted
        slots, width = ring.labels.shape
        labels = ring.now
        late_labels = ring.late
        recording = record.id.shape[0] > 0
        # Begin with the lessons of the round before: a call that ended at the limit of the record left some there.
        slot = (t - 1) % slots
        i = first
        while True:
            # Learn from the answers that are due in the round just played, oldest decision first.
            late = ring.head[slot]
            while late >= 0 and noted[0] < record.limit:
                for j in range(width):
                    late_labels[j] = ring.labels[late, j]
                explored = ring.explored[late] != 0
                draw = Draw(late_labels, ring.propensity[late], ring.greedy[late], explored, late == slot)
                row = row_at(rows, ring.row[late], normalize)
                counts[UPDATES] += learn(hyper, state, row, draw, heard(ring.answer[late], worth), rng)
                if recording:
                    note(record, ring, late, t - 1, slot - late if slot >= late else slot - late + slots)
                late = ring.after[late]
            ring.head[slot] = late

            # When all of them are learned, the round is over: at a round of the grid, keep the counts.
            if late < 0 and t == tally.grid[tally.reached[0]]:
                for j in range(N_COUNTS):
                    tally.curve[tally.reached[0], j] = counts[j]
                tally.reached[0] += 1

            # Stop here, between two rounds, or in the middle of lessons that the record has no room for.
            if i == first + n or noted[0] >= record.limit:
                return i - first

            # Decide for the next row, and see whether the true label is among those played.
            slot = slot + 1 if slot + 1 < slots else 0
            r = world.order[i]
            y = world.y[r]
            propensity, greedy, explored = decide(hyper, state, row_at(rows, r, normalize), rng, labels)
            hit = False
            for j in range(ring.set_size):
                hit |= labels[j] == y
            counts[MISTAKES] += not hit
            counts[GREEDY_MISTAKES] += greedy != y

            # Keep the decision and its answer in the slot of this round.
            for j in range(width):
                ring.labels[slot, j] = labels[j]
            ring.row[slot] = r
            ring.propensity[slot] = propensity
            ring.greedy[slot] = greedy
            ring.explored[slot] = explored
            ring.answer[slot] = answer(world.channel, hit, y, world.rng)

            # Put it last in the list of the round in which the answer comes.
            ring.after[slot] = -1
            due = slot + draw_delay(world.delay, world.rng)
            due -= slots if due >= slots else 0
            if ring.head[due] < 0:
                ring.head[due] = slot
            else:
                ring.after[ring.tail[due]] = slot
            ring.tail[due] = slot
            i += 1
            t += 1

    return play
