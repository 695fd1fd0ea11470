"""River: one logistic regression per class on dict rows, a share of rounds explored; a loop in Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from benchmarks.peers.measure import Played, Setting, play_batches
from benchmarks.peers.rows import Game
from onebit.core.aliases import IntArray


def grid(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """Optimisers and their rates, shares of exploration."""
    steps = [("SGD", 0.1), ("SGD", 0.5), ("SGD", 2.0), ("AdaGrad", 0.1), ("AdaGrad", 0.5), ("AdaGrad", 2.0)]
    for form, epsilon, (optimizer, rate) in product(forms, (0.0, 0.01, 0.02), steps):
        yield {"rows": form, "optimizer": optimizer, "rate": rate, "epsilon": epsilon}


def few(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """A few of these."""
    for form, (optimizer, rate) in product(forms[1::2], (("SGD", 0.5), ("AdaGrad", 0.1), ("AdaGrad", 0.5))):
        yield {"rows": form, "optimizer": optimizer, "rate": rate, "epsilon": 0.0}


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    return play_batches(lambda: _River(game.n_classes, setting, seed), game, limit)


class _River:
    """The model of the class played learns the bit; the class with the largest probability is the best."""

    batch = 1

    def __init__(self, n_classes: int, setting: Setting, seed: int) -> None:
        from river import linear_model, optim

        optimizer = getattr(optim, setting["optimizer"])
        self._models: list[Any] = [
            linear_model.LogisticRegression(optimizer=optimizer(setting["rate"])) for _ in range(n_classes)
        ]
        self._epsilon, self._draw = setting["epsilon"], random.Random(seed)

    def take(self, X: Any) -> list[dict[int, float]]:
        """Dicts of the features that are not 0."""
        if isinstance(X, np.ndarray):
            return [{j: x[j] for j in np.flatnonzero(x).tolist()} for x in map(np.ndarray.tolist, X)]
        pairs = zip(np.split(X.indices, X.indptr[1:-1]), np.split(X.data, X.indptr[1:-1]), strict=True)
        return [dict(zip(indices.tolist(), values.tolist(), strict=True)) for indices, values in pairs]

    def decide(self, rows: list[dict[int, float]]) -> IntArray:
        """Of one row."""
        if self._draw.random() < self._epsilon:
            return np.array([self._draw.randrange(len(self._models))])
        scores = [model.predict_proba_one(rows[0])[True] for model in self._models]
        return np.array([scores.index(max(scores))])

    def learn(self, rows: list[dict[int, float]], labels: IntArray, hits: Any) -> None:
        """From one row."""
        self._models[labels[0]].learn_one(rows[0], bool(hits[0]))
