"""A learner that takes both kinds of answers: Banditron's step from a bit, the Perceptron's from a label."""

from __future__ import annotations

import numpy as np
import pytest

import onebit
from onebit.contract.compiled import Functions, linear_score
from onebit.core.registry import _LEARNERS
from onebit.learners import banditron, perceptron
from onebit.streams.base import Stream


class Either(onebit.Banditron):
    """Banditron, or the Perceptron, by turns."""

    functions = Functions(banditron.decide, banditron.learn, linear_score, perceptron.learn)


def enlist(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the learner for the length of a test."""
    monkeypatch.setitem(_LEARNERS, "either", Either)
    monkeypatch.setattr(Either, "name", "either")


def clusters(n: int = 600, classes: tuple[object, ...] = ("a", "b", "c")) -> Stream:
    """One cluster of rows for each class."""
    draw = np.random.default_rng(8)
    y = draw.integers(len(classes), size=n)
    labels = np.array(classes, dtype=object)
    X = 2 * np.eye(len(classes), 5)[y] + 0.5 * draw.normal(size=(n, 5))
    return onebit.streams.from_arrays(X, labels[y], classes=list(classes), shuffle=False)
