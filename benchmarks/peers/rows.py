"""The streams, and the games that are played on them: which rows, in which order, in which form."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import onebit
from benchmarks.cases.sets import load as load_cases
from onebit.features.labelled import with_norm_and_bias
from onebit.streams.arrays import from_arrays
from onebit.streams.base import Stream, Window

STREAMS = {
    "synsep": "SynSep",
    "synnonsep": "SynNonSep",
    "digits": "digits",
    "mnist": "MNIST",
    "covtype": "Covtype",
    "newsgroups20": "20 Newsgroups",
    "letter": "letter",
}
"""The names by which `onebit.streams.load` knows the streams, and those by which people do."""

MORE = {
    "pendigits": "pendigits",
    "usps": "USPS",
    "fashion_mnist": "Fashion-MNIST",
    "nursery": "nursery",
    "cifar10_features": "CIFAR-10 features",
}
"""Those that only the short race has. Nursery comes from the data folder's `cases`, each value a column of 0 and 1."""

NAMES = STREAMS | MORE
IMAGES = ("mnist", "usps", "fashion_mnist")

ROUNDS = 100_000


class Game(NamedTuple):
    """The rows of one seed, in memory, in the order in which every contender plays them."""

    name: str
    key: str
    n_classes: int
    n_features: int
    sparse: bool
    windows: tuple[Window, ...]

    @property
    def rounds(self) -> int:
        """How many."""
        return sum(len(window.order) for window in self.windows)

    def stream(self) -> Stream:
        """The same rows as a stream for the engine, which so has nothing to draw or to shuffle."""
        return _Kept(self)

    def batches(self, size: int) -> Iterator[tuple[Any, Any]]:
        """Tables of up to so many rows, with the numbers of their classes."""
        for X, y, order in self.windows:
            for start in range(0, len(order), size):
                chosen = order[start : start + size]
                yield X[chosen], y[chosen]

    def digest(self) -> str:
        """A short hash of the rows and labels in their order: the same for all who play the same game."""
        seen = hashlib.sha256()
        for X, y in self.batches(4096):
            for part in (X.data, X.indices, y) if self.sparse else (X, y):
                seen.update(np.ascontiguousarray(part).data)
        return seen.hexdigest()[:16]


class _Kept(Stream):
    """The windows of a game, whatever the seed."""

    def __init__(self, game: Game) -> None:
        self.name, self.classes, self.n_features = game.name, tuple(range(game.n_classes)), game.n_features
        self.rounds, self.sparse, self._game = game.rounds, game.sparse, game

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        return iter(self._game.windows)


def game(name: str, form: str, seed: int, rounds: int) -> Game:
    """The game of a stream for one seed, its rows in one of the `forms`: the order depends on the seed alone."""
    stream, windowed = _stream(name, form)
    windows = tuple(windowed(window) for window in stream.windows(seed, rounds))
    key = f"{name} {form} {seed} {rounds}"
    return Game(name, key, len(stream.classes), stream.n_features, stream.sparse, windows)


def forms(name: str) -> tuple[str, ...]:
    """How rows may come: as they are; of unit norm; or prepared from the whole table, which a live stream never is."""
    if name.startswith("syn"):
        return ("raw", "unit")
    return ("unit", "tf-idf") if name == "newsgroups20" else ("raw", "unit", "standard", "standard unit")


@cache
def source(name: str) -> Any:
    """The stream as it comes."""
    if name != "nursery":
        return onebit.streams.load(name)
    cases = load_cases(name)
    values = sorted({pair for row in cases.rows for pair in row.items()})
    X = np.array([[row[column] == value for column, value in values] for row in cases.rows], dtype=float)
    return from_arrays(X, np.array(cases.labels), name=name)


@cache
def _stream(name: str, form: str) -> tuple[Stream, Callable[[Window], Window]]:
    """The stream in a form; one that is drawn while it is played gets its form window by window."""
    stream = source(name)
    if form == "raw":
        return stream, lambda window: window
    if name.startswith("syn"):
        return stream, lambda window: window._replace(X=with_norm_and_bias(window.X, True, False))
    X = _FORMS[form](stream.X)
    return from_arrays(X, stream.y, classes=stream.classes, name=name), lambda window: window


def unit(table: Any) -> Any:
    """Rows of norm 1."""
    return with_norm_and_bias(table, True, False)


def standard(table: Any) -> Any:
    """Columns of mean 0 and variance 1, cut at ±4."""
    spread = table.std(axis=0)
    return np.clip((table - table.mean(axis=0)) / np.where(spread > 0, spread, 1), -4, 4)


def tf_idf(table: Any) -> Any:
    """Word counts as 1 + log(count), times the logarithm of how rare the word is, of unit norm."""
    rarity = np.log((1 + table.shape[0]) / (1 + np.bincount(table.indices, minlength=table.shape[1]))) + 1
    weighed = table.copy()
    weighed.data = (1 + np.log(table.data)) * rarity[table.indices]
    return unit(weighed)


def topics(table: Any) -> Any:
    """The first 100 principal directions of tf-idf, dense: for those that cannot read a table as wide as its words."""
    from sklearn.decomposition import TruncatedSVD

    return np.ascontiguousarray(TruncatedSVD(100, random_state=0).fit_transform(tf_idf(table)))


_FORMS: dict[str, Callable[[Any], Any]] = {
    "unit": unit,
    "standard": standard,
    "standard unit": lambda table: unit(standard(table)),
    "tf-idf": tf_idf,
    "topics": topics,
}
