"""Playing a learner against a stream: windows in, chunks through the fused loop, counts out."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from onebit.contract.layout import Layout, RowKind, to_rows
from onebit.contract.learner import Learner
from onebit.core.errors import ConfigError, DataError, FeedbackError
from onebit.core.seeds import bit_generator
from onebit.core.types import IntArray
from onebit.engine.loop import Ring, World, fused, new_record, new_ring, new_tally
from onebit.engine.recorder import Recorder
from onebit.feedback import Channel
from onebit.ops.random import pack
from onebit.ops.rows import Rows
from onebit.streams.base import Stream, Window

CHUNK_SECONDS = 0.1
"""How long compiled code runs before Python has its say: progress, Ctrl-C."""

_FIRST_CHUNK = 16


class Trace(NamedTuple):
    """What was counted: at each checkpoint, the rounds so far and the three running counts."""

    rounds: IntArray
    mistakes: IntArray
    greedy_mistakes: IntArray
    updates: IntArray
    seconds: float
    complete: bool


def checkpoints(limit: int = 10**15) -> IntArray:
    """The rounds at which the counts are recorded: ten per decade, log-spaced.

    >>> checkpoints(20)
    array([ 1,  2,  3,  4,  5,  6,  8, 10, 13, 16, 20])
    """
    steps = np.arange(int(10 * np.log10(limit)) + 1)
    return np.unique(np.round(10 ** (steps / 10)).astype(np.int64))


def check_pair(learner: Learner, stream: Stream, channel: Channel) -> IntArray:
    """The learner's number for each class of the stream, or an error if the three do not fit together."""
    if not learner.takes(channel.kind):
        needs, gives = ("the true label", "a bit") if learner.feedback == "label" else ("a bit", "the true label")
        instead = "Full()" if learner.feedback == "label" else "Bit() or NoisyBit(...)"
        raise FeedbackError(
            f"feedback={channel!r}: {type(learner).__name__} learns from {needs}, and this channel gives {gives}; "
            f"use {instead}"
        )
    if learner.n_features not in (None, stream.n_features):
        raise ConfigError(f"n_features={learner.n_features}: the stream {stream.name} has {stream.n_features} features")
    numbers = {label: k for k, label in enumerate(learner.classes)}
    unknown = [label for label in stream.classes if label not in numbers]
    if unknown:
        raise DataError(
            f"classes: the stream {stream.name} has the label {unknown[0]!r}, which the learner does not know; "
            f"its classes are {list(learner.classes)[:10]}"
        )
    return np.array([numbers[label] for label in stream.classes], dtype=np.int64)


def prepare(learner: Learner, stream: Stream, seed: int) -> Learner:
    """A fresh clone for one seed, its state made."""
    player = learner.clone(seed=seed)
    player.begin(Layout(len(player.classes), stream.n_features, _kind(stream), player.dtype))
    return player


