"""The table of speeds: each figure beside its bar, measured as a ratio within one run where time is compared.

python -m benchmarks.speed            # all of it, about five minutes; needs gcc
python -m benchmarks.speed engine     # one part: engine, learners, interactive, start, memory, parallel
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import onebit
from benchmarks.yardstick import GAMMA, c_time, dense_stream, engine_time, sparse_stream
from onebit.contract.compiled import Draw
from onebit.contract.layout import Layout, to_rows
from onebit.learners import soba
from onebit.ops.jit import entry_point
from onebit.ops.random import pack
from onebit.ops.rows import row_at

HERE = Path(__file__).parent


class Figure(NamedTuple):
    """One line of the table; `value` must not be above `bar`."""

    what: str
    value: float
    bar: float
    detail: str


def engine() -> Iterator[Figure]:
    learner = onebit.Banditron(9, gamma=GAMMA)
    dense, sparse, single = dense_stream(), sparse_stream(), dense_stream(dtype="float32")
    c_dense, same_dense = c_time(dense)
    here, mistakes = engine_time(learner, dense)
    assert mistakes == same_dense, "C and onebit must play the same game"
    yield Figure("Banditron dense, onebit / C", here / c_dense, 1.0, f"{here:.0f} ns against {c_dense:.0f} ns a round")
    half, _ = engine_time(learner.clone(dtype="float32"), single)
    yield Figure("dense, float32 / float64", half / here, 0.65, f"{half:.0f} ns against {here:.0f} ns")
    c_sparse, same_sparse = c_time(sparse)
    here, mistakes = engine_time(learner, sparse)
    assert mistakes == same_sparse, "C and onebit must play the same game"
    yield Figure("Banditron sparse, onebit / C", here / c_sparse, 1.0, f"{here:.0f} ns against {c_sparse:.0f} ns")
    long = sparse_stream(400_000)  # long enough for most rounds to be hits, from which SOBA learns
    (diagonal, _), (here, _) = engine_time(onebit.SOBADiagonal(9), long), engine_time(learner, long)
    yield Figure("SOBADiagonal / Banditron, sparse", diagonal / here, 2.5, f"{diagonal:.0f} ns against {here:.0f} ns")


@entry_point
def _rank_one(A: Any, v: Any, n: int) -> None:
    for _ in range(n):
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                A[i, j] -= v[i] * v[j]


@entry_point
def _lessons(hyper: Any, state: Any, rows: Any, draw: Any, rng: Any, n: int) -> int:
    updates = 0
    for t in range(n):
        draw.labels[0] = t % 10
        updates += soba.learn(hyper, state, row_at(rows, t % 500, False), draw, 1, rng)
    return updates


def learners() -> Iterator[Figure]:
    """SOBA with a 640 × 640 matrix: a lesson that updates, against a bare rank-one update of that matrix."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(500, 64)) / 8
    learner, rows = onebit.SOBA(10), to_rows(X, 64, "dense", "float64")
    state = learner.start(Layout(10, 64, "dense", "float64"))
    A, v, rng = np.eye(640), 1e-4 * draw.normal(size=640), pack(np.random.PCG64(0))
    lesson, n = Draw(np.zeros(1, dtype=np.int64), 0.9, 0, False, False), 300
    _rank_one(A, v, 1)
    _lessons(learner.hyper(), state, rows, lesson, rng, 1)
    bare, taught = float("inf"), float("inf")
    for _ in range(5):
        began = time.process_time()
        _rank_one(A, v, n)
        bare = min(bare, (time.process_time() - began) / n)
        began = time.process_time()
        updates = _lessons(learner.hyper(), state, rows, lesson, rng, n)
        taught = min(taught, (time.process_time() - began) / max(updates, 1))
    traffic = 2 * A.nbytes / 1e9
    detail = f"{taught * 1e6:.0f} µs against {bare * 1e6:.0f} µs; {traffic / taught:.1f} of {traffic / bare:.1f} GB/s"
    yield Figure("SOBA lesson / rank-one update", taught / bare, 2.0, detail)


def interactive() -> Iterator[Figure]:
    x = np.random.default_rng(0).normal(size=400)
    cases = [("Banditron", onebit.Banditron(9), x, 25.0), ("OneBit", onebit.OneBit(9), x[:20], 30.0)]
    for name, learner, row, bar in cases:
        best = float("inf")
        for _ in range(10):
            began = time.perf_counter()
            for _ in range(1000):
                decision = learner.decide(row)
                learner.learn(decision, decision.label == 3)
            best = min(best, time.perf_counter() - began)
        yield Figure(f"{name}: decide + learn, µs", best * 1000, bar, f"from Python, {len(row)} features, row by row")


