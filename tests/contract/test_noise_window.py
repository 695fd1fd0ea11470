"""The one mechanism for a bit that lies: known rates, and rates estimated while learning."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.engine.reference import play_reference
from onebit.noise import NoiseEstimate, NREst, Reestimated, TailMoment

K, D = 4, 6


class Means:
    """An estimator that depends on every row, label, propensity and bit it is given, and on their order."""

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> onebit.NoiseRates:
        weights = np.arange(1, len(bit) + 1)
        x = np.asarray(rows.sum(axis=1)).ravel() if sp.issparse(rows) else rows.sum(axis=1)
        mixed = float(np.tanh(weights @ (x + played + propensity + bit) / weights.sum() / 10))
        return onebit.NoiseRates(0.2 + 0.1 * mixed, 0.3 - 0.1 * mixed)


class Helpless:
    """Never knows."""

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> onebit.NoiseRates:
        raise onebit.DataError("bit: nobody knows")


def clusters(kind: str, n: int = 900) -> onebit.streams.Stream:
    draw = np.random.default_rng(4)
    y = draw.integers(K, size=n)
    X = (draw.normal(size=(K, D))[y] + 0.6 * draw.normal(size=(n, D))) * (draw.random((n, D)) < 0.7)
    return onebit.streams.from_arrays(sp.csr_array(X) if kind == "sparse" else X, y)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rcnbf_is_banditron_with_noise(kind: str) -> None:
    stream, channel = clusters(kind), onebit.NoisyBit(0.2, 0.3)
    a = onebit.simulate(onebit.RCNBF(K, gamma=0.1, rho_0=0.2, rho_1=0.3), stream, channel).learners[0]
    b = onebit.simulate(onebit.Banditron(K, gamma=0.1, noise=(0.2, 0.3)), stream, channel).learners[0]
    assert np.array_equal(a._session.state.W, b._session.state.W)
    assert a.noise_rates == b.noise_rates == onebit.NoiseRates(0.2, 0.3)


LINEAR = [onebit.Banditron, onebit.LinUCB, onebit.Confidit]


@pytest.mark.parametrize("cls", LINEAR)
def test_over_the_lies_the_mean_step_is_the_true_one(cls: Any) -> None:
    """One lesson from an honest bit equals the mean of the lessons from all lies, to the last digits."""
    rates = onebit.NoiseRates(0.3, 0.2)
    x = np.array([0.6, -0.8, 0.1])
    for truth in (False, True):
        learners = {}
        for noise, bit in ((None, truth), (rates, False), (rates, True)):
            learner = cls(3, noise=noise)
            for _ in range(2):
                learner.decide(x)
            decision = onebit.Decision((1,), 0.4, 0, True, x, 0)
            learner.learn(decision, bit)
            learners[noise is None, bit] = learner.scores(np.eye(3))
        yes = 1 - rates.rho_1 if truth else rates.rho_0
        mean = yes * learners[False, True] + (1 - yes) * learners[False, False]
        assert mean == pytest.approx(learners[True, truth], abs=1e-12)


@pytest.mark.parametrize(
    ("cls", "reason"),
    [
        (onebit.BanditPA, "does it harm"),
        (onebit.SOBA, "covariance"),
        (onebit.SOBADiagonal, "covariance"),
        (onebit.PNewtron, "curvature"),
        (onebit.Perceptron, "true label"),
        (onebit.RCNBF, "rho_0 and rho_1"),
        (onebit.RCINE, "estimator=..."),
    ],
)
def test_who_cannot_take_noise_says_why(cls: Any, reason: str) -> None:
    with pytest.raises(onebit.ConfigError, match=f"{cls.__name__} cannot take it.*{reason}"):
        cls(3, noise=onebit.NoiseRates(0.1, 0.1))


@pytest.mark.parametrize("noise", [0.2, (0.1,), (0.6, 0.4), (0.1, -0.1), "moments", TailMoment, object()])
def test_noise_that_is_none(noise: Any) -> None:
    with pytest.raises(onebit.ConfigError, match="noise=|rho_[01]="):
        onebit.Banditron(3, noise=noise)


def test_estimators_by_name_and_by_object() -> None:
    assert onebit.Banditron(3, noise="tail-moment").noise == Reestimated(TailMoment())
    assert onebit.Banditron(3, noise=NREst()).noise == Reestimated(NREst())
    assert onebit.RCINE(3, estimator="nrest", N_s=1000).flip_rates() == Reestimated(NREst(), every=1000)
    with pytest.raises(onebit.ConfigError, match="every=0"):
        Reestimated(TailMoment(), every=0)
    with pytest.raises(onebit.ConfigError, match="N_s=1.5: must be a whole number"):
        onebit.RCINE(3, N_s=1.5)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(onebit.ConfigError, match="estimator=3: must be an object with fit"):
        onebit.RCINE(3, estimator=3)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("delay", [0, 7, (0, 40)], ids=["at once", "late", "shuffled"])
@pytest.mark.parametrize("N_s", [1, 37, 300])
def test_rates_estimated_while_learning_give_the_same_bits_in_both_loops(kind: str, delay: Any, N_s: int) -> None:
    """Also where the window fills in the middle of the lessons of one round."""
    stream, channel = clusters(kind), onebit.NoisyBit(0.1, 0.2, delay=delay)
    pattern = onebit.RCINE(K, gamma=0.2, estimator=Means(), N_s=N_s)
    fast, slow = (prepare(pattern, stream, seed=3) for _ in range(2))
    a, b = play(fast, stream, channel, 3, 1000), play_reference(slow, stream, channel, 3, 1000)
    assert np.array_equal(a.mistakes, b.mistakes)
    assert np.array_equal(a.updates, b.updates)
    assert np.array_equal(fast._session.state.W, slow._session.state.W)
    assert fast.noise_history == slow.noise_history
    assert len(fast.noise_history) == int(a.updates[-1]) // N_s
    assert fast._session.window is not None
    assert fast._session.window.held == int(a.updates[-1]) % N_s
    if fast._session.window.held:
        for left, right in zip(fast.noise_window(), slow.noise_window(), strict=True):
            assert np.array_equal(
                left.toarray() if sp.issparse(left) else left, right.toarray() if sp.issparse(right) else right
            )


def test_the_rates_found_are_those_learned_with() -> None:
    """RCINE equals RCNBF until the first estimate, and RCNBF with the estimated rates after it."""
    stream, channel = clusters("dense"), onebit.NoisyBit(0.1, 0.2)
    first = prepare(onebit.RCINE(K, gamma=0.2, estimator=Means(), N_s=500), stream, 0)
    play(first, stream, channel, 0, 500)
    plain = prepare(onebit.RCNBF(K, gamma=0.2), stream, 0)
    play(plain, stream, channel, 0, 500)
    assert np.array_equal(first._session.state.W, plain._session.state.W)
    rates = first.noise_rates
    assert rates == first.noise_history[0].rates != (0, 0)
    x = np.ones(D)
    decision = first.decide(x)
    before = first.scores(x)[first.classes.index(decision.label)]
    first.learn(decision, True)
    h = (1 - rates.rho_0) / (1 - rates.rho_0 - rates.rho_1)
    gain = (h / decision.propensity - (decision.label == decision.greedy)) * D
    assert first.scores(x)[first.classes.index(decision.label)] - before == pytest.approx(gain)


class Answering:
    """Gives what it was made with."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> Any:
        return self.given


