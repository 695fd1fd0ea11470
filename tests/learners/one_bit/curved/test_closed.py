"""A dictionary that has been full is closed: covariances are kept whole from then on, whatever labels come and go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import FormatError, OneBit
from tests.either import clusters
from tests.learners.one_bit.curved import inside

LABELS = ["a", "b", "c"]
BUDGET, OPEN, CLOSED = 20, 10, 200
EXACT = 1e-9


def play(learner: OneBit, first: int, stop: int) -> OneBit:
    """Rows of three clusters; a label that is retired counts as wrong."""
    stream = clusters(400)
    for x, y in zip(stream.X[first:stop], stream.y[first:stop], strict=True):
        decision = learner.decide(x)
        learner.learn(decision, decision.label == y)
    return learner


def begun(rounds: int, **parameters: Any) -> OneBit:
    return play(OneBit(LABELS, seed=1, budget=BUDGET, drift=None, **parameters), 0, rounds)


def told(learner: OneBit) -> Any:
    """Q = v K⁻¹ - P."""
    variance = learner._session.state.rates.variance
    return variance[:, None, None, None] * inside.inverse(learner) - inside.covariances(learner)


def distance(A: Any, B: Any) -> float:
    return float(np.abs(A - B).max() / np.abs(B).max())


def test_it_is_closed_once_it_is_full() -> None:
    assert not inside.closed(begun(OPEN))
    assert not inside.priors_taken_off(begun(OPEN)).any()
    learner = begun(CLOSED)
    assert inside.size(learner) == BUDGET
    assert inside.closed(learner)
    assert inside.priors_taken_off(learner).any()


def test_covariances_are_positive() -> None:
    learner = begun(CLOSED)
    awake = inside.shares(learner) > 0
    assert (np.linalg.eigvalsh(inside.covariances(learner)[awake]) > -1e-9 * 100 / 0.02).all()


def test_a_label_that_was_retired_before_returns_with_what_it_had_learned() -> None:
    learner = begun(OPEN)
    n = inside.size(learner)
    before = told(learner)[:, 2]
    learner.retire(["c"])
    play(learner, OPEN, CLOSED)
    assert inside.closed(learner)
    learner.add_classes(["c"])
    after = told(learner)[:, 2]
    assert not after[:, n:].any()
    assert distance(after[:, :n, :n], before) < EXACT
    play(learner, CLOSED, CLOSED + 60)
    assert inside.priors_taken_off(learner)[:, 2].any()


def test_a_label_that_was_retired_since_returns_with_its_covariance() -> None:
    learner = begun(CLOSED)
    before = inside.covariances(learner)
    learner.retire(["a"])
    play(learner, CLOSED, CLOSED + 60)
    learner.add_classes(["a"])
    assert (inside.covariances(learner)[:, 2] == before[:, 0]).all()


def test_a_new_label_begins_at_the_prior_and_learns() -> None:
    learner = begun(CLOSED)
    learner.add_classes(["d"])
    assert not told(learner)[:, 3].any()
    play(learner, CLOSED, CLOSED + 60)
    awake = inside.shares(learner) > 0
    assert inside.priors_taken_off(learner)[awake, 3].all()
    assert told(learner)[awake, 3].any()


def test_after_drift_it_is_open_again() -> None:
    stream = clusters(400)
    learner = OneBit(LABELS, seed=1, budget=BUDGET)
    for t, x in enumerate(stream.X):
        decision = learner.decide(x)
        right = t < 300 and decision.label == stream.y[t]
        learner.learn(decision, right)
        if inside.counts(learner).restarts:
            break
    assert inside.counts(learner).restarts == 1
    assert not inside.closed(learner)
    assert inside.size(learner) == 0
    assert not inside.priors_taken_off(learner).any()


@pytest.mark.parametrize("rounds", [OPEN, CLOSED])
def test_a_saved_learner_goes_on(rounds: int, tmp_path: Path) -> None:
    learner = begun(rounds)
    learner.save(tmp_path / "m.onebit")
    loaded: Any = onebit.load(tmp_path / "m.onebit")
    assert inside.closed(loaded) == inside.closed(learner)
    play(learner, rounds, 300)
    play(loaded, rounds, 300)
    assert (inside.means(loaded) == inside.means(learner)).all()
    assert (inside.covariances(loaded) == inside.covariances(learner)).all()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda state: state.weights.less_prior, "less-prior takes off a prior that may still grow"),
        (lambda state: state.dictionary.closed, "kept-closed holds 2"),
    ],
)
def test_files_that_are_refused(spoil: Any, message: str, tmp_path: Path) -> None:
    learner = begun(OPEN)
    array = spoil(learner._session.state)
    array[...] = 2 if array.shape == (1,) else 1
    learner.save(tmp_path / "m.onebit")
    with pytest.raises(FormatError, match=message):
        onebit.load(tmp_path / "m.onebit")


@pytest.mark.parametrize("rounds", [OPEN, CLOSED])
def test_deviations_are_those_of_the_covariances(rounds: int) -> None:
    """v (k(x, x) - kᵀK⁻¹k) + kᵀP_r k."""
    learner = begun(rounds)
    row = clusters(400).X[-1]
    learner.decide(row)  # the row is part of the statistics then
    reasons = learner.explain(row).reasons
    state = learner._session.state
    n = inside.size(learner)
    k = state.dictionary.k[0, :n]
    e = int(np.argmax(inside.shares(learner)))
    itself = 0.8 + 0.2 * state.views.b[-1]
    unexplained = state.rates.variance[e] * (itself - k @ inside.inverse(learner) @ k)
    right = [np.sqrt(unexplained + k @ P @ k) for P in inside.covariances(learner)[e]]
    assert [reason.deviation for reason in reasons] == pytest.approx(right, rel=1e-6)
