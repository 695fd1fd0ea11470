"""The engine: windows, chunks, delays, stops, and what must fit together."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.errors import ConfigError, DataError, FeedbackError
from onebit.engine import play as engine
from onebit.engine.match import prepare
from onebit.engine.play import checkpoints, play
from onebit.engine.reference import play_reference
from onebit.streams import from_arrays, synsep
from onebit.streams.base import Stream, Window


class InWindows(Stream):
    """A stream cut into windows of a given length, each a table of its own."""

    name = "windows"

    def __init__(self, whole: Stream, length: int) -> None:
        self.whole, self.length = whole, length
        self.classes, self.n_features, self.rounds = whole.classes, whole.n_features, whole.rounds
        self.sparse = whole.sparse

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        for window in self.whole.windows(seed, rounds):
            for start in range(0, len(window.order), self.length):
                rows = window.order[start : start + self.length]
                yield Window(window.X[rows], window.y[rows], np.arange(len(rows)))


@pytest.mark.parametrize("delay", [0, 7, (0, 30), 150])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_windows_do_not_change_the_play_however_late_the_feedback(kind: str, delay: Any) -> None:
    documents = synsep(700, seed=4)
    X = documents.X if kind == "sparse" else documents.X.toarray()
    whole = from_arrays(X, documents.y)
    channel, learner = onebit.NoisyBit(0.1, 0.1, delay=delay), onebit.Banditron(9, gamma=0.2)
    players = [prepare(learner, whole, 1) for _ in range(4)]
    streams = [whole, InWindows(whole, 1000), InWindows(whole, 64), InWindows(whole, 5)]
    traces = [play(p, s, channel, 1, rounds=1600) for p, s in zip(players, streams, strict=True)]
    for player, trace in zip(players[1:], traces[1:], strict=True):
        assert np.array_equal(trace.mistakes, traces[0].mistakes)
        assert np.array_equal(player._session.state.W, players[0]._session.state.W)


def test_feedback_that_is_later_than_the_end_teaches_nothing() -> None:
    stream, channel = synsep(500), onebit.Bit(delay=500)
    player = prepare(onebit.Banditron(9), stream, 0)
    assert play(player, stream, channel, 0).updates[-1] == 0
    assert not player._session.state.W.any()


def test_constant_delay_learns_from_all_but_the_last() -> None:
    stream, channel = synsep(500), onebit.Bit(delay=120)
    player = prepare(onebit.Banditron(9), stream, 0)
    assert play(player, stream, channel, 0).updates[-1] == 380


def test_the_size_of_chunks_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, channel = synsep(3000), onebit.Bit()
    a = play(prepare(onebit.Banditron(9), stream, 0), stream, channel, 0)
    monkeypatch.setattr(engine, "CHUNK_SECONDS", 0.0)
    b = play(prepare(onebit.Banditron(9), stream, 0), stream, channel, 0)
    assert np.array_equal(a.mistakes, b.mistakes)


def test_a_stop_keeps_what_was_played() -> None:
    heard: list[int] = []
    stream, channel = synsep(10**9), onebit.Bit()
    player = prepare(onebit.Banditron(9), stream, 0)
    trace = play(
        player,
        stream,
        channel,
        0,
        on_chunk=heard.append,
        should_stop=lambda: bool(heard) and heard[-1] > 20_000,
    )
    assert not trace.complete
    assert trace.rounds[-1] == heard[-1] == player.decisions
    assert 20_000 < heard[-1] < 10**7


def test_checkpoints_are_log_spaced_and_end_with_the_last_round() -> None:
    grid = checkpoints()
    assert grid[0] == 1
    assert (np.diff(grid) > 0).all()
    assert {10, 100, 1000, 10**6, 10**9} <= set(grid.tolist())
    stream, channel = synsep(777), onebit.Bit()
    trace = play(prepare(onebit.Banditron(9), stream, 0), stream, channel, 0)
    assert trace.rounds[-1] == 777
    assert trace.rounds[-2] == 631


def test_more_rounds_than_rows_go_on_in_another_order() -> None:
    stream = from_arrays(np.eye(6), list("abcabc"))
    windows = list(stream.windows(seed=3, rounds=14))
    assert [len(w.order) for w in windows] == [6, 6, 2]
    assert sorted(windows[0].order) == sorted(windows[1].order) == list(range(6))
    assert windows[0].order.tolist() != windows[1].order.tolist()


def test_full_feedback_and_labels_in_another_order_than_the_learners() -> None:
    draw = np.random.default_rng(0)
    y = draw.integers(3, size=300)
    X = np.eye(3)[y] + 0.1 * draw.normal(size=(300, 3))
    stream = from_arrays(X, np.array(["a", "b", "c"])[y])
    for order in (["a", "b", "c"], ["c", "a", "b", "never seen"]):
        learner = onebit.Perceptron(order)
        fused, slow = (prepare(learner, stream, 0) for _ in range(2))
        trace = play(fused, stream, onebit.Full(), 0)
        assert trace.mistakes[-1] < 20
        assert np.array_equal(trace.mistakes, play_reference(slow, stream, onebit.Full(), 0).mistakes)
        assert fused.predict([[1.0, 0, 0], [0, 0, 1.0]]).tolist() == ["a", "c"]


def test_what_does_not_fit_together_is_said_before_anything_is_played() -> None:
    stream = synsep(10)
    with pytest.raises(FeedbackError, match="Perceptron learns from the true label"):
        play(prepare(onebit.Perceptron(9), stream, 0), stream, onebit.Bit(), 0)
    with pytest.raises(FeedbackError, match="Banditron learns from a bit"):
        play(prepare(onebit.Banditron(9), stream, 0), stream, onebit.Full(), 0)
    with pytest.raises(DataError, match="label 8, which the learner does not know"):
        play(prepare(onebit.Banditron(8), stream, 0), stream, onebit.Bit(), 0)
    with pytest.raises(ConfigError, match="n_features=7"):
        play(onebit.Banditron(9, n_features=7), stream, onebit.Bit(), 0)


def test_rows_with_repeated_entries_count_their_sum() -> None:
    twice = sp.csr_array((np.ones(3), np.array([0, 0, 2]), np.array([0, 3])), shape=(1, 4))
    learner = onebit.Banditron(2, gamma=0.0)
    learner.learn(learner.decide(twice), False)
    assert learner.scores([1.0, 0, 0, 0])[0] == -2


def test_values_that_would_overflow_are_refused() -> None:
    with pytest.raises(DataError, match=r"row 1, feature 1 is 1e\+154"):
        from_arrays(np.array([[1.0, 2.0], [1.0, 1e154]]), [0, 1])
    stream = from_arrays(np.array([[1.0, 2.0], [1.0, 1e30]]), [0, 1])
    with pytest.raises(DataError, match=r"feature 1 is 1e\+30, and values in float32 may be 1e\+10"):
        onebit.simulate(onebit.Banditron(2, dtype="float32"), stream, seeds=1)


class _Unchecked(Stream):
    """A stream of one's own that gives what it was given."""

    name = "unchecked"
    classes = (0, 1)
    rounds = 2
    n_features = 2

    def __init__(self, X: object) -> None:
        self.table = X
        self.sparse = sp.issparse(X)

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        yield Window(self.table, np.array([0, 1]), np.arange(2))


def test_the_windows_of_a_stream_of_ones_own_are_checked() -> None:
    broken = sp.csr_array([[1.0, 2.0], [3.0, 4.0]])
    broken.indices[3] = 1000
    for X in (np.array([[1.0, 2.0], [1.0, np.nan]]), np.array([[1.0, 2.0], [1.0, 1e154]]), broken):
        with pytest.raises(DataError):
            onebit.simulate(onebit.Banditron(2), _Unchecked(X), seeds=1)
