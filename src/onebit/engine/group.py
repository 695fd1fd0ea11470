"""Several learners over one pass of the rows: each row is made, and read from memory, once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Event
from time import perf_counter, thread_time

import numpy as np

from onebit.contract.idle_columns import silent
from onebit.contract.learner import Learner
from onebit.engine.match import Match
from onebit.engine.play import CHUNK_SECONDS, Rollout, Trace, rows_of, windows_to_play
from onebit.feedback import Channel
from onebit.streams.base import Stream, Window

_BLOCK_BYTES = 2**20  # rows that stay in the second-level cache while every learner of the group plays them
_SHORTEST_BLOCK = 64  # rounds
_LONGEST_BLOCK = 4096


def play_group(
    learners: Sequence[Learner],
    stream: Stream,
    channel: Channel,
    seed: int,
    rounds: int | None = None,
    on_rounds: Callable[[int], None] = lambda played: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> list[Trace]:
    """Play prepared learners that fit the stream side by side, as if each were alone. Changes the learners.

    They take turns on blocks of rows. The processor's time in a trace is the learner's own, and its share of the
    time that the making of the rows took. `on_rounds` hears about every tenth of a second how many rounds all of
    them have played together; then `should_stop` is asked, and if it says so, all end there.

    >>> import onebit
    >>> from onebit.engine.match import prepare
    >>> stream = onebit.streams.synsep(1000)
    >>> players = [prepare(onebit.Banditron(9, gamma=g), stream, 0) for g in (0.01, 0.1)]
    >>> [int(trace.rounds[-1]) for trace in play_group(players, stream, onebit.Bit(), 0)]
    [1000, 1000]
    """
    rollouts = [Rollout(Match(learner, stream, channel), learner, seed) for learner in learners]
    own = [0.0] * len(rollouts)
    began = thread_time()
    last_report = perf_counter()
    stopped = Event()
    with silent(learners):
        for window, ends in _blocks(stream, channel, seed, rounds):
            # The rows are brought into the form that a learner reads, once for each dtype; each reads raw cases itself.
            by_dtype = {} if stream.cases else {learner.dtype: learner for learner in learners}
            shared = {dtype: rows_of(window, stream, one) for dtype, one in by_dtype.items()}
            for rollout, learner in zip(rollouts, learners, strict=True):
                rollout.take_up(window, shared.get(learner.dtype))

            # All of them play a block before the first of them goes on to the next.
            for end in ends:
                for at, rollout in enumerate(rollouts):
                    started = thread_time()
                    rollout.play_until(end, should_stop=stopped.is_set)
                    own[at] += thread_time() - started
                if perf_counter() - last_report > CHUNK_SECONDS:
                    last_report = perf_counter()
                    on_rounds(sum(rollout.t for rollout in rollouts))
                    if should_stop():
                        stopped.set()
            if not rollouts[0].complete:
                break
    shared_time = (thread_time() - began - sum(own)) / len(rollouts)
    return [rollout.finish(seconds + shared_time) for rollout, seconds in zip(rollouts, own, strict=True)]


def _blocks(stream: Stream, channel: Channel, seed: int, rounds: int | None) -> Iterator[tuple[Window, Sequence[int]]]:
    """The windows, and for each the rounds at which its blocks end and the next learner has its turn.

    Dense rows in a random order are copied together, block by block: strewn over memory they are slow to read even
    from the cache. Not so where feedback comes late, since it asks for rows of earlier blocks.
    """
    together = not stream.sparse and channel.delay_range().high == 0
    for window in windows_to_play(stream, seed, rounds):
        n = len(window.order)
        block = n if stream.cases else block_rounds(window)
        if together:
            for first in range(0, n, block):
                order = window.order[first : first + block]
                yield Window(window.X[order], window.y[order], np.arange(len(order))), [len(order)]
        else:
            yield window, [*range(block, n, block), n]


def block_rounds(window: Window) -> int:
    """How many rounds of a window fit in the cache.

    >>> import onebit
    >>> block_rounds(next(onebit.streams.load("digits").windows(0)))
    2048
    """
    X = window.X
    size = X.nbytes if hasattr(X, "nbytes") else X.data.nbytes + X.indices.nbytes
    return int(min(max(_BLOCK_BYTES * X.shape[0] // max(size, 1), _SHORTEST_BLOCK), _LONGEST_BLOCK))
