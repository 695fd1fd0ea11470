"""OneBit by a grid of flip rates equals its naive twin: the same plays, beliefs, shares, weights and covariances."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.seeds import bit_generator
from onebit.learners.one_bit import learner as one_bit
from onebit.learners.one_bit.rated.linear import RatedState
from tests.learners.one_bit.curved import inside
from tests.naive.onebit_rated import WARM_UP, RatedTwin

ROUNDS, LONG, K, WORDS, EXACT = 250, 900, 5, 40, 1e-9
HONEST, LIES = (0.0, 0.0), (0.3, 0.2)
AT_ONCE, LATE = 0, 40


@pytest.fixture(autouse=True)
def _few_features_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of forty words are wide enough for the grid."""
    monkeypatch.setattr(one_bit, "_MOST_FEATURES_FULL", 4)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """No room for whole matrices: there is no warm-up."""
    monkeypatch.setattr(one_bit, "_MOST_NUMBERS_WARM_UP", 0)


@cache
def documents(words: int = WORDS) -> tuple[Any, Any]:
    """About ten of so many words in each, common and rare ones."""
    draw = np.random.default_rng(1)
    y = draw.integers(K, size=LONG)
    often = np.exp(1.5 * draw.normal(size=(K, words)))
    often /= often.sum(axis=1, keepdims=True)
    X = np.zeros((LONG, words))
    for row, c in zip(X, y, strict=True):
        n = draw.integers(5, 15)
        row[draw.choice(words, size=n, replace=False, p=often[c])] = draw.uniform(0.5, 2, size=n)
    return X, y


def both(d: int, warm: bool, **parameters: Any) -> tuple[Any, RatedTwin]:
    """The learner and its twin, which draw the same numbers."""
    learner = onebit.OneBit(K, seed=3, **parameters)
    draw = np.random.Generator(bit_generator(3, "learner"))
    parameters.pop("dtype", None)
    return learner, RatedTwin(K, d, draw, inside.RATES, warm, **parameters)


def distance(A: Any, B: Any) -> float:
    """The largest difference in units of the largest entry: sums leave an error of that size in each of them."""
    return float(np.abs(A - B).max() / max(np.abs(B).max(), 1e-300))


def covariances(learner: Any, twin: RatedTwin) -> Any:
    """Those that are learned with now: whole (E, K, d, d), or diagonals (E, K, d)."""
    state = learner._session.state
    return state.warm_up.P if twin.full else state.weights.P.swapaxes(1, 2)


def assert_same_beliefs(learner: Any, twin: RatedTwin, row: Any, x: Any, t: int) -> None:
    """What can be asked of the learner in every round."""
    log_p = learner.scores(row)
    np.testing.assert_allclose(log_p, twin.log_p(x), rtol=EXACT, atol=EXACT, err_msg=f"round {t}")
    share = inside.shares(learner)
    assert ((share > 0) == (twin.share > 0)).all(), f"round {t}"
    assert share == pytest.approx(twin.share, rel=EXACT, abs=EXACT), f"round {t}"


def assert_same_state(learner: Any, twin: RatedTwin, t: int) -> None:
    """Everything that is kept from round to round; of an expert that sleeps nothing is read."""
    counts = inside.counts(learner)
    excess = twin.excess if learner.drift else 0
    assert counts[:3] == (twin.t, twin.n, twin.restarts[0]), f"round {t}"
    numbers = excess, twin.exploration, twin.a, twin.b, *twin.forecast[:2]
    assert counts[3:] == pytest.approx(numbers, rel=EXACT, abs=EXACT), f"round {t}"
    W, P = learner._session.state.weights.W.swapaxes(1, 2), covariances(learner, twin)
    for e in np.flatnonzero(twin.share):
        assert distance(W[e], twin.W[e]) < EXACT, f"round {t}, expert {e}"
        assert distance(P[e], twin.P[e]) < EXACT, f"round {t}, expert {e}"


