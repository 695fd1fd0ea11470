"""What the tests of learners that play sets share: a learner with scores, all draws it can make, and its steps."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit import Decision
from onebit.contract.layout import Layout
from onebit.streams import from_arrays
from tests.naive.setbanditron import indicator

EXACT = 1e-12
SIZES = [(K, m) for K in range(2, 7) for m in range(1, K)]
GAMMAS = [0.02, 0.3, 1.0]
LIES = [None, (0.2, 0.1), (0.0, 0.6)]
SCORED, READ = 0.8, 0.6
"""The row: its first feature makes the scores, in its second one the step is read, from weights of 0."""


def awake(learner: Any, kind: str) -> Any:
    """The learner with scores that differ, through the first of its two features."""
    learner.begin(Layout(len(learner.classes), 2, kind, "float64"))  # type: ignore[arg-type]  # one of the two
    learner._session.state.W[:, 0] = np.random.default_rng(len(learner.classes)).normal(size=len(learner.classes))
    return learner


def row_of(kind: str) -> Any:
    x = np.array([SCORED, READ])
    return sp.csr_array(x[None]) if kind == "sparse" else x


def step(learner: Any, decision: Decision, feedback: Any) -> Any:
    """What one lesson adds to the weights of the second feature, per unit of the row; the learner is set back."""
    state = learner._session.state
    kept = [array.copy() for array in state]
    learner.learn(decision, feedback)
    moved: Any = state.W[:, 1].copy()
    for array, old in zip(state, kept, strict=True):
        array[...] = old
    return moved / READ


def best(learner: Any, m: int) -> tuple[int, ...]:
    return tuple(np.argsort(-learner._session.state.W[:, 0], kind="stable")[:m].tolist())


def ordered_draws(K: int, top: tuple[int, ...], gamma: float) -> dict[tuple[int, ...], float]:
    """Every ordered draw of MCDBF and its probability."""
    P = gamma / K + (1 - gamma) / len(top) * indicator(top, K)
    draws = {}
    for labels in permutations(range(K), len(top)):
        left = [1 - P[list(labels[:i])].sum() for i in range(len(labels))]
        draws[labels] = float(np.prod(P[list(labels)] / left))
    return draws


def sets(K: int, order: tuple[int, ...], m: int, gamma: float) -> dict[tuple[int, ...], float]:
    """Every set of SetBanditron, in the order of the scores, and its probability."""
    return {A: gamma / comb(K, m) + (1 - gamma) * (order[:m] == A) for A in combinations(order, m)}


def mean_step(learner: Any, draws: dict[tuple[int, ...], float], kind: str, y: int, unit: float = 1.0) -> Any:
    """The mean of the step over all draws, and over all lies."""
    rho_0, rho_1 = learner.noise or (0.0, 0.0)
    top = best(learner, learner.m)
    mean = np.zeros(len(learner.classes))
    for labels, p in draws.items():
        says_yes = 1 - rho_1 if y in labels else rho_0
        for bit, chance in ((True, says_yes), (False, 1 - says_yes)):
            if chance:
                decision = Decision(labels, p, top[0], False, row_of(kind), 0, top)
                mean += p * chance * step(learner, decision, bit) * unit
    return mean


def wide(kind: str) -> Any:
    draw = np.random.default_rng(4)
    y = draw.integers(7, size=3000)
    X = (draw.normal(size=(7, 37))[y] + draw.normal(size=(3000, 37))) * (draw.random((3000, 37)) < 0.6)
    return from_arrays(sp.csr_array(X) if kind == "sparse" else X, y)
