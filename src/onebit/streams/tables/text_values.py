"""Columns of text: which values they have, found while a table is scanned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from onebit.core.errors import DataError
from onebit.features.columns import Columns, content_of

MOST_VALUES = 64
"""A column of text with more different values than these is not spread over so many features."""


class TextValues:
    """The different values of each column of text that dense rows have and whose values are not known yet.

    >>> import pyarrow as pa
    >>> values = TextValues(Columns("pets", {"weight": pa.float64(), "pet": pa.string()}))
    >>> values.add(pa.table({"pet": ["dog", "cat", "dog"]}), 0)
    >>> values.names, values.columns().names
    (['pet'], ('weight', 'pet=cat', 'pet=dog'))
    """

    def __init__(self, features: Columns) -> None:
        self._features = features
        texts = [name for name, kind in features.types.items() if content_of(kind) == "text"]
        spread = features.hashed is None
        self._found = {name: set[str]() for name in texts if spread and name not in features.values}

    @property
    def names(self) -> list[str]:
        """The columns to scan."""
        return list(self._found)

    def add(self, batch: Any, row: int) -> None:
        """Look at a batch that begins at `row` of the table; a `DataError` once a column has too many values."""
        import pyarrow.compute as pc

        for name, found in self._found.items():
            found.update(pc.unique(self._features.texts(batch, name, row)).to_pylist())
        many = [name for name, found in self._found.items() if len(found) > MOST_VALUES]
        if many:
            raise DataError(_too_many(self._features.source, many))

    def columns(self) -> Columns:
        """The columns with the values found, sorted."""
        found = {name: tuple(sorted(values)) for name, values in self._found.items()}
        return self._features._replace(values={**self._features.values, **found})


def _too_many(source: object, names: list[str]) -> str:
    shown = ", ".join(map(repr, names))
    which, them = (f"columns {shown} hold", "them") if len(names) > 1 else (f"column {shown} holds", "it")
    kept = "columns=[...]"
    hashed = "hash_features=2**18"
    if isinstance(source, Path):
        kept = f"{kept} (--columns A,B,...)"
        hashed = f"{hashed} (--hash-features 2^18)"
    return (
        f"{source}: {which} text with more than {MOST_VALUES} different values, too many for a feature each; "
        f"leave {them} out by naming the others with {kept}, or hash all columns with {hashed}"
    )
