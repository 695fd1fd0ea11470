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
    assert counts[3:] == pytest.approx((excess, twin.exploration, twin.a, twin.b), rel=EXACT, abs=EXACT), f"round {t}"
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
@pytest.mark.parametrize(("noise", "lies"), NOISE)
@pytest.mark.usefixtures("cold")
def test_bits_without_a_warm_up(m: int, noise: Any, lies: tuple[float, float]) -> None:
    play(documents(), lies, LATE, warm=False, m=m, noise=noise)


@pytest.mark.parametrize("lies", [HONEST, LIES])
def test_the_end_of_the_warm_up(lies: tuple[float, float]) -> None:
    learner = play(documents(), lies, told=7, rounds=WARM_UP + 50)
    assert inside.counts(learner).n == WARM_UP + 50
