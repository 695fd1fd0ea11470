"""Theorems 2 to 4 of the MOLG paper: small cases by hand, held against play, bad input."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import bounds
from tests.naive.molgf import Twin


class Watched(Twin):
    """MOLGF that keeps its lessons: row, weight, label, rival, whether it had been right."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.lessons: list[tuple[Any, float, int, int, bool]] = []

    def learn(self, x: Any, played: int, greedy: int, p: float, explored: bool, y: int) -> None:
        f, a, _ = self.look(x)
        before = self.A.copy()
        super().learn(x, played, greedy, p, explored, y)
        if not np.array_equal(before, self.A):
            rival = int(np.argmax(np.where(np.arange(len(f)) == y, -np.inf, f)))
            self.lessons.append((x, a, y, rival, played == y))


def played(phi: float, b: float, seed: int) -> tuple[Watched, int, Any]:
    """MOLGF after 400 noisy rounds, its mistakes, and the rule behind the labels."""
    K, d, T = 3, 4, 400
    draw = np.random.default_rng(seed)
    U = draw.normal(size=(K, d))
    twin = Watched(K, d, draw, b=b, phi=phi)
    mistakes = 0
    for _ in range(T):
        x = draw.normal(size=d)
        x /= np.linalg.norm(x)
        y = int(np.argmax(U @ x)) if draw.random() < 0.9 else int(draw.integers(K))
        label, greedy, p, explored = twin.decide(x)
        mistakes += label != y
        twin.learn(x, label, greedy, p, explored, y)
    return twin, mistakes, U


def sums(twin: Watched, U: Any, b: float) -> tuple[float, float, float]:
    """Σ a ℓ, tr(UᵀAU) and log|A/b|."""
    loss = sum(a * max(0.0, 1 - (U[y] - U[j]) @ x) for x, a, y, j, _ in twin.lessons)
    spread = float(np.trace(U @ twin.A @ U.T))
    return float(loss), spread, float(np.linalg.slogdet(twin.A / b)[1])


@pytest.mark.parametrize("b", [1.2, 2.0, 10.0])
@pytest.mark.parametrize("scale", [0.02, 0.1, 0.3, 1.0])
def test_theorem_2_without_its_last_term_holds_in_play(b: float, scale: float) -> None:
    twin, mistakes, U = played(phi=0, b=b, seed=5)
    assert len(twin.lessons) == mistakes > 30
    assert mistakes <= bounds.molg_mistakes(*sums(twin, scale * U, b), b)


@pytest.mark.parametrize("b", [1.2, 2.0, 10.0])
@pytest.mark.parametrize("phi", [0.5, 1.0, 10.0])
@pytest.mark.parametrize("scale", [0.02, 0.1, 0.3, 1.0])
def test_theorem_3_holds_in_play_for_every_phi(b: float, phi: float, scale: float) -> None:
    twin, mistakes, U = played(phi, b, seed=6)
    eager = sum(right for *_, right in twin.lessons)
    assert eager > 0
    assert mistakes <= bounds.molgf_mistakes(*sums(twin, scale * U, b), eager, b, phi)


def test_theorem_3_as_printed_is_not_for_a_large_phi() -> None:
    twin, mistakes, U = played(phi=100, b=10, seed=2)
    eager = sum(right for *_, right in twin.lessons)
    seen = (*sums(twin, 0.2 * U, 10), eager, 10, 100)
    assert bounds.molgf_mistakes(*seen, form="printed") < mistakes - 10
    assert bounds.molgf_mistakes(*seen) > mistakes


def test_theorems_2_and_3_by_hand() -> None:
    # b = 3: b/(2(b-1)) = ¾, b/(b-1) = 3/2, (φ/2)(9/4) = 9/8 for φ = 1.
    assert bounds.molg_mistakes(4, 6, 8, 3) == 7
    assert bounds.molg_mistakes(4, 6, 8, 3, form="printed") == 7 + 6
    assert bounds.molgf_mistakes(4, 6, 8, 2, 3) == pytest.approx(5 + 9)
    assert bounds.molgf_mistakes(4, 6, 8, 2, 3, form="printed") == pytest.approx(5 + 12)


