"""MCSLP, MCDBF and SetBanditron: the estimates are unbiased, propensities exact, sizes of sets checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError, Decision
from onebit.streams import synnonsep
from tests.learners.sets import EXACT, GAMMAS, LIES, SIZES, awake, best, mean_step, ordered_draws, row_of, sets, step
from tests.naive.setbanditron import indicator


@pytest.mark.parametrize("noise", LIES, ids=str)
@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("name", ["MCDBF", "SetBanditron"])
def test_the_mean_step_is_that_of_full_information(name: str, gamma: float, noise: Any) -> None:
    for K, m in SIZES:
        for kind in ("dense", "sparse"):
            learner = awake(getattr(onebit, name)(K, m=m, gamma=gamma, noise=noise), kind)
            top = best(learner, m)
            draws = ordered_draws(K, top, gamma) if name == "MCDBF" else sets(K, best(learner, K), m, gamma)
            assert sum(draws.values()) == pytest.approx(1, abs=EXACT)
            full = awake(onebit.MCSLP(K, m=m, gated=False), kind)
            for y in range(K):
                expected = step(full, Decision(top, 1.0, top[0], False, row_of(kind), 0, top), y)
                assert expected == pytest.approx(np.eye(K)[y] - indicator(top, K) / m, abs=EXACT)
                assert mean_step(learner, draws, kind, y) == pytest.approx(expected, rel=0, abs=EXACT), (K, m, y)


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("name", ["MCDBF", "SetBanditron"])
def test_propensities_are_exact(name: str, gamma: float) -> None:
    for K, m in [(3, 1), (3, 2), (4, 2), (5, 3), (6, 5)]:
        learner = awake(getattr(onebit, name)(K, m=m, gamma=gamma), "dense")
        draws = ordered_draws(K, best(learner, m), gamma) if name == "MCDBF" else sets(K, best(learner, K), m, gamma)
        for _ in range(500):
            decision = learner.decide(row_of("dense"))
            assert decision.top == best(learner, m)
            assert decision.greedy == best(learner, 1)[0]
            assert decision.propensity == pytest.approx(draws[decision.labels], rel=1e-12)


@pytest.mark.parametrize("name", ["MCSLP", "MCDBF", "SetBanditron"])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"m": 0}, r"m=0: must be a whole number of labels, 1 or larger"),
        ({"m": 1.5}, r"m=1.5: must be a whole number"),
        ({"m": True}, r"m=True: must be a whole number"),
        ({"m": 4}, r"m=4: with 4 classes every set would hold the true label.*choose m from 1 to 3"),
        ({"m": 9}, r"m=9: with 4 classes"),
        ({"ties": "random"}, r"ties='random': \w+ takes only 'first', because the propensity of a set"),
    ],
    ids=str,
)
def test_bad_sets(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        getattr(onebit, name)(4, **parameters)


def test_many_classes_and_large_sets_stay_finite() -> None:
    for learner in (onebit.MCDBF(60, m=30), onebit.SetBanditron(60, m=59), onebit.SetBanditron(60, m=30, loss="log")):
        for t in range(200):
            decision = learner.decide([1.0, t / 200])
            assert 0 < decision.propensity <= 1
            assert len(set(decision.labels)) == len(decision.labels) == learner.m
            learner.learn(decision, t % 60 in decision.labels)
        assert np.isfinite(learner.scores([1.0, 1.0])).all()


@pytest.mark.parametrize(("name", "gamma", "bar"), [("MCDBF", 0.5, 0.2), ("SetBanditron", 0.125, 0.4)])
def test_noise_correction_learns_from_lies(name: str, gamma: float, bar: float) -> None:
    stream, lies = synnonsep(100_000), onebit.NoisyBit(0.4, 0.4)
    learner = getattr(onebit, name)(9, m=2, gamma=gamma)
    fooled = onebit.simulate(learner, stream, feedback=lies, seeds=[21])
    told = onebit.simulate(learner.clone(noise=(0.4, 0.4)), stream, feedback=lies, seeds=[21])
    assert fooled.greedy_error > 0.5
    assert told.greedy_error < bar
