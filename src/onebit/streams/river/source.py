"""Where River's rows come from: data sets, generators drawn afresh for each seed, and lists of pairs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import Label
from onebit.core.errors import ConfigError, DataError
from onebit.streams.river.dict_rows import Row, TableForm, check_dict_row, named_row

_SAMPLE = 10_000
_TASKS = ("Binary classification", "Multi-class classification")
_DRAWN = ("seed", "seed_sample")


class Overview(NamedTuple):
    """What a first look at the rows says: their form, how often each label occurs, the entries of all rows."""

    form: TableForm
    counts: Counter[Label]
    entries: int


class PairSource(NamedTuple):
    """An iterable of pairs; whether each seed draws it afresh; the most rows of one pass, None if it has no end."""

    pairs: Iterable[tuple[Any, Any]]
    drawn: bool
    limit: int | None

    def rows(self, seed: int, raw: bool = False) -> Iterator[tuple[Row, Label]]:
        """Named rows and plain labels, from the first one on; rows that are not raw cases have no gaps."""
        check = named_row if raw else check_dict_row
        pairs = islice(_seeded(self.pairs, seed) if self.drawn else self.pairs, self.limit)
        for i, pair in enumerate(pairs):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise DataError(f"row {i}: {pair!r:.80} is not a pair (features, label)")
            x, y = pair
            label = y.item() if isinstance(y, np.generic) else y
            if label is None or label != label:
                raise DataError(f"row {i}: has the label {label!r}; drop the rows without a label")
            yield check(x, f"row {i}"), label

    def overview(self, hashed: int | None, cases: bool | None = None) -> Overview | None:
        """What all rows say, or the first 10,000 if there is no end; None if there are no rows.

        >>> found = PairSource([({"a": 1}, "x"), ({"a": 2, "b": "c"}, "y")], False, 9).overview(None)
        >>> found.form.cases, found.counts["x"], found.entries
        (True, 1, 3)
        """
        counts: Counter[Label] = Counter()
        form = None if hashed is None else TableForm(None, hashed)
        names: dict[str, None] = {}
        entries = 0
        may_be_raw = hashed is None and cases is not False
        for row, label in islice(self.rows(0, may_be_raw), _SAMPLE if self.limit is None else None):
            if form is None:
                form = TableForm(None, 0, cases=True) if cases else TableForm(tuple(row), len(row))
            if (not form.width or form.misfit(row)) and not form.cases:
                if not may_be_raw:
                    why = form.misfit(row) or "it is empty"
                    raise DataError(f"row {counts.total()}: {why}; cases=False asks for rows of numbers: leave it out")
                form = TableForm(None, 0, cases=True)
            try:
                counts[label] += 1
            except TypeError:
                raise DataError(f"row {counts.total()}: the label {label!r:.80} is not a single value") from None
            entries += len(row)
            if may_be_raw:
                names |= dict.fromkeys(row)
        if form is not None and form.cases:
            form = form._replace(width=len(names))
        return None if form is None else Overview(form, counts, entries)


def source_of(dataset: Any, rounds: int | None) -> PairSource:
    """The data set as a source, cut after `rounds` rows if it has an end; an error for what is no data set of labels.

    >>> source_of([({"a": 1}, "x")], None).drawn
    False
    """
    kind = type(dataset).__name__
    if not isinstance(dataset, Iterable) or isinstance(dataset, str | bytes):
        raise ConfigError(f"dataset={dataset!r:.80}: must be a data set of River, or a list of (dict, label) pairs")
    if isinstance(dataset, Iterator):
        raise ConfigError(
            f"dataset: this {kind} can be read only once; give the data set (rounds=200 in place of .take(200)), "
            "or a list of the pairs"
        )
    task = getattr(dataset, "task", None)
    if of_river(dataset) and task not in _TASKS:
        raise DataError(f"dataset={kind}: is made for {str(task).lower()}; a stream needs rows with one class each")
    drawn = of_river(dataset, "SyntheticDataset")
    known = getattr(dataset, "n_samples", None) if drawn else sys.maxsize
    return PairSource(dataset, drawn, None if known is None else min(rounds or known, known))


def of_river(thing: Any, kind: str = "Dataset") -> bool:
    """Whether the thing is of this class of `river.datasets.base`, which need not be imported to know it.

    >>> of_river([])
    False
    """
    return any(c.__name__ == kind and c.__module__ == "river.datasets.base" for c in type(thing).__mro__)


def settings_of(dataset: Any) -> dict[str, Any]:
    """What a generator was made with, but for the seed of what it draws.

    >>> settings_of([])
    {}
    """
    if not of_river(dataset, "SyntheticDataset"):
        return {}
    settings: dict[str, Any] = {}
    for name, value in sorted(_seeded(dataset, 0)._get_params().items()):
        if name not in _DRAWN:
            nested = of_river(value, "SyntheticDataset")
            settings[name] = {origin_of(value): settings_of(value)} if nested else value
    return settings


def origin_of(dataset: Any) -> str:
    """Where the rows come from: the class, and the version of the package if that is River.

    >>> origin_of([])
    'builtins.list'
    """
    kind = type(dataset)
    package = kind.__module__.partition(".")[0]
    version = f" {sys.modules[package].__version__}" if package == "river" else ""
    return f"{kind.__module__}.{kind.__qualname__}{version}"


def _seeded(dataset: Any, seed: int) -> Any:
    """A generator of its own with this seed for what it draws, and for its structure the one it has, or 0."""
    copy = deepcopy(dataset)
    for name, value in vars(copy).items():
        if name in _DRAWN:
            setattr(copy, name, seed)
        elif name.startswith("seed_") and value is None:
            setattr(copy, name, 0)
        elif of_river(value, "SyntheticDataset"):
            setattr(copy, name, _seeded(value, seed))
    return copy
