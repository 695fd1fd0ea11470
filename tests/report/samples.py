"""Folders of sweeps in which nobody has played: the counts are made up."""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from pathlib import Path
from unittest.mock import patch

import numpy as np

from onebit import Arm, BanditPA, Banditron, Perceptron, Sweep
from onebit.contract.learner import Learner
from onebit.engine.play import checkpoints
from onebit.streams import synnonsep, synsep
from onebit.sweep.cells import Cell
from onebit.sweep.manifest import PlannedEntry, manifest, plan_entries
from onebit.sweep.outcomes import CellOutcome
from onebit.sweep.results import Results, open_results
from onebit.sweep.store import Store

Keep = Callable[[str, str, int], bool]
"""Whether a cell is done, by its arm, its role ("tune" or "report") and its seed."""


def small_sweep(seeds: int = 3, tune_seeds: int = 2) -> Sweep:
    """Two arms with grids and one that is told every label, on two streams."""
    arms: list[Arm | Learner] = [
        Arm(Banditron(9), {"gamma": [2.0**k for k in (-10, -7, -4)]}),
        Arm(BanditPA(9), {"gamma": [2.0**-7, 2.0**-4], "C": [0.1, 1.0]}),
        Perceptron(9),
    ]
    streams = [synsep(20_000), synnonsep(20_000)]
    return Sweep.cross(arms, streams, seeds=seeds, tune_seeds=tune_seeds)


def write_sweep(folder: Path, plan: Sweep, keep: Keep = lambda *cell: True, command: str | None = None) -> Results:
    """What a sweep would leave in a folder. The errors are lowest at gamma = 2^-7, and later arms have higher ones."""
    store, planned = Store(folder), plan_entries(plan)
    with patch("os.fsync"):  # no power cut is tested here, and waiting for the disk takes most of the time
        store.begin(manifest(plan, planned, command))
        for role in ("tune", "report"):
            _write_cells(store, planned, role, keep)
        store.end()
    return open_results(folder)


def _write_cells(store: Store, planned: list[PlannedEntry], role: str, keep: Keep) -> None:
    arms = list(dict.fromkeys(one.entry.arm for one in planned))
    for one, found in zip(planned, open_results(store.folder).entries, strict=True):
        for candidate, configuration in zip(one.candidates, found.configurations, strict=True):
            wanted = role == "tune" or not one.tunes or found.best is configuration
            cells = candidate.tune if role == "tune" else candidate.report
            for seed, cell in cells.items():
                if wanted and keep(one.entry.arm, role, seed):
                    store.write(cell, played(cell, arms.index(one.entry.arm)))


def played(cell: Cell, place: int) -> CellOutcome:
    """Counts for a cell of the arm at this place."""
    assert cell.rounds is not None
    draw = np.random.default_rng(int(cell.key, 16))
    at = np.union1d(checkpoints(cell.rounds), [cell.rounds])
    gamma = cell.settings["learner"]["parameters"].get("gamma", 2.0**-7)
    rate = np.minimum(1, 0.02 * (place + 1) + 0.01 * abs(log2(gamma) + 7) + at**-0.5) * draw.uniform(0.95, 1.05)
    greedy = np.maximum.accumulate(np.minimum(at, rate * at).astype(np.int64))
    mistakes = np.minimum(at, greedy + (0.01 * at).astype(np.int64))
    return CellOutcome(at, mistakes, greedy, at // 2, float("nan"), float("nan"), 1e-7 * cell.rounds)
