"""A match: a learner, a stream and a channel that fit together, and the compiled loop in which they play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.contract.among import why_not
from onebit.contract.layout import Layout, RowKind, to_rows
from onebit.contract.learner import Learner
from onebit.contract.raw_cases import begin_cases, encoder_of, no_cases
from onebit.core.aliases import IntArray
from onebit.core.checks import check_number
from onebit.core.errors import ConfigError, DataError, FeedbackError
from onebit.engine.loop import World, fused, new_record, new_ring, new_tally
from onebit.features.cases.settings import Cases
from onebit.feedback import Channel, usual_channel
from onebit.streams.base import Stream
from onebit.streams.graph import GraphStream
from onebit.streams.tables.stream import TableStream


@dataclass(eq=False)
class Match:
    """A learner, the stream whose rows it reads, and the channel that answers. Clones of the learner play.

    `Match.of` brings the three together and checks that they fit, once for all seeds. `Match` itself checks nothing:
    it is for parts that come from such a match.

    >>> import onebit
    >>> match = Match.of(onebit.Banditron(9), onebit.streams.synsep(1000), onebit.Bit())
    >>> match.player(seed=3)
    Banditron(9, seed=3)
    """

    learner: Learner
    stream: Stream
    channel: Channel
    closed: float = 0.0  # the share of labels that cannot be played in a round
    _compiled: bool = field(default=False, init=False, repr=False)

    @classmethod
    def of(cls, learner: Learner, stream: Stream, channel: Channel, closed: float = 0.0) -> Match:
        """The three as they play together, or an error that says why they do not.

        A learner that walks a graph takes it from the stream, and reads nodes; any other reads the stream's rows.

        >>> import onebit
        >>> stream = onebit.streams.planted_graph(50, classes=2, d=5)
        >>> match = Match.of(onebit.PageRankUCB(stream.classes), stream, onebit.Bit())
        >>> match.learner.graph == stream.graph, match.stream.n_features == len(stream.graph)
        (True, True)
        """
        match = cls(*_paired(learner, stream), channel, closed)
        match.check()
        return match

    def check(self) -> None:
        """An error where the three do not fit together."""
        learner = self.learner
        stream = self.stream
        if not learner.takes(self.channel.kind):
            needs, gives = ("the true label", "a bit") if learner.feedback == "label" else ("a bit", "the true label")
            raise FeedbackError(
                f"feedback={self.channel!r}: {type(learner).__name__} learns from {needs}, and this channel gives "
                f"{gives}; use one such as {usual_channel(learner.feedback)!r}"
            )
        if stream.cases:
            self._check_cases()
        elif isinstance(learner.cases, Cases):
            raise ConfigError(
                f"cases={learner.cases!r}: the stream {stream.name} has rows of numbers, which a learner of raw cases "
                "does not read; leave cases out, or open the table with cases=True"
            )
        check_number("closed", self.closed, 0, 1, open_high=True)
        if self.closed and (why := why_not(learner)):
            raise ConfigError(
                f"closed={self.closed}: {type(learner).__name__} cannot decide among some of its labels: {why}"
            )
        if not stream.cases and learner.n_features not in (None, stream.n_features):
            raise ConfigError(
                f"n_features={learner.n_features}: the stream {stream.name} has {stream.n_features} features"
            )
        known = set(learner.classes)
        unknown = [label for label in stream.classes if label not in known]
        if unknown:
            raise DataError(
                f"classes: the stream {stream.name} has the label {unknown[0]!r}, which the learner does not know; "
                f"its classes are {list(learner.classes)[:10]}"
            )

    def _check_cases(self) -> None:
        """An error where the learner does not read raw cases."""
        learner = self.learner
        if learner.cases is None:
            raise ConfigError(
                f"cases=None: the stream {self.stream.name} has raw cases, which this learner would hash; leave cases "
                "out, or open the stream with hash_features=2**18"
            )
        if learner.walks_graph:
            raise ConfigError(f"stream={self.stream.name!r}: has raw cases, and {no_cases(learner)}")
        stream = self.stream
        if not isinstance(stream, TableStream) or not isinstance(learner.cases, Cases):
            return
        declared = learner.cases.by_name()
        if (unknown := stream.first_unknown(declared)) is not None:
            raise DataError(
                f"cases: {unknown!r} is declared as {declared[unknown]}, and {stream.name} has no such column; name "
                f"one of {stream.shown_names()}"
            )

    @cached_property
    def class_numbers(self) -> IntArray:
        """The learner's number for each class of the stream."""
        numbers = {label: k for k, label in enumerate(self.learner.classes)}
        return np.array([numbers[label] for label in self.stream.classes], dtype=np.int64)

    def loop_for(self, player: Learner) -> Callable[..., int]:
        """The fused loop for a player that has begun, and this way to answer."""
        return fused(player.compiled_for(player._session.state), self.channel.kind, self.channel.answer)

    def player(self, seed: int) -> Learner:
        """A fresh clone for one seed, its state made."""
        return prepare(self.learner, self.stream, seed)

    def compile(self) -> None:
        """Compile the loop for this kind of rows, or fetch it from the cache, once; plays nothing.

        Where labels are closed there is none: such a match is played by `engine.reference`.
        """
        if self._compiled or self.closed:
            return
        stream = self.stream
        player = self.player(seed=0)
        session = player._session
        delay = self.channel.delay_range()
        layout = session.layout
        assert layout is not None
        X: Any = sp.csr_array((1, layout.n_features)) if stream.sparse else np.zeros((1, layout.n_features))
        rows = to_rows(X, layout.n_features, layout.kind, player.dtype)
        nothing = np.zeros(1, np.int64)
        world = World(rows, nothing, nothing, self.channel.values(), delay, session.rng.copy())
        ring = new_ring(delay.high, player.set_size, player.top_size)
        tally = new_tally(np.ones(1, np.int64))
        record = new_record(0, session.width)
        loop = self.loop_for(player)
        session.call(loop, player.normalize, session.rng, session.worth, world, ring, tally, record, 0, 0, 0)
        self._compiled = True


def prepare(learner: Learner, stream: Stream, seed: int) -> Learner:
    """A fresh clone for one seed, its state made for the rows of the stream."""
    player = learner.clone(seed=seed)
    if stream.cases:
        begin_cases(player, encoder_of(player))
        return player
    player.begin(Layout(len(player.classes), stream.n_features, row_kind(stream), player.dtype))
    return player


def row_kind(stream: Stream) -> RowKind:
    """The kind of rows that a stream gives."""
    return "sparse" if stream.sparse else "dense"


def _paired(learner: Learner, stream: Stream) -> tuple[Learner, Stream]:
    """The learner and the stream such that what the one reads is what the other gives."""
    walker: Any = learner
    if not isinstance(stream, GraphStream):
        if learner.walks_graph and walker.graph is None:
            raise ConfigError(
                f"stream={stream.name!r}: {type(learner).__name__} walks a graph, and this stream has none; play it on "
                "one from `from_graph`, or give the learner graph=... and rows that are nodes"
            )
        return learner, stream
    if not learner.walks_graph:
        return learner, stream
    if walker.graph is None:
        return learner.clone(graph=stream.graph), stream.by_node()
    if walker.graph != stream.graph:
        raise ConfigError(
            f"graph={walker.graph!r}: the stream {stream.name} is about another, {stream.graph!r}; leave graph out"
        )
    return learner, stream.by_node()
