"""simulate: seeds, threads, rounds, and agreement with the readable loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import Banditron, Bit, ConfigError, FeedbackError, Full, NoisyBit, Perceptron, simulate
from onebit.contract.states import arrays
from onebit.engine.match import prepare
from onebit.engine.reference import play_reference
from onebit.simulate.result import Result
from onebit.streams import Stream, from_arrays, synsep


def clusters(rows: int = 60, **options: Any) -> Stream:
    draw = np.random.default_rng(0)
    y = draw.integers(3, size=rows)
    return from_arrays(np.eye(3)[y] + 0.4 * draw.normal(size=(rows, 3)), y, **options)


def same(left: Result, right: Result) -> bool:
    traces = all(
        np.array_equal(a, b)
        for one, other in zip(left.traces, right.traces, strict=True)
        for a, b in zip(one[:4], other[:4], strict=True)
    )
    states = all(
        np.array_equal(a, b)
        for one, other in zip(left.learners, right.learners, strict=True)
        for (_, a), (_, b) in zip(arrays(one._session.state), arrays(other._session.state), strict=True)
    )
    return traces and states and left.seeds == right.seeds


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    learner, channel = Banditron(9, gamma=0.05), NoisyBit(0.1, 0.2, delay=(0, 50))
    alone, pair, many = (simulate(learner, synsep(3000), channel, seeds=5, workers=n) for n in (1, 2, 8))
    assert same(alone, pair)
    assert same(alone, many)


def test_a_number_of_seeds_is_that_many_from_zero() -> None:
    counted, listed = simulate(Banditron(9), synsep(500), seeds=3), simulate(Banditron(9), synsep(500), seeds=[0, 1, 2])
    assert same(counted, listed)
    assert counted.settings["seeds"] == [0, 1, 2]


def test_each_seed_is_its_own_whatever_its_company() -> None:
    together, alone = (
        simulate(Banditron(9), synsep(500), seeds=[4, 9, 2]),
        simulate(Banditron(9), synsep(500), seeds=[9]),
    )
    assert together.seeds == (4, 9, 2)
    assert together.errors[1] == alone.errors[0]
    assert len(set(together.errors)) > 1


@pytest.mark.parametrize(
    ("learner", "channel"),
    [(Banditron(3, gamma=0.1), NoisyBit(0.1, 0.2, delay=7)), (Perceptron(3), Full(delay=(0, 9)))],
    ids=["banditron", "perceptron"],
)
def test_same_bits_as_the_reference_loop(learner: Any, channel: Any) -> None:
    stream = clusters()
    result = simulate(learner, stream, channel, rounds=200, seeds=[3])
    slow = prepare(learner, stream, seed=3)
    trace = play_reference(slow, stream, channel, seed=3, rounds=200)
    for fast_column, slow_column in zip(result.traces[0][:4], trace[:4], strict=True):
        assert np.array_equal(fast_column, slow_column)
    assert np.array_equal(result.learners[0]._session.state.W, slow._session.state.W)


def test_the_pattern_is_untouched_and_the_clones_are_trained() -> None:
    learner = Banditron(9, seed=11)
    result = simulate(learner, synsep(500), seeds=2)
    assert learner.decisions == learner.updates == 0
    assert learner._session.layout is None
    assert [clone.decisions for clone in result.learners] == [500, 500]
    assert result.learner is not learner
    assert repr(result.learner) == repr(learner)


def test_a_trained_pattern_starts_afresh() -> None:
    learner = Banditron(3)
    fresh = simulate(learner, clusters())
    learner.learn(learner.decide([1.0, 0.0, 0.0]), False)
    assert same(fresh, simulate(learner, clusters()))


def test_default_feedback_is_what_the_learner_needs() -> None:
    assert simulate(Banditron(3), clusters()).channel == Bit()
    assert simulate(Perceptron(3), clusters()).channel == Full()


def test_rounds_default_to_one_pass_and_may_exceed_the_stream() -> None:
    assert simulate(Banditron(3), clusters()).rounds == [60]
    assert simulate(Banditron(3), clusters(), rounds=150).rounds == [150]
    assert simulate(Banditron(3), clusters(), rounds=1e2).settings["rounds"] == 100


def test_the_bit_is_counted_before_the_noise() -> None:
    """All exploration on clean labels: the error is the chance of a wrong guess, whatever the channel says."""
    result = simulate(Banditron(9, gamma=1), synsep(40_000), NoisyBit(0.45, 0.45))
    assert result.error == pytest.approx(8 / 9, abs=5 * np.sqrt(8 / 81 / 40_000))


@pytest.mark.parametrize("rounds", [0, -5, 2.5, "many", True, float("nan"), float("inf")])
def test_bad_rounds(rounds: Any) -> None:
    with pytest.raises(ConfigError, match="rounds=.*whole number, 1 or larger"):
        simulate(Banditron(3), clusters(), rounds=rounds)


@pytest.mark.parametrize("seeds", [0, -1, True, 1.5, "3", [], [1, 1], [-1], [0.5], None])
def test_bad_seeds(seeds: Any) -> None:
    with pytest.raises(ConfigError, match="seeds"):
        simulate(Banditron(3), clusters(), seeds=seeds)


@pytest.mark.parametrize("workers", [0, -1, 1.5, "two"])
def test_bad_workers(workers: Any) -> None:
    with pytest.raises(ConfigError, match="workers"):
        simulate(Banditron(3), clusters(), workers=workers)


def test_parts_of_the_wrong_kind() -> None:
    wrong: Any = "mnist"
    with pytest.raises(ConfigError, match=r"learner=.*Banditron\(classes=9\)"):
        simulate(wrong, clusters())
    with pytest.raises(ConfigError, match="stream='mnist'"):
        simulate(Banditron(3), wrong)
    with pytest.raises(ConfigError, match="feedback='mnist'"):
        simulate(Banditron(3), clusters(), wrong)


def test_feedback_of_the_wrong_kind() -> None:
    with pytest.raises(FeedbackError, match="Perceptron learns from the true label"):
        simulate(Perceptron(3), clusters(), Bit())
    with pytest.raises(FeedbackError, match="Banditron learns from a bit"):
        simulate(Banditron(3), clusters(), Full())


def test_an_error_in_one_replica_ends_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = clusters()
    windows = type(stream).windows

    def failing(self: Any, seed: int, rounds: int | None = None) -> Any:
        yield from windows(self, seed, 60)
        if seed == 1:
            raise onebit.DataError("row 60: cannot be read")
        yield from windows(self, seed, rounds)

    monkeypatch.setattr(type(stream), "windows", failing)
    with pytest.raises(onebit.DataError, match="row 60"):
        simulate(Banditron(3), stream, rounds=10**8, seeds=2, workers=2)


@pytest.mark.parametrize("wrong", [{"rounds": 1e18}, {"rounds": 10**400}, {"seeds": 10**23}, {"workers": 10**9}])
def test_more_than_anybody_can_wait_for(wrong: Any) -> None:
    with pytest.raises(onebit.ConfigError, match="must be a whole number from 1 to"):
        onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(10), **wrong)
