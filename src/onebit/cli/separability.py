"""onebit data show --separability: which notions of separability a stream has."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from onebit.cli.output import print_table
from onebit.cli.values import parse_rounds
from onebit.core.aliases import IntArray
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError
from onebit.core.labels import label_array
from onebit.simulate.progress import progress_bar
from onebit.streams import Separability, Stream, separability
from onebit.streams.synthetic import GroupSeparable

ROWS = 100_000
"""How many rows of a larger stream are looked at, unless told."""


class StreamFinding(NamedTuple):
    """What was found about some rows of a stream, and which rows those are."""

    found: Separability
    which: str

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        notions: dict[str, Any] = {finding.notion: finding.to_dict() for finding in self.found.findings}
        return {"rows": self.found.rows, "which": self.which, "groups": self.found.groups, **notions}

    def print(self) -> None:
        """A table on stdout, a line per notion."""
        cells = [[one.notion, one.answer, *one.bounds, one.proof] for one in self.found.findings]
        header = ["separable", "holds", "margin", "at most", "by"]
        print_table(header, cells, title=f"separability of {self.which}", right=["margin", "at most"])


def parse_rows(text: str | None) -> int:
    """A number of rows; 1e6 and 1_000_000 will do.

    >>> parse_rows("1e6"), parse_rows(None)
    (1000000, 100000)
    """
    number = parse_rounds(text, "--rows")
    return ROWS if number is None else check_whole("--rows", number)


def check_stream(stream: Stream, most: int = ROWS) -> StreamFinding:
    """Which notions hold for a stream, or for its first rows; a stream that knows its groups is asked about those.

    >>> from onebit.streams import load
    >>> check_stream(load("iris")).found.weak.answer
    'no'
    """
    if stream.cases:
        raise ConfigError(f"--separability: {stream.name} has raw cases; it is for rows of numbers: choose --columns")
    X, y, numbers, which = _sample(stream, most)

    # Only the classes that occur, and their groups where the stream knows them.
    there = set(np.unique(y).tolist())
    classes = [label for label in stream.classes if label in there]
    groups = None
    if isinstance(stream, GroupSeparable):
        groups = [group for label, group in zip(stream.classes, stream.groups, strict=True) if label in there]

    with ProgressBars() as bars:
        found = separability(X, y, groups, classes=classes, progress=bars.update)
    return StreamFinding(found if numbers is None else _renumbered(found, numbers), which)


def _sample(stream: Stream, most: int) -> tuple[Any, Any, IntArray | None, str]:
    """All rows of a stream, or those that come first in the order of its seed.

    Gives rows, labels, the numbers of the rows if these are not simply counted, and which rows they are, in words.
    """
    if stream.rounds is not None and stream.rounds <= most:
        return stream.X, stream.y, None, f"all {stream.rounds:,} rows"
    tables = []
    codes = []
    numbers = []
    left = most
    for window in stream.windows(stream.seed, None if stream.rounds is None else most):
        order = np.sort(window.order[:left]) if stream.numbered else window.order[:left]
        tables.append(window.X[order])
        codes.append(window.y[order])
        numbers.append(order)
        left -= len(order)
        if left <= 0:
            break
    X = sp.vstack(tables, format="csr") if stream.sparse else np.concatenate(tables)
    y = label_array(stream.classes)[np.concatenate(codes)]
    which = f"{len(y):,} rows, as seed {stream.seed} orders them" if left <= 0 else f"all {len(y):,} rows"
    return X, y, np.concatenate(numbers) if stream.numbered else None, which


def _renumbered(found: Separability, numbers: IntArray) -> Separability:
    """The same with row numbers of the whole table."""
    findings = []
    for finding in found.findings:
        proofs = tuple(
            replace(one, rows=numbers[one.rows], against=numbers[one.against] if one.kind == "slabs" else one.against)
            for one in finding.contradictions
        )
        findings.append(replace(finding, contradictions=proofs))
    strong, weak, group = findings
    return replace(found, strong=strong, weak=weak, group=group)


class ProgressBars(ExitStack):
    """One progress bar after the other, where somebody is looking."""

    _what = ""

    def update(self, what: str, done: int, total: int) -> None:
        """Show how far a part of the work is."""
        if what != self._what:
            self.close()
            self._what = what
            self._bar = self.enter_context(progress_bar(None, f"separability: {what}", total, f"of {total}"))
        self._bar(done)
