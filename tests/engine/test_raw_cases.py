"""Raw cases in the compiled loop: the same bits as in the readable loop, live, late, in groups, on any workers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit.contract.states import arrays
from onebit.engine import play as engine
from onebit.engine.group import play_group
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.engine.reference import play_reference
from onebit.features.cases.settings import Cases
from onebit.streams.base import Stream
from tests.contract.test_raw_cases import CLASSES, encoder_of, sample

CASES = sample(700)
ROWS = [case for case, _ in CASES]
LABELS = [label for _, label in CASES]
CHANNELS = [onebit.Bit(), onebit.NoisyBit(0.1, 0.2, delay=(0, 40)), onebit.Bit(delay=300)]


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Stream:
    """Cases that are played in many pieces."""
    monkeypatch.setattr(engine, "_CASES_AT_ONCE", 64)
    return onebit.streams.from_arrays(ROWS, LABELS)


def same(one: onebit.Learner, other: onebit.Learner) -> None:
    for (name, a), (_, b) in zip(arrays(one._session.state), arrays(other._session.state), strict=True):
        if name in ("indices", "x") and isinstance(
            one, onebit.OneBit
        ):  # behind the last row stand remains of longer ones, with the bias where it was
            size = 1 + int(one._session.state.room.row.size[0])
            a, b = a[:size], b[:size]
        assert np.array_equal(a, b, equal_nan=True), name
    assert np.array_equal(one._session.rng, other._session.rng)
    assert str(one.cases) == str(other.cases)
    assert encoder_of(one).columns == encoder_of(other).columns


@pytest.mark.parametrize("channel", CHANNELS, ids=repr)
@pytest.mark.parametrize(
    "learner",
    [
        onebit.OneBit(CLASSES),
        onebit.OneBit(CLASSES, dtype="float32", cases=Cases(ignore="open", category="amount")),
        onebit.Banditron(CLASSES, gamma=0.1, noise=(0.1, 0.1)),
        onebit.LinUCB(CLASSES),
        onebit.KernelBandit(CLASSES, normalize=True),
        onebit.MCDBF(CLASSES, m=2),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_both_loops_give_the_same_bits(learner: onebit.Learner, channel: Any, stream: Stream) -> None:
    fused, slow = (prepare(learner, stream, seed=3) for _ in range(2))
    a = play(fused, stream, channel, 3, rounds=1000)
    b = play_reference(slow, stream, channel, 3, rounds=1000)
    for name in ("rounds", "mistakes", "greedy_mistakes", "updates"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    same(fused, slow)


def test_a_simulation_is_what_decide_and_learn_do(stream: Stream) -> None:
    result = onebit.simulate(onebit.OneBit(CLASSES), stream, seeds=[7])
    (window,) = stream.windows(7)
    live = onebit.OneBit(CLASSES, seed=7)
    wrong = 0
    for r in window.order.tolist():
        decision = live.decide(ROWS[r])
        wrong += decision.label != LABELS[r]
        live.learn(decision, decision.label == LABELS[r])
    assert result.error == wrong / len(ROWS)
    same(result.learners[0], live)
    assert result.learners[0].predict(ROWS[:50]).tolist() == live.predict(ROWS[:50]).tolist()


def test_neither_workers_nor_company_change_anything(stream: Stream) -> None:
    one = onebit.simulate(onebit.OneBit(CLASSES), stream, seeds=4, workers=1)
    many = onebit.simulate(onebit.OneBit(CLASSES), stream, seeds=4, workers=4)
    for a, b in zip(one.learners, many.learners, strict=True):
        same(a, b)
    kinds = [onebit.OneBit(CLASSES), onebit.Banditron(CLASSES, dtype="float32"), onebit.OneBit(CLASSES, gamma=0.1)]
    for channel in CHANNELS:
        alone = [prepare(kind, stream, seed=1) for kind in kinds]
        together = [prepare(kind, stream, seed=1) for kind in kinds]
        traces = [play(player, stream, channel, 1) for player in alone]
        for trace, trace_alone in zip(play_group(together, stream, channel, 1), traces, strict=True):
            assert np.array_equal(trace.mistakes, trace_alone.mistakes)
        for one_alone, one_together in zip(alone, together, strict=True):
            same(one_alone, one_together)


def test_the_size_of_pieces_changes_nothing(stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = onebit.simulate(onebit.OneBit(CLASSES), stream, onebit.Bit(delay=(0, 99)), rounds=1500).learners[0]
    monkeypatch.setattr(engine, "_CASES_AT_ONCE", 4096)
    whole = onebit.simulate(onebit.OneBit(CLASSES), stream, onebit.Bit(delay=(0, 99)), rounds=1500).learners[0]
    same(pieces, whole)


def test_a_learner_that_was_trained_goes_on_live_and_from_its_file(stream: Stream, tmp_path: Any) -> None:
    trained = onebit.simulate(onebit.OneBit(CLASSES), stream).learners[0]
    trained.save(tmp_path / "trained.onebit")
    again = onebit.load(tmp_path / "trained.onebit")
    for case, label in sample(100, seed=9):
        one, other = trained.decide(case), again.decide(case)
        assert (one.label, one.propensity) == (other.label, other.propensity)
        trained.learn(one, one.label == label)
        again.learn(other, other.label == label)
    assert np.array_equal(trained.scores(ROWS[:9]), again.scores(ROWS[:9]))


def test_a_log_keeps_the_rows_as_they_were_read(stream: Stream, tmp_path: Any) -> None:
    path = tmp_path / "log.parquet"
    result = onebit.simulate(onebit.Banditron(CLASSES, gamma=0.2), stream, onebit.Bit(delay=20), log=path)
    table = onebit.read_log(path)
    assert len(table) == len(ROWS) - 20
    pupil = onebit.Banditron(CLASSES, gamma=0.2, n_features=2**20)
    for decision, bit in onebit.log.replay(table):
        pupil.learn(decision, bit)
    weights = result.learners[0]._session.state.W
    assert np.array_equal(pupil._session.state.W[:, : weights.shape[1]], weights)


def test_estimated_noise_rates_with_cases(stream: Stream) -> None:
    learner = onebit.Banditron(CLASSES, gamma=0.3, noise=onebit.noise.TailMoment())
    result = onebit.simulate(learner, stream, onebit.NoisyBit(0.1, 0.1))
    assert result.complete


def test_who_does_not_fit_is_told(stream: Stream) -> None:
    with pytest.raises(onebit.ConfigError, match="cases=None: the stream arrays has raw cases"):
        onebit.simulate(onebit.OneBit(CLASSES, cases=None), stream)
    with pytest.raises(onebit.ConfigError, match="has raw cases, and a map takes rows of numbers"):
        onebit.streams.mapped(stream, onebit.features.RandomFourier(8))
    with pytest.raises(onebit.DataError, match="give normalize=True"):
        onebit.simulate(onebit.KernelBandit(CLASSES), stream)


def test_sweeps_play_cases(stream: Stream, tmp_path: Any) -> None:
    arms = [onebit.Arm(onebit.OneBit(CLASSES)), onebit.Arm(onebit.Banditron(CLASSES), {"gamma": [0.05, 0.2]})]
    plan = onebit.Sweep.cross(arms, stream, rounds=400, seeds=2, tune_seeds=1)
    results = onebit.sweep(plan, tmp_path / "sweep", workers=1, progress=False)
    assert results.complete
