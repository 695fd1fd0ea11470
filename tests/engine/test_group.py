"""Learners that share a pass over the rows play as if they were alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import onebit
from onebit.engine.group import block_rounds, play_group
from onebit.engine.match import prepare
from onebit.engine.play import Trace, play


def same(a: Trace, b: Trace) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a[:4], b[:4], strict=True)) and a.complete == b.complete


def both_ways(
    learners: Sequence[onebit.Learner], stream: onebit.streams.Stream, channel: onebit.Bit, rounds: int
) -> tuple[list[Trace], list[Trace]]:
    alone = [prepare(learner, stream, 3) for learner in learners]
    group = [prepare(learner, stream, 3) for learner in learners]
    apart = [play(player, stream, channel, 3, rounds) for player in alone]
    together = play_group(group, stream, channel, 3, rounds)
    for a, b in zip(alone, group, strict=True):
        assert a.scores(np.zeros(stream.n_features)).tobytes() == b.scores(np.zeros(stream.n_features)).tobytes()
        assert np.array_equal(a._session.rng, b._session.rng)
        assert a.decisions == b.decisions
        assert a.updates == b.updates
    return apart, together


@pytest.mark.parametrize("delay", [0, (0, 50)])
def test_same_bits_on_drawn_rows(delay: int | tuple[int, int]) -> None:
    learners = [onebit.Banditron(9, gamma=g) for g in (0.0, 0.01, 0.3)] + [onebit.SOBADiagonal(9)]
    apart, together = both_ways(learners, onebit.streams.synsep(40_000), onebit.Bit(delay), 40_000)
    assert all(map(same, apart, together))
    assert len({trace.mistakes[-1] for trace in together}) == 4


def test_same_bits_on_a_table_with_passes_and_dtypes() -> None:
    stream = onebit.streams.load("digits")
    learners = [onebit.Banditron(10, gamma=0.1, dtype=dtype) for dtype in ("float64", "float32", "float64")]
    apart, together = both_ways(learners, stream, onebit.Bit(), 4000)
    assert all(map(same, apart, together))
    assert same(together[0], together[2])


@pytest.mark.parametrize("block", [16_384, 1000], ids=["at the end of a window", "inside a window"])
def test_all_stop_together(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onebit.engine.group.block_rounds", lambda window: block)
    stream = onebit.streams.synsep(10**9)
    players = [prepare(onebit.Banditron(9, gamma=g), stream, 0) for g in (0.1, 0.2)]
    heard: list[int] = []
    traces = play_group(players, stream, onebit.Bit(), 0, None, heard.append, lambda: len(heard) > 2)
    assert [trace.complete for trace in traces] == [False, False]
    assert traces[0].rounds[-1] == traces[1].rounds[-1]
    assert sum(int(trace.rounds[-1]) for trace in traces) == heard[-1]


def test_the_time_of_the_rows_is_shared() -> None:
    stream = onebit.streams.synsep(20_000)
    players = [prepare(onebit.Banditron(9, gamma=g), stream, 0) for g in (0.1, 0.2)]
    traces = play_group(players, stream, onebit.Bit(), 0)
    assert all(trace.seconds > 0 for trace in traces)


def test_blocks_fit_in_the_cache() -> None:
    wide, narrow = np.zeros((3000, 400)), np.zeros((30_000, 2))
    y = np.arange(30_000) % 2
    blocks = [block_rounds(next(onebit.streams.from_arrays(X, y[: len(X)]).windows(0))) for X in (wide, narrow)]
    assert blocks == [327, 4096]
