"""What the figures share: data sets, sizes of sets, exploration rates, learners, and how long to play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add

from onebit.core.aliases import Label
from onebit.learners.mcdbf import MCDBF
from onebit.learners.mcslp import MCSLP
from onebit.learners.one_bit.learner import OneBit
from onebit.learners.perceptron import Perceptron
from onebit.learners.set_banditron import SetBanditron
from onebit.learners.soba_diagonal import SOBADiagonal
from onebit.streams.base import Stream
from onebit.streams.datasets import load
from onebit.sweep.plan import Arm, Sweep

PAPER = "Batra and Manwani, Multiclass classification using dilute bandit feedback (2021)"

SIZES = {"low": 2, "medium": 4, "high": 6}
"""The m of each of the paper's words."""

TITLES = {
    "mnist": "MNIST",
    "fashion_mnist": "Fashion-MNIST",
    "cifar10_features": "CIFAR-10 features",
    "synsep": "SynSep",
}

FEATURES = {
    "mnist": "pixels, not VGG-16 features",
    "fashion_mnist": "pixels, not VGG-16 features",
    "cifar10_features": "256 features of another network, not VGG-16's 512",
}
"""What the rows are in place of the paper's."""

IMAGES = tuple(FEATURES)

GAMMAS = (0.02, 0.05, 0.12, 0.25, 0.5)
"""The exploration rates searched for a comparison: the range of the paper's Table 1."""

STAND_INS = (
    "MNIST and Fashion-MNIST are pixels and CIFAR-10 other features, in place of the paper's 512 VGG-16 features, and "
    "SVHN is left out (non-commercial use only): rows on images say what holds here, without a verdict."
)


ROUNDS = 1_000_000
"""What the paper plays, in 10 runs."""

HOW_LONG = "A million rounds as in the paper, on 3 seeds (the paper: 10), each γ chosen on 2 others."


def length(full: bool) -> tuple[int, int, int]:
    """How many rounds, seeds and tune seeds: the paper's million, or a tenth of it.

    >>> length(True), length(False)
    ((1000000, 3, 2), (100000, 3, 2))
    """
    return (ROUNDS, 3, 2) if full else (100_000, 3, 2)


def dilute(m: int) -> str:
    """The name of MC-DBF's arm with sets of m labels.

    >>> dilute(2)
    'MC-DBF m=2'
    """
    return f"MC-DBF m={m}"


def dilute_arms(classes: Sequence[Label], gammas: Iterable[float] = GAMMAS) -> list[Arm]:
    """MC-DBF with low, medium and high m.

    >>> [arm.name for arm in dilute_arms(range(9))]
    ['MC-DBF m=2', 'MC-DBF m=4', 'MC-DBF m=6']
    """
    grid = {"gamma": list(gammas)}
    return [Arm(MCDBF(classes, m=m), grid, name=dilute(m)) for m in SIZES.values()]


def soba_arm(classes: Sequence[Label], gammas: Iterable[float] = GAMMAS) -> Arm:
    """SOBA, told of one label whether it is right.

    >>> soba_arm(range(9)).name
    'SOBA'
    """
    return Arm(SOBADiagonal(classes), {"gamma": list(gammas)}, name="SOBA")


def perceptron_arm(classes: Sequence[Label]) -> Arm:
    """The Perceptron, told every label.

    >>> perceptron_arm(range(9)).name
    'Perceptron'
    """
    return Arm(Perceptron(classes), name="Perceptron")


def slp_arms(classes: Sequence[Label]) -> list[Arm]:
    """MC-SLP as the paper prints it, without the gate, for the same m as MC-DBF.

    >>> [arm.name for arm in slp_arms(range(9))]
    ['MC-SLP m=2', 'MC-SLP m=4', 'MC-SLP m=6']
    """
    return [Arm(MCSLP(classes, m=m, gated=False), name=f"MC-SLP m={m}") for m in SIZES.values()]


def our_arms(classes: Sequence[Label]) -> list[Arm]:
    """Ours, untuned, with the same sets and the same bit as MC-DBF.

    >>> [arm.name for arm in our_arms(range(9))][:2]
    ['SetBanditron m=2', 'OneBit m=2']
    """
    arms = []
    for m in SIZES.values():
        arms.append(Arm(SetBanditron(classes, m=m, loss="log"), name=f"SetBanditron m={m}"))
        arms.append(Arm(OneBit(classes, m=m, curvature="diagonal"), name=f"OneBit m={m}"))
    return arms


def image_sweep(arms: Callable[[Sequence[Label]], Sequence[Arm]], full: bool, tune: bool = True) -> Sweep:
    """The arms, made for the classes of each data set of images, on that set."""
    return crossed(arms, [load(name, normalize=True) for name in IMAGES], full, tune)


def crossed(
    arms: Callable[[Sequence[Label]], Sequence[Arm]], streams: Iterable[Stream], full: bool, tune: bool = True
) -> Sweep:
    """The arms, made for the classes of each stream, on that stream; chosen by greedy error, as the paper does.

    >>> import onebit
    >>> len(crossed(dilute_arms, [onebit.streams.synsep(100)], full=False).entries)
    3
    """
    rounds, seeds, tune_seeds = length(full)
    parts = [
        Sweep.cross(
            arms(stream.classes),
            stream,
            rounds=rounds,
            seeds=seeds,
            tune_seeds=tune_seeds if tune else 0,
            select="greedy_error",
        )
        for stream in streams
    ]
    return reduce(add, parts)
