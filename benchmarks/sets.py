"""The set learners: errors at T = 10^5 beside the reference figures, on seeds used for nothing else, and speed.

python -m benchmarks.sets             # about three minutes on two cores; MNIST must be in the data folder
python -m benchmarks.sets speed       # one part: figures, rows, noise, speed
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import onebit
from benchmarks.yardstick import SEED, engine_time
from onebit.streams import from_arrays, load, synnonsep, synsep
from onebit.streams.base import Stream

SEEDS = (1001, 1002, 1003)
ROUNDS = 100_000
SIZES = (2, 4, 6)


class Line(NamedTuple):
    """One line of the table: what was measured, beside the reference and the bar that it must not pass."""

    what: str
    measured: tuple[float, ...]
    reference: str = ""
    bar: tuple[float, ...] = ()


class Row(NamedTuple):
    """A learner, its reference figures for m = 2, 4, 6 (played/greedy) and its bars, on one stream."""

    name: str
    parameters: dict[str, Any]
    reference: tuple[str, str, str]
    bars: dict[int, tuple[float, float]] = {}  # noqa: RUF012  # never changed


SYNNONSEP = [
    Row("MCSLP", {"gated": False}, (".044/.050", ".031/.050", ".019/.050")),
    Row("MCSLP", {}, (".044/.050", ".031/.050", ".019/.056")),
    Row("MCDBF", {}, (".178/.063", ".158/.142", ".103/.155"), {2: (1.0, 0.075)}),
    Row("SetBanditron", {}, (".098/.068", ".069/.068", ".041/.088")),
    Row(
        "SetBanditron",
        {"loss": "log"},
        (".068/.057", ".048/.060", ".029/.064"),
        {2: (0.070, 0.063), 4: (0.050, 0.066), 6: (0.031, 0.070)},
    ),
]
MNIST = [
    Row("MCSLP", {"gated": False}, (".096/.225", ".039/.309", ".017/.342")),
    Row("MCSLP", {}, (".042/.097", ".010/.128", ".002/.175"), {2: (1.0, 0.105)}),
    Row("MCDBF", {}, (".328/.372", ".432/.723", ".322/.767")),
    Row("SetBanditron", {}, (".249/.354", ".150/.426", ".091/.515")),
    Row("SetBanditron", {"loss": "log"}, (".169/.273", ".096/.314", ".044/.327")),
]


def errors(learner: onebit.Learner, stream: Stream, rounds: int = ROUNDS, channel: Any = None) -> tuple[float, float]:
    """Played and greedy error, mean of the seeds."""
    result = onebit.simulate(learner, stream, feedback=channel, rounds=rounds, seeds=SEEDS, progress=False)
    return result.error, result.greedy_error


def table(stream: Stream, rows: list[Row], bars: bool, **extra: Any) -> Iterator[Line]:
    for row in rows:
        for m, reference in zip(SIZES, row.reference, strict=True):
            learner = getattr(onebit, row.name)(stream.classes, m=m, **row.parameters, **extra)
            bar = row.bars.get(m, ()) if bars else ()
            shown = learner.clone(classes=len(stream.classes))
            yield Line(f"{stream.name}, m = {m}: {shown!r}", errors(learner, stream), reference, bar)


def figures() -> Iterator[Line]:
    yield from table(synnonsep(ROUNDS), SYNNONSEP, True)
    yield from table(load("mnist", normalize=True), MNIST, True)


def rows() -> Iterator[Line]:
    """SynNonSep with its rows as they are, of norm 6.7, in place of unit norm: a gate or a log loss minds it."""
    yield from table(synnonsep(ROUNDS), SYNNONSEP, False, normalize=False)


def noise() -> Iterator[Line]:
    """A bit that lies in two cases out of five, taken as it comes and corrected. (The reference names no setting.)"""
    stream, lies = synnonsep(ROUNDS), onebit.NoisyBit(0.4, 0.4)
    cases: list[tuple[str, dict[str, Any]]] = [
        ("MCDBF", {}),
        ("MCDBF", {"gamma": 0.25}),
        ("SetBanditron", {}),
        ("SetBanditron", {"loss": "log"}),
    ]
    for rounds in (ROUNDS, 10 * ROUNDS):
        for name, parameters in cases:
            for rates, reference in ((None, "greedy .62"), ((0.4, 0.4), "greedy .07")):
                learner = getattr(onebit, name)(9, m=2, noise=rates, **parameters)
                what = f"lies, T = {rounds:.0e}: {learner!r}"
                yield Line(what, errors(learner, stream, rounds, lies), reference if name == "MCDBF" else "")


def speed() -> Iterator[Line]:
    """A round on sparse rows, 10 classes, as a multiple of Banditron's with the same γ in the same run."""
    documents = synsep(40_000, classes=10, seed=SEED)
    stream = from_arrays(documents.X, documents.y, shuffle=False, name="sparse")
    pattern = onebit.Banditron(10, gamma=2**-3)
    for name, parameters in (("MCSLP", {}), ("MCDBF", {}), ("SetBanditron", {}), ("SetBanditron", {"loss": "log"})):
        for m in SIZES:
            learner = getattr(onebit, name)(10, m=m, **parameters)
            here, banditron = engine_time(learner, stream)[0], engine_time(pattern, stream)[0]
            bar = (3.0,) if (name, m) == ("MCDBF", 4) else ()
            text = f"{here:.0f} ns against {banditron:.0f} ns"
            yield Line(f"time / Banditron's, m = {m}: {learner!r}", (here / banditron,), text, bar)


PARTS = {"figures": figures, "rows": rows, "noise": noise, "speed": speed}


def main(names: list[str]) -> int:
    unknown = set(names) - set(PARTS)
    if unknown:
        print(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    print(f"{'':<96} {'measured':>13}  {'reference':>22}  {'bar':>13}   played/greedy error, or a ratio of times")
    missed = 0
    for name in names or PARTS:
        for line in PARTS[name]():
            met = all(value <= bar for value, bar in zip(line.measured, line.bar, strict=False))
            missed += not met
            measured, bar = ("/".join(f"{v:.4f}" for v in values) for values in (line.measured, line.bar))
            verdict = "" if not line.bar else "met" if met else "MISS"
            print(f"{line.what:<96} {measured:>13}  {line.reference:>22}  {bar:>13}   {verdict}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
