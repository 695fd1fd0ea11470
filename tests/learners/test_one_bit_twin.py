"""OneBit equals its naive twin over 3,000 rounds: the same decisions, the same weights, whatever the answers are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.seeds import bit_generator
from tests.naive.onebit import Twin

ROUNDS, K, D, EXACT = 3000, 5, 12, 1e-9
KINDS, CURVATURES, DELAYS = ["dense", "sparse"], ["full", "diagonal"], {"at once": 1, "late": 61}
NOISE: dict[str, tuple[Any, tuple[float, float]]] = {
    "honest": (None, (0.0, 0.0)),
    "known lies": ((0.2, 0.1), (0.2, 0.1)),
    "auto, honest": ("auto", (0.0, 0.0)),
    "auto, lies": ("auto", (0.3, 0.2)),
}


def rows_and_labels(kind: str, spread: float) -> tuple[Any, Any]:
    """Clusters with a feature that never changes; dense rows of all scales, sparse ones with a share of zeros."""
    draw = np.random.default_rng(1)
    y = draw.integers(K, size=ROUNDS)
    X = draw.normal(size=(K, D))[y] + spread * draw.normal(size=(ROUNDS, D))
    X = X * np.geomspace(0.1, 10, D) + 3 if kind == "dense" else X * (draw.random((ROUNDS, D)) < 0.6)
    X[:, 0] = 0.7
    return X, y


def distance(W: Any, V: Any) -> float:
    """The largest difference of two weights, in units of the largest weight.

    A score is a sum over weights of all sizes, so rounding leaves in each of them an error of the size of the
    largest; a weight that is almost 0 has no digits of its own to compare.
    """
    return float(np.abs(W - V).max() / max(np.abs(V).max(), 1e-300))


def same(learner: Any, twin: Twin) -> None:
    """Everything that is kept from round to round, but the features' statistics, which the weights hang on."""
    state = learner._run.state
    assert distance(state.W, twin.W) < EXACT
    assert distance(state.P, twin.P) < EXACT
    assert (state.t[0], state.n[0], state.lying[0], state.restarts.tolist()) == (
        twin.t, twin.n, twin.lying, twin.restarts
    )  # fmt: skip
    assert state.rho == pytest.approx(twin.rho, rel=EXACT)
    assert state.trust[0] == pytest.approx(twin.trust, rel=EXACT)
    assert state.line[:2] == pytest.approx([twin.a, twin.b], rel=EXACT, abs=EXACT)
    assert state.watch[2] == pytest.approx(twin.excess, rel=EXACT, abs=EXACT)


def play(
    kind: str, rows: Any, y: Any, lies: Any, longest: int, told: Callable[[int], bool], **parameters: Any
) -> tuple[Any, Twin]:
    """Both of them, side by side, with one answer for both; `told` says which rounds are answered by the label."""
    learner = onebit.OneBit(K, seed=3, **parameters)
    twin = Twin(K, D, np.random.Generator(bit_generator(3, "learner")), kind, **parameters)
    draw = np.random.default_rng(2)
    delays, flips = draw.integers(0, longest, size=ROUNDS), draw.random(ROUNDS)
    table = [sp.csr_array(x[None]) for x in rows] if kind == "sparse" else rows
    under_way: dict[int, list[Any]] = {}
    for t in range(ROUNDS):
        decision = learner.decide(table[t])
        played, greedy, propensity, explored = twin.decide(rows[t])
        assert (decision.labels, decision.greedy, decision.explored) == (played, greedy, explored), f"round {t}"
        assert decision.propensity == pytest.approx(propensity, rel=EXACT)
        hit = bool(y[t] in played)
        bit = hit != (flips[t] < (lies[1] if hit else lies[0]))
        under_way.setdefault(t + delays[t], []).append((decision, t, bit))
        for decision, i, bit in under_way.pop(t, []):
            lesson = rows[i], decision.labels, decision.greedy, decision.propensity, decision.explored
            if told(i):
                learner.learn(decision, int(y[i]))
                twin.learn_label(*lesson, y[i])
            else:
                learner.learn(decision, bool(bit))
                twin.learn(*lesson, int(bit))
        if t % 100 == 0:
            same(learner, twin)
    same(learner, twin)
    return learner, twin


def never(t: int) -> bool:
    return False


@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize(("kind", "curvature"), list(product(KINDS, CURVATURES)))
def test_bits(kind: str, curvature: str, m: int, noise: str, delay: str) -> None:
    rows, y = rows_and_labels(kind, spread=0.8)
    believed, lies = NOISE[noise]
    learner, _ = play(kind, rows, y, lies, DELAYS[delay], never, m=m, noise=believed, curvature=curvature)
    print(learner._run.state.restarts, learner.updates)
