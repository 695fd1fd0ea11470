"""How far a sweep has come: a live table on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from onebit.core.readable_numbers import percent
from onebit.sweep.progress.state import (
    SweepState,
    duration,
    final_line,
    progress_line,
    rounds_a_second,
    seconds_left,
    were_there,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_QUIET_SECONDS = 2.0
_LINE_SECONDS = 10.0
_LINE_SHARE = 0.1
_BEST_SHOWN = 6


class SweepProgress:
    """Hears of a sweep's state, as often as one likes, and keeps the time of it.

    This one shows nothing; `PlainProgress` writes lines, `LiveProgress` a table.

    >>> progress = SweepProgress(SweepState(0, 8))
    >>> progress(SweepState(3, 8))
    >>> progress.state.cells_done
    3
    """

    def __init__(self, state: SweepState) -> None:
        self.state = state
        self._began = monotonic()
        self._played_from: float | None = None

    @property
    def seconds(self) -> float:
        """For how long it has been going on."""
        return monotonic() - self._began

    @property
    def playing_seconds(self) -> float:
        """For how long cells have been running: the time before that, to compile, says nothing of the pace."""
        return 0.0 if self._played_from is None else monotonic() - self._played_from

    def __call__(self, state: SweepState) -> None:
        """Hear of the state."""
        self.state = state
        if self._played_from is None and state.running:
            self._played_from = monotonic()

    def end(self) -> None:
        """Say how it ended."""


class PlainProgress(SweepProgress):
    """Lines for a log: one after two seconds, then one for each tenth of the cells but at most every ten seconds.

    >>> PlainProgress(SweepState(0, 8), print).end()
    sweep: 0 of 8 cells, after 0.0 s
    """

    def __init__(self, state: SweepState, write: Callable[[str], None]) -> None:
        super().__init__(state)
        self._write = write
        self._line_seconds: float | None = None
        self._line_cells = 0

    def __call__(self, state: SweepState) -> None:
        """Write a line, if it is time for one."""
        super().__call__(state)
        now = self.seconds
        if self._line_seconds is None:
            due = now >= _QUIET_SECONDS
        else:
            cells = max(1.0, _LINE_SHARE * state.cells_total)
            due = now >= self._line_seconds + _LINE_SECONDS and state.cells_done >= self._line_cells + cells
        if due and state.cells_done < state.cells_total:
            self._line_seconds = now
            self._line_cells = state.cells_done
            self._write(progress_line(state, self.playing_seconds))

    def end(self) -> None:
        """Write the last line."""
        self._write(final_line(self.state, self.seconds))


class LiveProgress(SweepProgress):
    """A table that is drawn again and again, and in the end gives way to one line.

    >>> import io
    >>> from rich.console import Console
    >>> console = Console(file=io.StringIO(), force_terminal=True, width=80)
    >>> progress = LiveProgress(SweepState(0, 8), console)
    >>> progress(SweepState(3, 8))
    >>> progress.end()
    >>> "sweep: 3 of 8 cells" in console.file.getvalue()
    True
    """

    def __init__(self, state: SweepState, console: Console) -> None:
        from rich.live import Live

        super().__init__(state)
        self._console = console
        self._live = Live(get_renderable=self._table, console=console, transient=True, refresh_per_second=4)
        self._live.start()

    def end(self) -> None:
        """Take the table away and write the last line."""
        self._live.stop()
        line = final_line(self.state, self.seconds)
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _table(self) -> Table:
        return progress_table(self.state, self.seconds, self.playing_seconds)


@contextmanager
def sweep_progress(
    show: bool | None, total_cells: int, total_rounds: int | None = None, cells_reused: int = 0
) -> Iterator[SweepProgress]:
    """A function to call with the sweep's state, after each cell and every now and then.

    `show=None` draws a live table if stderr is a terminal and writes plain lines to it if not; True draws the table
    in either case; False is silent.

    >>> with sweep_progress(False, total_cells=8) as report:
    ...     report(SweepState(1, 8))
    """
    progress = _progress(show, SweepState(cells_reused, total_cells, cells_reused, 0, total_rounds))
    try:
        yield progress
    finally:
        progress.end()


def _progress(show: bool | None, state: SweepState) -> SweepProgress:
    stream = sys.stderr
    if show is False or stream is None:
        return SweepProgress(state)
    if show or stream.isatty():
        from rich.console import Console

        return LiveProgress(state, Console(file=stream, force_terminal=True))
    return PlainProgress(state, lambda line: print(line, file=stream, flush=True))


def progress_table(state: SweepState, seconds: float, playing_seconds: float) -> Table:
    """The live table, for rich to print: after so many seconds, and so many since the first cell began.

    >>> progress_table(SweepState(4, 8), 5, 2).row_count
    4
    """
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)

    def add(name: str, *parts: Any) -> None:
        table.add_row(name, Text.assemble(*parts))

    cells: list[Any] = [f"{state.cells_done:,} of {state.cells_total:,}"]
    if state.cells_reused:
        cells.append((f", {were_there(state.cells_reused)}", "dim"))
    if state.failed:
        cells.append((f", {state.failed:,} failed", "bold red"))
    table.add_row("sweep", ProgressBar(total=max(state.cells_total, 1), completed=state.cells_done))
    if state.running:
        cells.append((f", {state.running:,} running", "dim"))
    elif not playing_seconds:
        cells.append((", compiling", "dim"))
    add("cells", *cells)
    rate = rounds_a_second(state, playing_seconds)
    left = seconds_left(state, playing_seconds)
    played = f"{state.rounds_done:,}" + ("" if state.rounds_total is None else f" of {state.rounds_total:,}")
    add("rounds", played, "" if rate is None else f", {rate:,.0f} a second")
    add("time", duration(seconds), "" if left is None else f", about {duration(left)} left")
    errors = [percent(error) for _, error in state.best[:_BEST_SHOWN]]
    for place, ((text, _), error) in enumerate(zip(state.best, errors, strict=False)):
        add("" if place else "best", (error.rjust(max(map(len, errors))), "bold"), f"  {text}")
    return table
