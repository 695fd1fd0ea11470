"""OneBit when the world changes, and when it does not.

python -m benchmarks.onebit.drift            # about one minute on two cores; or some of: change still

`change`: digits, and after 20,000 rounds every label becomes another one (a permutation without fixed points drawn
from the seed). `still`: the ten streams, none of which should make it begin again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import onebit
from benchmarks.onebit.streams import CASES, Line, Part, Plan, main, restarts_of, simulate, spread
from onebit.core.aliases import IntArray
from onebit.engine.match import Match, prepare
from onebit.engine.play import play
from onebit.streams import from_arrays, load

BEFORE = 20_000
AFTER = {"the next 2,000 rounds": (2_000, 17.0), "rounds 2,001 to 10,000": (8_000, None), "10,001 on": (10_000, 2.5)}


def derangement(n: int, seed: int) -> IntArray:
    """A permutation that leaves nothing in its place.

    >>> bool((derangement(10, 3) != np.arange(10)).all())
    True
    """
    draw = np.random.default_rng(seed)
    while True:
        found = draw.permutation(n)
        if (found != np.arange(n)).all():
            return found


def _errors(seed: int, lengths: list[int], drift: str | None) -> tuple[list[float], list[int]]:
    """The error in each stretch of rounds, the labels permuted from the second on; and the restarts."""
    stream, channel = load("digits"), onebit.Bit()
    draw, moved = np.random.default_rng(seed), derangement(len(stream.classes), seed)
    pattern = onebit.OneBit(stream.classes, drift=drift)
    Match(pattern, stream, channel).compile()
    player, errors = prepare(pattern, stream, seed), []
    for stretch, length in enumerate(lengths):
        order = draw.integers(len(stream.y), size=length)
        labels = moved[stream.y[order]] if stretch else stream.y[order]
        part = from_arrays(stream.X[order], labels, classes=stream.classes, shuffle=False, name="digits")
        trace = play(player, part, channel, seed)
        errors.append(float(trace.mistakes[-1] / trace.rounds[-1]))
    return errors, restarts_of(player)


def change(plan: Plan) -> Iterator[Line]:
    lengths = [plan.rounds(n) for n in (BEFORE, *(length for length, _ in AFTER.values()))]
    for drift in ("restart", None):
        found = [_errors(seed, lengths, drift) for seed in plan.seeds()]
        errors, restarts = np.array([e for e, _ in found]), [r for _, r in found]
        before = f"{spread(errors[:, 0])}; restarts after [drift, lies] {restarts}"
        yield Line(f"digits, drift={drift!r}, before: error %", 100 * errors[:, 0].mean(), None, before)
        for i, (when, (_, bar)) in enumerate(AFTER.items(), start=1):
            what = f"digits, drift={drift!r}, {when}: error %"
            yield Line(what, 100 * errors[:, i].mean(), bar if drift else None, spread(errors[:, i]))


def still(plan: Plan) -> Iterator[Line]:
    in_all = 0
    for case in CASES:
        result = simulate(onebit.OneBit(case.stream.classes), case.stream, plan.of(case), plan.seeds(2))
        players: Any = result.learners
        restarts = sum(restarts_of(player)[0] for player in players)
        in_all += restarts
        rates = [round(player.noise_rates.rho_0, 3) for player in players]
        yield Line(f"{case.name}: restarts after drift", restarts, 0, f"it counts on ρ0 {rates}")
    yield Line("20 still streams: restarts after drift", in_all, 0)


PARTS: dict[str, Part] = {"change": change, "still": still}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Drift"))
