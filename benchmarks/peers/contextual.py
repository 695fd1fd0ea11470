"""contextualbandits: LinUCB in its compiled form, or explorers over scikit-learn's logistic regression, in batches."""

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
    """LinUCB with several degrees of optimism; explorers over regressions fitted by stochastic gradients."""
    policies: list[Setting] = []
    if stream != "newsgroups20":
        policies += [{"policy": "LinUCB", "alpha": alpha} for alpha in (0.01, 0.1, 0.5)]
        policies += [{"policy": "LinUCB", "alpha": 0.1, "lambda_": 0.1}]
    for penalty, epsilon in product((1e-4, 1e-5), (0.001, 0.01)):
        greedy = {"policy": "EpsilonGreedy", "explore_prob": epsilon, "decay": None}
        policies.append({**greedy, "oracle": {"alpha": penalty}})
    policies += [{"policy": name, "oracle": {"alpha": 1e-5}} for name in ("AdaptiveGreedy", "SoftmaxExplorer")]
    for form, batch, policy in product(forms, BATCHES, policies):
        yield {"rows": form, "batch": batch, **policy}


def few(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """A few of these."""
    policies: list[Setting] = [{"policy": "LinUCB", "alpha": alpha} for alpha in (0.1, 0.5)]
    if stream == "newsgroups20":
        policies = [{"policy": "EpsilonGreedy", "explore_prob": 0.001, "decay": None, "oracle": {"alpha": 1e-5}}]
    for form, policy in product(forms[::3] if len(forms) > 2 else forms, policies):
        yield {"rows": form, "batch": 10, **policy}


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    return play_batches(lambda: _Contextual(game, setting, seed), game, limit)


class _Contextual:
    """The policy of the library; the first batch is played at random."""

    def __init__(self, game: Game, setting: Setting, seed: int) -> None:
        self.batch, self._policy = setting["batch"], _policy(game.n_classes, setting, seed)
        self._dense = setting["policy"] == "LinUCB"
        self._first: Any = np.random.default_rng(seed).integers(game.n_classes, size=self.batch)

    def take(self, X: Any) -> Any:
        """A table: sparse where it can be."""
        import scipy.sparse as sp

        if isinstance(X, np.ndarray):
            return X
        return X.toarray() if self._dense else sp.csr_matrix(X)

    def decide(self, rows: Any) -> IntArray:
        """What the policy says."""
        if self._first is not None:
            return np.asarray(self._first[: rows.shape[0]])
        return np.asarray(self._policy.predict(rows)).astype(np.int64)

    def learn(self, rows: Any, labels: IntArray, hits: Any) -> None:
        """Rewards of 0 and 1."""
        (self._policy.partial_fit if self._first is None else self._policy.fit)(rows, labels, hits.astype(float))
        self._first = None


def _policy(n_classes: int, setting: Setting, seed: int) -> Any:
    from contextualbandits import online
    from sklearn.linear_model import SGDClassifier

    options = {key: value for key, value in setting.items() if key not in ("rows", "batch", "policy", "oracle")}
    if setting["policy"] == "LinUCB":
        return online.LinUCB(n_classes, **options, random_state=seed, njobs=1)
    oracle = SGDClassifier(loss="log_loss", random_state=seed, **setting["oracle"])
    return getattr(online, setting["policy"])(
        oracle, n_classes, **options, batch_train=True, beta_prior=None, random_state=seed, njobs=1
    )
