"""What came of playing: of one cell, and of all seeds of one configuration, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.readable_numbers import spread

if TYPE_CHECKING:
    import pyarrow


METRICS = ("error", "greedy_error")
"""The two errors that are kept: of what was played, and of what was believed best."""


class CellOutcome(NamedTuple):
    """What came of a cell: counts at each checkpoint, the flip rates believed in at the end, and the time."""

    rounds: IntArray
    mistakes: IntArray
    greedy_mistakes: IntArray
    updates: IntArray
    rho_0: float
    rho_1: float
    seconds: float


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What came of one configuration: counts at checkpoints (log-spaced rounds), for each seed that has been played.

    `mistakes`, `greedy_mistakes` and `updates` have one row per seed and one column per checkpoint; `rates` holds the
    flip rates that each learner believed in at the end.

    >>> outcomes = Outcomes.empty()
    >>> len(outcomes), outcomes.curve
    (0, array([], dtype=float64))
    """

    seeds: tuple[int, ...]
    rounds: IntArray
    mistakes: IntArray
    greedy_mistakes: IntArray
    updates: IntArray
    seconds: FloatArray
    rates: FloatArray

    @classmethod
    def empty(cls) -> Outcomes:
        """Nothing played yet."""
        counts = np.zeros((0, 0), dtype=np.int64)
        return cls((), np.zeros(0, dtype=np.int64), counts, counts, counts, np.zeros(0), np.zeros((0, 2)))

    @classmethod
    def of(cls, seeds: Sequence[int], tables: Sequence[pyarrow.Table]) -> Outcomes:
        """From the tables of cells, one per seed."""
        if not tables:
            return cls.empty()

        def column(name: str, table: Any) -> Any:
            return table[name].to_numpy()

        shared = column("rounds", tables[0])
        for table in tables[1:]:
            shared = np.intersect1d(shared, column("rounds", table))
        if not len(shared):
            return cls.empty()
        kept = [np.isin(column("rounds", table), shared) for table in tables]

        def counts(name: str) -> IntArray:
            return np.array([column(name, table)[at] for table, at in zip(tables, kept, strict=True)])

        last = [(t["rho_0"][-1].as_py(), t["rho_1"][-1].as_py()) for t in tables]
        seconds = np.array([table["seconds"][-1].as_py() for table in tables])
        found = counts("mistakes"), counts("greedy_mistakes"), counts("updates")
        return cls(tuple(seeds), shared, *found, seconds, np.array(last))

    def __len__(self) -> int:
        return len(self.seeds)

    @cached_property
    def errors(self) -> FloatArray:
        """The played error of each seed at the end."""
        return self._rates_of(self.mistakes)[:, -1] if len(self) else np.zeros(0)

    @cached_property
    def greedy_errors(self) -> FloatArray:
        """The greedy error of each seed at the end."""
        return self._rates_of(self.greedy_mistakes)[:, -1] if len(self) else np.zeros(0)

    @cached_property
    def curve(self) -> FloatArray:
        """The played error at each checkpoint, the mean over seeds."""
        return self._rates_of(self.mistakes).mean(axis=0) if len(self) else np.zeros(0)

    @cached_property
    def greedy_curve(self) -> FloatArray:
        """The greedy error at each checkpoint, the mean over seeds."""
        return self._rates_of(self.greedy_mistakes).mean(axis=0) if len(self) else np.zeros(0)

    def of_metric(self, metric: str) -> FloatArray:
        """The errors by their name, "error" or "greedy_error"."""
        return self.greedy_errors if metric == "greedy_error" else self.errors

    def text(self, metric: str = "error") -> str:
        """Mean ± standard deviation over seeds, in percent; a dash where nothing was played."""
        return spread(self.of_metric(metric).tolist()) if len(self) else "–"

    @property
    def nanoseconds(self) -> float:
        """The time of one round, over all seeds."""
        return 1e9 * float(self.seconds.sum()) / (len(self) * int(self.rounds[-1])) if len(self) else float("nan")

    def _rates_of(self, counts: IntArray) -> FloatArray:
        return counts / self.rounds
