"""Where a sweep stands, and how to say it."""

from __future__ import annotations

from typing import NamedTuple

from onebit.core.readable_numbers import percent


class SweepState(NamedTuple):
    """Where a sweep stands.

    Cells that an earlier run has done are `cells_reused`; they count in `cells_done` and `cells_total`, but their
    rounds count in neither `rounds_done` nor `rounds_total`: those are what this run has played, and has to play (None
    where a stream's length is not known). `running` and `failed` are numbers of cells, neither of them done; `best`
    holds, for a few streams, what leads and its error.

    >>> SweepState(cells_done=5, cells_total=8, cells_reused=2, rounds_done=3000, rounds_total=6000).running
    0
    """

    cells_done: int
    cells_total: int
    cells_reused: int = 0
    rounds_done: int = 0
    rounds_total: int | None = None
    failed: int = 0
    running: int = 0
    best: tuple[tuple[str, float], ...] = ()


def rounds_a_second(state: SweepState, seconds: float) -> float | None:
    """How fast this run plays; None until it has played something.

    >>> rounds_a_second(SweepState(4, 8, cells_reused=2, rounds_done=3000, rounds_total=9000), seconds=2)
    1500.0
    """
    return state.rounds_done / seconds if state.rounds_done and seconds > 0 else None


def seconds_left(state: SweepState, seconds: float) -> float | None:
    """How long it will still take at this pace; None while nobody can tell.

    >>> seconds_left(SweepState(4, 8, cells_reused=2, rounds_done=3000, rounds_total=9000), seconds=2)
    4.0
    >>> seconds_left(SweepState(4, 8, cells_reused=2), seconds=2)
    4.0
    """
    if state.rounds_total is not None:
        done = state.rounds_done
        left = state.rounds_total - state.rounds_done
    else:
        done = state.cells_done - state.cells_reused
        left = state.cells_total - state.cells_done
    return seconds * max(left, 0) / done if done > 0 and seconds > 0 else None


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> [duration(seconds) for seconds in (0.4, 59.7, 75, 3600, 100_000)]
    ['0 s', '1 min 0 s', '1 min 15 s', '1 h 0 min', '27 h 46 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def progress_line(state: SweepState, seconds: float) -> str:
    """One line of a log.

    >>> progress_line(SweepState(4, 8, 2, 3000, 9000, running=2, best=(("banditron on synsep", 0.1),)), 2)
    'sweep: 4 of 8 cells, 1,500 rounds a second, 4 s left; best: banditron on synsep 10.00 %'
    >>> progress_line(SweepState(2, 8, 2, rounds_total=9000), 2)
    'sweep: 6 cells to play, 9,000 rounds; 2 were there already'
    """
    if state.cells_done == state.cells_reused and not state.failed:
        rounds = "" if state.rounds_total is None else f", {state.rounds_total:,} rounds"
        were = f"; {were_there(state.cells_reused)}" if state.cells_reused else ""
        cells = state.cells_total - state.cells_done
        return f"sweep: {cells:,} cell{'' if cells == 1 else 's'} to play{rounds}{were}"
    parts = [f"{state.cells_done:,} of {state.cells_total:,} cells"]
    if state.failed:
        parts.append(f"{state.failed:,} failed")
    if (rate := rounds_a_second(state, seconds)) is not None:
        parts.append(f"{rate:,.0f} rounds a second")
    if (left := seconds_left(state, seconds)) is not None:
        parts.append(f"{duration(left)} left")
    best = "".join(f"; best: {text} {percent(error)}" for text, error in state.best[:1])
    return "sweep: " + ", ".join(parts) + best


def final_line(state: SweepState, seconds: float) -> str:
    """The last line: how many cells there are, how many of them were there before, how long the others took.

    >>> final_line(SweepState(8, 8, 2, 9000, 9000), 6)
    'sweep: all 8 cells (2 were there already), 9,000 rounds in 6.0 s'
    >>> final_line(SweepState(8, 8, 8), 0.1)
    'sweep: all 8 cells were there already'
    """
    done = state.cells_done
    total = state.cells_total
    if done == total == state.cells_reused:
        return f"sweep: {all_cells(total)} {'was' if total == 1 else 'were'} there already"
    count = all_cells(total) if done == total else f"{done:,} of {total:,} cells"
    if state.cells_reused:
        count += f" ({were_there(state.cells_reused)})"
    failed = f", {state.failed:,} failed" if state.failed else ""
    rounds = f"{state.rounds_done:,} rounds in" if state.rounds_done else "after"
    return f"sweep: {count}{failed}, {rounds} " + (f"{seconds:.1f} s" if seconds < 10 else duration(seconds))


def all_cells(total: int) -> str:
    """All of so many cells.

    >>> all_cells(1), all_cells(1200)
    ('the only cell', 'all 1,200 cells')
    """
    return "the only cell" if total == 1 else f"all {total:,} cells"


def were_there(cells: int) -> str:
    """What is said of cells that an earlier run has played.

    >>> were_there(1), were_there(1200)
    ('1 was there already', '1,200 were there already')
    """
    return f"{cells:,} {'was' if cells == 1 else 'were'} there already"
