"""A learner that takes bits and labels, played with both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.engine.reference import play_reference
from tests.either import Either, clusters

CHANNELS = [
    onebit.Full(),
    onebit.Full(delay=(0, 40)),
    onebit.Bit(),
    onebit.NoisyBit(0.1, 0.2, delay=(0, 40)),
]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("channel", CHANNELS, ids=str)
def test_the_fused_loop_and_the_readable_one_agree(channel: Any, kind: str) -> None:
    stream = clusters()
    if kind == "sparse":
        stream = onebit.streams.from_arrays(sp.csr_array(stream.X), stream.y)
    fused, slow = (prepare(Either(["c", "a", "b"], gamma=0.2), stream, seed=3) for _ in range(2))
    a, b = play(fused, stream, channel, 3, 1000), play_reference(slow, stream, channel, 3, 1000)
    for name in ("rounds", "mistakes", "greedy_mistakes", "updates"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert np.array_equal(fused._session.state.W, slow._session.state.W)
    assert np.array_equal(fused._session.rng, slow._session.rng)


def test_each_channel_teaches_by_its_own_function() -> None:
    stream = clusters()
    bandit = onebit.simulate(onebit.Banditron(stream.classes, gamma=0.2), stream)
    told, asked = (
        onebit.simulate(Either(stream.classes, gamma=0.2), stream, channel) for channel in (onebit.Full(), None)
    )
    assert asked.curve.equals(bandit.curve), "the default is a bit"
    perceptron = onebit.simulate(onebit.Perceptron(stream.classes), stream)
    assert np.array_equal(told.learners[0]._session.state.W, perceptron.learners[0]._session.state.W)
    assert told.greedy_error == perceptron.error


def test_labels_that_are_booleans_are_labels_in_both_loops() -> None:
    stream = clusters(classes=(True, False))
    fused, slow = (prepare(Either(stream.classes), stream, seed=1) for _ in range(2))
    a, b = play(fused, stream, onebit.Full(), 1), play_reference(slow, stream, onebit.Full(), 1)
    assert np.array_equal(a.mistakes, b.mistakes)
    assert np.array_equal(fused._session.state.W, slow._session.state.W)
    assert set(fused._session.state.W.sum(axis=0).round(9).tolist()) == {0.0}, "what one class gains the other loses"
