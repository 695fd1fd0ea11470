"""MCSLP, MCDBF and SetBanditron: unbiased by enumeration, exact propensities, Banditron at m = 1, figures."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError, Decision
from onebit.contract.layout import Layout
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.learners.set_banditron import inverse
from onebit.streams import from_arrays, load, synnonsep
from onebit.streams.catalog import dataset
from tests.naive.setbanditron import indicator, play_matrix

EXACT = 1e-12
SIZES = [(K, m) for K in range(2, 7) for m in range(1, K)]
GAMMAS = [0.02, 0.3, 1.0]
LIES = [None, (0.2, 0.1), (0.0, 0.6)]
SCORED, READ = 0.8, 0.6
"""The row: its first feature makes the scores, in its second one the step is read, from weights of 0."""


def awake(learner: Any, kind: str) -> Any:
    """The learner with scores that differ, through the first of its two features."""
    learner.begin(Layout(len(learner.classes), 2, kind, "float64"))  # type: ignore[arg-type]  # one of the two
    learner._run.state.W[:, 0] = np.random.default_rng(len(learner.classes)).normal(size=len(learner.classes))
    return learner


def row_of(kind: str) -> Any:
    x = np.array([SCORED, READ])
    return sp.csr_array(x[None]) if kind == "sparse" else x


def step(learner: Any, decision: Decision, feedback: Any) -> Any:
    """What one lesson adds to the weights of the second feature, per unit of the row; the learner is set back."""
    state = learner._run.state
    kept = [array.copy() for array in state]
    learner.learn(decision, feedback)
    moved: Any = state.W[:, 1].copy()
    for array, old in zip(state, kept, strict=True):
        array[...] = old
    return moved / READ


def best(learner: Any, m: int) -> tuple[int, ...]:
    return tuple(np.argsort(-learner._run.state.W[:, 0], kind="stable")[:m].tolist())


def ordered_draws(K: int, top: tuple[int, ...], gamma: float) -> dict[tuple[int, ...], float]:
    """Every ordered draw of MCDBF and its probability."""
    P = gamma / K + (1 - gamma) / len(top) * indicator(top, K)
    draws = {}
    for labels in permutations(range(K), len(top)):
        left = [1 - P[list(labels[:i])].sum() for i in range(len(labels))]
        draws[labels] = float(np.prod(P[list(labels)] / left))
    return draws


def sets(K: int, order: tuple[int, ...], m: int, gamma: float) -> dict[tuple[int, ...], float]:
    """Every set of SetBanditron, in the order of the scores, and its probability."""
    return {A: gamma / comb(K, m) + (1 - gamma) * (order[:m] == A) for A in combinations(order, m)}


def mean_step(learner: Any, draws: dict[tuple[int, ...], float], kind: str, y: int, unit: float = 1.0) -> Any:
    """The mean of the step over all draws, and over all lies."""
    rho_0, rho_1 = learner.noise or (0.0, 0.0)
    top = best(learner, learner.m)
    mean = np.zeros(len(learner.classes))
    for labels, p in draws.items():
        says_yes = 1 - rho_1 if y in labels else rho_0
        for bit, chance in ((True, says_yes), (False, 1 - says_yes)):
            if chance:
                decision = Decision(labels, p, top[0], False, row_of(kind), 0, top)
                mean += p * chance * step(learner, decision, bit) * unit
    return mean


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


@pytest.mark.parametrize("noise", LIES, ids=str)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_the_mean_gradient_of_the_log_loss_is_that_of_full_information(gamma: float, noise: Any) -> None:
    """With large sums of squares from before, AdaGrad's step is the gradient but for a known factor."""
    huge = 2.0**200
    for K, m in SIZES:
        for kind in ("dense", "sparse"):
            learner = awake(onebit.SetBanditron(K, m=m, gamma=gamma, noise=noise, loss="log", eta=0.25), kind)
            learner._run.state.G[...] = huge
            draws, s = sets(K, best(learner, K), m, gamma), SCORED * learner._run.state.W[:, 0]
            q = np.exp(s) / np.exp(s).sum()
            for y in range(K):
                mean = mean_step(learner, draws, kind, y, unit=np.sqrt(huge) / 0.25)
                assert mean == pytest.approx(np.eye(K)[y] - q, rel=0, abs=EXACT), (K, m, y)


@pytest.mark.parametrize("gamma", [*GAMMAS, 2**-5])
def test_the_closed_form_is_the_inverse_of_the_play_matrix(gamma: float) -> None:
    for K, m in [*SIZES, (9, 4)]:
        hyper, top = onebit.SetBanditron(K, m=m, gamma=gamma).hyper(), tuple(range(K))[::-2][:m]
        top = (*top, *(r for r in range(K) if r not in top))[:m]
        M_inverse = np.linalg.inv(play_matrix(K, top, gamma))
        for A in combinations(range(K), m):
            U = np.zeros(K)
            inverse(hyper, np.array([*A, *top]), U)
            assert pytest.approx(M_inverse @ indicator(A, K), rel=1e-11, abs=1e-11) == U


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


