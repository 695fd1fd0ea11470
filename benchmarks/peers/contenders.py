"""Who plays: two of our learners, and the peers with the settings among which each is tuned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from benchmarks.peers import contextual, mabwiser, ours, river, vw
from benchmarks.peers.measure import Played, Setting
from benchmarks.peers.rows import Game

Play = Callable[[Game, Setting, int, float, int], Played]
Grid = Callable[[str, tuple[str, ...]], Iterator[Setting]]


class Contender(NamedTuple):
    """A way to play games; `grid` is None if it always plays with the one setting `fixed`.

    `compiled`: its rounds do not pass through Python. It is then timed alone, and as the best of several plays.
    """

    name: str
    package: str
    module: str
    play: Play
    grid: Grid | None = None
    fixed: Setting | None = None
    compiled: bool = False
    needs_matrices: bool = False
    """Whether it keeps a d × d matrix for each class, whatever its setting."""

    @property
    def version(self) -> str:
        """Of its package, empty if that is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("OneBit", "onebit", "onebit", ours.play, None, {"rows": "raw", "learner": "OneBit"}, True),
        Contender("Banditron", "onebit", "onebit", ours.play, None, {"rows": "raw", "learner": "Banditron"}, True),
        Contender("VW", "vowpalwabbit", "vowpalwabbit", vw.play, vw.grid, None, True),
        Contender(
            "contextualbandits", "contextualbandits", "contextualbandits.online", contextual.play, contextual.grid
        ),
        Contender("River", "river", "river.linear_model", river.play, river.grid),
        Contender("MABWiser", "mabwiser", "mabwiser.mab", mabwiser.play, mabwiser.grid, needs_matrices=True),
    )
}
PEERS = {name: contender for name, contender in CONTENDERS.items() if contender.grid is not None}

MOST_MATRICES = 8e9
"""Bytes. A contender whose matrices take more is not played."""


def why_not(contender: Contender, n_classes: int, n_features: int) -> str:
    """Why a contender cannot play a stream; empty if it can."""
    size = 8.0 * n_classes * n_features**2
    if not contender.needs_matrices or size <= MOST_MATRICES:
        return ""
    return f"needs {n_classes} matrices of {n_features:,} × {n_features:,}: {size / 1e9:,.0f} GB"
