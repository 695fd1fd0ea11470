"""The line of calibration: a Newton step in plain matrices, what it learns, and probabilities laid along it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from onebit.learners.one_bit.calibration import calibrate, calibrated, new_calibration

HONEST, LIES = (0.0, 0.0), (0.2, 0.1)


def logit(p: Any) -> Any:
    return np.log(p) - np.log1p(-np.asarray(p))


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("rates", [HONEST, LIES], ids=str)
@pytest.mark.parametrize("first", [1, 5000])
def test_a_step_is_newtons(first: int, rates: tuple[float, float]) -> None:
    draw, line = np.random.default_rng(0), new_calibration()
    at, S, steps = np.array([0.0, 1.0]), 10 * np.eye(2), 0
    for n in range(first, first + 400):
        believed, bit = draw.random() ** 3, int(draw.random() < 0.4)
        calibrate(line, n, believed, bit, *rates)
        if n <= 4096 or n % 4 == 0:
            v = np.array([1, np.clip(logit(believed), -12, 12)])
            sure, honest = logistic(v @ at), 1 - sum(rates)
            yes, slope = rates[0] + honest * sure, honest * sure * (1 - sure)
            keep = 1 - 1 / (n / 2 + 100)
            S = keep * S + (1 - keep) * 10 * np.eye(2) + slope**2 / (yes * (1 - yes)) * np.outer(v, v)
            at = at + np.linalg.solve(S, v) * (bit - yes) * slope / (yes * (1 - yes))
            at[1] = np.clip(at[1], 0.05, 10)
            steps += 1
        expected = [*at, S[0, 0], S[0, 1], S[1, 1]]
        np.testing.assert_allclose(np.concatenate(line), expected, rtol=1e-10, err_msg=f"bit {n}")
    assert steps == (400 if first == 1 else 100)
    assert abs(at - [0, 1]).min() > 0.05


@pytest.mark.parametrize("rates", [HONEST, LIES], ids=str)
@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (-0.5, 0.6), (0.3, 1.5)])
def test_it_finds_the_line_that_bits_follow(a: float, b: float, rates: tuple[float, float]) -> None:
    draw, line = np.random.default_rng(1), new_calibration()
    for n in range(1, 40_001):
        x = 2 * draw.normal()
        hit = draw.random() < logistic(a + b * x)
        bit = hit != (draw.random() < rates[int(hit)])
        calibrate(line, n, logistic(x), int(bit), *rates)
    assert [line.a[0], line.b[0]] == pytest.approx([a, b], abs=0.1)


@pytest.mark.parametrize(
    ("believed", "bit"), [(0.999, 0), (0.6, 1), (1.0, 0), (0.0, 1), (1.0, 1), (0.0, 0), (1e-320, 1)]
)
def test_it_stays_between_its_bounds_whatever_it_hears(believed: float, bit: int) -> None:
    for rates in (HONEST, LIES):
        line = new_calibration()
        for n in range(1, 3000):
            calibrate(line, n, believed, bit, *rates)
            assert np.isfinite(np.concatenate(line)).all()
            assert 0.05 <= line.b[0] <= 10
            assert line.S_aa[0] * line.S_bb[0] > line.S_ab[0] ** 2


def test_the_slope_comes_to_rest_at_its_bounds() -> None:
    flat, steep = new_calibration(), new_calibration()
    for n in range(1, 4000):
        x = 3.0 if n % 2 else -3.0
        calibrate(flat, n, logistic(x), int(x < 0), 0.0, 0.0)
        calibrate(steep, n, logistic(x / 40), int(x > 0), 0.0, 0.0)
    assert flat.b[0] == 0.05
    assert steep.b[0] == 10


def beliefs(K: int, seed: int) -> Any:
    """Rows of probabilities, from even ones to some that are 1 but for rounding."""
    draw = np.random.default_rng(seed)
    z = np.geomspace(0.01, 1000, 60)[:, None] * draw.normal(size=(60, K))
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("line", [(0.0, 1.0), (0.5, 1.3), (-0.5, 0.7), (-3.0, 0.05), (3.0, 10.0)], ids=str)
@pytest.mark.parametrize(("K", "m"), [(2, 1), (5, 1), (5, 3), (5, 4), (9, 2)])
def test_calibrated_rows_are_probabilities_in_the_same_order(K: int, m: int, line: tuple[float, float]) -> None:
    P = beliefs(K, 10 * K + m)
    C = calibrated(*line, P, m)
    assert (C >= 0).all()
    np.testing.assert_allclose(C.sum(axis=1), 1, rtol=1e-13)
    order = np.argsort(-P, axis=1, kind="stable")
    falling = np.diff(np.take_along_axis(C, order, axis=1), axis=1)
    assert (falling <= 1e-15).all()
    top = np.sort(P, axis=1)[:, -m:].sum(axis=1)
    with np.errstate(divide="ignore"):
        wanted = logistic(line[0] + line[1] * np.clip(logit(np.minimum(top, 1)), -12, 12))
    found = np.take_along_axis(C, order[:, :m], axis=1).sum(axis=1)
    np.testing.assert_allclose(found, np.maximum(wanted, m / K), rtol=1e-9)


def test_the_line_of_the_beginning_changes_nothing_that_is_not_certain() -> None:
    P = beliefs(4, 0)
    P = P[P.max(axis=1) < 1 - 1e-5]
    assert len(P) > 20
    np.testing.assert_allclose(calibrated(0.0, 1.0, P, 1), P, atol=1e-12)


def test_certain_and_even_rows() -> None:
    C = calibrated(0.0, 0.5, np.array([[1.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3]]), 1)
    np.testing.assert_allclose(C[0, 0], logistic(6.0), rtol=1e-12)
    np.testing.assert_allclose(C[0, 1:], (1 - logistic(6.0)) / 2, rtol=1e-12)
    np.testing.assert_allclose(C[1].sum(), 1)
