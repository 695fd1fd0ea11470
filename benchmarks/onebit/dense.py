"""OneBit at its default on dense rows, beside its bars: a dictionary of kept cases and a grid of flip rates.

python -m benchmarks.onebit.dense            # all parts: about half an hour on two cores
python -m benchmarks.onebit.dense errors     # or some of: errors embeddings budget linear

Played error in per cent, five report seeds, one setting for all. `embeddings` are 256 columns that a network made of
pictures, of which most are noise, also on twenty seeds, since few bits differ much from seed to seed; `budget` is the
dial between speed and error; `linear` the same streams with `kernel=None`, the model of before. µs are those of the
engine in this run, with whatever else the machine is doing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import OneHotEncoder

import onebit
from benchmarks.cases.sets import load as load_cases
from benchmarks.onebit.streams import Line, Part, Plan, main, simulate, spread
from onebit.streams import from_arrays, load
from onebit.streams.base import Stream

BUDGETS = (32, 64, 128, 256, 512)


class Dense(NamedTuple):
    """A stream, how many rounds of it are played (None: one pass), and the error in per cent that is asked for."""

    name: str
    rounds: int | None
    bar: float | None


ERRORS = (
    Dense("digits", 20_000, 1.2),
    Dense("digits", 100_000, 0.35),
    Dense("pendigits", None, 2.9),
    Dense("letter", 20_000, 26.5),
    Dense("usps", None, 7.3),
    Dense("covtype", 20_000, 28.0),
    Dense("covtype", 100_000, 25.5),
    Dense("mnist", 20_000, 8.6),
    Dense("mnist", None, 6.5),
    Dense("fashion_mnist", 20_000, 18.0),
    Dense("iris", 3_000, 2.5),
    Dense("wine", 3_560, None),
    Dense("nursery", None, 3.5),
    Dense("cora", None, 24.5),
)

EMBEDDINGS = (
    Dense("cifar10_features", 500, 69.0),
    Dense("cifar10_features", 2_000, 52.5),
    Dense("cifar10_features", 10_000, 40.5),
)


@cache
def stream_of(name: str) -> Stream:
    """The rows of a stream: nursery's columns one-hot, Cora's nodes by the spectrum of the graph."""
    if name == "nursery":
        cases = load_cases("nursery")
        table = np.array([[str(value) for value in row.values()] for row in cases.rows])
        X = OneHotEncoder(sparse_output=False).fit_transform(table)
        return from_arrays(X, cases.labels, name="nursery")
    if name == "wine":
        X, y = load_wine(return_X_y=True)
        return from_arrays(X, y, name="wine")
    if name == "cora":
        return load("cora")
    return load(name, split="all" if name == "covtype" else "train")


def rounds_of(dense: Dense, plan: Plan) -> int:
    """How many rounds are played."""
    rounds = dense.rounds or stream_of(dense.name).rounds
    assert rounds is not None
    return plan.rounds(rounds)


def _line(dense: Dense, plan: Plan, what: str, bar: float | None, seeds: int = 5, **settings: Any) -> Line:
    stream = stream_of(dense.name)
    rounds = rounds_of(dense, plan)
    result = simulate(onebit.OneBit(stream.classes, **settings), stream, rounds, plan.seeds(seeds))
    detail = f"{spread(result.errors)}; {result.nanoseconds / 1000:,.1f} µs a round"
    return Line(f"{dense.name}, {rounds:,} rounds{what}: error %", 100 * result.error, bar, detail)


def errors(plan: Plan) -> Iterator[Line]:
    for dense in ERRORS:
        yield _line(dense, plan, "", dense.bar)


def embeddings(plan: Plan) -> Iterator[Line]:
    for dense in EMBEDDINGS:
        yield _line(dense, plan, "", dense.bar)
        yield _line(dense, plan, ", twenty seeds", dense.bar, 20)


def linear(plan: Plan) -> Iterator[Line]:
    for dense in (*ERRORS, *EMBEDDINGS):
        yield _line(dense, plan, ", kernel=None", None, kernel=None)


def budget(plan: Plan) -> Iterator[Line]:
    for dense in (Dense("digits", 20_000, None), Dense("letter", 20_000, None), Dense("covtype", 20_000, None)):
        for budget in BUDGETS:
            yield _line(dense, plan, f", budget {budget}", None, budget=budget)


PARTS: dict[str, Part] = {"errors": errors, "embeddings": embeddings, "budget": budget, "linear": linear}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "OneBit on dense rows, played error in per cent"))