def play(
    stream: tuple[Any, Any], lies: tuple[float, float] = HONEST, longest: int = AT_ONCE, told: int = 0,
    among: int = 0, warm: bool = True, rounds: int = ROUNDS, **parameters: Any,
) -> Any:  # fmt: skip
    """Both side by side with one answer for both: the learner, if they agree.

    Every `told`-th answer is the label; `among` so many labels are decided.
    """
    X, y = stream
    rows = [sp.csr_array(x[None]) for x in X[:rounds]]
    learner, twin = both(X.shape[1], warm, **parameters)
    draw = np.random.default_rng(2)
    delays, flips = draw.integers(0, longest + 1, size=rounds), draw.random(rounds)
    under_way: dict[int, list[Any]] = {}
    for t in range(rounds):
        some = sorted(draw.choice(K, size=among, replace=False).tolist()) if among else None
        decision = learner.decide(rows[t], among=some)
        played, greedy, propensity, explored = twin.decide(X[t], some)
        assert (decision.labels, decision.greedy, decision.explored) == (played, greedy, explored), f"round {t}"
        assert abs(decision.propensity - propensity) <= EXACT * propensity, f"round {t}"
        assert_same_beliefs(learner, twin, rows[t], X[t], t)
        hit = y[t] in played
        bit = hit != (flips[t] < (lies[1] if hit else lies[0]))
        under_way.setdefault(t + delays[t], []).append((decision, t, bit))
        for late, i, says in under_way.pop(t, []):
            tell = told > 0 and i % told == 0
            lesson = X[i], late.labels, late.greedy, late.propensity, late.explored
            learner.learn(late, int(y[i]) if tell else bool(says))
            (twin.learn_label if tell else twin.learn)(*lesson, int(y[i]) if tell else int(says), among > 0)
        if t % 50 == 0 or t == rounds - 1:
            assert_same_state(learner, twin, t)
    assert isinstance(learner._session.state, RatedState)
    return learner


NOISE = [("auto", HONEST), ("auto", LIES), ((0.2, 0.1), (0.2, 0.1)), (None, HONEST)]


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize(("noise", "lies"), NOISE)
def test_bits(m: int, noise: Any, lies: tuple[float, float]) -> None:
    learner = play(documents(), lies, m=m, noise=noise)
    assert len(inside.shares(learner)) == (len(inside.RATES) if noise == "auto" else 1)


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize(("noise", "lies"), NOISE[1:3])
@pytest.mark.usefixtures("cold")
def test_bits_without_a_warm_up(m: int, noise: Any, lies: tuple[float, float]) -> None:
    play(documents(), lies, LATE, warm=False, m=m, noise=noise)


@pytest.mark.parametrize("lies", [HONEST, LIES])
def test_the_end_of_the_warm_up(lies: tuple[float, float]) -> None:
    learner = play(documents(), lies, told=7, rounds=WARM_UP + 50)
    assert inside.counts(learner).n == WARM_UP + 50


@pytest.mark.parametrize("noise", ["auto", (0.2, 0.1)])
def test_late_bits_and_labels(noise: Any) -> None:
    play(documents(), (0.2, 0.1), LATE, told=3, noise=noise)


@pytest.mark.parametrize("m", [1, 2])
def test_among_some_of_the_labels(m: int) -> None:
    play(documents(), LIES, LATE, among=3, m=m, gamma=0.05)


def test_among_all_labels() -> None:
    play(documents(), among=K, gamma=0.1)


def test_rows_as_they_come_another_prior_and_no_watch() -> None:
    play(documents(), LIES, standardize=False, variance=3.0, drift=None)


def drifting(change: int) -> tuple[Any, Any]:
    """From some round on every label is another."""
    X, y = documents()
    return X, np.where(np.arange(LONG) < change, y, (y + 1) % K)


@pytest.mark.parametrize(("noise", "longest"), [(None, AT_ONCE), ("auto", LATE)])
def test_a_restart_after_drift(noise: Any, longest: int) -> None:
    learner = play(drifting(200), HONEST, longest, rounds=400, noise=noise)
    assert inside.counts(learner).restarts == 1
    assert inside.counts(learner).n < 200


