"""Research: what each choice of OneBit brings, on the ten streams.

python -m benchmarks.onebit.ablations        # about three minutes on two cores; or some streams: digits letter ...

Played error in per cent, two report seeds; beside it the difference from the default on the same seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import onebit
from benchmarks.onebit.streams import CASES, Case, Line, Part, Plan, main, simulate

VARIANCE = {False: 100.0, True: 10_000.0}
"""The default of dense and of sparse rows."""


def _settings(case: Case) -> dict[str, dict[str, Any]]:
    usual = VARIANCE[case.stream.sparse]
    return {
        "default": {},
        "kernel=None": {"kernel": None},
        "noise=None": {"noise": None},
        "drift=None": {"drift": None},
        "kernel=None, curvature='diagonal'": {"kernel": None, "curvature": "diagonal"},
        "standardize=False": {"standardize": False},
        "variance x 10": {"variance": 10 * usual},
        "variance / 10": {"variance": usual / 10},
    }


def _compare(case: Case, plan: Plan) -> Iterator[Line]:
    default: Any = None
    for name, setting in _settings(case).items():
        learner = onebit.OneBit(case.stream.classes, **setting)
        result = simulate(learner, case.stream, plan.of(case), plan.seeds(2))
        errors = 100 * np.array(result.errors)
        default = errors if default is None else default
        gaps = ", ".join(f"{gap:+.3f}" for gap in errors - default)
        detail = f"{result.nanoseconds:,.0f} ns" if name == "default" else f"{(errors - default).mean():+.3f} ({gaps})"
        yield Line(f"{case.name}, {name}: error %", errors.mean(), None, detail)


PARTS: dict[str, Part] = {case.name: partial(_compare, case) for case in CASES}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Ablations"))
