"""Theorems 1 to 4 of the SOBA paper: small cases by hand, held against play, bad input."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import bounds
from tests.naive.perceptron import Twin as Perceptron
from tests.naive.soba import Twin as SOBA


def rounds_of(T: int, K: int, d: int, seed: int, noise: float) -> tuple[Any, Any, Any]:
    """Rows of unit norm, labels by a linear rule U, some of them moved."""
    draw = np.random.default_rng(seed)
    U = draw.normal(size=(K, d))
    X = draw.normal(size=(T, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = (X @ U.T).argmax(axis=1)
    moved = draw.random(T) < noise
    return X, np.where(moved, draw.integers(K, size=T), y), U


def margins(U: Any, X: Any, y: Any) -> Any:
    S = X @ U.T
    own = S[np.arange(len(y)), y]
    S[np.arange(len(y)), y] = -np.inf
    return own - S.max(axis=1)


def play(twin: Any, X: Any, y: Any, bits: bool) -> tuple[int, int]:
    """Mistakes of the labels played, and of the best ones."""
    played_wrong, greedy_wrong = 0, 0
    for x, label in zip(X, y.tolist(), strict=True):
        played, greedy, p, explored = twin.decide(x)
        played_wrong += played != label
        greedy_wrong += greedy != label
        twin.learn(x, played, greedy, p, explored, int(played == label) if bits else label)
    return played_wrong, greedy_wrong


@pytest.mark.parametrize(
    ("loss", "norm", "power", "mistakes"),
    [
        (6, sqrt(0.5), 1, 9),  # √2‖U‖ = 1: M = 6 + √M
        (4, sqrt(0.5), 2, 9),  # √M = √4 + 1
        (0, sqrt(2), 1, 4),  # M = 2√M
        (0, sqrt(2), 1.5, 4),
        (7, 0, 1.3, 7),  # M^(1-1/q) 7^(1/q) = M
    ],
)
def test_perceptron_by_hand(loss: float, norm: float, power: float, mistakes: float) -> None:
    assert bounds.perceptron_mistakes(loss, norm, power=power) == pytest.approx(mistakes, rel=1e-10)


def test_perceptron_between_the_powers() -> None:
    # q = 1.5, L = 27, √2‖U‖ = 1: with u = √M, u² = u^(2/3) 27^(2/3) + u, or (u - 1) u^(1/3) = 9.
    u = sqrt(bounds.perceptron_mistakes(27, sqrt(0.5), power=1.5))
    assert (u - 1) * u ** (1 / 3) == pytest.approx(9, rel=1e-10)


@pytest.mark.parametrize("power", [1, 1.25, 2])
def test_the_printed_forms_are_no_smaller(power: float) -> None:
    L, B = 40.0, sqrt(2) * 3 * 0.5
    found = bounds.perceptron_mistakes(L, 3, radius=0.5, power=power)
    if power == 1:
        assert found < L + B**2 + B * sqrt(L)
    if power == 2:
        assert found == pytest.approx(L + B**2 + 2 * B * sqrt(L), rel=1e-12)
    assert found <= found ** (1 - 1 / power) * L ** (1 / power) + B * sqrt(found) + 1e-9


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_no_perceptron_makes_more_mistakes(noise: float) -> None:
    X, y, U = rounds_of(600, 3, 4, seed=1, noise=noise)
    mistakes, _ = play(Perceptron(3, 4, np.random.default_rng(0)), X, y, bits=False)
    tightest = np.inf
    for scale in (0.5, 1, 2, 4, 8, 16):
        hinge = np.maximum(0, 1 - margins(scale * U, X, y))
        for q in (1.0, 1.5, 2.0):
            bound = bounds.perceptron_mistakes(float((hinge**q).sum()), float(np.linalg.norm(scale * U)), power=q)
            assert mistakes <= bound
            tightest = min(tightest, bound)
    assert tightest < 600, "the bound says something"


def test_theorems_2_and_3_by_hand() -> None:
    # K = 2, d = 3, T = 48, X² = 1, a = 2: 1 + 2·48/(2·3·2) = 9; η = ½: 2-η = 3/2.
    # L + aη‖U‖²/(2-η) + dK² ln 9/(γη(2-η)) = 5 + 2·½·9/1.5 + 12 ln 9/(¼·½·1.5) = 11 + 64 ln 9
    greedy = bounds.soba_greedy_mistakes(48, 2, 3, 0.25, loss=5, norm=3, eta=0.5, a=2)
    assert greedy == pytest.approx(11 + 64 * log(9), rel=1e-12)
    played = bounds.soba_mistakes(48, 2, 3, 0.25, loss=5, norm=3, eta=0.5, a=2)
    assert played == pytest.approx(11 + 64 * log(9) + 12, rel=1e-12)
    # Rows of norm 3 and a = X² = 9 are rows of norm 1, a = 1 and a U three times as long.
    scaled = bounds.soba_mistakes(48, 2, 3, 0.25, loss=5, norm=1, eta=0.5, radius=3, a=9)
    assert scaled == pytest.approx(bounds.soba_mistakes(48, 2, 3, 0.25, loss=5, norm=3, eta=0.5), rel=1e-12)


def test_eta_keeps_the_loss_from_being_negative() -> None:
    # max ‖u‖ X = 2: margins up to 4, and η = 2/5 has the roots 1 and (2-η)/η = 4 of ℓ_η.
    eta = bounds.soba_eta(2)
    assert eta == pytest.approx(0.4)
    loss = 1 - (2 * 4 - eta * 4**2) / (2 - eta)
    assert loss == pytest.approx(0, abs=1e-12)
    assert bounds.soba_eta(1, radius=2) == eta
    assert bounds.soba_eta(0.1) == 1


def test_soba_stays_below_theorems_2_and_3() -> None:
    K, d, T, gamma = 2, 1, 1500, 0.3
    X, y, _ = rounds_of(T, K, d, seed=3, noise=0.1)
    U = np.array([[0.5], [-0.5]]) * np.sign(X[0] * (1 - 2 * y[0]))
    z = margins(U, X, y)
    loss = float(((1 - z) ** 2 * (z <= 1)).sum())  # η = 1: the squared hinge loss
    assert bounds.soba_eta(0.5) == 1
    counts = [play(SOBA(K, d, np.random.default_rng(seed), gamma=gamma), X, y, bits=True) for seed in range(12)]
    played, greedy = np.mean(counts, axis=0)
    norm = float(np.linalg.norm(U))
    for_greedy = bounds.soba_greedy_mistakes(T, K, d, gamma, loss=loss, norm=norm)
    for_played = bounds.soba_mistakes(T, K, d, gamma, loss=loss, norm=norm)
    assert greedy <= for_greedy < T / 2, "the bound says something"
    assert played <= for_played
    hinge = float(np.maximum(0, 1 - z).sum())
    assert played <= bounds.soba_hinge_mistakes(T, K, d, gamma, loss=hinge, norm=norm)


def test_theorem_4_by_hand() -> None:
    # K = 2, d = 2, T = 16, X = ½, ‖U‖ = 2: B² = 2·4·¼·2·4·ln(1 + 32/4)/½ = 32 ln 9; L = 31.5.
    square = 32 * log(9)
    found = bounds.soba_hinge_mistakes(16, 2, 2, 0.5, loss=31.5, norm=2, radius=0.5)
    assert found == pytest.approx(31.5 + square + sqrt(32 * square) + 8, rel=1e-12)


def test_the_gammas_by_hand() -> None:
    # K = 3, d = 2: K² d ln T/T = 18 ln T/T.
    assert bounds.soba_gamma(1e4, 3, 2) == pytest.approx(sqrt(18 * log(1e4) / 1e4), rel=1e-12)
    assert bounds.soba_gamma(10, 9, 400) == 1
    # X = ½: H = 4.5 ln T. The two cases meet at (‖U‖² + 1) √(H T).
    H = 4.5 * log(1e6)
    edge = 5 * sqrt(H * 1e6)
    below = bounds.soba_hinge_gamma(1e6, 3, 2, loss=0.999 * edge, norm=2, radius=0.5)
    above = bounds.soba_hinge_gamma(1e6, 3, 2, loss=1.001 * edge, norm=2, radius=0.5)
    assert below == pytest.approx(sqrt(H / 1e6), rel=1e-12)
    assert above == pytest.approx((H * 1.001 * edge / 1e12) ** (1 / 3), rel=1e-12)
    assert bounds.soba_hinge_gamma(10, 9, 400, loss=1e9, norm=1) == 1


@pytest.mark.parametrize("norm", [1.0, 4.0])
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_theorem_4_has_the_printed_order(norm: float, share: float) -> None:
    """With its own γ the bound exceeds the loss by no more than a constant times the printed order."""
    for T in (10**6, 10**8, 10**10):
        L = share * T
        gamma = bounds.soba_hinge_gamma(T, 3, 5, loss=L, norm=norm)
        more = bounds.soba_hinge_mistakes(T, 3, 5, gamma, loss=L, norm=norm) - L
        H = 5 * 9 * log(T)
        small_loss = (norm**2 + 1) * sqrt(H * T)
        order = small_loss if small_loss > L else norm * (H * L * T) ** (1 / 3)
        assert more <= 5 * order


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.perceptron_mistakes(-1, 1), "loss=-1: must be a number, 0 or larger"),
        (lambda: bounds.perceptron_mistakes(1, 1, power=2.5), "power=2.5: must be a number from 1 to 2"),
        (lambda: bounds.soba_eta(-1), "row_norm=-1"),
        (lambda: bounds.soba_gamma(1, 9, 4), "rounds=1: must be a whole number, 2 or larger"),
        (lambda: bounds.soba_gamma(10, 1, 4), "classes=1: must be a whole number, 2 or larger"),
        (lambda: bounds.soba_gamma(10, 9, 0), "features=0: must be a whole number"),
        (lambda: bounds.soba_mistakes(10, 9, 4, 0, loss=0, norm=1), "gamma=0: must be a number above 0, up to 1"),
        (lambda: bounds.soba_greedy_mistakes(10, 9, 4, 0.1, loss=0, norm=1, eta=0), "eta=0: must be a number above 0"),
        (lambda: bounds.soba_greedy_mistakes(10, 9, 4, 0.1, loss=0, norm=1, a=0), "a=0: must be a number above 0"),
        (lambda: bounds.soba_hinge_gamma(10, 9, 4, loss=float("nan"), norm=1), "loss=nan: must be a number"),
        (lambda: bounds.soba_hinge_mistakes(10, 9, 4, 2, loss=0, norm=1), "gamma=2: must be a number above 0, up to 1"),
    ],
)
def test_what_cannot_be(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=re.escape(message)):
        call()
