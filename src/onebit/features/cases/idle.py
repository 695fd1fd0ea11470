"""What is said of columns that cannot teach."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

_PACKAGE = f"{Path(__file__).parents[2]}{os.sep}"


class IdleColumns(UserWarning):
    """Columns of raw cases whose values never recur, such as an id: nothing can be learned from them.

    >>> print(IdleColumns("tickets.csv", ["id"]).said("try --ignore id"))
    tickets.csv: the values of column 'id' never recur, so nothing can be learned from it; try --ignore id
    """

    def __init__(self, source: str, columns: Sequence[str]) -> None:
        super().__init__(source, tuple(columns))
        self.source = source
        self.columns = tuple(columns)

    def __str__(self) -> str:
        them = "them" if len(self.columns) > 1 else "it"
        return self.said(f"leave {them} out, or give the learner cases=onebit.Cases(ignore={list(self.columns)})")

    def said(self, remedy: str) -> str:
        """The warning, with what to do about it."""
        several = len(self.columns) > 1
        what = f"column{'s' if several else ''} {', '.join(map(repr, self.columns))}"
        them = "them" if several else "it"
        return f"{self.source}: the values of {what} never recur, so nothing can be learned from {them}; {remedy}"

    def tell(self) -> None:
        """Warn at the line of the user's own that led here, however many calls of ours lie between."""
        frame: FrameType | None = sys._getframe(1)
        level = 2
        while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            frame = frame.f_back
            level += 1
        warnings.warn(self, stacklevel=level - 1 if frame is None else level)