def wide(kind: str) -> Any:
    draw = np.random.default_rng(4)
    y = draw.integers(7, size=3000)
    X = (draw.normal(size=(7, 37))[y] + draw.normal(size=(3000, 37))) * (draw.random((3000, 37)) < 0.6)
    return from_arrays(sp.csr_array(X) if kind == "sparse" else X, y)


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
    assert np.array_equal(pair[0]._run.state.W, pair[1]._run.state.W)
    assert np.array_equal(pair[0]._run.rng, pair[1]._run.rng)
    for x in stream.X[:500]:
        a, b = (learner.decide(x) for learner in pair)
        assert (a.labels, a.propensity, a.greedy, a.explored) == (b.labels, b.propensity, b.greedy, b.explored)


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
    assert np.array_equal(pair[0]._run.state.W, pair[1]._run.state.W)


def test_mcslp_rests_where_there_is_no_loss() -> None:
    for gated, updates in ((True, 0), (False, 1)):
        learner = awake(onebit.MCSLP(4, m=2, gated=gated), "dense")
        learner._run.state.W[:, 0] = [5.0, 2.0, 1.0, 0.0]
        learner.learn(learner.decide([1.0, 0.0]), 0)
        assert learner.updates == updates, "1 - 5 + (5 + 2)/2 < 0"
        learner.learn(learner.decide([1.0, 0.0]), 1)
        assert learner.updates == updates + 1


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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: onebit.MCDBF(4, gamma=0), r"gamma=0: must be a number above 0, up to 1"),
        (lambda: onebit.SetBanditron(4, gamma=0), r"gamma=0: must be a number above 0, up to 1, or 'auto'"),
        (lambda: onebit.SetBanditron(4, loss="hinge"), r"loss='hinge': must be 'perceptron' or 'log'"),
        (lambda: onebit.SetBanditron(4, eta=0), r"eta=0: must be a number above 0"),
        (lambda: onebit.MCDBF(500, m=150), r"m=150: with 500 classes and gamma=0.125 the probability"),
        (lambda: onebit.SetBanditron(2000, m=1000), r"m=1000: with 2000 classes the probability"),
        (lambda: onebit.MCSLP(4, noise=(0.1, 0.1)), r"MCSLP cannot take it: it is told the true label"),
    ],
    ids=["mcdbf gamma", "gamma", "loss", "eta", "many", "too many", "labels do not lie"],
)
def test_bad_parameters(make: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


def test_gamma_is_chosen_by_the_loss() -> None:
    assert onebit.SetBanditron(4).hyper().gamma == 2**-4
    assert onebit.SetBanditron(4, loss="log").hyper().gamma == 2**-5
    assert onebit.SetBanditron(4, loss="log", gamma=0.25).hyper().gamma == 0.25


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


@pytest.mark.parametrize(("m", "played", "greedy"), [(2, 0.070, 0.063), (4, 0.050, 0.066), (6, 0.031, 0.070)])
def test_figures_of_the_log_loss_on_synnonsep(m: int, played: float, greedy: float) -> None:
    learner = onebit.SetBanditron(9, m=m, loss="log")
    result = onebit.simulate(learner, synnonsep(100_000), seeds=[31, 32, 33])
    assert result.error <= played
    assert result.greedy_error <= greedy


def test_figure_of_mcdbf_on_synnonsep() -> None:
    assert onebit.simulate(onebit.MCDBF(9, m=2), synnonsep(100_000), seeds=[31, 32, 33]).greedy_error <= 0.075


def test_figure_of_mcslp_on_mnist() -> None:
    if not dataset("mnist").available:
        pytest.skip("the file of mnist is not in the data folder")
    stream = load("mnist", normalize=True)
    assert onebit.simulate(onebit.MCSLP(stream.classes, m=2), stream, rounds=1e5, seeds=[31]).greedy_error <= 0.105


def test_the_labels_of_a_set_must_differ() -> None:
    learner = onebit.SetBanditron(5)
    before = learner.decide([1.0, 2.0])
    twice = onebit.Decision((1, 1), 0.5, 1, True, [1.0, 2.0], 0, before.top)
    with pytest.raises(onebit.FeedbackError, match=r"played \(1, 1\); the labels of a set must differ"):
        learner.learn(twice, True)
    assert not learner.scores([1.0, 2.0]).any()
