"""What all scripts here share: the ten streams with their bars, the seeds, and the table of figures beside bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import onebit
from onebit.streams import load, synnonsep, synsep
from onebit.streams.base import Stream

TUNING = tuple(range(11, 37))
FIRST_REPORT = 1001
"""Reported figures come from seeds 1001, 1002, ...; nothing is chosen by looking at them."""

FIRST_FRESH = 2001
"""With --fresh they come from seeds 2001, 2002, ..., which were first played when all was settled."""


class Case(NamedTuple):
    """A stream, how many rounds of it are played (None: one pass), and the error that must not be passed."""

    name: str
    rounds: int | None
    bar: float

    @property
    def stream(self) -> Stream:
        """Its rows."""
        return _stream(self.name)


CASES = (
    Case("synsep", 100_000, 0.0006),
    Case("synnonsep", 100_000, 0.0455),
    Case("digits", 100_000, 0.0035),
    Case("letter", None, 0.265),
    Case("pendigits", None, 0.029),
    Case("usps", None, 0.073),
    Case("covtype", 200_000, 0.255),
    Case("mnist", None, 0.065),
    Case("newsgroups20", None, 0.285),
    Case("reuters21578", None, 0.237),
)


@cache
def _stream(name: str) -> Stream:
    if name == "synsep":
        return synsep(100_000)
    if name == "synnonsep":
        return synnonsep(100_000, redraw=True)
    return load(name, split="all" if name == "covtype" else "train")


class Plan(NamedTuple):
    """Which seeds, and how many rounds: in earnest, or quick."""

    quick: bool = False
    first: int = FIRST_REPORT

    def seeds(self, count: int = 5) -> tuple[int, ...]:
        """Report seeds; for a quick look, two tuning seeds."""
        return TUNING[:2] if self.quick else tuple(range(self.first, self.first + count))

    def rounds(self, rounds: int) -> int:
        """As many, or for a quick look a few."""
        return max(500, rounds // 50) if self.quick else rounds

    def of(self, case: Case) -> int:
        """How many rounds of a case."""
        rounds = case.rounds or case.stream.rounds
        assert rounds is not None
        return self.rounds(rounds)


class Line(NamedTuple):
    """A figure of the table; `value` must not be above `bar`, if there is one."""

    what: str
    value: float
    bar: float | None = None
    detail: str = ""


Part = Callable[[Plan], Iterator[Line]]


def simulate(learner: onebit.Learner, stream: Stream, rounds: int, seeds: Any, channel: Any = None) -> onebit.Result:
    """A simulation without a progress bar."""
    return onebit.simulate(learner, stream, channel, rounds, seeds, progress=False)


def spread(values: Any, scale: float = 100) -> str:
    """Mean ± standard deviation, in per cent.

    >>> spread([0.01, 0.03])
    '2.000 ± 1.414'
    """
    v = scale * np.asarray(values)
    return f"{v.mean():.3f} ± {v.std(ddof=1) if len(v) > 1 else 0:.3f}"


def shown(learner: onebit.Learner) -> str:
    """The learner without the names of its classes."""
    return repr(learner.clone(classes=len(learner.classes)))


def restarts_of(player: Any) -> list[int]:
    """How often OneBit has begun again: after drift, after lies."""
    seen = player.describe()
    return [seen.drift_restarts, seen.lie_restarts]


def rows_of(stream: Stream, seed: int, rounds: int) -> Iterator[tuple[Any, Any]]:
    """The rows that the engine would play, one by one, each with its label."""
    for window in stream.windows(seed, rounds):
        for i in window.order:
            yield (window.X[[i]] if stream.sparse else window.X[i]), stream.classes[window.y[i]]


def main(parts: Mapping[str, Part], arguments: list[str], title: str, default: tuple[str, ...] = ()) -> int:
    """Print the parts asked for, or the default ones; 1 if a bar was missed, 2 for an unknown part."""
    plan = Plan("--quick" in arguments, FIRST_FRESH if "--fresh" in arguments else FIRST_REPORT)
    names = [name for name in arguments if name not in ("--quick", "--fresh")]
    unknown = sorted({*names} - {*parts})
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(parts)}, --quick, --fresh", file=sys.stderr)
        return 2
    print(f"{title}\n{'':<58} {'measured':>10} {'bar':>8}")
    missed = 0
    for name in names or default or parts:
        for line in parts[name](plan):
            met = line.bar is None or line.value <= line.bar
            missed += not met and not plan.quick
            bar = "" if line.bar is None else f"{line.bar:.3f}"
            verdict = "" if line.bar is None else "?" if plan.quick else "met" if met else "MISS"
            print(f"{line.what:<58} {line.value:>10.3f} {bar:>8}  {verdict:<4}  {line.detail}".rstrip(), flush=True)
    return int(missed > 0)
