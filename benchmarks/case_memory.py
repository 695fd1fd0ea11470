"""What raw cases cost: columns that features share, memory, and time for a frame.

python -m benchmarks.case_memory collisions     # banking77, clinc150 and netflix at three widths of the hash
python -m benchmarks.case_memory memory         # 150 labels on clinc150
python -m benchmarks.case_memory frame          # deciding a frame of ten columns; wanted on an idle core
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

import onebit
from benchmarks.cases.run import play
from benchmarks.cases.sets import load
from benchmarks.cases.speed import CASE
from onebit.contract.states import arrays
from onebit.features.case_rows import CaseRows
from onebit.features.cases.encoder import MEET, Encoder
from onebit.features.cases.memory import COLUMN, ENTRIES

SETS = ("banking77", "clinc150", "netflix")
WIDTHS = (2**16, 2**18, 2**20)
ROWS = 20_000


def collisions() -> None:
    """How many features share a column after one pass, and what that costs."""
    print(f"{'':12}{'hash':>10}{'features':>10}{'sharing, %':>12}{'played error, %':>17}")
    for name in SETS:
        cases = load(name)
        for width in WIDTHS:
            learner = onebit.OneBit(cases.classes, seed=1, cases=onebit.Cases(hash=width))
            played = play(learner, cases.rows, cases.labels, 101)
            error = played["wrong"] / played["cases"]
            encoder = learner._session.encoder
            assert encoder is not None
            given = encoder.memory.table[:, COLUMN]
            given = given[given > 0]
            often = np.bincount(given)
            sharing = np.count_nonzero(often[given] > 1) / len(given)
            features = int(encoder.memory.counts[ENTRIES])
            print(f"{name:12}{width:10,}{features:10,}{100 * sharing:12.2f}{100 * error:17.1f}", flush=True)


def memory() -> None:
    """The arrays of a learner of 150 labels after one pass."""
    cases = load("clinc150")
    learner = onebit.OneBit(cases.classes)
    play(learner, cases.rows, cases.labels, 101)
    encoder = learner._session.encoder
    assert encoder is not None
    weights = sum(array.nbytes for _, array in arrays(learner._session.state))
    features = sum(array.nbytes for array in encoder.memory)
    print(f"{len(cases.classes)} labels, {len(cases.rows):,} cases, {encoder.columns:,} columns")
    both = weights + features
    print(f"state {weights / 1e6:.1f} MB, encoder {features / 1e6:.1f} MB, together {both / 1e6:.1f} MB")


def table_of_cases(n: int) -> pa.Table:
    """A frame of cases as that of `python -m benchmarks.cases --speed`, all different."""
    rng = np.random.default_rng(0)
    words = [*str(CASE["subject"]).split(), "refund", "invoice", "hello", "broken", "card", "sofa", "lamp"]
    cases = [
        {
            "subject": " ".join(rng.choice(words, 18)),
            "amount": float(rng.exponential(20)),
            "team": str(rng.choice(["north", "south", "east"])),
            "plan": str(rng.choice(["gold", "silver"])),
            "sent": f"2026-{rng.integers(1, 13):02}-{rng.integers(1, 29):02}",
            "age": int(rng.integers(18, 90)),
            "open": bool(rng.integers(2)),
            "tags": ["late", "parcel"] if rng.integers(2) else ["lost"],
            "city": None,
            "score": float(rng.normal()),
        }
        for _ in range(n)
    ]
    return pa.Table.from_pylist(cases)


def frame() -> None:
    """Microseconds a row."""
    table = table_of_cases(ROWS)
    cases = table.to_pylist()
    encoder = Encoder(onebit.Cases())
    learner = onebit.OneBit(5, cases=onebit.Cases())
    timed("reading a frame", lambda: encoder.rows(CaseRows(table), MEET))
    timed("reading a list of dicts", lambda: encoder.rows(cases, MEET))
    timed("reading dicts one by one", lambda: [encoder.row(case, MEET) for case in cases])
    timed("decide_many of a frame", lambda: learner.decide_many(table))
    timed("making dicts of the frame", table.to_pylist)


def timed(name: str, call: Callable[[], Any]) -> None:
    """Print the least of several times, in microseconds a row."""
    call()
    best = float("inf")
    for _ in range(15):
        began = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - began)
    print(f"{name:28}{best / ROWS * 1e6:8.2f}", flush=True)


if __name__ == "__main__":
    commands = {"collisions": collisions, "memory": memory, "frame": frame}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]]()
