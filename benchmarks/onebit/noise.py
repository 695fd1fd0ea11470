"""OneBit under lies, their rates unknown to it: beside the rates known, beside bits believed, and beside RCNBF.

python -m benchmarks.onebit.noise            # about three minutes on two cores; or some of: rates rivals

Errors are played errors in per cent, five report seeds. RCNBF is told the rates; its γ, whether it averages and
whether it scales rows to unit norm are chosen on two tuning seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

import onebit
from benchmarks.onebit.streams import TUNING, Line, Part, Plan, main, restarts_of, shown, simulate, spread
from onebit.learners.one_bit.rated.rates import RATES
from onebit.streams import load, synsep

ROUNDS = 100_000
STREAMS = {"synsep": synsep(ROUNDS), "digits": load("digits")}
GAMMAS = (2**-5, 2**-4, 2**-3, 2**-2, 0.4)


class Lies(NamedTuple):
    """A stream, its flip rates, and the bar of the error in per cent."""

    stream: str
    rates: tuple[float, float]
    bar: float | None = None

    @property
    def in_grid(self) -> bool:
        """Whether an expert has just these rates, or .01 where the truth is none."""
        return self.rates in {(0.0, 0.0), *((rho, rho) for rho in RATES)}


LIES = (
    Lies("synsep", (0.15, 0.15)),
    Lies("synsep", (0.25, 0.25), 2.1),
    Lies("synsep", (0.4, 0.4), 6.5),
    Lies("digits", (0.0, 0.0)),
    Lies("digits", (0.25, 0.25), 10.0),
    Lies("digits", (0.2, 0.4)),
    Lies("digits", (0.4, 0.4)),
)


def rates(plan: Plan) -> Iterator[Line]:
    """OneBit with the rates unknown, known, and taken for zero."""
    for lies in LIES:
        stream, where = STREAMS[lies.stream], f"{lies.stream} {lies.rates}"
        for noise, name in (("auto", "unknown"), (lies.rates, "known"), (None, "taken for 0")):
            learner = onebit.OneBit(stream.classes, noise=noise)
            result = simulate(learner, stream, plan.rounds(ROUNDS), plan.seeds(), onebit.NoisyBit(*lies.rates))
            error, detail = 100 * result.error, f"{spread(result.errors)}, worst {100 * max(result.errors):.2f}"
            if noise != "auto":
                yield Line(f"{where}, rates {name}: error %", error, None, detail)
                continue
            restarts = [restarts_of(player)[0] for player in result.learners]
            detail += f"; restarts after drift {restarts}"
            yield Line(f"{where}, rates {name}: error %", error, lies.bar, detail)
            found = np.array([player.noise_rates for player in result.learners])
            worst = np.abs(found - lies.rates).max()
            detail = f"largest of both and all seeds; ρ̂0 {spread(found[:, 0], 1)}, ρ̂1 {spread(found[:, 1], 1)}"
            yield Line(f"{where}: |ρ̂ - ρ|", worst, 0.03 if lies.in_grid else None, detail)


def rivals(plan: Plan) -> Iterator[Line]:
    """RCNBF with the rates known, tuned."""
    for lies in LIES:
        stream, channel = STREAMS[lies.stream], onebit.NoisyBit(*lies.rates)
        pattern = onebit.RCNBF(stream.classes, rho_0=lies.rates[0], rho_1=lies.rates[1])
        options = [
            pattern.clone(gamma=gamma, average=average, normalize=normalize)
            for gamma, average, normalize in product(GAMMAS, (False, True), (False, True))
        ]
        found = [simulate(option, stream, plan.rounds(ROUNDS), TUNING[:2], channel).error for option in options]
        best = options[int(np.argmin(found))]
        result = simulate(best, stream, plan.rounds(ROUNDS), plan.seeds(), channel)
        what = f"{lies.stream} {lies.rates}, RCNBF, rates known: error %"
        yield Line(what, 100 * result.error, None, f"{spread(result.errors)}; {shown(best)}")


PARTS: dict[str, Part] = {"rates": rates, "rivals": rivals}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], f"Bits that lie, {ROUNDS:,} rounds"))
