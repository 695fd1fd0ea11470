"""Raw cases, played one by one as people have them: dicts in, bits back, one pass in an order of its own for each seed.

python -m benchmarks.cases                          # all sets of the data folder's `cases`, 5 seeds: some minutes
python -m benchmarks.cases nursery adult --seeds 1
python -m benchmarks.cases --speed                  # what reading a case costs; wanted on an idle core

"Hashed" is the same learner without `cases`: dict rows of one feature for each name or text. Gaps, which it refuses,
are left out there, lists and dates are text.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

import onebit
from onebit.core.paths import data_folder
from onebit.features.cases.encoder import MEET, Encoder

SEEDS = (101, 102, 103, 104, 105)
NAMES = ("banking77", "clinc150", "nursery", "adult", "diamonds", "birdstrikes", "complaints", "netflix")
CASE = {
    "subject": "please send me my money back because the parcel never came and nobody at all answers the phone",
    "amount": 12.5,
    "team": "north",
    "plan": "gold",
    "sent": "2026-11-02",
    "age": 41,
    "open": True,
    "tags": ["late", "parcel"],
    "city": None,
    "score": 0.3,
}


def load(name: str) -> tuple[list[dict[str, Any]], list[Any]]:
    """The cases of a set, and their labels."""
    rows = pq.read_table(Path(data_folder()) / "cases" / f"{name}.parquet").to_pylist()
    return rows, [row.pop("label") for row in rows]


def hashed(case: dict[str, Any]) -> dict[str, Any]:
    """A case as dict rows without `cases` take it."""
    there = {name: value for name, value in case.items() if value is not None and value == value}
    return {name: value if isinstance(value, str | int | float) else str(value) for name, value in there.items()}


def played_error(learner: onebit.Learner, rows: list[Any], labels: list[Any], seed: int) -> tuple[float, float]:
    """The share of wrong plays in one pass, and microseconds a case."""
    wrong = 0
    began = time.perf_counter()
    for i in np.random.default_rng(seed).permutation(len(rows)).tolist():
        decision = learner.decide(rows[i])
        right = decision.label == labels[i]
        wrong += not right
        learner.learn(decision, right)
    return wrong / len(rows), (time.perf_counter() - began) / len(rows) * 1e6


def speed() -> None:
    """Reading one case, and deciding and learning it with five classes."""
    encoder = Encoder(onebit.Cases())
    learner = onebit.OneBit(5, cases=onebit.Cases())

    def decide_and_learn() -> None:
        learner.learn(learner.decide(CASE), True)

    for name, call in (("read a case, µs", lambda: encoder.row(CASE, MEET)), ("decide + learn, µs", decide_and_learn)):
        call()
        best = float("inf")
        for _ in range(40):
            began = time.perf_counter()
            for _ in range(200):
                call()
            best = min(best, (time.perf_counter() - began) / 200)
        print(f"{name:24}{best * 1e6:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    parser.add_argument("--speed", action="store_true")
    chosen = parser.parse_args()
    if chosen.speed:
        speed()
        return
    print(f"{'played error, %':16}{'labels':>8}{'hashed':>16}{'cases':>16}{'µs a case':>12}", flush=True)
    for name in chosen.names:
        rows, labels = load(name)
        classes = sorted(set(labels))
        plain = [hashed(row) for row in rows]
        found: dict[str, list[float]] = {"hashed": [], "cases": [], "time": []}
        for seed in SEEDS[: chosen.seeds]:
            found["hashed"].append(played_error(onebit.OneBit(classes, seed=seed), plain, labels, seed)[0])
            learner = onebit.OneBit(classes, seed=seed, cases=onebit.Cases())
            error, taken = played_error(learner, rows, labels, seed)
            found["cases"].append(error)
            found["time"].append(taken)
            print(f"{name}, seed {seed}: {100 * error:.1f} %", file=sys.stderr, flush=True)
        shown = [f"{100 * np.mean(found[what]):.1f} ± {100 * np.std(found[what]):.1f}" for what in ("hashed", "cases")]
        print(f"{name:16}{len(classes):8}{shown[0]:>16}{shown[1]:>16}{np.median(found['time']):12.0f}", flush=True)


if __name__ == "__main__":
    main()