def test_rates_that_cannot_be_are_passed_over_and_no_rates_are_an_error() -> None:
    learner = onebit.Banditron(2, noise=Reestimated(Answering(onebit.NoiseRates(0.9, 0.5)), every=1))
    with pytest.warns(UserWarning, match="no estimate after 1 lessons, the old rates stay: rho_0=0.9, rho_1=0.5"):
        learner.learn(learner.decide([1.0]), False)
    assert learner.noise_rates == (0, 0)
    learner = onebit.Banditron(2, noise=Reestimated(Answering((0.1, 0.2)), every=1))
    with pytest.raises(onebit.ConfigError, match=r"its fit gave \(0.1, 0.2\) instead of NoiseRates"):
        learner.learn(learner.decide([1.0]), False)


def test_an_estimator_that_cannot_tell_leaves_the_rates_as_they_are() -> None:
    learner = onebit.Banditron(2, noise=Reestimated(Helpless(), every=3))
    for t in range(4):
        decision = learner.decide([1.0])
        if t == 2:
            with pytest.warns(UserWarning, match="no estimate after 3 lessons, the old rates stay: bit: nobody knows"):
                learner.learn(decision, False)
        else:
            learner.learn(decision, False)
    assert learner.noise_rates == (0, 0)
    assert learner.noise_history == []
    assert len(learner.noise_window()[3]) == 1


