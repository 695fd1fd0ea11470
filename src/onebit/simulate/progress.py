"""A progress bar on stderr, where somebody is looking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(
    show: bool | None, title: str, total: int | None, unit: str = "rounds"
) -> Iterator[Callable[[int], None]]:
    """A function to call with the number of rounds played so far, or of other units.

    `show=None` draws the bar only if stderr is a terminal; `total=None` means that the end is not known.

    >>> with progress_bar(False, "nothing to see", 10) as update:
    ...     update(5)
    """
    if show is None:
        show = sys.stderr is not None and sys.stderr.isatty()
    if not show:
        yield lambda played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    counts = TextColumn(f"{{task.fields[played]}} {unit}")
    columns = (TextColumn("{task.description}"), BarColumn(), counts, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True, force_terminal=True), transient=True) as bar:
        task = bar.add_task(title, total=total, played="0")
        yield lambda played: bar.update(task, completed=played, played=f"{played:,}")
