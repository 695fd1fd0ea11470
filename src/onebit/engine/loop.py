"""The fused loop: decide, feedback, learn and count, compiled into one function per learner."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions, heard_of
from onebit.core.lessons import Lessons, new_lessons
from onebit.core.types import FloatArray, IntArray, Rng
from onebit.feedback import AnswerKind, ChannelValues, answer, draw_delay
from onebit.ops.jit import entry_point, jit
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

    Slot t % C of `waiting` holds the decision of round t. The slots due in the same round form a list, oldest first:
    `head[due % C]`, then `after[slot]`, until -1.
    """

    waiting: Lessons
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
    reached: IntArray


class Record(NamedTuple):
    """Lessons as they are learned, for the log and the noise estimate; `noted` of them so far, at most `limit`.

    Their `id` is the round of the decision, their `step` the round in which its feedback came. Nothing is recorded
    where there is no room.
    """

    lessons: Lessons
    noted: IntArray
    limit: int


def new_ring(delay: int, set_size: int, top_size: int) -> Ring:
    """An empty ring for feedback that takes at most `delay` rounds."""
    slots = delay + 1
    width = set_size + top_size
    return Ring(
        waiting=new_lessons(slots, width),
        after=np.zeros(slots, dtype=np.int64),
        head=np.full(slots, -1, dtype=np.int64),
        tail=np.full(slots, -1, dtype=np.int64),
        now=np.zeros(width, dtype=np.int64),
        late=np.zeros(width, dtype=np.int64),
        set_size=set_size,
    )


def new_tally(grid: IntArray) -> Tally:
    """All counts at zero."""
    return Tally(np.zeros(3, np.int64), grid, np.zeros((len(grid), 3), np.int64), np.zeros(1, np.int64))


def new_record(room: int, width: int) -> Record:
    """An empty record with room for so many lessons."""
    return Record(new_lessons(room, width), np.zeros(1, dtype=np.int64), room or 1)


@jit
def note(record: Record, waiting: Lessons, slot: int, t: int) -> None:
    """Record the lesson from a slot, learned in round t."""
    at = record.noted[0]
    lessons = record.lessons
    lessons.id[at] = waiting.id[slot]
    lessons.step[at] = t
    lessons.row[at] = waiting.row[slot]
    lessons.answer[at] = waiting.answer[slot]
    lessons.draws.propensity[at] = waiting.draws.propensity[slot]
    lessons.draws.greedy[at] = waiting.draws.greedy[slot]
    lessons.draws.explored[at] = waiting.draws.explored[slot]
    for j in range(lessons.draws.labels.shape[1]):
        lessons.draws.labels[at, j] = waiting.draws.labels[slot, j]
    record.noted[0] = at + 1


@cache
def fused(functions: Functions, kind: AnswerKind) -> Callable[..., int]:
    """The loop of one learner that is told bits, or labels. It plays up to n rounds, and says how many.

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
        channel = world.channel
        counts = tally.counts
        noted = record.noted
        waiting = ring.waiting
        drawn = waiting.draws
        slots, width = drawn.labels.shape
        labels = ring.now
        late_labels = ring.late
        recording = record.lessons.id.shape[0] > 0
        slot = (t - 1) % slots
        i = first
        while True:
            late = ring.head[slot]
            while late >= 0 and noted[0] < record.limit:
                for j in range(width):
                    late_labels[j] = drawn.labels[late, j]
                draw = Draw(late_labels, drawn.propensity[late], drawn.greedy[late], drawn.explored[late], late == slot)
                row = row_at(rows, waiting.row[late], normalize)
                counts[2] += learn(hyper, state, row, draw, heard(waiting.answer[late], worth), rng)
                if recording:
                    note(record, waiting, late, t - 1)
                late = ring.after[late]
            ring.head[slot] = late
            if late < 0 and t == tally.grid[tally.reached[0]]:
                for j in range(3):
                    tally.curve[tally.reached[0], j] = counts[j]
                tally.reached[0] += 1
            if i == first + n or noted[0] >= record.limit:
                return i - first

            slot = slot + 1 if slot + 1 < slots else 0
            r = world.order[i]
            y = world.y[r]
            propensity, greedy, explored = decide(hyper, state, row_at(rows, r, normalize), rng, labels)
            hit = False
            for j in range(ring.set_size):
                hit |= labels[j] == y
            for j in range(width):
                drawn.labels[slot, j] = labels[j]
            drawn.propensity[slot] = propensity
            drawn.greedy[slot] = greedy
            drawn.explored[slot] = explored
            waiting.id[slot] = t
            waiting.row[slot] = r
            waiting.answer[slot] = answer(channel, hit, y, world.rng)
            ring.after[slot] = -1
            due = slot + draw_delay(channel, world.rng)
            due -= slots if due >= slots else 0
            if ring.head[due] < 0:
                ring.head[due] = slot
            else:
                ring.after[ring.tail[due]] = slot
            ring.tail[due] = slot
            counts[0] += not hit
            counts[1] += greedy != y
            i += 1
            t += 1

    return play