def play(
    learner: Learner,
    stream: Stream,
    channel: Channel,
    seed: int,
    rounds: int | None = None,
    on_chunk: Callable[[int], None] = lambda played: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Trace:
    """Play a prepared learner for `rounds` rounds (None: one pass). Changes the learner.

    `on_chunk` hears after each chunk how many rounds have been played; when `should_stop` says so, the
    play ends there and the trace is marked as not complete.
    """
    game = Game(learner, stream, channel, seed)
    began = perf_counter()
    for window in stream.windows(seed, rounds):
        game.deal(window)
        if not game.advance(len(window.order), on_chunk, should_stop):
            break
    return game.end(perf_counter() - began)


class Game:
    """One prepared learner at play: the window it was dealt, the feedback under way, the counts."""

    def __init__(self, learner: Learner, stream: Stream, channel: Channel, seed: int) -> None:
        self._numbers = check_pair(learner, stream, channel)
        self._learner = learner
        self._stream = stream
        self._run = learner._run
        self._values = channel.values()
        self._run.check_log(channel.kind)
        self._rng = pack(bit_generator(seed, "channel"))
        self._ring = new_ring(self._values.delay_high, learner.set_size, learner.top_size)
        self._tally = new_tally(checkpoints())
        self._loop = fused(learner.functions, channel.kind)
        self._recorder = Recorder(self._run, channel.kind, stream.numbered)
        self._window: Window | None = None
        self._rows: Any = None
        self._y: Any = None
        self._world: Any = None
        self._at = 0
        self._chunk = _FIRST_CHUNK
        self.t = 0
        self.complete = True

    def deal(self, window: Window, rows: Rows | None = None) -> None:
        """Take up the next window; `rows` are its own, if they are at hand in the learner's form."""
        last = self._window
        if self._values.delay_high and last is not None and window.X is not last.X:
            window = _carry(window, last, self._ring, self.t)
            rows = None
        if last is None or window.X is not last.X:
            self._rows = rows_of(window, self._stream, self._learner) if rows is None else rows
            self._learner.check_rows(self._rows)
            self._y = self._numbers[window.y]
        self._window = window
        self._at = 0
        self._world = World(self._rows, self._y, window.order, self._values, self._rng)

    def advance(
        self,
        end: int,
        on_chunk: Callable[[int], None] = lambda played: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Play the window on to its round `end`, chunk by chunk. False if it was told to stop."""
        learner = self._learner
        run = self._run
        stopped = False
        while self._at < end or stopped:
            if should_stop():
                self.complete = False
                return False
            n = min(self._chunk, end - self._at)
            record = self._recorder.record()
            if run.capacity:
                run.make_room(learner, n + self._ring.waiting.size)
            started = perf_counter()
            played = run.call(
                self._loop, learner.normalize, run.rng, run.worth, self._world, self._ring, self._tally,
                record, self._at, self.t, n,
            )  # fmt: skip
            self._chunk = _next_chunk(self._chunk, played, perf_counter() - started)
            self._at = self._at + played
            self.t = self.t + played
            stopped = self._recorder.hand_over(record, self._rows)
            on_chunk(self.t)
        return True

    def end(self, seconds: float) -> Trace:
        """What was counted."""
        run = self._run
        tally = self._tally
        t = self.t
        if run.capacity:
            run.make_room(self._learner, 1, trim=True)
        run.decisions += t
        run.updates += int(tally.counts[2])
        reached = int(tally.reached[0])
        points = tally.grid[:reached]
        curve = tally.curve[:reached]
        if t and (not reached or points[-1] != t):
            points = np.append(points, t)
            curve = np.vstack([curve, tally.counts])
        mistakes, greedy_mistakes, updates = curve.T.copy()
        return Trace(points, mistakes, greedy_mistakes, updates, seconds, self.complete)


def rows_of(window: Window, stream: Stream, learner: Learner) -> Rows:
    """The rows of a window in the form in which the learner reads them."""
    return to_rows(window.X, stream.n_features, _kind(stream), learner.dtype)


def compile_loop(learner: Learner, stream: Stream, channel: Channel) -> None:
    """Compile the loop for this learner and this kind of rows, or fetch it from the cache; plays nothing."""
    player = prepare(learner, stream, seed=0)
    run = player._run
    values = channel.values()
    X: Any = sp.csr_array((1, stream.n_features)) if stream.sparse else np.zeros((1, stream.n_features))
    rows = to_rows(X, stream.n_features, _kind(stream), player.dtype)
    world = World(rows, np.zeros(1, np.int64), np.zeros(1, np.int64), values, run.rng.copy())
    ring = new_ring(values.delay_high, player.set_size, player.top_size)
    tally = new_tally(checkpoints())
    record = new_record(0, run.width)
    loop = fused(player.functions, channel.kind)
    run.call(loop, player.normalize, run.rng, run.worth, world, ring, tally, record, 0, 0, 0)


def _kind(stream: Stream) -> RowKind:
    return "sparse" if stream.sparse else "dense"


def _carry(window: Window, last: Window, ring: Ring, t: int) -> Window:
    """The window, joined by the rows of the last one whose feedback is still under way."""
    waiting = ring.waiting
    used = np.arange(max(0, t - waiting.size), t) % waiting.size
    old = waiting.row[used]
    waiting.row[used] = np.arange(len(used))
    stack = sp.vstack if sp.issparse(window.X) else np.vstack
    X = stack([last.X[old], window.X])
    return Window(
        sp.csr_array(X) if sp.issparse(X) else X,
        np.concatenate([last.y[old], window.y]),
        window.order + len(used),
    )


def _next_chunk(chunk: int, played: int, seconds: float) -> int:
    """As many rounds as fit in `CHUNK_SECONDS`, growing gently; a chunk cut short by its window says nothing."""
    if played < chunk:
        return chunk
    return int(np.clip(chunk * CHUNK_SECONDS / max(seconds, 1e-9), _FIRST_CHUNK, 8 * chunk))
