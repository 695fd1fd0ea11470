"""The generator is NumPy's, bit for bit; the draws have the probabilities they claim."""

import numpy as np
import pytest

from onebit.ops.jit import entry_point
from onebit.ops.random import below, best_label, first_best, gamma_greedy, pack, uniform


@entry_point
def fill(rng, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        out[i] = uniform(rng)


@pytest.mark.parametrize("seed", [0, 1, 2**40, 123456789])
def test_uniforms_are_numpys_bit_for_bit(seed: int) -> None:
    out = np.empty(100_000)
    fill(pack(np.random.PCG64(seed)), out)
    assert np.array_equal(out, np.random.Generator(np.random.PCG64(seed)).random(100_000))


def test_the_packed_state_goes_on_where_numpys_stands() -> None:
    numpys = np.random.PCG64(3)
    generator = np.random.Generator(numpys)
    generator.random(17)
    rng = pack(numpys)
    assert uniform(rng) == generator.random()


def test_below_is_uniform() -> None:
    rng = pack(np.random.PCG64(0))
    counts = np.bincount([below(rng, 5) for _ in range(20_000)], minlength=5)
    assert len(counts) == 5
    assert np.abs(counts - 4000).max() < 5 * np.sqrt(20_000 * 0.2 * 0.8)


def test_best_takes_the_first_of_a_tie_or_draws_among_them() -> None:
    scores, rng = np.array([0.0, 2.0, 1.0, 2.0, 2.0]), pack(np.random.PCG64(0))
    assert first_best(scores) == 1
    assert best_label(scores, False, rng) == (1, 1)
    drawn = [best_label(scores, True, rng) for _ in range(3000)]
    assert {ties for _, ties in drawn} == {3}
    counts = np.bincount([k for k, _ in drawn], minlength=5)
    assert counts[0] == counts[2] == 0
    assert np.abs(counts[[1, 3, 4]] - 1000).max() < 5 * np.sqrt(3000 * 2 / 9)


@pytest.mark.parametrize("random_ties", [False, True])
@pytest.mark.parametrize("scores", [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 3.0, 1.0]])
@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.0])
def test_gamma_greedy_plays_with_the_propensity_it_claims(gamma: float, scores: list[float], random_ties: bool) -> None:
    s, rng, n = np.array(scores), pack(np.random.PCG64(1)), 6000
    draws = [gamma_greedy(s, gamma, random_ties, rng) for _ in range(n)]
    claimed = {played: propensity for played, _, propensity, _ in draws}
    assert sum(claimed.values()) == pytest.approx(1, abs=1e-12)
    for label, p in claimed.items():
        count = sum(played == label for played, *_ in draws)
        assert abs(count - n * p) <= 5 * np.sqrt(n * p * (1 - p)), (label, p, count / n)
    explored = np.mean([e for *_, e in draws])
    assert abs(explored - gamma) <= 5 * np.sqrt(gamma * (1 - gamma) / n)
    assert all(played == greedy for played, greedy, _, e in draws if not e)
