"""MOLGF, MOLGB, OSLG, OSLGBandit, MSG, GPA: identities, inverses over many steps, counts, parameters."""

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
from onebit.learners.molgf import effect_of_row

NAMES = ("MOLGF", "MSG", "OSLG", "GPA", "MOLGB", "OSLGBandit")


def clusters(rounds: int, K: int, d: int, seed: int = 0) -> tuple[Any, Any]:
    """Noisy clusters, rows of unit norm."""
    draw = np.random.default_rng(seed)
    y = draw.integers(K, size=rounds)
    X = draw.normal(size=(K, d))[y] + 1.5 * draw.normal(size=(rounds, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True), y


def played(learner: Any, X: Any, y: Any) -> Any:
    """A clone that has played the rows in order."""
    stream = onebit.streams.from_arrays(X, y, classes=learner.classes, shuffle=False)
    player = prepare(learner, stream, seed=0)
    play(player, stream, onebit.Full() if learner.feedback == "label" else onebit.Bit(), seed=0)
    return player


@pytest.mark.parametrize("d", [1, 6, 40])
def test_identities_of_the_weight(d: int) -> None:
    draw = np.random.default_rng(d)
    for _ in range(20):
        Z, x = draw.normal(size=(d, d)), draw.normal(size=d)
        x /= np.linalg.norm(x)
        A = 1.2 * np.eye(d) + Z @ Z.T
        g = np.linalg.solve(A, x)
        q = float(x @ g)
        a = 1 / (1 - q)
        after = np.linalg.inv(A + a * np.outer(x, x))
        np.testing.assert_allclose(after, np.linalg.inv(A) - np.outer(g, g), rtol=0, atol=1e-10)
        assert x @ after @ x == pytest.approx(q * (1 - q), abs=1e-10)
        shrink, factor, sigma = effect_of_row(q, True)
        assert shrink == pytest.approx(x @ after @ x / q, abs=1e-10)
        assert factor == 1
        assert sigma == pytest.approx(a**2 / 2 * x @ after @ x, abs=1e-10)
        after = np.linalg.inv(A + np.outer(x, x))
        shrink, factor, sigma = effect_of_row(q, False)
        np.testing.assert_allclose(after, np.linalg.inv(A) - factor * np.outer(g, g), rtol=0, atol=1e-10)
        assert shrink == pytest.approx(x @ after @ x / q, abs=1e-10)
        assert sigma == pytest.approx(x @ after @ x / 2, abs=1e-10)


@pytest.mark.parametrize("name", ["MOLGF", "MSG"])
def test_the_inverse_stays_the_inverse_for_20_000_steps(name: str) -> None:
    d, rounds = 12, 20_000
    X, y = clusters(rounds, 3, d)
    learner = played(getattr(onebit, name)(3, phi=1e9), X, y)  # learns in every round
    assert learner.updates == 2 * rounds
    A, a = learner.b * np.eye(d), 1.0
    for x in X:
        if name == "MOLGF":
            a = 1 / (1 - x @ np.linalg.solve(A, x))
        A += a * np.outer(x, x)
    P = learner._run.state.U[0]
    assert np.abs(P - np.linalg.inv(A)).max() < 1e-8
    assert np.abs(P @ A - np.eye(d)).max() < 1e-8
    assert np.array_equal(P, P.T)


@pytest.mark.parametrize("name", ["MOLGF", "MOLGB"])
def test_a_twin_that_never_changes_its_form_plays_the_same(name: str) -> None:
    K, d = 3, 40
    X, y = clusters(400, K, d)
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
        changed.append(int((learner._run.state.n == d).sum()))
    assert changed[10] == 0
    assert changed[-1] == len(learner._run.state.n)
    assert changed[-50] == changed[-1], "it plays on after the change"
    assert learner.scores(X[1]) == pytest.approx(twin.scores(X[1]), abs=1e-10)


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
    X, y = clusters(30, 3, 4)
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


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("MOLGF", {"b": 1}, r"b=1: must be a number above 1"),
        ("MOLGB", {"b": 0.5}, r"b=0.5: must be a number above 1"),
        ("MOLGF", {"normalize": False}, r"normalize=False: must be True; a row weighs 1/\(1-q\).* \(MSG, OSLG and"),
        ("MOLGB", {"normalize": 1}, r"normalize=1: must be True"),
        ("MOLGF", {"phi": -1}, r"phi=-1: must be a number, 0 or larger"),
        ("MOLGB", {"varphi": -0.1}, r"varphi=-0.1: must be a number, 0 or larger"),
        ("MSG", {"b": 0}, r"b=0: must be a number above 0"),
        ("OSLG", {"b": -1}, r"b=-1: must be a number above 0"),
        ("OSLGBandit", {"eta": -1}, r"eta=-1: must be a number, 0 or larger"),
        ("MOLGB", {"noise": (0.1, 0.1)}, r"MOLGB cannot take it: whether it learns depends on the bit"),
        ("MSG", {"noise": (0.1, 0.1)}, r"MSG cannot take it: it is told the true label"),
    ],
)
def test_bad_parameters(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        getattr(onebit, name)(3, **parameters)


@pytest.mark.parametrize(("name", "instead"), [
    ("MOLGF", "GPA"), ("MSG", "GPA"), ("OSLG", "GPA"), ("MOLGB", "Confidit"), ("OSLGBandit", "Confidit"),
])  # fmt: skip
def test_matrices_too_large_for_memory_say_what_to_use_instead(name: str, instead: str) -> None:
    learner = getattr(onebit, name)(3)
    with pytest.raises(ConfigError, match=rf"n_features=100000: {name} would keep \d+ GiB .* use {instead}"):
        learner.decide(sp.csr_array((1, 100_000)))
    assert learner.decisions == 0


def test_optimism_is_shared_by_equals() -> None:
    drawn = [onebit.MOLGB(4, ties="random", seed=s).decide([1.0, 0.0]) for s in range(60)]
    assert {d.label for d in drawn} == {0, 1, 2, 3}
    assert {d.propensity for d in drawn} == {0.25}
    assert {d.greedy for d in drawn} == {0}


def test_optimism_plays_what_is_unknown() -> None:
    learner = onebit.MOLGB(2, varphi=10)
    first = learner.decide([1.0, 0.0])
    learner.learn(first, True)
    second = learner.decide([1.0, 0.0])
    assert (first.label, second.label, second.greedy) == (0, 1, 0)
