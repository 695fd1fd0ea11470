"""Ctrl-C: what was played is returned, what was not is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from onebit import Banditron, read_log, simulate
from onebit.engine.play import Trace
from onebit.simulate import replicas
from onebit.simulate import simulate as simulations
from onebit.streams import synsep


def interrupt_when(condition: Callable[[int], bool]) -> Callable[..., Any]:
    """A progress bar in whose update, which runs in the main thread, Ctrl-C strikes."""

    @contextmanager
    def bar(show: bool | None, title: str, total: int | None) -> Iterator[Callable[[int], None]]:
        def update(played: int) -> None:
            if condition(played):
                raise KeyboardInterrupt

        yield update

    return bar


def test_partial_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations, "progress_bar", interrupt_when(lambda played: played > 0))
    with pytest.warns(UserWarning, match=r"interrupted; rounds played of 1,000,000,000: .* \(seed 0\)") as caught:
        result = simulate(Banditron(9), synsep(), rounds=1e9, seeds=5, workers=2)
    assert "more seeds never began" in str(caught[0].message)
    assert not result.complete
    assert result.seeds in [(0,), (0, 1)]
    assert all(0 < played < 10**9 for played in result.rounds)
    assert [learner.decisions for learner in result.learners] == result.rounds
    assert 0 < result.error < 1
    assert result.curve.num_rows == sum(len(trace.rounds) for trace in result.traces)
    assert "(interrupted)" in result.summary()
    assert result.record()["complete"] is False


def test_nothing_played_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def never_begins(*given: Any) -> Trace:
        should_stop = given[-1]
        while not should_stop():
            sleep(0.001)
        nothing = np.zeros(0, dtype=np.int64)
        return Trace(nothing, nothing, nothing, nothing, seconds=0.0, complete=False)

    monkeypatch.setattr(replicas, "play_seed", never_begins)
    monkeypatch.setattr(simulations, "progress_bar", interrupt_when(lambda played: True))
    with pytest.raises(KeyboardInterrupt):
        simulate(Banditron(9), synsep(), rounds=1e9, seeds=2)


def test_interrupted_after_the_end_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strike between the last round and the return loses nothing, so there is nothing to warn of."""
    monkeypatch.setattr(simulations, "progress_bar", interrupt_when(lambda played: played == 2000))
    assert simulate(Banditron(9), synsep(1000), seeds=2).complete


def test_the_log_of_what_was_played_is_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(simulations, "progress_bar", interrupt_when(lambda played: played > 0))
    with pytest.warns(UserWarning, match="interrupted"):
        result = simulate(Banditron(9), synsep(), rounds=1e9, log=tmp_path / "log.parquet", log_features=False)
    assert len(read_log(tmp_path / "log.parquet")) == result.rounds[0]
