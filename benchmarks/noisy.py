"""Played error on MNIST under noise: Banditron, RCNBF, RCINE, BanditPA.

python -m benchmarks.noisy               # all parts; or some of: rcnbf rcine pa

The exploration γ of each learner is chosen per noise pair on the tuning seeds; the errors are those of other seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import onebit
from onebit.contract.compiled import Functions, linear_score
from onebit.learners.banditron import decide
from onebit.ops.jit import jit
from onebit.ops.rows import squared_norm
from onebit.ops.weights import add, dot

MNIST = onebit.streams.load("mnist", normalize=True)
TUNE, REPORT = (0, 1), (1001, 1002, 1003)
PAIRS = ((0.15, 0.15), (0.25, 0.25), (0.4, 0.4), (0.2, 0.4), (0.4, 0.2))
GAMMAS = (2**-5, 2**-4, 2**-3, 2**-2, 0.4)
SHORT, LONG = 60_000, 500_000


@jit
def weighed(hyper: Any, state: Any, row: Any, draw: Any, h: float, rng: Any) -> int:
    """BanditPA's steps for right and wrong, weighed by h(f) and 1 - h(f): the mean over the lies is the true step."""
    played = draw.labels[0]
    s = dot(state.W, played, row)
    pull = h * max(0.0, 1 - s) - (1 - h) * max(0.0, 1 + s)
    add(state.W, played, row, pull / (squared_norm(row) + 1 / (2 * hyper.C)))
    return 1


class WeighedPA(onebit.BanditPA):
    """What BanditPA would be with `noise`; it does worse than without, so BanditPA refuses it."""

    takes_noise = True
    functions = Functions(decide, weighed, linear_score)


Make = Callable[[float, tuple[float, float]], onebit.Learner]

LEARNERS: dict[str, Make] = {
    "Banditron": lambda gamma, pair: onebit.Banditron(MNIST.classes, gamma=gamma),
    "RCNBF": lambda gamma, pair: onebit.RCNBF(MNIST.classes, gamma=gamma, rho_0=pair[0], rho_1=pair[1]),
    "RCINE": lambda gamma, pair: onebit.RCINE(MNIST.classes, gamma=gamma),
    "BanditPA": lambda gamma, pair: onebit.BanditPA(MNIST.classes, gamma=gamma),
    "WeighedPA": lambda gamma, pair: WeighedPA(MNIST.classes, gamma=gamma, noise=pair),
}


def errors(make: Make, gamma: float, pair: tuple[float, float], rounds: int, seeds: Any) -> onebit.Result:
    return onebit.simulate(make(gamma, pair), MNIST, onebit.NoisyBit(*pair), rounds, seeds)


def best(name: str, pair: tuple[float, float], rounds: int, gammas: tuple[float, ...]) -> tuple[float, onebit.Result]:
    """The γ with the least error on the tuning seeds, and the result with it on the others."""
    make = LEARNERS[name]
    found = {gamma: errors(make, gamma, pair, rounds, TUNE).error for gamma in gammas}
    gamma = min(found, key=lambda g: found[g])
    return gamma, errors(make, gamma, pair, rounds, REPORT)


def compare(upper: str, lower: str, rounds: int, gammas: tuple[float, ...], bar: float | None = None) -> None:
    print(f"\nMNIST, {rounds:,} rounds, seeds {REPORT}: {upper} / {lower}" + (f" (bar {bar})" if bar else ""))
    for pair in PAIRS:
        (g_a, a), (g_b, b) = best(upper, pair, rounds, gammas), best(lower, pair, rounds, gammas)
        ratio = a.error / b.error
        print(
            f"  {pair}:  {a.error:.4f} (γ {g_a:.3g}) / {b.error:.4f} (γ {g_b:.3g}) = {ratio:.3f}"
            + (f"  {'ok' if ratio <= bar else 'MISSED'}" if bar else ""),
            flush=True,
        )
        if a.noise_history.num_rows:
            frame = a.noise_history
            last = [np.array(frame[name])[np.array(frame["rounds"]) > rounds / 2] for name in ("rho_0", "rho_1")]
            print(f"      estimates in the second half: ρ̂0 {last[0].mean():.3f} ± {last[0].std():.3f}, "
                  f"ρ̂1 {last[1].mean():.3f} ± {last[1].std():.3f}", flush=True)  # fmt: skip


PARTS: dict[str, Callable[[], None]] = {
    "rcnbf": lambda: compare("RCNBF", "Banditron", SHORT, GAMMAS, bar=0.97),
    "rcine": lambda: compare("RCINE", "RCNBF", LONG, GAMMAS[1:4], bar=1.08),
    "pa": lambda: compare("WeighedPA", "BanditPA", SHORT, (0.0, 2**-5, 2**-3)),
}


if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
