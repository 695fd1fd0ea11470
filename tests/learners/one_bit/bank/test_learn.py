"""The bank equals its naive twin: the same decisions, weights and shares, whatever the answers are."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.core.seeds import bit_generator
from onebit.learners.one_bit.bank import state as bank_state
from tests.naive.onebit_bank import BankTwin

ROUNDS, K, WORDS, EXACT = 1200, 5, 40, 1e-8
WIDTH = 64
HONEST, LIES = (0.0, 0.0), (0.3, 0.2)


@pytest.fixture(autouse=True)
def _double_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding to single precision would make the two part in the last digits of single weights."""
    monkeypatch.setattr(bank_state, "_PRECISION", "float64")


@cache
def cases() -> tuple[list[dict[str, Any]], Any]:
    """Lists of words, common and rare ones, of five labels."""
    draw = np.random.default_rng(1)
    y = draw.integers(K, size=ROUNDS)
    often = np.exp(1.3 * draw.normal(size=(K, WORDS)))
    often /= often.sum(axis=1, keepdims=True)
    bags = [draw.choice(WORDS, size=draw.integers(4, 9), replace=False, p=often[c]) for c in y]
    return [{"words": [f"w{i}" for i in bag]} for bag in bags], y


def dense_row(decision: Any) -> Any:
    """The row as the learner's encoder has read it."""
    rows = decision._features[1]
    x = np.zeros(WIDTH)
    x[rows.indices] = rows.values
    return x


def assert_same(learner: Any, twin: BankTwin, t: int) -> None:
    state = learner._session.state
    bank = state.bank
    assert (state.clock.t[0], state.clock.n[0], state.lies.often[0]) == (twin.t, twin.n, twin.lying), f"round {t}"
    W = twin.W.transpose(1, 0, 2)
    assert np.abs(bank.W - W).max() < EXACT * max(np.abs(W).max(), 1), f"round {t}"
    assert np.allclose(bank.information, twin.information, rtol=EXACT, atol=EXACT), f"round {t}"
    assert np.allclose(bank.share, twin.share, rtol=EXACT, atol=EXACT), f"round {t}"
    assert [state.lies.rho_0[0], state.lies.rho_1[0]] == pytest.approx(twin.rho, rel=EXACT), f"round {t}"
    assert [state.calibration.a[0], state.calibration.b[0]] == pytest.approx([twin.a, twin.b], rel=EXACT, abs=EXACT)
    assert state.exploration[0] == pytest.approx(twin.exploration, rel=EXACT, abs=EXACT), f"round {t}"


def play(lies: Any = HONEST, longest: int = 0, told: bool = False, among: bool = False, **parameters: Any) -> Any:
    """Both side by side, with one answer for both: the learner, if they agree."""
    rows, y = cases()
    learner = onebit.OneBit(K, seed=3, n_features=WIDTH, cases=onebit.Cases(), **parameters)
    twin = BankTwin(K, WIDTH, np.random.Generator(bit_generator(3, "learner")), **parameters)
    draw = np.random.default_rng(2)
    delays, flips = draw.integers(0, longest + 1, size=ROUNDS), draw.random(ROUNDS)
    under_way: dict[int, list[Any]] = {}
    for t in range(ROUNDS):
        some = sorted(draw.choice(K, size=3, replace=False).tolist()) if among else None
        decision = learner.decide(rows[t], among=some)
        played, greedy, propensity, explored = twin.decide(dense_row(decision), some)
        assert (decision.labels, decision.greedy, decision.explored) == (played, greedy, explored), f"round {t}"
        assert abs(decision.propensity - propensity) <= EXACT * propensity, f"round {t}"
        hit = y[t] in played
        bit = hit != (flips[t] < (lies[1] if hit else lies[0]))
        under_way.setdefault(t + delays[t], []).append((decision, t, bit))
        for late, i, says in under_way.pop(t, []):
            lesson = dense_row(late), late.labels, late.greedy, late.propensity, late.explored
            tell = told and i % 3 == 0
            learner.learn(late, int(y[i]) if tell else bool(says))
            (twin.learn_label if tell else twin.learn)(*lesson, y[i] if tell else int(says))
        if t % 100 == 0 or t == ROUNDS - 1:
            assert_same(learner, twin, t)
    return learner


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("noise", [None, "auto", (0.2, 0.1)])
def test_bits(m: int, noise: Any) -> None:
    learner = play(m=m, noise=noise)
    assert learner._session.state.bank.W.shape == (K, 3, WIDTH + 1)


def test_late_answers() -> None:
    play(longest=60)


def test_labels_that_are_told() -> None:
    play(told=True, longest=20)


def test_bits_that_lie() -> None:
    play(LIES, noise=(0.3, 0.2), variance=10.0)


def test_one_variance_is_a_bank_of_one() -> None:
    assert play(variance=100.0)._session.state.bank.W.shape == (K, 1, WIDTH + 1)


def test_among_some_of_the_labels() -> None:
    play(among=True, drift=None)


def fall_asleep(learner: Any) -> Any:
    """Let the first member be far behind; the bank."""
    state = learner._session.state
    state.bank.evidence[0] = -500.0
    state.clock.n[0] = 5000
    learner.learn(learner.decide(cases()[0][0]), False)
    assert state.bank.share[0] == 0
    assert state.bank.share.sum() == pytest.approx(1)
    return state.bank


def test_a_member_that_is_far_behind_sleeps() -> None:
    learner = play(drift=None)
    assert (learner._session.state.bank.share > 0).all()
    bank = fall_asleep(learner)
    before = bank.W[:, 0].copy()
    for case in cases()[0][:50]:
        learner.learn(learner.decide(case), False)
    assert np.array_equal(bank.W[:, 0], before)


def test_drift_wakes_everybody() -> None:
    learner = play()
    bank = fall_asleep(learner)
    for case in cases()[0][:100]:
        learner.learn(learner.decide(case), False)
    assert learner._session.state.clock.drift_restarts[0] == 1
    assert (bank.share > 0).all()