@pytest.mark.usefixtures("cold")
def test_experts_sleep_and_drift_wakes_them() -> None:
    asleep = play(documents(), rounds=600, warm=False)
    assert 0 < (inside.shares(asleep) > 0).sum() < len(inside.RATES)
    awake = play(drifting(600), rounds=LONG, warm=False)
    assert inside.counts(awake).restarts == 1
    assert (inside.shares(awake) > 0).all()


def test_of_an_expert_that_sleeps_nothing_is_read() -> None:
    """Not even numbers that would show wherever they went; a restart makes it anew."""
    stream, change = drifting(650), 650
    learner, poisoned = onebit.OneBit(K, seed=3), onebit.OneBit(K, seed=3)
    live((learner, poisoned), stream, 0, 600)
    state = poisoned._session.state
    asleep = state.rates.share == 0
    assert 0 < asleep.sum() < len(inside.RATES)
    mixture = state.mixture
    for of_experts in (*state.weights, state.warm_up.P, mixture.z, mixture.believed, mixture.inside):
        of_experts[asleep] = np.nan
    live((learner, poisoned), stream, 600, change)
    assert_same_awake(learner, poisoned)
    live((learner, poisoned), stream, change, LONG)
    assert_same_awake(learner, poisoned)
    assert inside.counts(poisoned).restarts == 1
    assert np.isfinite(state.weights.W).all()
    assert np.isfinite(state.weights.P).all()


def live(learners: tuple[Any, ...], stream: tuple[Any, Any], first: int, stop: int) -> None:
    """These rounds, with honest bits."""
    X, y = stream
    for t in range(first, stop):
        for learner in learners:
            decision = learner.decide(sp.csr_array(X[t][None]))
            learner.learn(decision, bool(y[t] in decision.labels))


def assert_same_awake(one: Any, other: Any) -> None:
    """The same bits in all that is read."""
    awake = inside.shares(one) > 0
    assert (inside.shares(one) == inside.shares(other)).all()
    for own, others in zip(one._session.state.weights, other._session.state.weights, strict=True):
        assert (own[awake] == others[awake]).all()


def test_decisions_of_another() -> None:
    """Half of the lessons are about labels that somebody else has drawn; their rows are new, and count."""
    X, y = documents()
    learner, twin = both(WORDS, True)
    draw = np.random.default_rng(4)
    for t in range(ROUNDS):
        row = sp.csr_array(X[t][None])
        decision: Any = learner.decide(row) if t % 2 else None
        if decision is None:
            label = int(draw.integers(K))
            decision = onebit.Decision((label,), 1 / K, label, True, row, t)
        else:
            assert twin.decide(X[t])[0] == decision.labels, f"round {t}"
        bit = y[t] in decision.labels
        learner.learn(decision, bool(bit))
        twin.learn(X[t], decision.labels, decision.greedy, decision.propensity, decision.explored, int(bit))
        assert_same_beliefs(learner, twin, row, X[t], t)
    assert_same_state(learner, twin, ROUNDS)


@pytest.mark.parametrize("warm", [True, False])
def test_single_precision(warm: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step by itself: the twin begins it with the numbers of the learner."""
    monkeypatch.setattr(one_bit, "_MOST_NUMBERS_WARM_UP", 2**21 if warm else 0)
    X, y = documents()
    learner, twin = both(WORDS, warm, dtype="float32")
    for t in range(ROUNDS):
        decision = learner.decide(sp.csr_array(X[t][None]))
        played, _, propensity, _ = twin.decide(X[t])
        assert decision.labels == played, f"round {t}"
        assert decision.propensity == pytest.approx(propensity, rel=1e-4)
        learner.learn(decision, bool(y[t] in played))
        twin.learn(X[t], played, decision.greedy, propensity, decision.explored, int(y[t] in played))
        W, P = learner._session.state.weights.W.swapaxes(1, 2), covariances(learner, twin)
        assert W.dtype == P.dtype == np.float32
        assert distance(W, twin.W) < 1e-5, f"round {t}"
        assert distance(P, twin.P) < 1e-5, f"round {t}"
        assert inside.shares(learner) == pytest.approx(twin.share, rel=1e-4), f"round {t}"
        twin.W, twin.P = W.astype(np.float64), P.astype(np.float64)
        twin.share = inside.shares(learner).copy()
