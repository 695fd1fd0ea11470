"""OneBit that plays sets: misses on digits, and beside MCDBF and SetBanditron on the streams of their own benchmark.

python -m benchmarks.onebit.sets             # about two minutes on two cores; or some of: digits rivals

Misses in per cent: rounds in which the label was not in the set. The others play with their default settings, as in
`benchmarks.sets`; OneBit's bar is the best of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main, shown, simulate, spread
from onebit.streams import load, synnonsep
from onebit.streams.base import Stream

ROUNDS, DIGITS_ROUNDS = 100_000, 30_000
SIZES = (2, 4, 6)
DIGITS_BARS = {2: 0.7, 4: 0.3}


def _others(stream: Stream, m: int) -> list[onebit.Learner]:
    return [
        onebit.MCDBF(stream.classes, m=m, normalize=True),
        onebit.SetBanditron(stream.classes, m=m),
        onebit.SetBanditron(stream.classes, m=m, loss="log"),
    ]


def _compare(stream: Stream, rounds: int, m: int, seeds: tuple[int, ...], bar: float | None = None) -> Iterator[Line]:
    """The others, then OneBit beside its bar and the best of them."""
    best = float("inf")
    for learner in [*_others(stream, m), onebit.OneBit(stream.classes, m=m)]:
        result, ours = simulate(learner, stream, rounds, seeds), isinstance(learner, onebit.OneBit)
        misses = 100 * result.error
        detail = f"{spread(result.errors)}; greedy error {100 * result.greedy_error:.2f}; {result.nanoseconds:,.0f} ns"
        limit = min(best, bar or best) if ours else None
        yield Line(f"{stream.name}, {shown(learner)}", misses, limit, detail)
        best = min(best, misses)


def digits(plan: Plan) -> Iterator[Line]:
    for m, bar in DIGITS_BARS.items():
        yield from _compare(load("digits"), plan.rounds(DIGITS_ROUNDS), m, plan.seeds(), bar)


def rivals(plan: Plan) -> Iterator[Line]:
    for stream in (synnonsep(ROUNDS), load("mnist", normalize=True)):
        for m in SIZES:
            yield from _compare(stream, plan.rounds(ROUNDS), m, plan.seeds(3))


PARTS: dict[str, Part] = {"digits": digits, "rivals": rivals}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Sets of m labels, misses in per cent"))
