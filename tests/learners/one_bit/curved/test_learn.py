"""OneBit on dense rows equals its naive twin: the same plays, beliefs, shares, dictionary, weights and covariances."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.core.seeds import bit_generator
from tests.learners.one_bit.curved import inside
from tests.naive.onebit_curved import CurvedTwin

ROUNDS, LONG, K, COLUMNS, EXACT = 300, 750, 5, 12, 1e-9
BUDGET = 100  # not a power of two, and no whole number of strips
HONEST, LIES = (0.0, 0.0), (0.3, 0.2)
AT_ONCE, LATE = 0, 40


@cache
def all_rows() -> tuple[Any, Any]:
    """Columns of all scales and far from 0, one that never changes; classes overlap; now and then a huge value."""
    draw = np.random.default_rng(1)
    y = draw.integers(K, size=LONG)
    scale = np.geomspace(0.1, 10, COLUMNS)
    X = 3 + scale * (draw.normal(size=(K, COLUMNS))[y] + 0.8 * draw.normal(size=(LONG, COLUMNS)))
    X[::31, 1] += 50 * scale[1]
    X[:, 0] = 0.7
    return X, y


def clusters(rounds: int = ROUNDS) -> tuple[Any, Any]:
    """The first of them."""
    X, y = all_rows()
    return X[:rounds], y[:rounds]


def both(**parameters: Any) -> tuple[Any, CurvedTwin]:
    """The learner and its twin, which draw the same numbers; few cases are kept, so that the twin is fast."""
    parameters = {"budget": BUDGET} | parameters
    learner = onebit.OneBit(K, seed=3, **parameters)
    draw = np.random.Generator(bit_generator(3, "learner"))
    return learner, CurvedTwin(K, COLUMNS, draw, inside.RATES, **parameters)


def distance(A: Any, B: Any) -> float:
    """The largest difference in units of the largest entry: sums leave an error of that size in each of them."""
    return float(np.abs(A - B).max(initial=0) / max(np.abs(B).max(initial=0), 1e-300))


def assert_same_beliefs(learner: Any, twin: CurvedTwin, row: Any, t: int) -> None:
    """What can be asked of the learner in every round."""
    seen = learner.describe()
    log_p = np.asarray(learner.scores(row), np.float64)
    # Scores are of the type of the rows.
    np.testing.assert_allclose(log_p, twin.log_p(row), rtol=EXACT if learner.dtype == "float64" else 1e-6, atol=EXACT)
    assert seen.kept == len(twin.lessons), f"round {t}"
    assert [pair[:2] for pair in seen.experts] == list(map(tuple, twin.rates.tolist()))
    assert [share > 0 for *_, share in seen.experts] == (twin.share > 0).tolist(), f"round {t}"
    assert [share for *_, share in seen.experts] == pytest.approx(twin.share, rel=EXACT, abs=EXACT), f"round {t}"


def assert_same_state(learner: Any, twin: CurvedTwin, t: int) -> None:
    """Everything that is kept from round to round; of an expert that sleeps nothing is read."""
    counts = inside.counts(learner)
    excess = twin.excess if learner.drift else 0
    assert counts[:3] == (twin.t, twin.n, twin.restarts[0]), f"round {t}"
    numbers = excess, twin.exploration, twin.a, twin.b, *twin.forecast[:2]
    assert counts[3:] == pytest.approx(numbers, rel=EXACT, abs=EXACT), f"round {t}"
    kept = inside.kept(learner)
    assert kept.lesson.tolist() == twin.lessons, f"round {t}"
    assert distance(kept.a, twin.kept[0].rows) < EXACT, f"round {t}"
    assert distance(kept.b, twin.kept[1].rows) < EXACT, f"round {t}"
    assert distance(inside.inverse(learner), twin.inverse) < EXACT, f"round {t}"
    awake = twin.share > 0
    assert ((inside.shares(learner) > 0) == awake).all(), f"round {t}"
    means, covariances = inside.means(learner), inside.covariances(learner)
    for e in np.flatnonzero(awake):
        assert distance(means[e], twin.W[e]) < EXACT, f"round {t}, expert {e}"
        assert distance(covariances[e], twin.P[e]) < EXACT, f"round {t}, expert {e}"


def play(
    stream: tuple[Any, Any], lies: tuple[float, float] = HONEST, longest: int = AT_ONCE, told: int = 0,
    among: int = 0, **parameters: Any,
) -> Any:  # fmt: skip
    """Both side by side with one answer for both: the learner, if they agree.

    Every `told`-th answer is the label; `among` so many labels are decided.
    """
    X, y = stream
    learner, twin = both(**parameters)
    X = X.astype(learner.dtype)
    rounds = len(X)
    draw = np.random.default_rng(2)
    delays, flips = draw.integers(0, longest + 1, size=rounds), draw.random(rounds)
    under_way: dict[int, list[Any]] = {}
    for t in range(rounds):
        some = sorted(draw.choice(K, size=among, replace=False).tolist()) if among else None
        decision = learner.decide(X[t], among=some)
        played, greedy, propensity, explored = twin.decide(X[t], some)
        assert (decision.labels, decision.greedy, decision.explored) == (played, greedy, explored), f"round {t}"
        assert abs(decision.propensity - propensity) <= EXACT * propensity, f"round {t}"
        assert_same_beliefs(learner, twin, X[t], t)
        hit = y[t] in played
        bit = hit != (flips[t] < (lies[1] if hit else lies[0]))
        under_way.setdefault(t + delays[t], []).append((decision, t, bit))
        for late, i, says in under_way.pop(t, []):
            tell = told > 0 and i % told == 0
            lesson = X[i], late.labels, late.greedy, late.propensity, late.explored
            learner.learn(late, int(y[i]) if tell else bool(says))
            (twin.learn_label if tell else twin.learn)(*lesson, int(y[i]) if tell else int(says), among > 0)
        if t % 100 == 0 or t == rounds - 1:
            assert_same_state(learner, twin, t)
    return learner


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize(
    ("noise", "lies"), [("auto", HONEST), ("auto", LIES), ((0.2, 0.1), (0.2, 0.1)), (None, HONEST)]
)
def test_bits(m: int, noise: Any, lies: tuple[float, float]) -> None:
    learner = play(clusters(), lies, m=m, noise=noise)
    assert len(inside.shares(learner)) == (len(inside.RATES) if noise == "auto" else 1)


@pytest.mark.parametrize("m", [1, 3])
def test_late_answers(m: int) -> None:
    play(clusters(), LIES, LATE, m=m)


@pytest.mark.parametrize("noise", ["auto", (0.2, 0.1)])
def test_bits_and_labels(noise: Any) -> None:
    play(clusters(), (0.2, 0.1), LATE, told=3, noise=noise)


@pytest.mark.parametrize("m", [1, 2])
def test_exploration_with_a_floor(m: int) -> None:
    play(clusters(), m=m, gamma=0.1)


@pytest.mark.parametrize("m", [1, 2])
def test_among_some_of_the_labels(m: int) -> None:
    play(clusters(), LIES, LATE, among=3, m=m, gamma=0.05)


def test_among_all_labels() -> None:
    play(clusters(), among=K)


def test_rows_as_they_come() -> None:
    play(clusters(), LIES, standardize=False)


def test_single_precision() -> None:
    play(clusters(), LIES, AT_ONCE, told=5, dtype="float32")


@pytest.mark.parametrize("budget", [1, 8, 20, 256])
def test_a_full_dictionary(budget: int) -> None:
    learner = play(clusters(), LIES, LATE, budget=budget)
    assert inside.size(learner) == budget


def test_not_every_row_is_kept() -> None:
    """With two columns the dictionary explains most rows long before it is full."""
    X, y = clusters()
    learner = play((np.tile(X[:, [6, 9]], COLUMNS // 2), y))
    assert 10 < inside.size(learner) < BUDGET


def test_another_prior() -> None:
    play(clusters(), variance=3.0, drift=None)


def drifting(rounds: int, change: int) -> tuple[Any, Any]:
    """From some round on every label is another."""
    X, y = clusters(rounds)
    return X, np.where(np.arange(rounds) < change, y, (y + 1) % K)


@pytest.mark.parametrize(("noise", "longest"), [(None, AT_ONCE), ("auto", LATE)])
def test_a_restart_after_drift(noise: Any, longest: int) -> None:
    learner = play(drifting(600, 400), HONEST, longest, noise=noise)
    assert inside.counts(learner).restarts == 1
    assert inside.size(learner) > 0
    assert inside.kept(learner).lesson.max() < 200


def test_experts_sleep_and_drift_wakes_them() -> None:
    asleep = play(clusters(600))
    assert 0 < (inside.shares(asleep) > 0).sum() < len(inside.RATES)
    awake = play(drifting(LONG, 600))
    assert inside.counts(awake).restarts == 1
    assert (inside.shares(awake) > 0).all()


def test_decisions_of_another() -> None:
    """Half of the lessons are about labels that somebody else has drawn; their rows are new, and count."""
    X, y = clusters()
    learner, twin = both()
    draw = np.random.default_rng(4)
    for t in range(ROUNDS):
        decision: Any = learner.decide(X[t]) if t % 2 else None
        if decision is None:
            label = int(draw.integers(K))
            decision = onebit.Decision((label,), 1 / K, label, True, X[t], t)
        else:
            assert twin.decide(X[t])[0] == decision.labels, f"round {t}"
        bit = y[t] in decision.labels
        learner.learn(decision, bool(bit))
        twin.learn(X[t], decision.labels, decision.greedy, decision.propensity, decision.explored, int(bit))
        assert_same_beliefs(learner, twin, X[t], t)
    assert_same_state(learner, twin, ROUNDS)
