"""The fused loop: decide, feedback, learn and count, compiled into one function per learner."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onebit.contract.compiled import Draw, Functions, heard_of
from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.lessons import Lessons, new_lessons
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

    Slot t % C of `waiting` holds the decision of round t. The slots due in the same round form a list, oldest first:
    `head[due % C]`, then `after[slot]`, until -1.
    """

    waiting: Lessons
    after: IntArray
    head: IntArray
    tail: IntArray
    now: IntArray  # room for the labels of this round
    set_size: int


class Tally(NamedTuple):
    """Counts so far (mistakes, greedy mistakes, updates), and the counts at each round of the grid."""

    counts: IntArray
    grid: IntArray  # with a -1 behind the last
    curve: IntArray
    reached: IntArray  # how many rounds of the grid have been played


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
        set_size=set_size,
    )


def new_tally(grid: IntArray) -> Tally:
    """All counts at zero."""
    curve = np.zeros((len(grid), N_COUNTS), np.int64)
    return Tally(np.zeros(N_COUNTS, np.int64), np.append(grid, -1), curve, np.zeros(1, np.int64))


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
        waiting = ring.waiting
        drawn = waiting.draws
        slots, width = drawn.labels.shape
        labels = ring.now
        recording = record.lessons.id.shape[0] > 0
        # Begin with the lessons of the round before: a call that ended at the limit of the record left some there.
        slot = (t - 1) % slots
        i = first
        mark = tally.grid[tally.reached[0]]
        while True:
            # Learn from the answers that are due in the round just played, oldest decision first.
            late = ring.head[slot]
            while late >= 0 and noted[0] < record.limit:
                played = drawn.labels[late]
                draw = Draw(played, drawn.propensity[late], drawn.greedy[late], drawn.explored[late], late == slot)
                row = row_at(rows, waiting.row[late], normalize)
                counts[UPDATES] += learn(hyper, state, row, draw, heard(waiting.answer[late], worth), rng)
                if recording:
                    note(record, waiting, late, t - 1)
                late = ring.after[late]
            ring.head[slot] = late

            # When all of them are learned, the round is over: at a round of the grid, keep the counts.
            if t == mark and late < 0:
                for j in range(N_COUNTS):
                    tally.curve[tally.reached[0], j] = counts[j]
                tally.reached[0] += 1
                mark = tally.grid[tally.reached[0]]

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
                drawn.labels[slot, j] = labels[j]
            drawn.propensity[slot] = propensity
            drawn.greedy[slot] = greedy
            drawn.explored[slot] = explored
            waiting.id[slot] = t
            waiting.row[slot] = r
            waiting.answer[slot] = answer(world.channel, hit, y, world.rng)

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
