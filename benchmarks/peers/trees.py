"""contextualbandits over boosted trees or random forests of scikit-learn: a share of exploration, or bootstraps.

Such models cannot learn row by row. They are fitted again, to all bits so far, each time these are so many times as
many as at the last fit (`grow`), and play in batches in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.peers.measure import Played, Setting, play_batches
from benchmarks.peers.rows import Game
from onebit.core.aliases import IntArray

BATCH = 50

EXPLORERS: tuple[Setting, ...] = (
    {"policy": "EpsilonGreedy", "explore_prob": 0.02, "decay": None},
    {"policy": "EpsilonGreedy", "explore_prob": 0.1, "decay": None},
    {"policy": "EpsilonGreedy", "explore_prob": 0.5, "decay": 0.999},
    {"policy": "BootstrappedTS", "nsamples": 5},
)


def boosted(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """Histogram gradient boosting, a model for each class."""
    yield from _grid(stream, "HistGradientBoostingClassifier", {"max_iter": 40, "max_leaf_nodes": 15})


def forests(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """Random forests, a forest for each class."""
    yield from _grid(stream, "RandomForestClassifier", {"n_estimators": 40})


def _grid(stream: str, model: str, options: Setting) -> Iterator[Setting]:
    for explorer in EXPLORERS:
        rows = "topics" if stream == "newsgroups20" else "raw"
        yield {"rows": rows, "model": model, "options": options, "grow": 1.3, **explorer}


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    return play_batches(lambda: _Trees(game, setting, seed), game, limit)


class _Trees:
    """The policy of the library; the first batch is played at random."""

    batch = BATCH

    def __init__(self, game: Game, setting: Setting, seed: int) -> None:
        self._policy, self._grow = _policy(game.n_classes, setting, seed), setting["grow"]
        self._draw, self._n_classes = np.random.default_rng(seed), game.n_classes
        self._past: list[tuple[Any, IntArray, Any]] = []
        self._seen = self._fitted = 0

    def take(self, X: Any) -> Any:
        """A dense table."""
        return X if isinstance(X, np.ndarray) else X.toarray()

    def decide(self, rows: Any) -> IntArray:
        """What the policy says."""
        if not self._fitted:
            return self._draw.integers(self._n_classes, size=len(rows))
        return np.asarray(self._policy.predict(rows)).astype(np.int64)

    def learn(self, rows: Any, labels: IntArray, hits: Any) -> None:
        """Keep the bits; fit to all of them when there are enough new ones."""
        self._past.append((rows, labels, hits.astype(float)))
        self._seen += len(rows)
        if self._seen >= self._grow * self._fitted:
            X, played, rewards = (np.concatenate(parts) for parts in zip(*self._past, strict=True))
            self._policy.fit(X, played, rewards)
            self._fitted = self._seen


def _policy(n_classes: int, setting: Setting, seed: int) -> Any:
    from contextualbandits import online
    from sklearn import ensemble

    known = ("rows", "model", "options", "grow", "policy")
    options = {key: value for key, value in setting.items() if key not in known}
    alone: Setting = {"early_stopping": False} if setting["model"].startswith("Hist") else {"n_jobs": 1}
    model = getattr(ensemble, setting["model"])(**setting["options"], **alone, random_state=seed)
    jobs = ("njobs_arms", "njobs_samples") if setting["policy"] == "BootstrappedTS" else ("njobs",)
    options |= dict.fromkeys(jobs, 1)
    return getattr(online, setting["policy"])(model, n_classes, **options, random_state=seed)
