"""A learner and a stream brought together."""

from __future__ import annotations

import numpy as np
import pytest

from onebit import Banditron, ConfigError, PageRankUCB, simulate
from onebit.engine.pairing import paired
from onebit.streams import load, planted_graph


def test_rows_are_computed_before_anybody_plays() -> None:
    stream = planted_graph(80, classes=2, d=4)
    heard: list[tuple[int, int]] = []
    learner = Banditron(2)
    assert paired(learner, stream, lambda what, done, total: heard.append((done, total))) == (learner, stream)
    assert "_computed" in vars(stream)
    assert not heard or heard[-1][0] <= heard[-1][1]


def test_other_streams_are_left_alone() -> None:
    learner, stream = Banditron(3), load("iris")
    assert paired(learner, stream) == (learner, stream)


def test_a_walker_takes_the_graph_and_needs_no_rows() -> None:
    stream = planted_graph(80, classes=2, d=4)
    learner, nodes = paired(PageRankUCB(2), stream)
    assert learner.get_params()["graph"] == stream.graph
    assert np.array_equal(nodes.y, stream.y)
    assert "_computed" not in vars(stream)
    assert paired(learner, stream)[0] is learner


def test_a_walker_of_another_graph_is_refused() -> None:
    learner = PageRankUCB(2, graph=planted_graph(80, classes=2, d=4, seed=1).graph)
    with pytest.raises(ConfigError, match="the stream planted is about another"):
        paired(learner, planted_graph(80, classes=2, d=4))


def test_a_result_of_a_walker_can_be_played_again() -> None:
    stream = planted_graph(80, classes=2, d=4)
    result = simulate(PageRankUCB(2), stream, seeds=2)
    assert simulate(result.learner, stream, seeds=2).errors == result.errors
