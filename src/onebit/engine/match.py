"""A learner and a stream brought together: what the one reads is what the other gives."""

from __future__ import annotations

from typing import Any

from onebit.contract.learner import Learner
from onebit.core.errors import ConfigError
from onebit.core.types import Progress
from onebit.streams.base import Stream
from onebit.streams.graph import GraphStream


def paired(learner: Learner, stream: Stream, progress: Progress | None = None) -> tuple[Learner, Stream]:
    """The learner and the stream as they play together.

    A learner that walks a graph takes it from the stream, and reads nodes; any other reads the rows of a graph's
    stream, which are computed here if they are not at hand, before anybody plays.

    >>> import onebit
    >>> stream = onebit.streams.planted_graph(50, classes=2, d=5)
    >>> learner, nodes = paired(onebit.PageRankUCB(stream.classes), stream)
    >>> learner.graph == stream.graph, nodes.n_features == len(stream.graph)
    (True, True)
    """
    walker: Any = learner
    if not isinstance(stream, GraphStream):
        if learner.walks_graph and walker.graph is None:
            raise ConfigError(
                f"stream={stream.name!r}: {type(learner).__name__} walks a graph, and this stream has none; play it on "
                "one from `from_graph`, or give the learner graph=... and rows that are nodes"
            )
        return learner, stream
    if not learner.walks_graph:
        stream.ready(progress)
        return learner, stream
    if walker.graph is None:
        return learner.clone(graph=stream.graph), stream.by_node()
    if walker.graph != stream.graph:
        raise ConfigError(
            f"graph={walker.graph!r}: the stream {stream.name} is about another, {stream.graph!r}; leave graph out"
        )
    return learner, stream.by_node()
