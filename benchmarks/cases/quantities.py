"""What it brings that a member of the bank keeps cases by their numbers and vectors, and what it costs elsewhere.

Raw cases with text, with numbers, with both; tables of numbers alone as raw cases, beside the same as dense rows. On
the seeds with which it was chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import onebit
from benchmarks.cases.run import play
from benchmarks.cases.sets import available, load
from onebit.streams import load as load_stream

FIRST_SEED = 11
TABLES = {"pendigits": 10_992, "letter": 10_000, "covtype": 10_000, "cifar10_features": 10_000}
"""Tables of numbers, and how many of their rows are played."""

AS_VECTOR = ("cifar10_features",)
"""A case is one list of numbers there, and elsewhere a column for each."""


def quantities(names: list[str], seeds: int) -> None:
    """Played error in % of the default, of `kernel=None`, and of dense rows, the mean over so many seeds."""
    print(f"{'':18}{'default':>10}{'kernel=None':>13}{'dense':>10}")
    for name in names:
        if name in TABLES:
            _tell_table(name, seeds)
        elif available(name):
            cases = load(name)
            _tell(name, seeds, cases.rows, cases.labels)


def _tell_table(name: str, seeds: int) -> None:
    stream = load_stream(name, split="all" if name in ("pendigits", "covtype") else "train")
    chosen = np.random.default_rng(0).permutation(len(stream.y))[: TABLES[name]]
    X = np.asarray(stream.X)[chosen].astype(np.float64)
    labels = [str(label) for label in stream.y[chosen]]
    if name in AS_VECTOR:
        rows: list[Any] = [{"v": x.tolist()} for x in X]
    else:
        rows = [{f"x{j}": value for j, value in enumerate(x)} for x in X.tolist()]
    _tell(name, seeds, rows, labels, list(X))


def _tell(name: str, seeds: int, rows: list[Any], labels: list[Any], dense: list[Any] | None = None) -> None:
    classes = sorted(set(labels))
    forms = [(rows, "auto"), (rows, None), *([(dense, "auto")] if dense else [])]
    shown = []
    for form, kernel in forms:
        each = range(FIRST_SEED, FIRST_SEED + seeds)
        plays = [play(onebit.OneBit(classes, seed=s, kernel=kernel), form, labels, s) for s in each]
        shown.append(100 * np.mean([one["wrong"] / one["cases"] for one in plays]))
    widths = (10, 13, 10)
    print(f"{name:18}" + "".join(f"{e:{w}.2f}" for e, w in zip(shown, widths, strict=False)), flush=True)
