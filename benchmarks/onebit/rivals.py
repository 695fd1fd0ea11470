"""Every other learner from bits, tuned per stream on tuning seeds and then played on the report seeds.

Rows come to a learner as they are ("raw"), with unit norm ("unit"), or "prepared" from the whole table, which no
learner on a live stream could have: dense rows standardised, cut at ±4, brought to unit norm, with a bias of .1; word
counts as tf-idf of unit norm. SynSep's and SynNonSep's are drawn as they are played, so are never prepared.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import onebit
from benchmarks.onebit.streams import TUNING, Case, Plan, shown, simulate
from onebit.core.files import written_whole
from onebit.streams import from_arrays
from onebit.streams.base import Stream

KEPT = Path(__file__).parents[1] / "build" / "rivals.json"
LONGEST_RUN, LONGEST_TUNING, CHEAP_RUN = 60.0, 150.0, 4.0
"""Seconds. A longer run is not run; with a longer tuning, one seed does and only the first parameter is tuned; rows
come raw only to cheaper runs."""

PROBE = 500

Rows = dict[str, tuple[Stream, bool]]


class Rival(NamedTuple):
    """A learner, its fixed parameters, and the values of those that are tuned."""

    name: str
    learner: type[onebit.Learner]
    fixed: dict[str, Any]
    grid: dict[str, tuple[Any, ...]]


class Outcome(NamedTuple):
    """The error of each seed, the time of a round, and with which setting; no errors if it was not run."""

    errors: list[float]
    nanoseconds: float
    text: str


RIVALS = (
    Rival("Banditron", onebit.Banditron, {}, {"gamma": (2**-13, 2**-9, 2**-7, 2**-5, 2**-3, 2**-2)}),
    Rival("PNewtron", onebit.PNewtron, {}, {"gamma": (2**-13, 2**-9, 2**-5), "alpha": (1.0, 10.0), "D": (1.0, 10.0)}),
    Rival("SOBA", onebit.SOBA, {}, {"gamma": (2**-7, 2**-5, 2**-3, 2**-2, "adaptive")}),
    Rival("SOBADiagonal", onebit.SOBADiagonal, {}, {"gamma": (2**-7, 2**-5, 2**-3, 2**-2, "adaptive")}),
    Rival("Confidit, diagonal", onebit.Confidit, {}, {"eta": (0.001, 0.01, 0.1, 0.3, 1.0)}),
    Rival("Confidit, full", onebit.Confidit, {"covariance": "full"}, {"eta": (0.001, 0.01, 0.1, 0.3, 1.0)}),
    Rival("BanditPA", onebit.BanditPA, {}, {"gamma": (2**-13, 2**-9, 2**-6), "C": (0.01, 0.1, 1.0)}),
    Rival("LinUCB", onebit.LinUCB, {}, {"alpha": (0.03, 0.1, 0.3, 1.0), "lam": (0.1, 1.0)}),
)


@cache
def prepared_stream(case: Case) -> Stream:
    """The rows, prepared from the whole table."""
    table: Any = case.stream.X
    if case.stream.sparse:
        idf = np.log((1 + table.shape[0]) / (1 + np.bincount(table.indices, minlength=table.shape[1]))) + 1
        X = table.copy()
        X.data = (1 + np.log(table.data)) * idf[table.indices]
        return from_arrays(X, case.stream.y, classes=case.stream.classes, normalize=True, name=case.name)
    spread = table.std(axis=0)
    X = np.clip((table - table.mean(axis=0)) / np.where(spread > 0, spread, 1), -4, 4)
    X = np.column_stack([X, 0.1 * np.linalg.norm(X, axis=1)])
    return from_arrays(X, case.stream.y, classes=case.stream.classes, normalize=True, name=case.name)


def can_prepare(case: Case) -> bool:
    """Whether there is a whole table to look at beforehand."""
    return not case.name.startswith("syn")


def _rows(case: Case, prepared: bool) -> Rows:
    """The stream for each way of giving rows, and whether the learner has to scale them."""
    if prepared:
        return {"prepared": (prepared_stream(case), False)}
    return {"unit": (case.stream, True), "raw": (case.stream, False)}


def _kept() -> dict[str, Any]:
    return dict(json.loads(KEPT.read_text())) if KEPT.exists() else {}


def _play(learner: onebit.Learner, rows: str, stream: Stream, rounds: int, seeds: tuple[int, ...]) -> Outcome:
    """The outcome on these seeds, kept on disk."""
    revision = f", revision {learner.revision}" if learner.revision > 1 else ""
    kept, key = _kept(), f"{stream.name}, {rounds} {rows} rows, seeds {seeds}: {shown(learner)}{revision}"
    if key not in kept:
        print(f"  {key}", file=sys.stderr, flush=True)
        result = simulate(learner, stream, rounds, seeds)
        kept[key] = [result.errors, result.nanoseconds]
        with written_whole(KEPT) as path:
            path.write_text(json.dumps(kept, indent=0))
    errors, nanoseconds = kept[key]
    return Outcome(errors, nanoseconds, f"{rows} rows, {shown(learner)}")


def _options(rival: Rival, rows: Rows) -> list[tuple[onebit.Learner, str, Stream]]:
    found = []
    for way, (stream, normalize) in rows.items():
        for values in product(*rival.grid.values()):
            chosen = dict(zip(rival.grid, values, strict=True))
            found.append((rival.learner(stream.classes, normalize=normalize, **rival.fixed, **chosen), way, stream))
    return found


def play_rival(rival: Rival, case: Case, plan: Plan, prepared: bool) -> Outcome:
    """Choose on tuning seeds, then play the report seeds; or say why not."""
    rounds, rows = plan.of(case), _rows(case, prepared)
    try:
        probe = _play(*_options(rival, rows)[0], min(PROBE, rounds), TUNING[:1])
    except onebit.ConfigError:
        return Outcome([], 0, f"too large: {len(case.stream.classes)} classes, {case.stream.n_features:,} features")
    seconds = probe.nanoseconds * rounds / 1e9
    if seconds > LONGEST_RUN:
        return Outcome([], 0, f"not run: about {probe.nanoseconds / 1e6:.1f} ms a round, {seconds:,.0f} s a run")
    if seconds > CHEAP_RUN or rival.learner is onebit.Confidit:
        rows.pop("raw", None)
    options, seeds = _options(rival, rows), TUNING[:2]
    if seconds * len(options) > LONGEST_TUNING:
        first = next(iter(rival.grid))
        options, seeds = _options(rival._replace(grid={first: rival.grid[first]}), rows), TUNING[:1]
    found = [np.mean(_play(*option, rounds, seeds).errors) for option in options]
    return _play(*options[int(np.argmin(found))], rounds, plan.seeds())
