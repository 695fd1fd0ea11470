"""SetBanditron: M inverted in closed form, ties that stay ties, the log loss, figures."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError
from onebit.core.seeds import bit_generator
from onebit.learners.set_banditron import inverse_times_played
from onebit.streams import synnonsep
from tests.learners.sets import EXACT, GAMMAS, LIES, SCORED, SIZES, awake, best, mean_step, sets
from tests.naive.setbanditron import Twin, on_paper


@pytest.mark.parametrize("noise", LIES, ids=str)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_the_mean_gradient_of_the_log_loss_is_that_of_full_information(gamma: float, noise: Any) -> None:
    """With large sums of squares from before, AdaGrad's step is the gradient but for a known factor."""
    huge = 2.0**200
    for K, m in SIZES:
        for kind in ("dense", "sparse"):
            learner = awake(onebit.SetBanditron(K, m=m, gamma=gamma, noise=noise, loss="log", eta=0.25), kind)
            learner._session.state.G[...] = huge
            draws, s = sets(K, best(learner, K), m, gamma), SCORED * learner._session.state.W[:, 0]
            q = np.exp(s) / np.exp(s).sum()
            for y in range(K):
                mean = mean_step(learner, draws, kind, y, unit=np.sqrt(huge) / 0.25)
                assert mean == pytest.approx(np.eye(K)[y] - q, rel=0, abs=EXACT), (K, m, y)


@pytest.mark.parametrize("gamma", [*GAMMAS, 2**-5])
def test_the_closed_form_is_the_inverse_of_the_play_matrix_and_keeps_its_ties(gamma: float) -> None:
    for K, m in [*SIZES, (7, 3), (9, 4)]:
        hyper, top = onebit.SetBanditron(K, m=m, gamma=gamma).hyper(), tuple(range(K))[::-2][:m]
        top = (*top, *(r for r in range(K) if r not in top))[:m]
        for A in combinations(range(K), m):
            U = np.zeros(K)
            inverse_times_played(hyper, np.array([*A, *top]), U)
            exact = on_paper(K, top, A, gamma)
            assert pytest.approx([float(v) for v in exact], rel=1e-11, abs=1e-11) == U
            for r, s in combinations(range(K), 2):
                assert exact[r] != exact[s] or U[r] == U[s], (K, m, A, top)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(
    ("K", "parameters"),
    [
        (5, {"m": 4, "gamma": 0.1, "noise": (0.2, 0.1)}),
        (5, {"m": 4, "gamma": 0.1}),
        (5, {"m": 1, "gamma": 0.3}),
        (5, {"m": 2, "gamma": 1.0}),
        (7, {"m": 3, "gamma": 0.3}),
    ],
    ids=str,
)
def test_classes_that_tie_on_paper_are_played_as_the_twin_plays_them(
    K: int, parameters: dict[str, Any], kind: str
) -> None:
    """In the first rounds most classes are tied, and a last bit would say which are played."""
    for seed in range(60):
        draw = np.random.default_rng(seed)
        X = draw.normal(size=(20, 12)) * (draw.random((20, 12)) < 0.6)
        y = draw.integers(K, size=20)
        learner = onebit.SetBanditron(K, seed=seed, normalize=False, loss="log", **parameters)
        twin = Twin(K, 12, np.random.Generator(bit_generator(seed, "learner")), loss="log", **parameters)
        for t, x in enumerate(X):
            decision = learner.decide(sp.csr_array(x[None]) if kind == "sparse" else x)
            played, greedy, propensity, explored = twin.decide(x)
            assert (decision.labels, decision.top) == played, f"seed {seed}, round {t}"
            right = bool(y[t] in decision.labels)
            learner.learn(decision, right)
            twin.learn(x, played, greedy, propensity, explored, int(right))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: onebit.SetBanditron(4, gamma=0), r"gamma=0: must be a number above 0, up to 1, or 'auto'"),
        (lambda: onebit.SetBanditron(4, loss="hinge"), r"loss='hinge': must be 'perceptron' or 'log'"),
        (lambda: onebit.SetBanditron(4, eta=0), r"eta=0: must be a number above 0"),
        (lambda: onebit.SetBanditron(2000, m=1000), r"m=1000: with 2000 classes the probability"),
    ],
    ids=["gamma", "loss", "eta", "too many"],
)
def test_bad_parameters(make: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


def test_gamma_is_chosen_by_the_loss() -> None:
    assert onebit.SetBanditron(4).hyper().gamma == 2**-4
    assert onebit.SetBanditron(4, loss="log").hyper().gamma == 2**-5
    assert onebit.SetBanditron(4, loss="log", gamma=0.25).hyper().gamma == 0.25


@pytest.mark.parametrize(("m", "played", "greedy"), [(2, 0.070, 0.063), (4, 0.050, 0.066), (6, 0.031, 0.070)])
def test_figures_of_the_log_loss_on_synnonsep(m: int, played: float, greedy: float) -> None:
    learner = onebit.SetBanditron(9, m=m, loss="log")
    result = onebit.simulate(learner, synnonsep(100_000), seeds=[31, 32, 33])
    assert result.error <= played
    assert result.greedy_error <= greedy


def test_the_labels_of_a_set_must_differ() -> None:
    learner = onebit.SetBanditron(5)
    before = learner.decide([1.0, 2.0])
    twice = onebit.Decision((1, 1), 0.5, 1, True, [1.0, 2.0], 0, before.top)
    with pytest.raises(onebit.FeedbackError, match=r"played \(1, 1\); the labels of a set must differ"):
        learner.learn(twice, True)
    assert not learner.scores([1.0, 2.0]).any()