def test_an_empty_window_says_so() -> None:
    for learner in (onebit.Banditron(2), onebit.RCINE(2)):
        with pytest.raises(onebit.ConfigError, match="noise_window: no lessons are kept"):
            learner.noise_window()


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_saved_window_goes_on_where_it_stood(kind: str, tmp_path: Path) -> None:
    X = clusters(kind).X
    learner = onebit.RCINE(K, gamma=0.3, N_s=60)
    draw = np.random.default_rng(0)
    bits = draw.random(200) < 0.4

    def live(one: Any, first: int, last: int) -> None:
        for t in range(first, last):
            one.learn(one.decide(X[[t]] if kind == "sparse" else X[t]), bool(bits[t]))

    live(learner, 0, 100)
    assert len(learner.noise_history) == 1
    learner.save(tmp_path / "rcine.onebit")
    twin = onebit.load(tmp_path / "rcine.onebit")
    assert twin.get_params() == learner.get_params()
    assert twin.noise_rates == learner.noise_rates
    assert [list(e) for e in twin.noise_history] == [list(e) for e in learner.noise_history]
    assert twin.noise_history[0].rates.notes == learner.noise_history[0].rates.notes
    for one in (learner, twin):
        live(one, 100, 200)
    assert len(learner.noise_history) == 3
    assert np.array_equal(twin._session.state.W, learner._session.state.W)
    assert twin.noise_history == learner.noise_history


def test_an_estimator_of_ones_own_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(onebit.ConfigError, match="cannot be saved with a learner"):
        onebit.RCINE(3, estimator=Means()).save(tmp_path / "rcine.onebit")
    assert list(tmp_path.iterdir()) == []


def test_an_estimate_is_as_good_as_rates() -> None:
    estimate = NoiseEstimate(0.1, 0.2, se_0=0.01, se_1=0.01)
    assert onebit.Banditron(3, noise=estimate).noise_rates == onebit.NoiseRates(0.1, 0.2)


@pytest.mark.parametrize(
    ("kind", "damage"),
    [("dense", "answer"), ("dense", "propensity"), ("dense", "X"), ("sparse", "labels"), ("sparse", "indices")],
)
def test_a_saved_window_that_does_not_fit_is_refused(kind: str, damage: str, tmp_path: Path) -> None:
    X, path = clusters(kind).X, tmp_path / "rcine.onebit"
    learner = onebit.RCINE(K, gamma=0.3)
    for t in range(5):
        learner.learn(learner.decide(X[[t]] if kind == "sparse" else X[t]), True)
    learner.save(path)
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    name = f"window-{damage}.npy"
    array = np.load(io.BytesIO(entries[name]))
    array = array + D if damage == "indices" else array[:-1]
    stream = io.BytesIO()
    np.save(stream, array)
    entries[name] = stream.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content)
    with pytest.raises(onebit.FormatError, match="rcine.onebit"):
        onebit.load(path)
