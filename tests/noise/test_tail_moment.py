"""TailMoment: the identity it rests on, its estimates, the honesty of its errors, its notes and refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, factorial
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.errors import ConfigError, DataError
from onebit.noise.estimate import NoiseEstimate
from onebit.noise.tail_moment import TailMoment, _uniform_mean


class Log(NamedTuple):
    rows: Any
    played: Any
    propensity: Any
    bit: Any


def make_log(
    n: int, K: int = 4, m: int = 1, gamma: float = 0.3, rates: tuple[float, float] = (0.2, 0.3), seed: int = 0
) -> Log:
    """K clusters far apart; the greedy set is the nearest and the next ones, wrong for every third row."""
    draw = np.random.default_rng(seed)
    y = draw.integers(K, size=n)
    X = 4 * np.eye(K)[y] + draw.normal(size=(n, K))
    first = (np.argmax(X, axis=1) + (X[:, 0] > 1) * (X[:, 1] > 0)) % K
    greedy = np.sort((first[:, None] + np.arange(m)) % K, axis=1)
    sets = np.sort(np.argsort(draw.random((n, K)), axis=1)[:, :m], axis=1)
    played = np.where(draw.random((n, 1)) < gamma, sets, greedy)
    propensity = gamma / comb(K, m) + (1 - gamma) * (played == greedy).all(axis=1)
    right = (played == y[:, None]).any(axis=1)
    bit = draw.random(n) < np.where(right, 1 - rates[1], rates[0])
    return Log(X, played, propensity, bit.astype(int))


def fit(log: Log, **settings: Any) -> NoiseEstimate:
    return TailMoment(**settings).fit(*log)


def noted(estimate: NoiseEstimate, start: str) -> bool:
    return any(note.startswith(start) for note in estimate.notes)


@pytest.mark.parametrize("ordered", [False, True], ids=["sets", "ordered"])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_the_uniform_moment_is_exact(m: int, ordered: bool) -> None:
    """All rounds that can happen, as often as they do: for any labels, the weighted mean is ρ0 + β m/K."""
    K, gamma, rho_0, rho_1 = 5, Fraction(1, 4), Fraction(1, 5), Fraction(3, 10)
    sets = list(combinations(range(K), m))
    orders = factorial(m) if ordered else 1
    share = gamma / (len(sets) * orders)
    propensity, bits, weights = [], [], []
    for y, how_often in enumerate([1, 7, 0, 2, 3]):
        for A in sets:
            greedy = sets[y % len(sets)] == A
            each = share + (1 - gamma) / orders * greedy
            yes = 1 - rho_1 if y in A else rho_0
            for bit, chance in ((1, yes), (0, 1 - yes)):
                propensity.append(each)
                bits.append(bit)
                weights.append(orders * how_often * each * chance)
    unit = min(w for w in weights if w > 0)
    whole = [w / unit for w in weights]
    scale = np.lcm.reduce([w.denominator for w in whole])
    counts = np.array([int(w * scale) for w in whole])
    found, _ = _uniform_mean(np.repeat(np.array(propensity, float), counts), np.repeat(bits, counts))
    assert found == pytest.approx(float(rho_0 + (1 - rho_0 - rho_1) * Fraction(m, K)), abs=1e-12)


@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.2, 0.3), (0.4, 0.4), (0.6, 0.1)])
@pytest.mark.parametrize("m", [1, 2])
def test_it_finds_the_rates(m: int, rates: tuple[float, float]) -> None:
    estimate = fit(make_log(20_000, m=m, rates=rates, seed=1), classes=4)
    assert estimate.notes == ()
    for found, true, se in zip(estimate, rates, (estimate.se_0, estimate.se_1), strict=True):
        assert se < 0.025
        assert abs(found - true) < 4 * se


def test_two_classes_and_sparse_rows() -> None:
    for log in (make_log(20_000, K=2), make_log(20_000)._replace(rows=sp.csr_array(make_log(20_000).rows.clip(0)))):
        estimate = fit(log)
        assert abs(estimate.rho_0 - 0.2) < 4 * estimate.se_0
        assert abs(estimate.rho_1 - 0.3) < 4 * estimate.se_1


def test_sets_of_one_are_single_labels_and_labels_may_be_anything() -> None:
    log = make_log(3000)
    names = np.array(["a", "b", "c", "d"])[log.played[:, 0]]
    assert fit(log) == fit(log._replace(played=log.played[:, 0])) == fit(log._replace(played=names))


def test_the_error_of_the_uniform_mean_is_honest() -> None:
    """(m̂ - truth)/se over 3,000 logs has a mean square of 1 within four standard errors of such a mean square."""
    draw, z = np.random.default_rng(0), []
    for _ in range(3000):
        explored = draw.random(600) < 0.3 * 4 / 5
        propensity = np.where(explored, 0.3 / 5, 0.7 + 0.3 / 5)
        bit = draw.random(600) < np.where(explored, 0.25, 0.7)
        mean, se = _uniform_mean(propensity, bit.astype(int))
        z.append((mean - (0.8 * 0.25 + 0.2 * 0.7)) / se)
    squares = np.square(z)
    assert abs(squares.mean() - 1) < 4 * squares.std() / np.sqrt(len(z)) + 0.01


def test_the_standard_errors_are_honest() -> None:
    """Over 200 logs the estimates spread as their errors say.

    The tail stops growing where its mean happens to drop, which adds to the spread of rho_1: up to a third.
    """
    R = 200
    estimates = [fit(make_log(3000, seed=seed)) for seed in range(R)]
    z_0 = np.array([(e.rho_0 - 0.2) / e.se_0 for e in estimates])
    z_1 = np.array([(e.rho_1 - 0.3) / e.se_1 for e in estimates])
    chance = 4 / np.sqrt(2 * R)  # four standard errors of a root mean square of R normal numbers
    assert 1 - chance < np.sqrt(np.mean(z_0**2)) < 1 + chance
    assert 1 - chance < np.sqrt(np.mean(z_1**2)) < 4 / 3 + chance


def test_what_it_predicted_is_what_was_said() -> None:
    estimate = fit(make_log(20_000))
    predicted, said = estimate.predicted, estimate.said
    assert len(predicted) == len(said) == 10_000
    assert abs(predicted.mean() - said.mean()) < 4 * 0.5 / np.sqrt(10_000) + 0.01
    sure = predicted > 0.65
    assert abs(said[sure].mean() - 0.7) < 0.03
    assert predicted.min() >= estimate.rho_0
    assert predicted.max() <= 1 - estimate.rho_1


def test_notes_on_too_little() -> None:
    few = fit(make_log(400))
    assert noted(few, "400 rounds: the estimate is to be trusted from 20000 on")
    assert noted(few, "tail: only 400 rounds")
    assert noted(fit(make_log(200)), "rho_0: known to ±0.0")
    assert noted(fit(make_log(20_000, gamma=0.05)), "exploration: worth")
    assert not fit(make_log(20_000, gamma=0.1)).notes


def test_notes_on_the_number_of_classes() -> None:
    assert noted(fit(make_log(20_000), classes=5), "propensity: 1/propensity has a mean 0.")
    log = make_log(20_000)
    known = log.played[:, 0] != 3
    missing = Log(*(column[known] for column in log))
    assert noted(fit(missing), "propensity: 1/propensity has a mean")
    rounded = Log(log.rows, np.arange(20_000) % 4, np.full(20_000, 0.251), log.bit)
    assert not noted(fit(rounded), "propensity")


def test_notes_where_nothing_is_sure() -> None:
    log = make_log(20_000)
    shuffled = log._replace(rows=np.random.default_rng(1).normal(size=log.rows.shape))
    uniform = shuffled._replace(propensity=np.full(20_000, 0.25), played=np.arange(20_000) % 4)
    assert noted(fit(uniform), "tail: even the surest rounds are believed right with")


def test_a_tail_that_is_not_flat_is_noted() -> None:
    """Too little to learn from: of 700 rounds the surest 500 are not all sure."""
    assert noted(fit(make_log(700, K=8, rates=(0.0, 0.0))), "tail: 1.000 yes in its surer half and ")


@pytest.mark.parametrize("n", [2, 3, 10, 101])
def test_tiny_windows_give_rates_with_notes(n: int) -> None:
    log = Log(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2, np.full(n, 0.5), np.arange(n) % 2)
    estimate = fit(log)
    assert noted(estimate, f"{n} rounds")
    assert 0 <= estimate.rho_0 + estimate.rho_1 < 1
    assert np.isfinite([estimate.se_0, estimate.se_1]).all()


def test_propensities_as_small_as_can_be() -> None:
    log = make_log(2000)
    tiny = np.where(np.arange(2000) == 7, 5e-324, log.propensity)
    assert noted(fit(log._replace(propensity=tiny)), "exploration")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"propensity": np.ones(100)}, "propensity: all above 0.5, so nothing was explored; .*with the propensity of"),
        ({"played": np.tile([0, 1], (100, 1))}, "played: sets of 2 labels out of 2 classes"),
        ({"played": np.array([[0, 1]] * 98 + [[2, 2], [0, 2]])}, "played: a label stands twice in row 98"),
        ({"propensity": np.zeros(100)}, "propensity: 0.0 in row 0; must be above 0"),
        ({"propensity": np.full(100, 1.5)}, "propensity: 1.5 in row 0; must be above 0 and at most 1"),
        ({"bit": np.full(100, 2)}, "bit: 2.0 in row 0; must be 0"),
        ({"bit": np.ones(100)}, "bit: all 100 are 1"),
        ({"played": np.zeros(100)}, "played: only the label"),
    ],
)
def test_what_cannot_be_computed_is_refused(change: dict[str, Any], message: str) -> None:
    log = make_log(100)
    with pytest.raises(DataError, match=message):
        fit(log._replace(**change))


@pytest.mark.parametrize("classes", [1, 0, True, 2.5, "three", [0, 1]])
def test_classes_must_be_a_number_of_them(classes: Any) -> None:
    with pytest.raises(ConfigError, match=r"classes=.*: must be a whole number, 2 or larger, or None"):
        TailMoment(classes=classes)


@pytest.mark.parametrize("share", [0, -0.1, 0.7, True, "all", float("nan")])
def test_share_must_be_a_share(share: Any) -> None:
    with pytest.raises(ConfigError, match=r"share=.*: must be a number above 0, up to 0.6"):
        TailMoment(share=share)


def test_on_real_digits() -> None:
    """A learner that knows little under heavy noise: its log still tells the rates."""
    try:
        stream = onebit.streams.load("mnist", normalize=True)
    except DataError:
        pytest.skip("the file of mnist is not in the data folder")
    from benchmarks.noise_rates import collect

    estimate = TailMoment(classes=10).fit(*collect(stream, (0.4, 0.4), seed=77))
    assert estimate.notes == ()
    assert abs(estimate.rho_0 - 0.4) < 0.02
    assert abs(estimate.rho_1 - 0.4) < 0.04
