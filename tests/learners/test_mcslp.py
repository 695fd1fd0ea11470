"""MCSLP: the Perceptron at m = 1, its gate, its figure."""

from __future__ import annotations

import numpy as np
import pytest

import onebit
from onebit import ConfigError
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.streams import load
from onebit.streams.catalog import dataset
from tests.learners.sets import awake, wide


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_mcslp_with_one_label_is_the_perceptron(kind: str, gated: bool) -> None:
    stream = wide(kind)
    pair = [
        prepare(learner, stream, 1)
        for learner in (onebit.Perceptron(7), onebit.MCSLP(7, m=1, gated=gated, normalize=False))
    ]
    one, other = (play(learner, stream, onebit.Full(), 1) for learner in pair)
    assert np.array_equal(one.mistakes, other.mistakes)
    assert np.array_equal(one.updates, other.updates)
    assert np.array_equal(pair[0]._session.state.W, pair[1]._session.state.W)


def test_mcslp_rests_where_there_is_no_loss() -> None:
    for gated, updates in ((True, 0), (False, 1)):
        learner = awake(onebit.MCSLP(4, m=2, gated=gated), "dense")
        learner._session.state.W[:, 0] = [5.0, 2.0, 1.0, 0.0]
        learner.learn(learner.decide([1.0, 0.0]), 0)
        assert learner.updates == updates, "1 - 5 + (5 + 2)/2 < 0"
        learner.learn(learner.decide([1.0, 0.0]), 1)
        assert learner.updates == updates + 1


def test_labels_do_not_lie() -> None:
    with pytest.raises(ConfigError, match="MCSLP cannot take it: it is told the true label"):
        onebit.MCSLP(4, noise=(0.1, 0.1))


def test_figure_of_mcslp_on_mnist() -> None:
    if not dataset("mnist").available:
        pytest.skip("the file of mnist is not in the data folder")
    stream = load("mnist", normalize=True)
    assert onebit.simulate(onebit.MCSLP(stream.classes, m=2), stream, rounds=1e5, seeds=[31]).greedy_error <= 0.105
