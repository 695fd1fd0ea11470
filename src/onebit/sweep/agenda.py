"""The agenda of a sweep while it is played: which cells are done, which are due, which configurations lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from onebit.sweep.cells import Cell
from onebit.sweep.manifest import PlannedEntry
from onebit.sweep.outcomes import CellOutcome
from onebit.sweep.plan import Select
from onebit.sweep.progress.state import SweepState
from onebit.sweep.store import Store


class Agenda:
    """What is done of a plan, and what is due. Cells that the store has already need not be played.

    An entry with something to choose is open until all its tune cells are done or have failed; then the report cells
    of its best configuration are due.
    """

    def __init__(self, planned: Sequence[PlannedEntry], select: Select, store: Store) -> None:
        self._planned = planned
        self._select = select
        self._store = store
        self._there = store.keys()
        self._errors: dict[str, float] = {}
        self._failed: set[str] = set()
        self._wanted: set[str] = set()
        self._scores: dict[tuple[int, int], list[float]] = {}
        self._place: dict[str, list[tuple[int, int]]] = {}
        self._new: list[Cell] = []
        self._open: dict[int, set[str]] = {}
        self._rounds_done = 0
        self._rounds_left = 0
        self._endless = any(cell.rounds is None for one in planned for cell in one.candidates[0].report.values())
        self.reused = 0
        for at, one in enumerate(planned):
            for place, candidate in enumerate(one.candidates):
                cells = candidate.tune if one.tunes else candidate.report
                self._want(cells.values(), (at, place))
            if one.tunes:
                keys = {cell.key for candidate in one.candidates for cell in candidate.tune.values()}
                self._open[at] = keys - set(self._errors)
        self._close_entries()

    @property
    def done(self) -> int:
        """How many cells are done."""
        return len(self._errors)

    @property
    def total(self) -> int:
        """How many there will be when the best configurations have been chosen."""
        return len(self._wanted) + sum(len(self._reports(at)) for at in self._open)

    @property
    def rounds_total(self) -> int | None:
        """How many rounds this run has to play, if all streams know their length."""
        later = [cell.rounds for at in self._open for cell in self._reports(at)]
        if self._endless or None in later:
            return None
        return self._rounds_done + self._rounds_left + sum(rounds or 0 for rounds in later)

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return not self._new and not self._open and len(self._errors) == len(self._wanted)

    def due(self) -> list[Cell]:
        """The cells that have become due since it was last asked."""
        self._close_entries()
        new = self._new
        self._new = []
        return new

    def keep(self, cell: Cell, outcome: CellOutcome) -> None:
        """A cell has been played."""
        self._rounds_done += int(outcome.rounds[-1])
        self._rounds_left -= cell.rounds or 0
        wrong = outcome.mistakes if self._select == "error" else outcome.greedy_mistakes
        self._know(cell.key, float(wrong[-1] / outcome.rounds[-1]))

    def give_up(self, cell: Cell) -> None:
        """A cell cannot be played."""
        self._failed.add(cell.key)
        self._rounds_left -= cell.rounds or 0
        for left in self._open.values():
            left.discard(cell.key)

    def state(self, running: int) -> SweepState:
        """Where it stands, for those who watch."""
        return SweepState(
            cells_done=self.done,
            cells_total=self.total,
            cells_reused=self.reused,
            rounds_done=self._rounds_done,
            rounds_total=self.rounds_total,
            failed=len(self._failed),
            running=running,
            best=self._leaders(),
        )

    def _want(self, cells: Iterable[Cell], place: tuple[int, int]) -> None:
        """Count on cells: those that are there are known, the others are due."""
        for cell in cells:
            self._place.setdefault(cell.key, []).append(place)
            known = self._errors.get(cell.key)
            if cell.key in self._wanted:
                if known is not None:
                    self._scores.setdefault(place, []).append(known)
                continue
            self._wanted.add(cell.key)
            table = self._store.read(cell.key) if cell.key in self._there else None
            if table is None:
                self._new.append(cell)
                self._rounds_left += cell.rounds or 0
            else:
                self.reused += 1
                self._know(cell.key, table[self._select][-1].as_py())

    def _know(self, key: str, error: float) -> None:
        self._errors[key] = error
        for place in self._place[key]:
            self._scores.setdefault(place, []).append(error)
        for left in self._open.values():
            left.discard(key)

    def _close_entries(self) -> None:
        """Choose the best where the choice can be made, and want its report cells."""
        for at in [at for at, left in self._open.items() if not left]:
            del self._open[at]
            one = self._planned[at]
            scores = [[self._errors.get(cell.key) for cell in c.tune.values()] for c in one.candidates]
            best = best_place(scores)
            if best is not None:
                self._want(one.candidates[best].report.values(), (at, -1))

    def _reports(self, at: int) -> list[Cell]:
        return list(self._planned[at].candidates[0].report.values())

    def _leaders(self) -> tuple[tuple[str, float], ...]:
        """For each stream and channel, the configuration with the lowest error so far."""
        leaders: dict[tuple[str, str], tuple[str, float]] = {}
        for (at, place), errors in self._scores.items():
            if place < 0:
                continue
            arm, stream, channel = self._planned[at].entry.label
            setting = self._planned[at].candidates[place].setting
            mean = float(np.mean(errors))
            if (stream, channel) not in leaders or mean < leaders[stream, channel][1]:
                leaders[stream, channel] = (f"{arm} {setting}".rstrip() + f" on {stream}, {channel}", mean)
        return tuple(leaders.values())


def best_place(scores: Sequence[Sequence[float | None]]) -> int | None:
    """The configuration with the lowest mean, the first of equals, among those with all their scores.

    >>> best_place([[0.2, 0.4], [0.1, None], [0.3, 0.2]])
    2
    """
    means = [np.inf if None in each or not each else float(np.mean([*each])) for each in scores]
    return int(np.argmin(means)) if means and min(means) < np.inf else None