def batches() -> Iterator[Figure]:
    """The same learner taught by table, 1,000 rows at a time, and by single rows, dense and sparse."""
    stream = onebit.streams.synsep(10_000)
    for kind, rows in (("dense", stream.X.toarray()), ("sparse", stream.X)):
        many, single = float("inf"), float("inf")
        for _ in range(5):
            learner = onebit.Banditron(9)
            began = time.process_time()
            for start in range(0, 10_000, 1000):
                decisions = learner.decide_many(rows[start : start + 1000])
                learner.learn_many(decisions, decisions.labels == stream.y[start : start + 1000])
            many = min(many, (time.process_time() - began) / 10_000)
            one = [rows[[i]] if kind == "sparse" else rows[i] for i in range(1000)]
            began = time.process_time()
            for row, y in zip(one, stream.y, strict=False):
                decision = learner.decide(row)
                learner.learn(decision, bool(decision.label == y))
            single = min(single, (time.process_time() - began) / 1000)
        detail = f"{many * 1e6:.2f} µs by decide_many + learn_many, {single * 1e6:.1f} µs by decide + learn"
        yield Figure(f"a row of 1,000 / a single row, {kind}", many / single, 0.25, detail)


def start() -> Iterator[Figure]:
    command = [
        str(Path(sys.executable).with_name("onebit")),
        "run",
        "banditron",
        "--data",
        "synsep",
        "--rounds",
        "1000",
    ]
    times = []
    for _ in range(6):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    yield Figure("onebit run, 1,000 rounds, warm, s", min(times[1:]), 2.5, "wall time of the whole process")


def memory() -> Iterator[Figure]:
    peak, base = _peak("onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(1_000_000))")
    yield Figure("SynSep, 10^6 rounds, peak MB", peak, 1200.0, f"of which {base:.0f} MB at import")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.parquet"
        _write_parquet(path)
        script = f"onebit.simulate(onebit.Banditron(5), onebit.streams.from_file({str(path)!r}, label='y'))"
        peak, base = _peak(script)
        size = path.stat().st_size / 1e9
    yield Figure("Parquet stream, MB above import", peak - base, 600.0, f"a file of {size:.1f} GB; peak {peak:.0f} MB")


def _peak(script: str) -> tuple[float, float]:
    """Peak memory of a fresh process that runs the script, and what it had after the imports, in MB (Linux)."""
    code = (
        "import json, pathlib, re, onebit\n"
        "status = pathlib.Path('/proc/self/status')\n"
        "peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', status.read_text())[1]) / 1024\n"
        f"base = peak()\n{script}\nprint(json.dumps([peak(), base]))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    peak, base = json.loads(done.stdout.splitlines()[-1])
    return peak, base


def _write_parquet(path: Path, gigabytes: float = 2.0, features: int = 100) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    draw, rows = np.random.default_rng(0), 50_000
    names = [f"f{j}" for j in range(features)]
    schema = pa.schema([*((name, pa.float64()) for name in names), ("y", pa.int64())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        while not path.exists() or path.stat().st_size < gigabytes * 1e9:
            y = draw.integers(5, size=rows)
            X = draw.normal(size=(rows, features)) + np.eye(5, features)[y] * 3
            writer.write_table(pa.table([*X.T.copy(), y], schema=schema))


def parallel() -> Iterator[Figure]:
    stream = onebit.streams.synsep(2_000_000)
    times: dict[int, float] = {}
    for seeds in (1, 2):
        onebit.simulate(onebit.Banditron(9), stream, rounds=1000, seeds=seeds, workers=seeds)
        for _ in range(3):
            began = time.perf_counter()
            onebit.simulate(onebit.Banditron(9), stream, seeds=seeds, workers=seeds)
            times[seeds] = min(times.get(seeds, float("inf")), time.perf_counter() - began)
    detail = f"{times[2]:.2f} s against {times[1]:.2f} s, 2·10^6 rounds each, {os.cpu_count()} cores"
    yield Figure("two seeds / one seed, wall", times[2] / times[1], 1.25, detail)


PARTS = {
    "engine": engine,
    "learners": learners,
    "interactive": interactive,
    "batches": batches,
    "start": start,
    "memory": memory,
    "parallel": parallel,
}


def main(names: list[str]) -> int:
    unknown = set(names) - set(PARTS)
    if unknown:
        print(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    print(f"{'measured':<36} {'value':>8} {'bar':>8}       how")
    missed = 0
    for name in names or PARTS:
        for figure in PARTS[name]():
            met = figure.value <= figure.bar
            missed += not met
            verdict = "met" if met else "MISS"
            print(
                f"{figure.what:<36} {figure.value:>8.2f} {figure.bar:>8.2f}  {verdict:<4}  {figure.detail}", flush=True
            )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
