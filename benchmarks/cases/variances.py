"""The bank beside each of its members alone: why there is a bank. On the seeds with which it was chosen."""

from __future__ import annotations

import numpy as np

import onebit
from benchmarks.cases.run import play
from benchmarks.cases.sets import FOLDER, available, load
from onebit.learners.one_bit.bank import VARIANCES

SEEDS = (11, 12)


def variances() -> None:
    """Played error in % of the default, and of one prior variance."""
    names = ["bank", *(f"{v:g} K" for v in VARIANCES)]
    print(f"{'':14}" + "".join(f"{name:>9}" for name in names))
    for name in FOLDER:
        if not available(name):
            continue
        cases = load(name)
        K = len(cases.classes)
        shown = []
        each: list[float | str] = ["auto", *(v * K for v in VARIANCES)]
        for v in each:
            plays = [play(onebit.OneBit(cases.classes, seed=s, variance=v), cases.rows, cases.labels, s) for s in SEEDS]
            shown.append(100 * np.mean([one["wrong"] / one["cases"] for one in plays]))
        print(f"{name:14}" + "".join(f"{error:9.2f}" for error in shown), flush=True)
