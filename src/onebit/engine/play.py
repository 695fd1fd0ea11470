"""Playing one seed of a match: windows in, chunks through the fused loop, counts out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from time import perf_counter, thread_time
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from onebit.contract.idle_columns import silent
from onebit.contract.layout import check_finite, sound_rows, to_rows
from onebit.contract.learner import Learner
from onebit.contract.raw_cases import read_cases
from onebit.contract.scales import warn_of_scale
from onebit.core.aliases import IntArray
from onebit.core.seeds import bit_generator
from onebit.engine.loop import UPDATES, Ring, World, new_ring, new_tally
from onebit.engine.match import Match, row_kind
from onebit.engine.recorder import Recorder
from onebit.features.cases.encoder import MEET
from onebit.feedback import Channel
from onebit.ops.random import pack
from onebit.ops.rows import Rows
from onebit.ops.tables import joined_rows, rows_at
from onebit.streams.base import Stream, Window

CHUNK_SECONDS = 0.1
"""How long compiled code runs before Python has its say: progress, Ctrl-C."""

_SHORTEST_CHUNK = 16  # rounds; also the first
_CASES_AT_ONCE = 4096
_FASTEST_GROWTH = 8  # from one chunk to the next


class Trace(NamedTuple):
    """What was counted: at each checkpoint, the rounds so far and the three running counts."""

    rounds: IntArray
    mistakes: IntArray
    greedy_mistakes: IntArray
    updates: IntArray
    seconds: float
    complete: bool


@cache
def checkpoints(limit: int = 10**15) -> IntArray:
    """The rounds at which the counts are recorded: ten per decade, log-spaced. Not to be written to.

    >>> checkpoints(20)
    array([ 1,  2,  3,  4,  5,  6,  8, 10, 13, 16, 20])
    """
    steps = np.arange(int(10 * np.log10(limit)) + 1)
    rounds = np.unique(np.round(10 ** (steps / 10)).astype(np.int64))
    rounds.flags.writeable = False
    return rounds


def play(
    learner: Learner,
    stream: Stream,
    channel: Channel,
    seed: int,
    rounds: int | None = None,
    on_chunk: Callable[[int], None] = lambda played: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Trace:
    """Play a prepared learner for `rounds` rounds (None: one pass), if the three fit together. Changes the learner.

    `on_chunk` hears after each chunk how many rounds have been played; when `should_stop` says so, the
    play ends there and the trace is marked as not complete.
    """
    match = Match(learner, stream, channel)
    match.check()
    return play_seed(match, learner, seed, rounds, on_chunk, should_stop)


def play_seed(
    match: Match,
    player: Learner,
    seed: int,
    rounds: int | None = None,
    on_chunk: Callable[[int], None] = lambda played: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Trace:
    """The same for a match that has been checked, and one of its players."""
    rollout = Rollout(match, player, seed)
    began = thread_time()
    with silent([player]):
        for window in windows_to_play(match.stream, seed, rounds):
            rollout.take_up(window)
            if not rollout.play_until(len(window.order), on_chunk, should_stop):
                break
    return rollout.finish(thread_time() - began)


def windows_to_play(stream: Stream, seed: int, rounds: int | None) -> Iterator[Window]:
    """The windows of a stream; those of raw cases in pieces, each in the order in which it is played.

    >>> import onebit
    >>> stream = onebit.streams.from_arrays([{"n": i} for i in range(5000)], [0, 1] * 2500, shuffle=False)
    >>> [len(window.X) for window in windows_to_play(stream, 0, None)]
    [4096, 904]
    """
    for window in stream.windows(seed, rounds):
        if not stream.cases:
            yield window
            continue
        for first in range(0, len(window.order), _CASES_AT_ONCE):
            order = window.order[first : first + _CASES_AT_ONCE]
            yield Window(window.X[order], window.y[order], np.arange(len(order)))


class Rollout:
    """One player on its way through a stream: the window it is in, the feedback under way, the counts."""

    def __init__(self, match: Match, player: Learner, seed: int) -> None:
        channel = match.channel
        self._match = match
        self._player = player
        self._session = player._session
        self._session.check_log(channel.kind)
        self._loop = match.loop_for(player)
        self._values = channel.values()
        self._delay = channel.delay_range()
        self._channel_rng = pack(bit_generator(seed, "channel"))
        self._ring = new_ring(self._delay.high, player.set_size, player.top_size)
        self._tally = new_tally(checkpoints())
        self._recorder = Recorder(self._session, channel.kind, match.stream.numbered)
        self._window: Window | None = None
        self._rows: Any = None
        self._y: Any = None
        self._world: Any = None
        self._at = 0  # how many rounds of the window have been played
        self._chunk = _SHORTEST_CHUNK
        self.t = 0
        """How many rounds have been played."""
        self.complete = True
        """Whether nobody has stopped it."""

    def take_up(self, window: Window, rows: Rows | None = None) -> None:
        """Go on to the next window; `rows` are its own, if they are at hand in the player's form."""
        if self._match.stream.cases:
            self._take_up_cases(window)
            return
        last = self._window
        if self._delay.high and last is not None and window.X is not last.X:
            window = _with_rows_under_way(window, last, self._ring, self.t)
            rows = None
        if last is None or window.X is not last.X:
            self._rows = rows_of(window, self._match.stream, self._player) if rows is None else rows
            self._player.check_rows(self._rows)
            if last is None:
                warn_of_scale(self._player, row_kind(self._match.stream), self._rows)
            self._y = self._match.class_numbers[window.y]
        self._window = window
        self._at = 0
        self._world = World(self._rows, self._y, window.order, self._values, self._delay, self._channel_rng)

    def _take_up_cases(self, window: Window) -> None:
        """The same for raw cases: the player reads them now, in order; behind rows whose feedback is under way."""
        rows: Rows = read_cases(self._player, list(window.X), MEET)
        self._player.check_rows(rows)
        y = self._match.class_numbers[window.y]
        order = window.order
        if self._delay.high and self._window is not None:
            old = _rows_under_way(self._ring, self.t)
            rows = joined_rows([rows_at(self._rows, old), rows])
            y = np.concatenate([self._y[old], y])
            order = order + len(old)
        self._rows = rows
        self._y = y
        self._window = window
        self._at = 0
        self._world = World(rows, y, order, self._values, self._delay, self._channel_rng)

    def play_until(
        self,
        end: int,
        on_chunk: Callable[[int], None] = lambda played: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Play the window on to its round `end`, chunk by chunk. False if it was told to stop."""
        player = self._player
        session = self._session
        lessons_left = False
        while self._at < end or lessons_left:
            if should_stop():
                self.complete = False
                return False

            # Make room for what this chunk may add: lessons to the record, rows to a state that grows.
            n = min(self._chunk, end - self._at)
            record = self._recorder.record()
            if session.capacity:
                session.make_room(player, n + self._ring.waiting.size)

            # Play it, and let the time that it took decide how long the next one is.
            started = perf_counter()
            played = session.call(
                self._loop, player.normalize, session.rng, session.worth, self._world, self._ring, self._tally,
                record, self._at, self.t, n,
            )  # fmt: skip
            self._chunk = _next_chunk(self._chunk, played, perf_counter() - started)
            self._at += played
            self.t += played

            # Tell those who listen.
            lessons_left = self._recorder.hand_over(record, self._rows)
            on_chunk(self.t)
        return True

    def finish(self, seconds: float) -> Trace:
        """Settle the player's own counts, and give the trace of so many seconds of the processor."""
        session = self._session
        tally = self._tally
        t = self.t
        if session.capacity:
            session.make_room(self._player, 1, trim=True)
        session.decisions += t
        session.updates += int(tally.counts[UPDATES])

        # The checkpoints that were reached, and the last round played, if it is none of them.
        reached = int(tally.reached[0])
        points = tally.grid[:reached]
        curve = tally.curve[:reached]
        if t and (not reached or points[-1] != t):
            points = np.append(points, t)
            curve = np.vstack([curve, tally.counts])
        mistakes, greedy_mistakes, updates = curve.T.copy()
        return Trace(points, mistakes, greedy_mistakes, updates, seconds, self.complete)


def rows_of(window: Window, stream: Stream, learner: Learner) -> Rows:
    """The rows of a window in the form in which the learner reads them, checked as those of `decide` are."""
    if stream.sound and window.X.dtype == learner.dtype:
        return sound_rows(window.X)
    rows = to_rows(window.X, stream.n_features, row_kind(stream), learner.dtype)
    check_finite(rows)
    return rows


def _with_rows_under_way(window: Window, last: Window, ring: Ring, t: int) -> Window:
    """The window, led by the rows of the last one whose feedback is still under way."""
    old = _rows_under_way(ring, t)
    stack = sp.vstack if sp.issparse(window.X) else np.vstack
    X = stack([last.X[old], window.X])
    return Window(
        sp.csr_array(X) if sp.issparse(X) else X,
        np.concatenate([last.y[old], window.y]),
        window.order + len(old),
    )


def _rows_under_way(ring: Ring, t: int) -> IntArray:
    """Which rows of the last window are those whose feedback is still under way; from now on they are the first."""
    waiting = ring.waiting
    used = np.arange(max(0, t - waiting.size), t) % waiting.size
    old: IntArray = waiting.row[used]
    waiting.row[used] = np.arange(len(used))
    return old


def _next_chunk(chunk: int, played: int, seconds: float) -> int:
    """As many rounds as fit in `CHUNK_SECONDS`, growing gently; a chunk cut short by its window says nothing."""
    if played < chunk:
        return chunk
    fitting = chunk * CHUNK_SECONDS / max(seconds, 1e-9)
    return int(np.clip(fitting, _SHORTEST_CHUNK, _FASTEST_GROWTH * chunk))
