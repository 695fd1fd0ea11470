"""River's adaptive random forest behind a share of exploration: one for each class that learns the bit, or one for all
that learns the label when it was hit.
"""

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
    """What is learned, by how many trees, and shares of exploration."""
    rows = "topics" if stream == "newsgroups20" else "raw"
    for (learns, trees), epsilon in product((("bits", 3), ("hits", 10)), (0.02, 0.1)):
        yield {"rows": rows, "learns": learns, "n_models": trees, "epsilon": epsilon}


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    return play_batches(lambda: _Forest(game.n_classes, setting, seed), game, limit)


class _Forest:
    """The class with the largest probability is the best; one that nobody knows yet comes after those that hit."""

    batch = 1

    def __init__(self, n_classes: int, setting: Setting, seed: int) -> None:
        from river import forest

        self._bits = setting["learns"] == "bits"
        count = n_classes if self._bits else 1
        self._forests: list[Any] = [
            forest.ARFClassifier(n_models=setting["n_models"], seed=seed + i) for i in range(count)
        ]
        self._epsilon, self._n_classes, self._draw = setting["epsilon"], n_classes, random.Random(seed)

    def take(self, X: Any) -> list[dict[int, float]]:
        """Dicts of all features: a tree splits at their values."""
        table = X if isinstance(X, np.ndarray) else X.toarray()
        return [dict(enumerate(row)) for row in table.tolist()]

    def decide(self, rows: list[dict[int, float]]) -> IntArray:
        """Of one row."""
        if self._draw.random() < self._epsilon:
            return np.array([self._draw.randrange(self._n_classes)])
        if self._bits:
            said = [one.predict_proba_one(rows[0]) for one in self._forests]
            scores = [one.get(True, 0.0) if one else 0.5 for one in said]  # one that has learned nothing is tried
        else:
            found = self._forests[0].predict_proba_one(rows[0])
            scores = [found.get(label, 0.0) for label in range(self._n_classes)]
        top = max(scores)
        return np.array([self._draw.choice([label for label, score in enumerate(scores) if score == top])])

    def learn(self, rows: list[dict[int, float]], labels: IntArray, hits: Any) -> None:
        """From one row."""
        if self._bits:
            self._forests[labels[0]].learn_one(rows[0], bool(hits[0]))
        elif hits[0]:
            self._forests[0].learn_one(rows[0], int(labels[0]))
