"""OneBit on streams: labels beat bits, late bits teach, drift is met once, nothing else rings, lies are measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.streams import from_arrays, load, synnonsep, synsep


def restarts(learner: Any) -> list[int]:
    """After drift, and after lies."""
    clock = learner._session.state.clock
    return [clock.drift_restarts.item(), clock.lie_restarts.item()]


def test_labels_teach_more_than_bits() -> None:
    digits, learner = load("digits"), onebit.OneBit(10)
    told, asked = (
        onebit.simulate(learner, digits, channel, 3000, seeds=2) for channel in (onebit.Full(), onebit.Bit())
    )
    assert max(told.errors) < 0.75 * min(asked.errors)
    assert asked.error < 0.11


def test_late_and_shuffled_bits_teach_almost_as_well() -> None:
    digits, learner = load("digits"), onebit.OneBit(10)
    at_once = onebit.simulate(learner, digits, onebit.Bit(), 10_000, seeds=2)
    late = onebit.simulate(learner, digits, onebit.Bit(delay=(0, 200)), 10_000, seeds=2)
    assert at_once.error < late.error < at_once.error + 0.04


def test_single_floats_do_as_well() -> None:
    for stream, learner in ((load("digits"), onebit.OneBit(10)), (synsep(5000), onebit.OneBit(9))):
        errors = [
            onebit.simulate(learner.clone(dtype=dtype), stream, rounds=5000).error for dtype in ("float64", "float32")
        ]
        assert errors[1] == pytest.approx(errors[0], rel=0.15)


def permuted_halfway(**parameters: Any) -> tuple[Any, float]:
    """The learner after 16,000 digits whose labels change after 8,000, and its error in the 2,000 that follow."""
    digits = load("digits")
    changed = from_arrays(digits.X, (digits.y + 3) % 10, classes=list(digits.classes))
    learner = prepare(onebit.OneBit(10, **parameters), digits, seed=5)
    play(learner, digits, onebit.Bit(), 5, 8000)
    assert restarts(learner) == [0, 0]
    after = play(learner, changed, onebit.Bit(), 6, 2000)
    play(learner, changed, onebit.Bit(), 7, 6000)
    return learner, after.mistakes[-1] / 2000


def test_drift_is_met_with_one_restart() -> None:
    learner, error = permuted_halfway()
    assert restarts(learner) == [1, 0]
    assert error <= 0.17


def test_without_a_watch_there_is_no_restart() -> None:
    learner, _ = permuted_halfway(drift=None)
    assert restarts(learner) == [0, 0]


@pytest.mark.parametrize(
    "make", [lambda: load("digits"), lambda: synsep(10_000), lambda: synnonsep(10_000, redraw=True)]
)
def test_a_stream_that_stays_the_same_is_not_left(make: Any) -> None:
    stream = make()
    result = onebit.simulate(onebit.OneBit(len(stream.classes)), stream, rounds=10_000, seeds=[11, 12])
    assert [restarts(learner) for learner in result.learners] == [[0, 0], [0, 0]]


def test_the_rate_of_false_no_is_found() -> None:
    result = onebit.simulate(onebit.OneBit(9), synsep(30_000), onebit.NoisyBit(0.25, 0.25), seeds=[1, 2])
    for learner in result.learners:
        assert learner.noise_rates.rho_1 == pytest.approx(0.25, abs=0.02)
    assert result.error < 0.1


def test_rates_that_are_given_stay_and_help() -> None:
    lies, stream = onebit.NoisyBit(0.3, 0.2), synsep(20_000)
    given = onebit.simulate(onebit.OneBit(9, noise=(0.3, 0.2)), stream, lies, seeds=[1, 2])
    fooled = onebit.simulate(onebit.OneBit(9, noise=None), stream, lies, seeds=[1, 2])
    assert all(learner.noise_rates == (0.3, 0.2) for learner in given.learners)
    assert all(learner.noise_rates == (0, 0) for learner in fooled.learners)
    assert given.error < 0.3 * fooled.error


def test_sets_miss_less_and_less() -> None:
    stream = load("digits")
    misses = [onebit.simulate(onebit.OneBit(10, m=m), stream, rounds=10_000, seeds=2).error for m in (1, 2, 4)]
    assert misses[1] < 0.75 * misses[0]
    assert misses[2] < 0.75 * misses[1]
    assert misses[1] < 0.03


def test_bits_come_as_often_as_they_are_believed_to() -> None:
    """On a thousand digits the scores say too little; the line that the bits have drawn says more, and rightly so."""
    digits = load("digits")
    learner: Any = prepare(onebit.OneBit(10), digits, seed=3)
    play(learner, digits, onebit.Bit(), 3, 1000)
    best, z = learner.predict(digits.X), learner.scores(digits.X)
    by_label = np.stack([learner.probability_of_yes(digits.X, label) for label in digits.classes], axis=1)
    by_line = calibration_error(by_label[np.arange(len(best)), best], best == digits.y)
    by_scores = calibration_error(1 / np.exp(z - z.max(axis=1, keepdims=True)).sum(axis=1), best == digits.y)
    assert by_line < 0.025
    assert by_line < by_scores


def calibration_error(sure: Any, hit: Any) -> float:
    """The mean of |believed - true share of hits| over ten bins of belief."""
    bins = np.minimum((10 * sure).astype(int), 9)
    return float(sum(abs(sure[bins == b].sum() - hit[bins == b].sum()) for b in range(10)) / len(hit))
