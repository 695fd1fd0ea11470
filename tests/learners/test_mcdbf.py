"""MCDBF: Banditron at m = 1, parameters, its figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.streams import synnonsep
from tests.learners.sets import wide


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("noise", [None, (0.2, 0.1)], ids=str)
@pytest.mark.parametrize("gamma", [2**-3, 0.1, 1.0])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_mcdbf_with_one_label_is_banditron_to_the_bit(kind: str, gamma: float, noise: Any, normalize: bool) -> None:
    stream, settings = wide(kind), {"gamma": gamma, "noise": noise, "normalize": normalize}
    channel = onebit.NoisyBit(*noise) if noise else onebit.Bit()
    pair = [
        prepare(learner, stream, 5) for learner in (onebit.Banditron(7, **settings), onebit.MCDBF(7, m=1, **settings))
    ]
    one, other = (play(learner, stream, channel, 5) for learner in pair)
    for counted in ("mistakes", "greedy_mistakes", "updates"):
        assert np.array_equal(getattr(one, counted), getattr(other, counted))
    assert np.array_equal(pair[0]._session.state.W, pair[1]._session.state.W)
    assert np.array_equal(pair[0]._session.rng, pair[1]._session.rng)
    for x in stream.X[:500]:
        a, b = (learner.decide(x) for learner in pair)
        assert (a.labels, a.propensity, a.greedy, a.explored) == (b.labels, b.propensity, b.greedy, b.explored)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"classes": 4, "gamma": 0}, r"gamma=0: must be a number above 0, up to 1"),
        ({"classes": 500, "m": 150}, r"m=150: with 500 classes and gamma=0.125 the probability"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.MCDBF(**parameters)


def test_theory_sets_gamma_from_rounds_classes_and_the_size_of_a_set() -> None:
    # K = 4, m = 2, ‖W*‖ = 1: c₂ = 216, so 216·16 rounds give γ = ½.
    learner = onebit.MCDBF(4, m=2, gamma=f"theory:{216 * 16}")
    assert learner.hyper().gamma == pytest.approx(0.5, rel=1e-12)
    a = learner.decide([1.0])
    P = {True: 0.5 / 2 + 0.5 / 4, False: 0.5 / 4}
    first, second = (label in a.top for label in a.labels)
    assert a.propensity == pytest.approx(P[first] * P[second] / (1 - P[first]), rel=1e-12)


def test_figure_of_mcdbf_on_synnonsep() -> None:
    assert onebit.simulate(onebit.MCDBF(9, m=2), synnonsep(100_000), seeds=[31, 32, 33]).greedy_error <= 0.075
