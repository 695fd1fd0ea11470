"""Where a sweep stands, in words."""

from __future__ import annotations

import pytest

from onebit.sweep.progress.state import (
    SweepState,
    duration,
    final_line,
    progress_line,
    rounds_a_second,
    seconds_left,
)

BEST = (("soba-diagonal gamma=2^-7 a=1 on synnonsep, bit", 0.0612),)
STATE = SweepState(31, 96, 12, 19_000_000, 84_000_000, failed=1, running=2, best=BEST)


def test_pace_is_of_what_was_played_now() -> None:
    assert rounds_a_second(STATE, 10) == 1_900_000
    assert seconds_left(STATE, 10) == pytest.approx(10 * 65 / 19)
    endless = STATE._replace(rounds_total=None)
    assert seconds_left(endless, 10) == pytest.approx(10 * 65 / 19), "19 cells in ten seconds, 65 to go"


def test_pace_is_not_known_before_anything_was_played() -> None:
    fresh = SweepState(12, 96, 12, 0, 84_000_000)
    assert rounds_a_second(fresh, 10) is None
    assert seconds_left(fresh, 10) is None
    assert seconds_left(fresh._replace(rounds_total=None), 10) is None
    assert progress_line(fresh, 10) == "sweep: 84 cells to play, 84,000,000 rounds; 12 were there already"
    assert progress_line(SweepState(0, 96), 10) == "sweep: 96 cells to play"


def test_lines() -> None:
    assert progress_line(STATE, 10) == (
        "sweep: 31 of 96 cells, 1 failed, 1,900,000 rounds a second, 34 s left; "
        "best: soba-diagonal gamma=2^-7 a=1 on synnonsep, bit 6.12 %"
    )
    assert final_line(STATE, 10) == (
        "sweep: 31 of 96 cells (12 were there already), 1 failed, 19,000,000 rounds in 10 s"
    )
    assert final_line(SweepState(5, 5, 5), 0) == "sweep: all 5 cells were there already"
    assert final_line(SweepState(1, 1, 1), 0) == "sweep: the only cell was there already"
    assert progress_line(SweepState(4, 5, 4), 3) == "sweep: 1 cell to play; 4 were there already"
    assert final_line(SweepState(0, 5), 3) == "sweep: 0 of 5 cells, after 3.0 s"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3599, "59 min 59 s"), (7260, "2 h 1 min")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
