"""Cells: one learner with its hyper-parameters, one stream, one channel, one seed; named by the hash of all that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from onebit.contract.learner import Learner
from onebit.feedback import Channel
from onebit.simulate.settings import run_settings
from onebit.streams.base import Stream


class Cell(NamedTuple):
    """The smallest piece of a sweep, and everything that decides what comes of it."""

    key: str
    settings: Mapping[str, Any]
    learner: Learner
    stream: Stream
    channel: Channel
    rounds: int | None
    seed: int


def make_cell(
    learner: Learner, stream: Stream, identity: Mapping[str, Any], channel: Channel, rounds: int | None, seed: int
) -> Cell:
    """The cell of these parts; `identity` is the stream's.

    >>> import onebit
    >>> stream = onebit.streams.synsep(100)
    >>> cells = [make_cell(onebit.Banditron(9), stream, stream.identity(), onebit.Bit(), 100, s) for s in (0, 0, 1)]
    >>> cells[0].key == cells[1].key, cells[0].key == cells[2].key, len(cells[0].key)
    (True, False, 20)
    """
    length = stream.rounds if rounds is None else rounds
    settings = run_settings(learner, identity, channel, length, [seed])
    return Cell(key_of(settings), settings, learner, stream, channel, length, seed)


def key_of(settings: Mapping[str, Any]) -> str:
    """A name for settings: the start of the hash of their JSON, whose keys are sorted.

    >>> key_of({"a": 1, "b": 2.5}) == key_of({"b": 2.5, "a": 1})
    True
    """
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:20]
