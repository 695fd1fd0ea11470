"""The progress of a sweep: lines in a log, a table on a terminal."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from onebit.sweep.progress import live as module
from onebit.sweep.progress.live import LiveProgress, PlainProgress, progress_table, sweep_progress
from onebit.sweep.progress.state import SweepState

BEST = (("synnonsep: soba-diagonal gamma=0.0078125 a=1", 0.0612), ("mnist: banditron " + 20 * "long ", 0.21))
STATE = SweepState(31, 96, 12, 19_000_000, 84_000_000, failed=1, running=2, best=BEST)


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(module, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def plain(total: int) -> tuple[PlainProgress, list[str]]:
    lines: list[str] = []
    return PlainProgress(SweepState(0, total), lines.append), lines


def shown(state: SweepState, seconds: float, width: int) -> list[str]:
    console = Console(file=io.StringIO(), force_terminal=True, width=width)
    console.print(progress_table(state, seconds, seconds - 2))
    assert isinstance(console.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue()).splitlines()


def test_a_short_sweep_has_one_line(clock: Clock) -> None:
    progress, lines = plain(total=4)
    for done in range(5):
        clock.now += 0.3
        progress(SweepState(done, 4, rounds_done=1000 * done, rounds_total=4000))
    assert lines == []
    progress.end()
    assert lines == ["sweep: all 4 cells, 4,000 rounds in 1.5 s"]


def test_a_fast_sweep_has_a_line_every_ten_seconds(clock: Clock) -> None:
    progress, lines = plain(total=40)
    for half_second in range(80):
        clock.now += 0.5
        progress(SweepState(half_second // 2, 40))
    assert [int(re.findall(r"\d+", line)[0]) for line in lines] == [1, 11, 21, 31]


def test_a_slow_sweep_has_a_line_for_each_tenth(clock: Clock) -> None:
    progress, lines = plain(total=100)
    for cell in range(101):
        clock.now += 60
        progress(SweepState(cell, 100))
    assert [int(re.findall(r"\d+", line)[0]) for line in lines] == [100, *range(10, 100, 10)]


def test_few_cells_have_a_line_each_and_none_in_between(clock: Clock) -> None:
    progress, lines = plain(total=2)
    for cell in (0, 0, 0, 1, 1):
        clock.now += 60
        progress(SweepState(cell, 2))
    assert [int(re.findall(r"\d+", line)[0]) for line in lines] == [2, 1]


def test_the_time_to_compile_is_not_in_the_pace(clock: Clock) -> None:
    progress, lines = plain(total=4)
    states = [SweepState(0, 4, rounds_total=400), SweepState(0, 4, 0, 0, 400, running=2)]
    for state in [*states, SweepState(2, 4, 0, 200, 400, running=2)]:
        clock.now += 20
        progress(state)
    assert lines[-1] == "sweep: 2 of 4 cells, 10 rounds a second, 20 s left"


def test_the_table() -> None:
    bar, *lines = shown(STATE, 12, width=80)
    assert bar.startswith("sweep   ━")
    assert [line.rstrip() for line in lines] == [
        "cells   31 of 96, 12 were there already, 1 failed, 2 running",
        "rounds  19,000,000 of 84,000,000, 1,900,000 a second",
        "time    12 s, about 34 s left",
        "best     6.12 %  synnonsep: soba-diagonal gamma=0.0078125 a=1",
        "        21.00 %  mnist: banditron long long long long long long long long long …",
    ]


def test_while_it_compiles_nothing_runs() -> None:
    lines = shown(SweepState(12, 96, 12, 0, 84_000_000), 2, width=80)
    assert [line.rstrip() for line in lines[1:]] == [
        "cells   12 of 96, 12 were there already, compiling",
        "rounds  0 of 84,000,000",
        "time    2 s",
    ]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_table_keeps_to_the_terminal(width: int) -> None:
    lines = shown(STATE._replace(best=9 * BEST[1:]), 12, width)
    assert len(lines) == 4 + 6
    assert all(len(line) <= width for line in lines)


def test_a_live_table_gives_way_to_one_line(clock: Clock) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    assert isinstance(console.file, io.StringIO)
    progress = LiveProgress(SweepState(0, 96), console)
    clock.now += 10
    progress(STATE)
    progress.end()
    first, *_, last = console.file.getvalue().splitlines()
    assert "━" in first
    assert last.endswith("19,000,000 rounds in 10 s"), "longer than the terminal is wide, and not folded"


@pytest.mark.parametrize(("show", "live", "line"), [(None, False, True), (True, True, True), (False, False, False)])
def test_where_it_goes(capsys: pytest.CaptureFixture[str], show: bool | None, live: bool, line: bool) -> None:
    with sweep_progress(show, total_cells=96) as report:
        report(STATE)
    out, err = capsys.readouterr()
    assert out == ""
    assert ("━" in err) == live
    assert ("sweep: 31 of 96 cells (12 were there already)" in err) == line


def test_a_terminal_gets_the_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with sweep_progress(None, total_cells=8, total_rounds=800, cells_reused=3):
        pass
    err = capsys.readouterr().err
    assert "━" in err
    assert "3 of 8 cells (3 were there already)" in err


def test_the_last_line_is_said_after_an_error_too(capsys: pytest.CaptureFixture[str]) -> None:
    def fill_the_disk() -> None:
        with sweep_progress(None, total_cells=96) as report:
            report(STATE)
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fill_the_disk()
    assert capsys.readouterr().err.startswith("sweep: 31 of 96 cells")
