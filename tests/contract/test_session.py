"""One decision at a time: whatever the memory of a row looks like, the bits are those of a table of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit

X = np.random.default_rng(4).normal(size=(40, 6))
LABELS = X.argmax(axis=1)


def unaligned(row: Any) -> Any:
    """The row at an address that no float begins at."""
    room = np.zeros(row.nbytes + 1, np.uint8)[1:]
    moved = room.view(row.dtype)
    moved[:] = row
    return moved


def read_only(row: Any) -> Any:
    row = row.copy()
    row.flags.writeable = False
    return row


def strided(row: Any) -> Any:
    return np.repeat(row, 2)[::2]


def sparse_with_strides(row: Any) -> Any:
    table = sp.csr_array(row[None, :])
    table.data = np.repeat(table.data, 3)[::3]
    return table


SHAPES: list[Callable[[Any], Any]] = [
    np.copy, list, unaligned, read_only, strided, lambda row: row.astype(">f8"), lambda row: row[None, :],
]  # fmt: skip


def played(learner: onebit.Learner, shapes: list[Callable[[Any], Any]]) -> list[Any]:
    found = []
    for t, x in enumerate(X):
        decision = learner.decide(shapes[t % len(shapes)](x))
        learner.learn(decision, decision.label == LABELS[t])
        found.append((decision.label, decision.propensity, decision.greedy))
    return found


@pytest.mark.parametrize("cls", [onebit.Banditron, onebit.OneBit])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_of_every_memory_are_the_same_row(cls: Any, dtype: str) -> None:
    learner = cls(6, seed=3, dtype=dtype)
    assert played(learner, SHAPES) == played(cls(6, seed=3, dtype=dtype), [np.copy])


@pytest.mark.parametrize("cls", [onebit.Banditron, onebit.OneBit])
def test_sparse_rows_of_every_memory_are_the_same_row(cls: Any) -> None:
    usual: list[Callable[[Any], Any]] = [lambda row: sp.csr_array(row[None, :])]
    shapes = [*usual, sparse_with_strides, lambda row: sp.coo_array(row[None, :]), lambda row: row]
    assert played(cls(6, seed=3), shapes) == played(cls(6, seed=3), usual)


def test_a_pickled_learner_goes_on() -> None:
    learner = onebit.Banditron(6, gamma=0.3, seed=3)
    played(learner, [np.copy])
    twin = pickle.loads(pickle.dumps(learner))
    assert played(learner, [np.copy]) == played(twin, SHAPES)


def test_a_state_that_has_grown_is_the_one_that_is_called_with() -> None:
    """A learner whose state is replaced as it grows: single lessons and a table of them end alike."""
    single = onebit.KernelBandit(6, kernel="rbf", form="dual", seed=3)
    table = single.clone()
    for _ in range(4):
        decisions = table.decide_many(X)
        table.learn_many(decisions, decisions.labels == LABELS)
    for _ in range(4):
        decided = [single.decide(x) for x in X]
        for decision, label in zip(decided, LABELS, strict=True):
            single.learn(decision, decision.label == label)
    assert np.array_equal(single.scores(X), table.scores(X))
