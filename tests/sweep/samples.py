"""A small plan of a sweep, and its play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onebit

ROUNDS = 3000


def arms(gammas: tuple[float, ...] = (0.01, 0.1, 0.5)) -> list[Any]:
    return [onebit.Arm(onebit.Banditron(9), {"gamma": gammas}), onebit.Perceptron(9)]


def plan(gammas: tuple[float, ...] = (0.01, 0.1, 0.5), **more: Any) -> onebit.Sweep:
    options = {"seeds": 3, "tune_seeds": 2} | more
    return onebit.Sweep.cross(arms(gammas), onebit.streams.synsep(ROUNDS), **options)


def play(sweep: onebit.Sweep, folder: Path, pool: Any) -> onebit.Results:
    return onebit.sweep(sweep, folder, executor=pool, workers=2, progress=False)
