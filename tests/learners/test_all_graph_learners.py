"""MOLGF, MOLGB, OSLG, OSLGBandit, MSG, GPA: inverses over many steps, counts, margins, rows of zeros, sizes."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError
from onebit.engine.match import prepare
from onebit.engine.play import play
from tests.learners.lessons import TWINS, like, unit_rows

NAMES = ("MOLGF", "MSG", "OSLG", "GPA", "MOLGB", "OSLGBandit")


def played(learner: Any, X: Any, y: Any) -> Any:
    """A clone that has played the rows in order."""
    stream = onebit.streams.from_arrays(X, y, classes=learner.classes, shuffle=False)
    player = prepare(learner, stream, seed=0)
    play(player, stream, onebit.Full() if learner.feedback == "label" else onebit.Bit(), seed=0)
    return player


@pytest.mark.parametrize("name", ["MOLGF", "MSG"])
def test_the_inverse_stays_the_inverse_for_20_000_steps(name: str) -> None:
    d, rounds = 12, 20_000
    X, y = unit_rows(rounds, 3, d)
    learner = played(getattr(onebit, name)(3, phi=1e9), X, y)  # learns in every round
    assert learner.updates == 2 * rounds
    A, a = learner.b * np.eye(d), 1.0
    for x in X:
        if name == "MOLGF":
            a = 1 / (1 - x @ np.linalg.solve(A, x))
        A += a * np.outer(x, x)
    P = learner._session.state.U[0]
    inverse = np.linalg.inv(A)
    assert np.abs(P - inverse).max() < TWINS * np.abs(inverse).max()
    assert np.abs(P @ A - np.eye(d)).max() < TWINS
    assert np.array_equal(P, P.T)


@pytest.mark.parametrize("name", ["MOLGF", "MOLGB"])
def test_a_twin_that_never_changes_its_form_plays_the_same(name: str) -> None:
    K, d = 3, 40
    X, y = unit_rows(400, K, d)
    X[::50] = 0
    learner = getattr(onebit, name)(K)
    twin = importlib.import_module(f"tests.naive.{name.lower()}").Twin(K, d, np.random.default_rng(0))
    changed = []
    for t, x in enumerate(X):
        decision = learner.decide(x)
        label, greedy, *rest = twin.decide(x)
        assert (decision.label, decision.greedy) == (label, greedy), f"round {t}"
        right = bool(y[t] == label)
        learner.learn(decision, int(y[t]) if name == "MOLGF" else right)
        twin.learn(x, label, greedy, *rest, int(y[t]) if name == "MOLGF" else right)
        changed.append(int((learner._session.state.n == d).sum()))
    assert changed[10] == 0
    assert changed[-1] == len(learner._session.state.n)
    assert changed[-50] == changed[-1], "it plays on after the change"
    assert learner.scores(X[1]) == like(twin.scores(X[1]))


@pytest.mark.parametrize(("name", "right", "wrong"), [
    ("MOLGF", 2, 2), ("MSG", 2, 2), ("OSLG", 0, 4), ("GPA", 2, 2), ("MOLGB", 1, 1), ("OSLGBandit", 1, 1),
])  # fmt: skip
def test_updates_are_counted_per_class_that_learns(name: str, right: int, wrong: int) -> None:
    learner = getattr(onebit, name)(4)
    for bit, expected in ((True, right), (False, wrong)):
        before, decision = learner.updates, learner.decide([0.6, 0.8])
        label = decision.label if bit else (decision.label + 1) % 4
        learner.learn(decision, label if learner.feedback == "label" else bit)
        assert learner.updates - before == expected


@pytest.mark.parametrize("name", ["MOLGF", "MSG", "MOLGB"])
def test_an_answer_within_the_margin_teaches_and_one_beyond_it_does_not(name: str) -> None:
    learner, x = getattr(onebit, name)(3), [0.6, 0.8]
    taught = []
    for _ in range(400):
        before, decision = learner.updates, learner.decide(x)
        learner.learn(decision, 0 if learner.feedback == "label" else bool(decision.label == 0))
        taught.append(learner.updates > before)
    assert taught[0]
    assert not any(taught[-100:])
    assert taught.index(False) == sum(taught), "once sure, always sure"
    assert learner.clone(phi=0).phi == 0


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_zeros_change_no_score(name: str) -> None:
    learner = getattr(onebit, name)(3)
    X, y = unit_rows(30, 3, 4)
    for x, label in zip(X, y, strict=True):
        decision = learner.decide(x)
        learner.learn(decision, int(label) if learner.feedback == "label" else bool(decision.label == label))
    before = learner.scores(X)
    for bit in (True, False):
        decision = learner.decide(np.zeros(4))
        assert decision.label == decision.greedy == 0
        learner.learn(decision, 1 if learner.feedback == "label" else bit)
    assert np.array_equal(learner.scores(X), before)
    assert not learner.scores(np.zeros(4)).any()


@pytest.mark.parametrize(("name", "instead"), [
    ("MOLGF", "GPA"), ("MSG", "GPA"), ("OSLG", "GPA"), ("MOLGB", "Confidit"), ("OSLGBandit", "Confidit"),
])  # fmt: skip
def test_matrices_too_large_for_memory_say_what_to_use_instead(name: str, instead: str) -> None:
    learner = getattr(onebit, name)(3)
    with pytest.raises(ConfigError, match=rf"n_features=100000: {name} would keep \d+ GiB .* use {instead}"):
        learner.decide(sp.csr_array((1, 100_000)))
    assert learner.decisions == 0
