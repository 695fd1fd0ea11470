"""The driver of a sweep: hands cells to an executor, keeps what comes back, tunes, reports."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from onebit.contract.idle_columns import warn_of_idle
from onebit.core.errors import OnebitError
from onebit.simulate.simulate import check_workers
from onebit.sweep.agenda import Agenda
from onebit.sweep.cells import Cell
from onebit.sweep.manifest import check_travel, manifest, plan_entries
from onebit.sweep.plan import Sweep
from onebit.sweep.progress.live import sweep_progress
from onebit.sweep.progress.state import SweepState
from onebit.sweep.results import Results, open_results
from onebit.sweep.run.cell_queue import CellQueue
from onebit.sweep.run.executors import check_executor, is_lost, open_executor
from onebit.sweep.run.processes import Processes
from onebit.sweep.run.tasks import TaskOutcome, compile_task, play_task
from onebit.sweep.store import Store

TRIES = 3
"""How often a cell is played whose worker dies, before it counts as failed."""

_AHEAD = 2  # calls that wait in the executor, so that no worker waits for the driver
_PROGRESS_SECONDS = 0.5  # between two reports of how far it is


def drive(
    sweep: Sweep,
    folder: str | os.PathLike[str],
    *,
    executor: Executor | str | None,
    workers: int | None,
    progress: bool | None,
    command: str | None,
) -> Results:
    """Play a sweep into a folder: see `onebit.sweep`."""
    # What cannot be played is told before a folder is made.
    check_executor(executor)
    planned = plan_entries(sweep, progress)
    width = check_workers(workers)
    if executor is None:
        check_travel(planned)

    # The folder holds the plan from now on; an interrupted sweep can be read, and goes on from there.
    store = Store(folder)
    store.begin(manifest(sweep, planned, command))
    agenda = Agenda(planned, sweep.select, store)
    if not agenda.over:
        with (
            open_executor(executor, width) as (pool, slots),
            TemporaryDirectory(prefix="onebit-") as scratch,
            sweep_progress(progress, agenda.total, agenda.rounds_total, agenda.reused) as report,
        ):
            try:
                queue = CellQueue(slots, Path(scratch) if isinstance(pool, Processes) else None)
                driver = Driver(agenda, store, pool, slots, queue, report)
                driver.play()
                for stream, columns in driver.idle.items():
                    warn_of_idle(stream, list(columns))
            except KeyboardInterrupt:
                done = f"{agenda.done:,} of {agenda.total:,} cells are done, and kept"
                warnings.warn(f"interrupted: {done}; the same sweep goes on from there", stacklevel=3)
    store.end()
    return open_results(folder)


class Driver:
    """Keeps an executor busy until every cell is done or has failed."""

    def __init__(
        self,
        agenda: Agenda,
        store: Store,
        pool: Executor,
        slots: int,
        queue: CellQueue,
        report: Callable[[SweepState], None],
    ) -> None:
        self._agenda = agenda
        self._store = store
        self._pool = pool
        self._slots = slots
        self._report = report
        self._queue = queue
        self._under_way: dict[Future[TaskOutcome], list[Cell]] = {}
        self._tries: dict[str, int] = {}
        self.idle: dict[str, dict[str, None]] = {}
        """The columns of raw cases that cannot teach, by stream."""

    def play(self) -> None:
        """Play what is left."""
        try:
            self._play()
        finally:
            for future in self._under_way:
                future.cancel()

    def _play(self) -> None:
        self._queue.add(self._agenda.due())
        self._compile()
        while self._queue or self._under_way:
            while self._queue and len(self._under_way) < self._slots + _AHEAD:
                cells = self._queue.take()
                self._under_way[self._submit(play_task, self._queue.task(cells))] = cells
            ended, _ = wait(self._under_way, timeout=_PROGRESS_SECONDS, return_when=FIRST_COMPLETED)
            for future in ended:
                self._settle(future, self._under_way.pop(future))
            self._queue.add(self._agenda.due())
            self._tell()

    def _compile(self) -> None:
        """Have each kind of loop compiled once, side by side, before many ask for the same one."""
        kinds: dict[Any, Cell] = {}
        for cell in self._queue.cells():
            kind = type(cell.learner), cell.learner.dtype, cell.stream.sparse, cell.channel.kind
            kinds.setdefault(kind, cell)
        left = {self._submit(compile_task, self._queue.task([cell])) for cell in kinds.values()}
        while left:
            _, left = wait(left, timeout=_PROGRESS_SECONDS)
            self._tell()

    def _submit(self, function: Callable[..., Any], task: Any) -> Future[Any]:
        try:
            return self._pool.submit(function, task)
        except BrokenExecutor as error:
            raise OnebitError(
                f"executor={self._pool!r}: has broken ({error}); the cells that are done are kept: run the same sweep "
                "again, perhaps with local processes"
            ) from error

    def _settle(self, future: Future[TaskOutcome], cells: Sequence[Cell]) -> None:
        """Keep what came of a call; where it failed, try its cells again, one at a time."""
        error = future.exception()
        if error is None:
            idle = dict.fromkeys(future.result().idle)
            if idle:
                self.idle.setdefault(cells[0].stream.name, {}).update(idle)
            for cell, outcome in zip(cells, future.result().cells, strict=True):
                self._store.write(cell, outcome)
                self._agenda.keep(cell, outcome)
            self._store.sync()
            return
        for cell in cells:
            tries = self._tries[cell.key] = self._tries.get(cell.key, 0) + 1
            if (is_lost(error) and tries < TRIES) or (not is_lost(error) and len(cells) > 1):
                self._queue.again(cell)
                continue
            why = "its worker died" if is_lost(error) else f"{type(error).__name__}: {error}"
            self._store.fail(cell, why, tries)
            self._agenda.give_up(cell)

    def _tell(self) -> None:
        self._report(self._agenda.state(sum(map(len, self._under_way.values()))))
