"""What is measured of a play, and how: mistakes, CPU seconds, memory."""

from __future__ import annotations

import ctypes
import gc
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from benchmarks.peers.rows import Game
from onebit.core.aliases import IntArray
from onebit.engine.play import checkpoints

Setting = dict[str, Any]

CHUNK = 1000
"""So many rows are brought into the form that a peer reads while the clock stands still."""


class Played(NamedTuple):
    """A play: rounds played (fewer than asked for if it was stopped), mistakes, CPU seconds, MB above the rows.

    `curve` holds the mistakes at the checkpoints of `simulate`, where they are known; `reading`, for a peer that reads
    its rows from a file, the part of the seconds that this took.
    """

    rounds: int
    mistakes: int
    seconds: float
    memory: float
    curve: dict[int, int]
    reading: float = 0.0


class Player(Protocol):
    """A peer that is taught from Python, batch by batch."""

    batch: int

    def take(self, X: Any) -> Any:
        """Rows in the form that the peer reads; a slice of them must be such rows again."""

    def decide(self, rows: Any) -> IntArray:
        """The label played for each row, exploration and all."""

    def learn(self, rows: Any, labels: IntArray, hits: Any) -> None:
        """The bits."""


class Meter:
    """CPU seconds of all threads while it runs, and by how much the memory in use rose at most since it was made."""

    def __init__(self) -> None:
        self.seconds, self._began = 0.0, 0.0
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
        self._before = _status("VmRSS")

    def __enter__(self) -> Meter:
        self._began = time.process_time()
        return self

    def __exit__(self, *failure: object) -> None:
        self.seconds += time.process_time() - self._began

    @property
    def memory(self) -> float:
        """In MB."""
        return max(0.0, _status("VmHWM") - self._before)


def _status(key: str) -> float:
    found = re.search(rf"{key}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def play_batches(make: Callable[[], Player], game: Game, limit: float) -> Played:
    """Play a game batch by batch, up to so many CPU seconds."""
    meter, wrong = Meter(), np.zeros(game.rounds, dtype=bool)
    with meter:
        player = make()
    t, size = 0, max(CHUNK // player.batch, 1) * player.batch
    for X, y in game.batches(size):
        rows = player.take(X)
        for start in range(0, len(y), player.batch):
            part = slice(start, start + player.batch)
            with meter:
                labels = player.decide(rows[part])
                hits = labels == y[part]
                player.learn(rows[part], labels, hits)
            wrong[t : t + len(hits)] = ~hits
            t += len(hits)
            if meter.seconds > limit:
                return _played(wrong[:t], meter)
    return _played(wrong, meter)


def _played(wrong: Any, meter: Meter) -> Played:
    mistakes, t = np.cumsum(wrong), len(wrong)
    curve = {int(n): int(mistakes[n - 1]) for n in checkpoints(10 * t) if n <= t}
    return Played(t, int(mistakes[-1]), meter.seconds, meter.memory, curve)
