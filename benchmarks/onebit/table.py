"""OneBit at its default on ten streams, beside its bars and beside every other learner that learns from bits.

python -m benchmarks.onebit.table            # OneBit alone: about one minute on two cores
python -m benchmarks.onebit.table rivals     # and the others, tuned: about half an hour, or two minutes if kept
python -m benchmarks.onebit.table digits usps    # the same on some streams
python -m benchmarks.onebit.table twenty     # SynSep and newsgroups20 on twenty seeds: a minute

Played error in per cent, five report seeds; OneBit is never tuned. Each other learner is tuned per stream on tuning
seeds: its main hyper-parameters, and whether rows come raw or with unit norm. Then all again on rows that were
prepared from the whole table (`benchmarks.onebit.rivals`), which spares the others what OneBit does by itself. What
would take too long is not run. Results of the others are kept in benchmarks/build/rivals.json: delete it if one of
them was changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import numpy as np

import onebit
from benchmarks.onebit.rivals import RIVALS, Outcome, can_prepare, play_rival, prepared_stream
from benchmarks.onebit.streams import CASES, Case, Line, Part, Plan, main, simulate, spread


def _ours(case: Case, plan: Plan, prepared: bool = False) -> tuple[Line, list[float]]:
    stream = prepared_stream(case) if prepared else case.stream
    result = simulate(onebit.OneBit(stream.classes), stream, plan.of(case), plan.seeds())
    detail = f"{spread(result.errors)}; greedy {100 * result.greedy_error:.3f}; {result.nanoseconds:,.0f} ns a round"
    if case.name == "synsep":
        detail += f"; {result.error * plan.of(case):.1f} mistakes"
    what, bar = (", prepared", None) if prepared else ("", 100 * case.bar)
    return Line(f"{case.name}{what}: OneBit", 100 * result.error, bar, detail), result.errors


def ours(plan: Plan) -> Iterator[Line]:
    for case in CASES:
        yield _ours(case, plan)[0]


def twenty(plan: Plan) -> Iterator[Line]:
    """What differs much from seed to seed, on twenty of them, with the standard error of the mean."""
    for case in CASES:
        if case.name in ("synsep", "newsgroups20"):
            stream = case.stream
            result = simulate(onebit.OneBit(stream.classes), stream, plan.of(case), plan.seeds(20))
            se = 100 * np.std(result.errors, ddof=1) / len(result.errors) ** 0.5
            yield Line(f"{case.name}, twenty seeds: OneBit", 100 * result.error, 100 * case.bar, f"± {se:.3f} (s.e.)")


def _verdict(what: str, errors: list[float], others: dict[str, Outcome]) -> Line:
    """OneBit against the best of the others: the difference in per cent, with its standard error over the seeds."""
    name = min(others, key=lambda n: float(np.mean(others[n].errors)))
    gap = 100 * (np.array(errors) - np.array(others[name].errors))
    se = gap.std(ddof=1) / np.sqrt(len(gap))
    text = f"OneBit is below every other; next is {name}" if gap.mean() <= 0 else f"{name} WINS"
    return Line(f"{what}: OneBit - best other", gap.mean(), None, f"± {se:.3f} (standard error); {text}")


def compared(case: Case, plan: Plan) -> Iterator[Line]:
    """OneBit, every other learner, the verdict: on rows as they come, then on rows prepared beforehand."""
    for prepared in (False, True) if can_prepare(case) else (False,):
        line, errors = _ours(case, plan, prepared)
        yield line
        what = f"{case.name}, prepared" if prepared else case.name
        others: dict[str, Outcome] = {}
        for rival in RIVALS:
            outcome = play_rival(rival, case, plan, prepared)
            if outcome.errors:
                others[rival.name] = outcome
                detail = f"{spread(outcome.errors)}; {outcome.nanoseconds:,.0f} ns; {outcome.text}"
                yield Line(f"{what}: {rival.name}", 100 * float(np.mean(outcome.errors)), None, detail)
            else:
                yield Line(f"{what}: {rival.name}", float("nan"), None, outcome.text)
        yield _verdict(what, errors, others)


def rivals(plan: Plan) -> Iterator[Line]:
    """All streams, the verdicts again at the end."""
    verdicts = []
    for case in CASES:
        for line in compared(case, plan):
            yield line
            if "best other" in line.what:
                verdicts.append(line)
    yield from verdicts


PARTS: dict[str, Part] = {
    "ours": ours,
    "rivals": rivals,
    "twenty": twenty,
    **{case.name: partial(compared, case) for case in CASES},
}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Ten streams, played error in per cent", default=("ours",)))
