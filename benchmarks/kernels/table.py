"""A million rounds of group separable data (R², 9 classes in 3 groups, margin .005), and rounds with wrong labels.

python -m benchmarks.kernels.table                # a minute
python -m benchmarks.kernels.table others real    # feature maps on the same data; data sets (minutes)
python -m benchmarks.kernels.table --quick        # fewer rounds of other seeds

Reported are seeds 1001 to 1005; what was chosen was chosen on others (the width of the data sets' kernel on seed
11). The paper's data are not published; it counts 835,848 mistakes of the linear learner and 130,884.6 of the kernel.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, get_args

import numpy as np

import onebit
from benchmarks.onebit.streams import Line, Part, Plan, main, simulate, spread
from onebit.streams import group_separable, load, mapped
from onebit.streams.base import Stream
from onebit.streams.synthetic.group_separable import Layout

ROUNDS, NOISY_ROUNDS, NOISE, WIDTH = 1_000_000, 60_000, 0.1, 4.0
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def mistakes(learner: onebit.Learner, stream: Stream, plan: Plan) -> tuple[Any, onebit.Result]:
    """The mistakes of each seed."""
    result = simulate(learner, stream, plan.rounds(ROUNDS), plan.seeds())
    return np.array([trace.mistakes[-1] for trace in result.traces]), result


def detail(counts: Any) -> str:
    """The spread over the seeds."""
    return f"{counts.min():,} to {counts.max():,}"


def layouts(plan: Plan) -> Iterator[Line]:
    """Mistakes of the three learners; the bars of perp are from both sides, and for the worst seed."""
    for layout in LAYOUTS:
        stream = group_separable(ROUNDS, layout=layout)
        asked = layout == "perp" and not plan.quick
        counts, _ = mistakes(onebit.BanditPerceptron(9), stream, plan)
        yield Line(f"{layout}: BanditPerceptron", counts.max(), 855_000 if asked else None, detail(counts))
        if asked:
            yield Line(f"{layout}: 848,000 - BanditPerceptron", 848_000 - counts.min(), 0)
        kernel, _ = mistakes(onebit.KernelBandit(9), stream, plan)
        yield Line(f"{layout}: KernelBandit", kernel.max(), 165_000 if asked else None, detail(kernel))
        if asked:
            yield Line(f"{layout}: 150,000 - KernelBandit", 150_000 - kernel.min(), 0)
        second, result = mistakes(onebit.SecondOrderKernel(9), stream, plan)
        stored = max(learner.stored for learner in result.learners)  # type: ignore[attr-defined]  # of this learner
        bar = None if plan.quick else 1_000
        yield Line(f"{layout}: SecondOrderKernel", second.max(), bar, f"{detail(second)}, {result.nanoseconds:.0f} ns")
        yield Line(f"{layout}: vectors stored", stored, 3_000)
        yield Line(f"{layout}: 100 / (KernelBandit / SecondOrderKernel)", 100 / (kernel / second).min(), bar and 1)


def noise(plan: Plan) -> Iterator[Line]:
    """A tenth of the labels redrawn: error in per cent, above a floor of 8.9."""
    for layout in LAYOUTS:
        stream = group_separable(NOISY_ROUNDS, layout=layout, label_noise=NOISE)
        result = simulate(onebit.SecondOrderKernel(9), stream, plan.rounds(NOISY_ROUNDS), plan.seeds())
        stored = [learner.stored for learner in result.learners]  # type: ignore[attr-defined]  # of this learner
        worst, bar = 100 * max(result.errors), None if plan.quick else 11.5
        said = f"mean {100 * result.error:.2f}, {max(stored)} vectors, {result.nanoseconds / 1000:.1f} µs"
        yield Line(f"{layout}, noise: SecondOrderKernel", worst, bar, said)


def others(plan: Plan) -> Iterator[Line]:
    """Linear learners on the same data through a feature map, for comparison."""
    for layout in LAYOUTS:
        stream = mapped(group_separable(ROUNDS, layout=layout), onebit.features.RationalMap())
        for learner in (onebit.OneBit(9, kernel=None), onebit.Confidit(9, covariance="full")):
            result = simulate(learner, stream, plan.rounds(100_000), plan.seeds(2))
            counts = np.array([trace.mistakes[-1] for trace in result.traces])
            name = f"{layout}, 100,000 rounds: {type(learner).__name__} on RationalMap"
            yield Line(name, counts.mean(), None, f"{detail(counts)}, {result.nanoseconds / 1000:.1f} µs")


def real(plan: Plan) -> Iterator[Line]:
    """Data sets, rows of unit norm: OneBit, its linear model, the same through a feature map, and kernel learners."""
    for name, rounds in (("digits", 20_000), ("pendigits", None), ("letter", None), ("usps", None)):
        stream = load(name, normalize=True)
        fourier = mapped(stream, onebit.features.RandomFourier(512, gamma=WIDTH))
        classes, kernel = stream.classes, f"rbf:{WIDTH:g}"
        plays: list[tuple[str, onebit.Learner, Stream]] = [
            ("OneBit", onebit.OneBit(classes), stream),
            ("OneBit(kernel=None)", onebit.OneBit(classes, kernel=None), stream),
            ("OneBit(kernel=None) on RandomFourier", onebit.OneBit(classes, kernel=None), fourier),
            ("KernelBandit", onebit.KernelBandit(classes, kernel=kernel), stream),
            ("SecondOrderKernel", onebit.SecondOrderKernel(classes, kernel=kernel), stream),
            ("SecondOrderKernel, budget 600", onebit.SecondOrderKernel(classes, kernel=kernel, budget=600), stream),
        ]
        for what, learner, rows in plays:
            result = simulate(learner, rows, plan.rounds(rounds or stream.rounds or 0), plan.seeds())
            said = f"{spread(result.errors)}, {result.nanoseconds / 1000:.1f} µs"
            yield Line(f"{name}: {what}", 100 * result.error, None, said)


PARTS: dict[str, Part] = {"layouts": layouts, "noise": noise, "others": others, "real": real}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "mistakes of the worst seed, and what they must not pass", ("layouts", "noise")))
