"""Gaps in columns of numbers, found while a table is scanned: with them, its rows are raw cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class GapSearch:
    """Which columns to look at, and whether a value of theirs is missing.

    >>> import pyarrow as pa
    >>> search = GapSearch(["weight"])
    >>> search.add(pa.table({"weight": [4.1, None]}))
    >>> search.found, search.names
    (True, [])
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names = list(names)
        self.found = False

    def add(self, batch: Any) -> None:
        """Look at a batch; once a gap is found, there is nothing more to look for."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for name in self.names:
            column = batch.column(name)
            numbers = pa.types.is_floating(column.type)
            self.found |= bool(column.null_count or (numbers and pc.any(pc.is_nan(column)).as_py()))
        if self.found:
            self.names = []
