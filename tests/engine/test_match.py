"""A learner, a stream and a channel brought together, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import onebit
from onebit import Banditron, Bit, ConfigError, PageRankUCB, simulate
from onebit.cli import main
from onebit.engine.match import Match
from onebit.feedback import AnswerKind
from onebit.streams import load, planted_graph, synsep
from onebit.streams.base import Stream


@pytest.mark.parametrize("stream", [load("iris"), planted_graph(80, classes=3, d=4)], ids=lambda stream: stream.name)
def test_a_learner_of_rows_and_its_stream_are_left_alone(stream: Stream) -> None:
    learner = Banditron(stream.classes)
    match = Match.of(learner, stream, Bit())
    assert (match.learner, match.stream) == (learner, stream)


def test_a_walker_takes_the_graph_and_needs_no_rows() -> None:
    stream = planted_graph(80, classes=2, d=4)
    match = Match.of(PageRankUCB(2), stream, Bit())
    assert match.learner.get_params()["graph"] == stream.graph
    assert np.array_equal(next(match.stream.windows(0)).y, stream.y)
    assert "_computed" not in vars(stream)
    assert Match.of(match.learner, stream, Bit()).learner is match.learner


def test_a_walker_of_another_graph_is_refused() -> None:
    learner = PageRankUCB(2, graph=planted_graph(80, classes=2, d=4, seed=1).graph)
    with pytest.raises(ConfigError, match="the stream planted is about another"):
        Match.of(learner, planted_graph(80, classes=2, d=4), Bit())


def test_a_result_of_a_walker_can_be_played_again() -> None:
    stream = planted_graph(80, classes=2, d=4)
    result = simulate(PageRankUCB(2), stream, seeds=2)
    assert simulate(result.learner, stream, seeds=2).errors == result.errors


class Counted(Banditron):
    """Counts how often somebody asks whether it fits a channel."""

    asked: ClassVar[list[AnswerKind]] = []

    @classmethod
    def takes(cls, kind: AnswerKind) -> bool:
        cls.asked.append(kind)
        return super().takes(kind)


@pytest.fixture
def asked() -> list[AnswerKind]:
    """The questions so far: none."""
    Counted.asked.clear()
    return Counted.asked


def test_a_simulation_checks_the_fit_once_for_all_seeds(asked: list[AnswerKind]) -> None:
    simulate(Counted(9), synsep(100), seeds=5)
    assert asked == ["bit"]


def test_a_sweep_checks_the_fit_once_for_all_its_cells(asked: list[AnswerKind], tmp_path: Path) -> None:
    arm = onebit.Arm(Counted(9), {"gamma": [0.1, 0.2]})
    plan = onebit.Sweep.cross([arm], synsep(100), seeds=3, tune_seeds=2)
    assert asked == ["bit"]
    with ThreadPoolExecutor(1) as pool:
        assert onebit.sweep(plan, tmp_path, executor=pool, progress=False).complete
    assert asked == ["bit"]


def test_onebit_run_checks_and_compiles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[Match] = []
    players: list[int] = []
    check, player = Match.check, Match.player

    def counted_check(match: Match) -> None:
        checks.append(match)
        check(match)

    def counted_player(match: Match, seed: int) -> onebit.Learner:
        players.append(seed)
        return player(match, seed)

    monkeypatch.setattr(Match, "check", counted_check)
    monkeypatch.setattr(Match, "player", counted_player)
    assert main(["run", "banditron", "--data", "synsep", "--rounds", "100", "--seeds", "3"]) == 0
    assert len(checks) == 1
    assert len(players) == 4, "one for each seed, and one to compile with"


def test_scikit_learn_checks_the_fit_once(asked: list[AnswerKind]) -> None:
    from onebit.sklearn import BanditClassifier

    BanditClassifier(Counted(2)).fit([[0.0], [1.0]], [0, 1])
    assert asked == ["bit"]
