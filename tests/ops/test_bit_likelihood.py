"""The posterior is Bayes' rule, the margin does not saturate, and the step is the implicit one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from onebit.ops.bit_likelihood import Answer, gradient, implicit_step, margin, mass, new_beliefs, posterior

K = 4
SETS = [np.array(A) for m in range(1, K) for A in combinations(range(K), m)]


@pytest.mark.parametrize("bit", [0, 1])
@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.2, 0.4), (0.5, 0.1)])
def test_the_posterior_is_bayes(rates: tuple[float, float], bit: int) -> None:
    p = np.array([0.5, 0.3, 0.15, 0.05])
    for played in SETS:
        joint = np.array([p[r] * abs((1 - bit) - (1 - rates[1] if r in played else rates[0])) for r in range(K)])
        q = np.zeros(K)
        posterior(p, Answer(played, bit, *rates), q)
        np.testing.assert_allclose(q, joint / joint.sum(), atol=1e-15)


def test_an_impossible_bit_leaves_the_labels_it_allows() -> None:
    p, q = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(K)
    posterior(p, Answer(np.array([0]), 0, 0.0, 0.0), q)
    np.testing.assert_allclose(q, [0, 1 / 3, 1 / 3, 1 / 3])
    posterior(p, Answer(np.array([2, 3]), 1, 0.0, 0.0), q)
    np.testing.assert_allclose(q, [0, 0, 0.5, 0.5])


def test_the_margin_is_the_logit_of_the_mass_and_goes_on_where_that_is_one() -> None:
    p = np.array([0.5, 0.3, 0.15, 0.05])
    for played in SETS:
        inside = mass(p, played)
        assert margin(np.log(p), played) == pytest.approx(np.log(inside / (1 - inside)), abs=1e-12)
    assert margin(np.array([1e4, 0.0, 0.0, 0.0]), np.array([0])) == pytest.approx(1e4 - np.log(3), abs=1e-9)


def test_the_step_ends_where_the_gradient_is_tau_times_the_first() -> None:
    draw = np.random.default_rng(0)
    beliefs, shortened = new_beliefs(K), 0
    z, _, p, q, g, D = beliefs
    for _ in range(500):
        z[:] = 3 * draw.normal(size=K)
        s, answer = (
            10 ** draw.uniform(-3, 5, size=K),
            Answer(SETS[draw.integers(len(SETS))], int(draw.integers(2)), 0.1, 0.2),
        )
        p[:] = np.exp(z) / np.exp(z).sum()
        posterior(p, answer, q)
        gradient(p, q, g)
        V = s @ g**2
        tau = implicit_step(beliefs, answer, s)
        moved = np.exp(z + tau * s * g - (z + tau * s * g).max())
        np.testing.assert_allclose(p, moved / moved.sum(), atol=1e-12)
        short = D @ (q - p) - tau * V
        assert abs(short) <= 0.05 * tau * V * (1 + 1e-9) or (tau == 1 and short > 0)
        shortened += tau < 1
    assert 100 < shortened < 500
