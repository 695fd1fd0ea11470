"""MABWiser: ridge regressions with optimism (LinUCB), or with a share of exploration (LinGreedy), in batches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from benchmarks.peers.measure import Played, Setting, play_batches
from benchmarks.peers.rows import Game
from onebit.core.aliases import IntArray

BATCHES = (10, 100)


def grid(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """How much optimism or exploration, how strong a prior, how large the batches."""
    policies: list[Setting] = [{"policy": "LinUCB", "alpha": alpha} for alpha in (0.01, 0.1, 0.5)]
    policies += [{"policy": "LinUCB", "alpha": 0.1, "l2_lambda": 0.1}]
    policies += [{"policy": "LinGreedy", "epsilon": epsilon} for epsilon in (0.0, 0.01)]
    for form, batch, policy in product(forms, BATCHES, policies):
        yield {"rows": form, "batch": batch, **policy}


def few(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """A few of these."""
    for form, alpha in product(forms[::3] if len(forms) > 2 else forms, (0.1, 0.5)):
        yield {"rows": form, "batch": 10, "policy": "LinUCB", "alpha": alpha}


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    return play_batches(lambda: _MABWiser(game.n_classes, setting, seed), game, limit)


class _MABWiser:
    """The bandit of the library, its rows with a feature more that is always 1; the first batch is played at random."""

    def __init__(self, n_classes: int, setting: Setting, seed: int) -> None:
        from mabwiser.mab import MAB, LearningPolicy

        options = {key: value for key, value in setting.items() if key not in ("rows", "batch", "policy")}
        policy = getattr(LearningPolicy, setting["policy"])(**options)
        self.batch, self._bandit = setting["batch"], MAB(list(range(n_classes)), policy, seed=seed)
        self._first: Any = np.random.default_rng(seed).integers(n_classes, size=self.batch)

    def take(self, X: Any) -> Any:
        """A dense table."""
        table = X if isinstance(X, np.ndarray) else X.toarray()
        return np.column_stack([table, np.ones(len(table))])

    def decide(self, rows: Any) -> IntArray:
        """What the bandit says."""
        if self._first is not None:
            return np.asarray(self._first[: len(rows)])
        return np.atleast_1d(self._bandit.predict(rows))

    def learn(self, rows: Any, labels: IntArray, hits: Any) -> None:
        """Rewards of 0 and 1."""
        (self._bandit.partial_fit if self._first is None else self._bandit.fit)(labels, hits.astype(float), rows)
        self._first = None
