"""What KernelBandit costs: a million rounds in both forms, and kernel evaluations per second, on one idle core.

python -m benchmarks.kernels.speed            # about half a minute; or some of: primal dual evaluations

The time is that of `result.seconds`, with the drawing of the rows. A round of the dual form evaluates the kernel
once for every vector kept; `evaluations` counts those of the play itself, from the curve of its updates.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main
from onebit.engine.match import Match, prepare
from onebit.engine.play import Trace, play
from onebit.streams import group_separable
from onebit.streams.base import Stream

SEED, ROUNDS = 1, 1_000_000


def timed(learner: onebit.Learner, stream: Stream, rounds: int, repeats: int) -> tuple[float, Trace, onebit.Learner]:
    """Seconds of CPU for one play, the best of several."""
    Match(learner, stream, onebit.Bit()).compile()
    best = float("inf")
    for _ in range(repeats):
        player = prepare(learner, stream, SEED)
        began = time.process_time()
        trace = play(player, stream, onebit.Bit(), SEED, rounds)
        best = min(best, time.process_time() - began)
    return best, trace, player


def evaluations(trace: Trace) -> float:
    """Kernel evaluations of a play: the area below the number of vectors kept, by trapezia between checkpoints."""
    rounds, kept = np.concatenate([[0], trace.rounds]), np.concatenate([[0], trace.updates])
    return float(np.sum(np.diff(rounds) * (kept[1:] + kept[:-1]) / 2))


def primal(plan: Plan) -> Iterator[Line]:
    """The primal form, at both degrees; and its memory, which does not depend on the rounds."""
    stream, rounds = group_separable(ROUNDS), plan.rounds(ROUNDS)
    for degree in (18, 27):
        seconds, _, player = timed(onebit.KernelBandit(9, degree=degree), stream, rounds, repeats=3)
        size = sum(array.nbytes for array in player._session.state)
        yield Line(f"primal, degree {degree}: seconds", seconds, 2.0, f"{size / 1024:.0f} KiB of state")


def dual(plan: Plan) -> Iterator[Line]:
    """The dual form: its time, and a billion over its kernel evaluations per second."""
    seconds, trace, _ = timed(onebit.KernelBandit(9, form="dual"), group_separable(ROUNDS), plan.rounds(ROUNDS), 1)
    yield Line("dual: seconds", seconds, 25.0, f"{trace.mistakes[-1]:,} mistakes, {trace.updates[-1]:,} vectors")
    rate = evaluations(trace) / seconds
    yield Line("dual: 1e9 / (evaluations per second)", 1e9 / rate, 1.0, f"{rate / 1e9:.2f}e9 evaluations per second")


PARTS: dict[str, Part] = {"primal": primal, "dual": dual}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "KernelBandit on group separable data, d = 2, K = 9", tuple(PARTS)))
