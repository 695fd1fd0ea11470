"""The measurements behind docs/decisions: what was chosen, beside what was not. Run it with

python -m benchmarks.decisions
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

from onebit.contract.layout import Layout, RowKind, to_rows
from onebit.ops.jit import OPTIONS, entry_point
from onebit.ops.random import pack, uniform
from onebit.ops.rows import row_at
from onebit.ops.weights import scores
from onebit.streams import synsep


def best(function: Callable[..., Any], *args: Any, calls: int = 1, repeats: int = 7) -> float:
    """CPU seconds of one call, best of several repeats."""
    function(*args)
    times = []
    for _ in range(repeats):
        began = time.process_time()
        for _ in range(calls):
            function(*args)
        times.append((time.process_time() - began) / calls)
    return min(times)


@entry_point
def _draw_words(rng: Any) -> float:
    return uniform(rng)


@numba.njit(**{key: value for key, value in OPTIONS.items() if key != "_nrt"})  # type: ignore[untyped-decorator]
def _draw_object(rng: Any) -> Any:
    return rng.random()


def generator() -> None:
    """Decision 1: one uniform number, drawn by a compiled function that is called from Python."""
    words = best(_draw_words, pack(np.random.PCG64(0)), calls=5000)
    whole = best(_draw_object, np.random.Generator(np.random.PCG64(0)), calls=5000)
    print(f"a draw from Python: {words * 1e6:.2f} µs with four words, {whole * 1e6:.2f} µs with a NumPy Generator")


COUNTING = """
import numba, numba.extending as extending
njit, overload = numba.njit, extending.overload
drop = lambda options: {k: v for k, v in options.items() if k != "_nrt"}
numba.njit = lambda *function, **options: njit(*function, **drop(options))
extending.overload = lambda stub, jit_options, **more: overload(stub, jit_options=drop(jit_options), **more)
"""
ROUND = """
import onebit
from benchmarks.yardstick import engine_time, sparse_stream
print(engine_time(onebit.Banditron(9), sparse_stream())[0])
"""


def references() -> None:
    """Decision 3: a round of Banditron on sparse rows, with Numba's reference counts and without."""
    times = []
    for code in (ROUND, COUNTING + ROUND):
        with tempfile.TemporaryDirectory() as cache:
            env = os.environ | {"ONEBIT_CACHE": cache}
            done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
        times.append(float(done.stdout))
    print(f"a sparse round of Banditron: {times[0]:.0f} ns, {times[1]:.0f} ns with reference counts")


@entry_point
def _lanes(W: Any, rows: Any, out: Any, n: int) -> None:
    for i in range(n):
        scores(W, row_at(rows, i, False), out)


@entry_point
def _plain_sparse(W: Any, rows: Any, out: Any, n: int) -> None:
    for i in range(n):
        for k in range(len(out)):
            out[k] = 0
        for e in range(rows.indptr[i], rows.indptr[i + 1]):
            j, x = rows.indices[e], rows.values[e]
            for k in range(len(out)):
                out[k] += W[k, j] * x


@entry_point
def _plain_dense(W: Any, rows: Any, out: Any, n: int) -> None:
    for i in range(n):
        for k in range(len(out)):
            total = W.dtype.type(0)
            for j in range(W.shape[1]):
                total += W[k, j] * rows.X[i, j]
            out[k] = total


def lanes() -> None:
    """Decision 4: nine scores of a SynSep row, by a plain loop and in registers."""
    n = 2000
    X = synsep(n).X
    cases: list[tuple[RowKind, str]] = [("sparse", "float64"), ("dense", "float64"), ("dense", "float32")]
    for kind, dtype in cases:
        rows = to_rows(X if kind == "sparse" else X.toarray(), 400, kind, dtype)
        W = Layout(9, 400, kind, dtype).per_feature(1.0)
        plain = _plain_sparse if kind == "sparse" else _plain_dense
        slow, fast = (best(f, W, rows, np.zeros(9, dtype), n) / n for f in (plain, _lanes))
        print(f"scores of a {kind} row, {dtype}: {fast * 1e9:.0f} ns in lanes, {slow * 1e9:.0f} ns in a plain loop")


def durability() -> None:
    """Decision 19: a file of 6 kB, and a learner, written with and without fsync."""
    import onebit
    from onebit.core.files import drafted

    learner = onebit.Banditron(9, n_features=400)
    learner.decide(np.ones(400))
    fsync = os.fsync
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "file"

        def write(lasting: bool) -> None:
            with drafted(place, lasting=lasting) as draft:
                draft.write_bytes(bytes(6000))

        ways: dict[str, Any] = {"no fsync": lambda handle: None, "fsync": fsync}
        for what, function in ways.items():
            os.fsync = function
            file = _wall(lambda: write(False))
            both = _wall(lambda: write(True))
            saved = _wall(lambda: learner.save(place))
            print(f"{what}: file {file * 1e3:.2f} ms, and folder {both * 1e3:.2f} ms; learner {saved * 1e3:.2f} ms")
    os.fsync = fsync


def _wall(function: Callable[[], Any], calls: int = 200) -> float:
    """Seconds on the clock of one call, the median."""
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        function()
        times.append(time.perf_counter() - began)
    return float(np.median(times))


if __name__ == "__main__":
    generator()
    references()
    lanes()
    durability()
