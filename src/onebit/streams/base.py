"""What a stream is: rows and true labels in order, in windows that fit in memory."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import IntArray, Label
from onebit.core.labels import label_array
from onebit.streams.identity import bound_arguments, told

_NO_OPTIONS = frozenset({"name", "classes", "rounds", "seed"})
"""Arguments of constructors that are no options: an identity has the name and the classes by themselves, and length
and seed are those of a play. All others are, so that none is forgotten."""


class Window(NamedTuple):
    """A part of a stream: a table of rows, the number of each row's class, and in which order they come."""

    X: Any
    y: IntArray
    order: IntArray


class Stream(ABC):
    """Rows and their true labels. May be larger than memory, and may be drawn without end.

    A subclass sets `name`, `classes` (the labels), `n_features` and `rounds` (the length of one pass, or
    None if it is not known before it is played), and gives `windows`. The arguments of its constructor are its
    `options`, which tell it apart from others of its class; where an argument is told in another way, by a digest of a
    table for instance, the subclass says so in `no_options` and adds to `identity`.

    >>> import onebit
    >>> stream = onebit.streams.load("iris")
    >>> stream.name, stream.rounds, stream.n_features, stream.classes
    ('iris', 150, 4, ('setosa', 'versicolor', 'virginica'))
    """

    name: str
    classes: tuple[Label, ...]
    n_features: int
    rounds: int | None
    sparse: bool
    options: Mapping[str, Any]
    """What it was made with: the arguments of its constructor, but for name, classes, rounds and seed."""
    no_options: ClassVar[frozenset[str]] = frozenset()
    """Further arguments of the constructor that are no options, because the identity tells them in another way."""
    numbered: bool = False
    """Whether all windows share one table, so that row numbers mean the same throughout."""
    sound: ClassVar[bool] = False
    """Whether all rows are known to be finite and canonical; others are checked window by window."""
    cases: bool = False
    """Whether its rows are raw cases, which each learner reads by itself, rather than numbers."""
    seed: int = 0
    facts: Mapping[str, Any] = MappingProxyType({})
    """What else is known of the stream (source, licence, file, ...), for `describe`."""

    recipe: tuple[Callable[..., Stream], Mapping[str, Any]] | None = None
    """The function that makes the stream, and its arguments by name: how it travels to another process. A stream
    without one is sent whole."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """A stream that remembers what it was made with."""
        stream = super().__new__(cls)
        arguments = bound_arguments(cls, args, kwargs)
        left_out = _NO_OPTIONS | cls.no_options
        stream.options = {name: value for name, value in arguments.items() if name not in left_out}
        return stream

    @abstractmethod
    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """The windows of one play, decided by the seed: `rounds` rows in all, or one pass if None."""

    @cached_property
    def _table_of_one_pass(self) -> tuple[Any, Any]:
        parts = [(w.X[w.order], w.y[w.order]) for w in self._windows_of_one_pass()]
        tables = [X for X, _ in parts]
        codes = np.concatenate([y for _, y in parts])
        if self.cases:
            return list(chain.from_iterable(tables)), label_array(self.classes)[codes]
        X = sp.vstack(tables, format="csr") if self.sparse else np.concatenate(tables)
        return X, label_array(self.classes)[codes]

    def _windows_of_one_pass(self) -> Iterator[Window]:
        """The windows of the pass that `X` and `y` show."""
        return self.windows(self.seed)

    @property
    def raw(self) -> Stream:
        """The stream of the rows as they were before any feature map: itself, unless it is mapped.

        >>> import onebit
        >>> onebit.streams.load("iris").raw.name
        'iris'
        """
        return self

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The name of each feature, or column of raw cases, where the rows are columns of a file or a frame.

        >>> import onebit
        >>> onebit.streams.load("iris").feature_names
        ()
        """
        return ()

    def through_map(self, X: Any) -> Any:
        """Rows as `raw` has them, turned into those that a learner sees: the same, unless the stream is mapped.

        >>> import onebit
        >>> onebit.streams.load("iris").through_map([[5.1, 3.5, 1.4, 0.2]])
        [[5.1, 3.5, 1.4, 0.2]]
        """
        return X

    @property
    def X(self) -> Any:
        """All rows of one pass in one table (it must fit in memory); raw cases as a list of dicts.

        >>> import onebit
        >>> onebit.streams.synsep(1000).X.shape
        (1000, 400)
        """
        return self._table_of_one_pass[0]

    @property
    def y(self) -> Any:
        """The true labels of one pass.

        >>> import onebit
        >>> onebit.streams.load("iris").y[:2]
        array(['setosa', 'setosa'], dtype='<U10')
        """
        return self._table_of_one_pass[1]

    def identity(self) -> dict[str, Any]:
        """What decides the rows and labels, and nothing else: two streams with one identity are the same stream.

        >>> import onebit
        >>> onebit.streams.synsep(100).identity() == onebit.streams.synsep(1000).identity()
        True
        """
        return self._named() | ({"options": told(self.options)} if self.options else {})

    def _named(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "features": self.n_features,
            "classes": len(self.classes),
            "labels": [str(c) for c in self.classes],
            "kind": "cases" if self.cases else "sparse" if self.sparse else "dense",
        }

    def __repr__(self) -> str:
        rows = "rows without end" if self.rounds is None else f"{self.rounds:,} rows"
        what = "columns of raw cases" if self.cases else "features"
        named = f" ({reprlib.repr(list(self.feature_names))[1:-1]})" if self.feature_names else ""
        said = f"{rows}, {self.n_features:,} {what}{named}, {len(self.classes)} classes"
        return f"{type(self).__name__}({self.name}: {said})"

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_table_of_one_pass"}

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self.recipe is None:
            return super().__reduce_ex__(protocol)
        return remade, (*self.recipe, self.name)

    def describe(self) -> dict[str, Any]:
        """What the stream is, in a few words and numbers.

        >>> import onebit
        >>> onebit.streams.load("iris").describe()["rows"]
        150
        """
        options = {"options": told(self.options)} if self.options else {}
        return {"name": self.name, "rows": self.rounds, **self._named(), **self.facts, **options}


def remade(make: Callable[..., Stream], arguments: Mapping[str, Any], name: str) -> Stream:
    """A stream made again from its recipe, under its name.

    >>> import onebit
    >>> remade(onebit.streams.load, {"name": "iris"}, "flowers").name
    'flowers'
    """
    stream = make(**arguments)
    stream.name = name
    return stream
