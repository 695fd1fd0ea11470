"""Who plays: our learners, and the peers with the settings among which each is tuned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from benchmarks.peers import contextual, mabwiser, nets, ours, river, river_forest, trees, vw
from benchmarks.peers.measure import Played, Setting
from benchmarks.peers.rows import Game

Play = Callable[[Game, Setting, int, float, int], Played]
Grid = Callable[[str, tuple[str, ...]], Iterator[Setting]]


class Contender(NamedTuple):
    """A way to play games; `grid` is None if it always plays with the one setting `fixed`, or in the short race only.

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
    few: Grid | None = None
    """Its settings in the short race."""
    about: str = ""
    """What the short race says it is."""

    @property
    def version(self) -> str:
        """Of its package, empty if that is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


LINEAR: Setting = {"rows": "raw", "learner": "OneBit", "kernel": None}

CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("OneBit", "onebit", "onebit", ours.play, None, {"rows": "raw", "learner": "OneBit"}, True),
        Contender("Banditron", "onebit", "onebit", ours.play, None, {"rows": "raw", "learner": "Banditron"}, True),
        Contender("VW", "vowpalwabbit", "vowpalwabbit", vw.play, vw.grid, None, True, few=vw.few),
        Contender(
            "contextualbandits",
            "contextualbandits",
            "contextualbandits.online",
            contextual.play,
            contextual.grid,
            few=contextual.few,
        ),
        Contender("River", "river", "river.linear_model", river.play, river.grid, few=river.few),
        Contender(
            "MABWiser", "mabwiser", "mabwiser.mab", mabwiser.play, mabwiser.grid, needs_matrices=True, few=mabwiser.few
        ),
        Contender(
            "OneBit linear", "onebit", "onebit", ours.play, None, LINEAR, True, about="OneBit with `kernel=None`"
        ),
        Contender(
            "VW -q ::",
            "vowpalwabbit",
            "vowpalwabbit",
            vw.play,
            compiled=True,
            few=vw.pairs,
            about="VW with every pair of features",
        ),
        Contender(
            "VW --nn",
            "vowpalwabbit",
            "vowpalwabbit",
            vw.play,
            compiled=True,
            few=vw.networks,
            about="VW with a hidden layer",
        ),
        Contender(
            "CB boosted",
            "contextualbandits",
            "contextualbandits.online",
            trees.play,
            few=trees.boosted,
            about="contextualbandits over scikit-learn's histogram gradient boosting, one model per class",
        ),
        Contender(
            "CB forest",
            "contextualbandits",
            "contextualbandits.online",
            trees.play,
            few=trees.forests,
            about="contextualbandits over scikit-learn's random forests, one per class",
        ),
        Contender(
            "River forest",
            "river",
            "river.forest",
            river_forest.play,
            few=river_forest.grid,
            about="River's adaptive random forest, ε-greedy",
        ),
        Contender(
            "net greedy",
            "torch",
            "torch",
            nets.play,
            few=nets.greedy,
            about="a network of one or two hidden layers in torch, ε-greedy, replaying its bits",
        ),
        Contender(
            "net Thompson",
            "torch",
            "torch",
            nets.play,
            few=nets.thompson,
            about="the same with neural-linear Thompson sampling",
        ),
    )
}
PEERS = {name: one for name, one in CONTENDERS.items() if one.grid is not None or one.few is not None}
LINEAR_PEERS = {name: one for name, one in PEERS.items() if one.grid is not None}

MOST_MATRICES = 8e9
"""Bytes. A contender whose matrices take more is not played."""


def why_not(contender: Contender, n_classes: int, n_features: int) -> str:
    """Why a contender cannot play a stream; empty if it can."""
    size = 8.0 * n_classes * n_features**2
    if not contender.needs_matrices or size <= MOST_MATRICES:
        return ""
    return f"needs {n_classes} matrices of {n_features:,} × {n_features:,}: {size / 1e9:,.0f} GB"
