"""Cells that wait to be played, handed out in groups that share their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from onebit.streams.base import Stream
from onebit.sweep.cells import Cell
from onebit.sweep.run.tasks import Parcel, Task

MOST_CELLS = 16
MOST_ROUNDS = 5_000_000
"""The size of a group, and its rounds together: a killed worker costs no more than that."""


class CellQueue:
    """Cells in groups of one stream, channel, length and seed. `slots` is how many groups are played at a time;
    `folder` is for large streams on their way to workers of this machine.

    Groups grow smaller towards the end, so that all workers end at about the same time.

    >>> import onebit
    >>> from onebit.sweep.cells import make_cell
    >>> stream = onebit.streams.synsep(100)
    >>> cells = [
    ...     make_cell(onebit.Banditron(9, gamma=g / 10), stream, {}, onebit.Bit(), None, 0) for g in range(8)
    ... ]
    >>> queue = CellQueue(slots=2)
    >>> queue.add(cells)
    >>> [len(queue.take()) for _ in range(5)]
    [2, 1, 1, 1, 1]
    """

    def __init__(self, slots: int, folder: Path | None = None) -> None:
        self._slots = slots
        self._folder = folder
        self._groups: dict[Any, list[Cell]] = {}
        self._alone: list[Cell] = []
        self._seen: set[str] = set()
        self._packed: dict[int, tuple[Stream, Parcel]] = {}

    def __len__(self) -> int:
        return len(self._alone) + sum(map(len, self._groups.values()))

    def cells(self) -> Iterator[Cell]:
        """All that wait."""
        return chain(self._alone, *self._groups.values())

    def add(self, cells: Iterable[Cell]) -> None:
        """Let cells wait, each once however often it is added."""
        for cell in cells:
            if cell.key not in self._seen:
                self._seen.add(cell.key)
                group = id(cell.stream), cell.channel, cell.rounds, cell.seed
                self._groups.setdefault(group, []).append(cell)

    def again(self, cell: Cell) -> None:
        """Let a cell be played once more, by itself."""
        self._alone.append(cell)

    def take(self) -> list[Cell]:
        """The next group, which waits no longer."""
        if not self._groups:
            return [self._alone.pop(0)]
        key, group = next(iter(self._groups.items()))
        most = min(MOST_CELLS, MOST_ROUNDS // (group[0].rounds or MOST_ROUNDS))
        share = max(1, min(most, len(self) // (2 * self._slots)))
        taken = group[:share]
        rest = group[share:]
        if rest:
            self._groups[key] = rest
        else:
            del self._groups[key]
        return taken

    def task(self, cells: Sequence[Cell]) -> Task:
        """The group as a worker takes it. A stream is packed once."""
        first = cells[0]
        stream = first.stream
        if id(stream) not in self._packed:
            self._packed[id(stream)] = stream, Parcel.of(stream, self._folder)
        learners = tuple((type(cell.learner), cell.learner.get_params()) for cell in cells)
        return Task(learners, self._packed[id(stream)][1], first.channel, first.rounds, first.seed)
