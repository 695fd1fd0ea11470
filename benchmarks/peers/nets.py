"""A small neural network (torch) that learns from the bits it kept: with a share of exploration, or neural-linear.

After every batch it takes a few steps of Adam on samples of all its bits so far. Neural-linear (Riquelme, Tucker and
Snoek, 2018): the last hidden layer is the row of one Bayesian linear regression per class, refitted to all bits as the
layer moves, and the score of a class is drawn from its posterior.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from benchmarks.peers.measure import Played, Setting, play_batches
from benchmarks.peers.rows import IMAGES, Game
from onebit.core.aliases import FloatArray, IntArray

BATCH, SAMPLE = 10, 64
REFIT = 100
"""Rounds from one fit of the regressions to the next."""


def greedy(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """The likelihood of the bit under a sigmoid for each class or a softmax over all; exploration; layers; rate."""
    form = _form(stream)
    for loss, epsilon in product(("sigmoid", "softmax"), (0.005, 0.05)):
        yield {"rows": form, "loss": loss, "hidden": [128], "rate": 0.001, "steps": 4, "epsilon": epsilon}
    for loss, hidden, rate in (("sigmoid", [128], 0.003), ("sigmoid", [128, 64], 0.001)):
        yield {"rows": form, "loss": loss, "hidden": hidden, "rate": rate, "steps": 4, "epsilon": 0.005}


def thompson(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """Widths of the posterior, both likelihoods."""
    for loss, alpha in product(("sigmoid", "softmax"), (0.05, 0.2)):
        setting = {"rows": _form(stream), "loss": loss, "hidden": [128, 32], "rate": 0.001, "steps": 4}
        yield setting | {"alpha": alpha}


def _form(stream: str) -> str:
    """Of numbers of any scale, all of one; pixels, and columns of 0 and 1, as they are."""
    if stream == "newsgroups20":
        return "topics"
    return "raw" if stream in IMAGES or stream == "nursery" or stream.startswith("syn") else "standard"


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    return play_batches(lambda: _Network(game, setting, seed), game, limit)


class _Network:
    """The network, all bits so far, and the regressions if the setting has an `alpha`."""

    batch = BATCH

    def __init__(self, game: Game, setting: Setting, seed: int) -> None:
        import torch

        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self._torch, self._setting, self._draw = torch, setting, np.random.default_rng(seed)
        self._n_classes, d, rounds = game.n_classes, game.n_features, game.rounds
        sizes = [d, *setting["hidden"]]
        layers: list[Any] = []
        for before, after in pairwise(sizes):
            layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
        self._body, self._head = torch.nn.Sequential(*layers), torch.nn.Linear(sizes[-1], self._n_classes)
        weights = [*self._body.parameters(), *self._head.parameters()]
        self._adam = torch.optim.Adam(weights, lr=setting["rate"])
        self._rows = torch.empty((rounds, d))
        self._labels = torch.empty(rounds, dtype=torch.int64)
        self._hits = torch.empty(rounds)
        self._seen, self._refitted = 0, 0
        self._mean = np.zeros((self._n_classes, sizes[-1] + 1))
        self._root = np.broadcast_to(np.eye(sizes[-1] + 1), (self._n_classes, sizes[-1] + 1, sizes[-1] + 1))

    def take(self, X: Any) -> Any:
        """A tensor."""
        return self._torch.tensor(X if isinstance(X, np.ndarray) else X.toarray(), dtype=self._torch.float32)

    def decide(self, rows: Any) -> IntArray:
        """The best class or one at random; or the class whose drawn score is the largest."""
        with self._torch.no_grad():
            if "alpha" in self._setting:
                return np.asarray(self._drawn(self._inner(rows)).argmax(axis=1))
            best = self._head(self._body(rows)).argmax(dim=1).numpy()
        explored = self._draw.random(len(best)) < self._setting["epsilon"]
        return np.where(explored, self._draw.integers(self._n_classes, size=len(best)), best)

    def learn(self, rows: Any, labels: IntArray, hits: Any) -> None:
        """Keep the bits, take a few steps, and refit the regressions now and then."""
        part = slice(self._seen, self._seen + len(labels))
        self._rows[part], self._labels[part] = rows, self._torch.from_numpy(labels)
        self._hits[part] = self._torch.from_numpy(hits.astype(np.float32))
        self._seen = part.stop
        for _ in range(self._setting["steps"]):
            chosen = self._torch.from_numpy(self._draw.integers(self._seen, size=SAMPLE))
            self._step(self._rows[chosen], self._labels[chosen], self._hits[chosen])
        if "alpha" in self._setting and self._seen - self._refitted >= REFIT:
            self._refit()

    def _step(self, rows: Any, labels: Any, hits: Any) -> None:
        """Up the likelihood of the bits."""
        torch, scores = self._torch, self._head(self._body(rows))
        played = labels[:, None]
        if self._setting["loss"] == "sigmoid":
            logits = scores.gather(1, played)[:, 0]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, hits)
        else:
            right = scores.log_softmax(dim=1).gather(1, played)[:, 0]
            wrong = torch.log1p(-right.exp().clamp(max=1 - 1e-6))
            loss = -(hits * right + (1 - hits) * wrong).mean()
        self._adam.zero_grad()
        loss.backward()
        self._adam.step()

    def _inner(self, rows: Any) -> FloatArray:
        """The last hidden layer, and 1."""
        inner = self._body(rows).double().numpy()
        return np.column_stack([inner, np.ones(len(inner))])

    def _drawn(self, inner: FloatArray) -> FloatArray:
        """A score for each row and class: normal, with the mean and the variance of the posterior, `alpha` wide."""
        spread = np.sqrt(((self._root @ inner.T) ** 2).sum(axis=1)).T
        drawn: FloatArray = inner @ self._mean.T + self._setting["alpha"] * spread * self._draw.normal(
            size=spread.shape
        )
        return drawn

    def _refit(self) -> None:
        """The regressions, from all bits as the network sees them now."""
        with self._torch.no_grad():
            inner = self._inner(self._rows[: self._seen])
        labels, hits = self._labels[: self._seen].numpy(), self._hits[: self._seen].double().numpy()
        roots = []
        for label in range(self._n_classes):
            mine = inner[labels == label]
            precision = np.eye(inner.shape[1]) + mine.T @ mine
            self._mean[label] = np.linalg.solve(precision, mine.T @ hits[labels == label])
            roots.append(np.linalg.inv(np.linalg.cholesky(precision)))
        self._root, self._refitted = np.array(roots), self._seen
