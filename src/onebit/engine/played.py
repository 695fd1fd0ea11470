"""Played: who met whom, with which seeds, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onebit.contract.learner import Learner
from onebit.engine.play import Trace
from onebit.feedback import Channel
from onebit.streams.base import Stream


@dataclass(frozen=True, eq=False, repr=False)
class Played:
    """A learner against a stream under a channel, once per seed. `onebit.Result` is one that can sum itself up.

    `learner` is the pattern; `stream` the stream's description; `traces` the counts of each seed; `learners` the
    trained clones; `settings` all that decided it, ready for JSON; `complete` False if it was interrupted; `source` the
    stream itself, where it is at hand.

    >>> import onebit
    >>> isinstance(onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(50)), Played)
    True
    """

    learner: Learner
    stream: dict[str, Any]
    channel: Channel
    seeds: tuple[int, ...]
    traces: tuple[Trace, ...]
    learners: tuple[Learner, ...]
    settings: dict[str, Any]
    complete: bool
    source: Stream | None = None
