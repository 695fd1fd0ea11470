"""The engine's Banditron against the same algorithm in C, on the same rows and the same draws."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np

import onebit
from onebit.core.seeds import bit_generator
from onebit.engine.match import Match, prepare
from onebit.engine.play import play
from onebit.streams import from_arrays, synsep
from onebit.streams.base import Stream

HERE = Path(__file__).parent
GAMMA, SEED, REPEATS = 2**-7, 1, 25
FLAGS = ["-O3", "-march=native", "-mprefer-vector-width=512", "-ffast-math"]


def dense_stream(rounds: int = 20_000, dtype: str = "float64") -> Stream:
    """SynSep documents with a little noise on every word, so that nothing is sparse."""
    documents = synsep(rounds, seed=SEED)
    X = documents.X.toarray() + np.random.default_rng(SEED).normal(scale=0.01, size=(rounds, 400))
    return from_arrays(X.astype(dtype), documents.y, shuffle=False, name="dense")


def sparse_stream(rounds: int = 20_000) -> Stream:
    documents = synsep(rounds, seed=SEED)
    return from_arrays(documents.X, documents.y, shuffle=False, name="sparse")


def engine_time(learner: onebit.Learner, stream: Stream, repeats: int = REPEATS) -> tuple[float, int]:
    """CPU nanoseconds per round through the engine, best of several plays, and the mistakes."""
    channel = onebit.Full() if learner.feedback == "label" else onebit.Bit()
    Match(learner, stream, channel).compile()
    best, mistakes = float("inf"), 0
    for _ in range(repeats):
        player = prepare(learner, stream, SEED)
        began = time.process_time()
        trace = play(player, stream, channel, SEED)
        best, mistakes = min(best, time.process_time() - began), int(trace.mistakes[-1])
    assert stream.rounds is not None
    return best / stream.rounds * 1e9, mistakes


def c_time(stream: Stream) -> tuple[float, int]:
    """The same for the C program (it, too, takes the best of five plays); the best of three such runs."""
    build = HERE / "build"
    build.mkdir(exist_ok=True)
    program, rows = build / "banditron", build / f"{stream.name}.bin"
    subprocess.run(["gcc", *FLAGS, "-o", str(program), str(HERE / "banditron.c")], check=True)
    rows.write_bytes(b"".join(_layout(stream)))
    printed = [subprocess.run([program, rows], check=True, capture_output=True, text=True).stdout for _ in range(3)]
    rows.unlink()
    times, mistakes = zip(*(line.split() for line in printed), strict=True)
    return min(map(float, times)), int(mistakes[0])


def _layout(stream: Stream) -> list[bytes]:
    """What banditron.c reads; see the top of that file."""
    X: Any = stream.X
    n, d = X.shape
    uniforms = np.random.Generator(bit_generator(SEED, "learner")).random(n)
    entries = X.nnz if stream.sparse else X.size
    head = np.array([stream.sparse, n, d, len(stream.classes), entries], dtype=np.int64)
    parts = [head, np.float64(GAMMA), np.asarray(stream.y, dtype=np.int32), uniforms]
    if stream.sparse:
        parts += [X.indptr.astype(np.int64), X.indices.astype(np.int32)]
    return [np.asarray(p).tobytes() for p in [*parts, X.data if stream.sparse else X]]
