"""Page and Hinkley's test: the plain sum of what is too much, when it raises the alarm, and when it must not."""

from __future__ import annotations

import numpy as np
import pytest

from onebit.learners.one_bit.drift import drifted, new_drift


def first_alarm(bits: list[bool]) -> int | None:
    """The plain form: the largest rise of Σ (wrong - mean - .15), after the first fifty bits, above 25."""
    sum_, lowest, wrongs = 0.0, 0.0, 0
    for n, wrong in enumerate(bits, 1):
        wrongs += wrong
        if n > 50:
            sum_ += wrong - wrongs / n - 0.15
            lowest = min(lowest, sum_)
            if sum_ - lowest > 25:
                return n
    return None


def alarm(bits: list[bool]) -> int | None:
    drift = new_drift()
    return next((n for n, wrong in enumerate(bits, 1) if drifted(drift, wrong)), None)


def changing(seed: int) -> list[bool]:
    """Bits of one rate, then of a higher one."""
    draw = np.random.default_rng(seed)
    before, after = np.sort(draw.random(2))
    return [*(draw.random(500) < before).tolist(), *(draw.random(500) < after).tolist()]


def test_the_alarm_is_raised_where_the_plain_sum_says() -> None:
    found = [first_alarm(changing(seed)) for seed in range(40)]
    assert [alarm(changing(seed)) for seed in range(40)] == found
    assert 10 < sum(at is not None for at in found) < 30


def test_there_is_no_alarm_while_the_rate_stays() -> None:
    for rate in (0.0, 0.05, 0.3, 0.5, 0.9, 1.0):
        draw = np.random.default_rng(int(100 * rate))
        assert alarm((draw.random(20_000) < rate).tolist()) is None


def test_a_good_learner_that_is_suddenly_wrong_raises_it_soon() -> None:
    assert alarm([False] * 1000 + [True] * 40) == 1030
    assert alarm([False] * 50 + [True] * 400) is not None
    assert alarm([True] * 400) is None, "wrong from the beginning: nothing has changed"


def test_the_first_fifty_bits_only_count_for_the_mean() -> None:
    drift = new_drift()
    for wrong in [False] * 20 + [True] * 30:
        drifted(drift, wrong)
    assert np.concatenate(drift).tolist() == [50, 30, 0]
    drifted(drift, True)
    assert np.concatenate(drift) == pytest.approx([51, 31, 1 - 31 / 51 - 0.15])