@pytest.mark.parametrize("b", [1.2, 2.0, 10.0])
def test_the_log_determinant_holds_in_play(b: float) -> None:
    twin, _, _ = played(phi=10, b=b, seed=7)
    for n in (1, 3, 20, len(twin.lessons)):
        A = b * np.eye(4) + sum(a * np.outer(x, x) for x, a, *_ in twin.lessons[:n])
        assert np.linalg.slogdet(A / b)[1] <= bounds.molg_log_det(n, 4, b) * (1 + 1e-12)


def test_the_printed_log_determinant_is_too_small_after_one_lesson() -> None:
    # d = 1, x = 1, b = 2: q = ½, a = 2, A = 4, log|A/b| = log 2; printed log(1 + ½).
    assert bounds.molg_log_det(1, 1, 2) == pytest.approx(log(2))
    assert bounds.molg_log_det(1, 1, 2, form="printed") == pytest.approx(log(1.5))
    assert bounds.molg_log_det(1, 1, 2, classes=1000, form="printed") < 0.5 < log(2)


def test_theorem_4_by_hand() -> None:
    # b = 2, ‖U‖² = 9, γ = ½, log|A/b| = 3, (t+4)/δ = 10: ϕ² = 4 (4·9 + 4·½·3 + 144 ln 10)
    phi = bounds.molgb_phi(1, 3, 3, 2, square_loss=0.5, delta=0.5)
    assert phi == pytest.approx(2 * sqrt(42 + 144 * log(10)))
    # d = 5, K = 2, T = 30: Λ = 10 log(1 + 30/10); H1 = 2·9 + 72 ln 68, H2 = Λ; (b/(b-1))³ = 8
    total, H_1 = 10 * log(4), 18 + 72 * log(68)
    found = bounds.molgb_regret(30, 2, 5, 3, 2, square_loss=0.5, delta=0.5)
    assert found == pytest.approx(sqrt(8 * 30 * (H_1 + total) * total))
    assert found <= sqrt(8 * 30) * (sqrt(H_1 * total) + total)
    # Printed: Λ = 10 log(1 + 30/20)
    total = 10 * log(2.5)
    found = bounds.molgb_regret(30, 2, 5, 3, 2, square_loss=0.5, delta=0.5, form="printed")
    assert found == pytest.approx(sqrt(8 * 30 * (sqrt(H_1 * total) + total)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.molg_mistakes(-1, 0, 0), "loss=-1: must be a number, 0 or larger"),
        (lambda: bounds.molg_mistakes(0, 0, 0, 1), "b=1: must be a number above 1"),
        (lambda: bounds.molg_mistakes(0, 0, 0, form="meant"), "form='meant': must be 'corrected' or 'printed'"),  # type: ignore[arg-type]  # the mistake under test
        (lambda: bounds.molgf_mistakes(0, 0, -1, 0), "log_det=-1: must be a number, 0 or larger"),
        (lambda: bounds.molgf_mistakes(0, 0, 0, 0.5), "eager=0.5: must be a whole number of lessons"),  # type: ignore[arg-type]  # the mistake under test
        (lambda: bounds.molg_log_det(10, 0), "features=0: must be a whole number"),
        (lambda: bounds.molgb_phi(0, 0, 1), "step=0: must be a whole number, 1 or larger"),
        (lambda: bounds.molgb_phi(1, 0, 1, delta=1), "delta=1: must be a number between 0 and 1"),
        (lambda: bounds.molgb_regret(10, 1, 4, 1), "classes=1: must be a whole number, 2 or larger"),
    ],
)
def test_what_cannot_be(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=re.escape(message)):
        call()
