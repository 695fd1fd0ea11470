"""Tasks: what travels to a worker, what it does there, and what it sends back.

The cells of a task share a stream, a channel and a seed, and are played side by side.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from onebit.contract.idle_columns import idle_columns
from onebit.contract.learner import Learner
from onebit.contract.states import arrays
from onebit.core.files import explained_output
from onebit.engine.group import play_group
from onebit.engine.match import Match, prepare
from onebit.engine.play import Trace, play_seed
from onebit.feedback import Channel
from onebit.streams.base import Stream
from onebit.sweep.outcomes import CellOutcome

_KEPT_STREAMS = 4  # unpacked, in a worker's memory
_LARGE_STREAM = 2**20  # bytes; a larger one travels by file
_SMALL_STATE = 2**22  # bytes; larger ones leave no room in the caches to share
_streams: OrderedDict[str, Stream] = OrderedDict()


class Parcel(NamedTuple):
    """A stream as it travels: pickled, or the name of a file that holds the pickle; and a hash of it.

    >>> import onebit
    >>> opened(Parcel.of(onebit.streams.load("iris"))).name
    'iris'
    """

    key: str
    content: bytes | str

    @classmethod
    def of(cls, stream: Stream, folder: Path | None = None) -> Parcel:
        """A stream, packed; a large one in a file, if there is a folder for it that the workers can read."""
        packed = pickle.dumps(stream)
        key = hashlib.sha256(packed).hexdigest()
        if folder is None or len(packed) < _LARGE_STREAM:
            return cls(key, packed)
        path = folder / key
        with explained_output(path):
            path.write_bytes(packed)
        return cls(key, str(path))


class Task(NamedTuple):
    """Learners that play the same rows, each as its class and its parameters."""

    learners: tuple[tuple[type[Learner], Mapping[str, Any]], ...]
    stream: Parcel
    channel: Channel
    rounds: int | None
    seed: int


class TaskOutcome(NamedTuple):
    """What came of a task, cell by cell, and when which process was at it.

    The clock is `time.monotonic`, the same for all processes of a machine.
    """

    cells: tuple[CellOutcome, ...]
    began: float
    ended: float
    process: int
    idle: tuple[str, ...] = ()  # columns of raw cases that cannot teach


def play_task(task: Task) -> TaskOutcome:
    """Play the cells of a task; ends early, with nothing, when the process that asked for them is gone.

    >>> import onebit
    >>> stream = onebit.streams.synsep(1000)
    >>> learners = ((onebit.Banditron, {"classes": 9}), (onebit.BanditPA, {"classes": 9}))
    >>> outcome = play_task(Task(learners, Parcel.of(stream), onebit.Bit(), 1000, seed=0))
    >>> [int(cell.rounds[-1]) for cell in outcome.cells]
    [1000, 1000]
    """
    began = monotonic()
    stream = opened(task.stream)
    parent = os.getppid()
    players = [prepare(cls(**parameters), stream, task.seed) for cls, parameters in task.learners]
    sizes = [sum(array.nbytes for _, array in arrays(player._session.state)) for player in players]
    small = [player for player, size in zip(players, sizes, strict=True) if size <= _SMALL_STATE]
    together = small if len(small) > 1 else []

    def abandoned() -> bool:
        return os.getppid() != parent

    traces: dict[int, Trace] = {}
    if together:
        found = play_group(together, stream, task.channel, task.seed, task.rounds, should_stop=abandoned)
        traces = {id(player): trace for player, trace in zip(together, found, strict=True)}
    for player in players:
        if id(player) not in traces:
            match = Match(player, stream, task.channel)
            traces[id(player)] = play_seed(match, player, task.seed, task.rounds, should_stop=abandoned)
    if not all(trace.complete for trace in traces.values()):
        raise SystemExit("the process that asked for these cells is gone")
    cells = []
    for player in players:
        trace = traces[id(player)]
        rates = player.noise_rates
        counts = trace.rounds, trace.mistakes, trace.greedy_mistakes, trace.updates
        cells.append(CellOutcome(*counts, float(rates.rho_0), float(rates.rho_1), trace.seconds))
    return TaskOutcome(tuple(cells), began, monotonic(), os.getpid(), tuple(idle_columns(players)))


def compile_task(task: Task) -> None:
    """Compile what the first learner of a task needs, or fetch it from the cache; plays nothing."""
    cls, parameters = task.learners[0]
    Match(cls(**parameters), opened(task.stream), task.channel).compile()


def opened(parcel: Parcel) -> Stream:
    """The stream, unpacked once per process as long as it is among the last few."""
    if parcel.key not in _streams:
        packed = parcel.content if isinstance(parcel.content, bytes) else Path(parcel.content).read_bytes()
        _streams[parcel.key] = pickle.loads(packed)
        if len(_streams) > _KEPT_STREAMS:
            _streams.popitem(last=False)
    _streams.move_to_end(parcel.key)
    return _streams[parcel.key]
