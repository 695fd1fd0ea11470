"""What the table and the figures share: data sets, flip rates, and their names."""

from __future__ import annotations

from onebit.feedback import Bit, Channel, NoisyBit
from onebit.streams.base import Stream
from onebit.streams.datasets import load

PAPER = "Agarwal and Manwani, Learning multiclass classifier under noisy bandit feedback (PAKDD 2021)"

TITLES = {"mnist": "MNIST", "usps": "USPS", "fashion_mnist": "Fashion-MNIST"}
"""The data sets, in the paper's order."""

PIXELS = "our rows are pixels, the paper's the features of a trained network"
"""Of Fashion-MNIST."""

STAND_INS = f"On Fashion-MNIST, {PIXELS}; NREst has logistic regression in place of its network."

Pair = tuple[float, float]
"""ρ0, ρ1."""

CLEAN: Pair = (0.0, 0.0)
NOISY: tuple[Pair, ...] = ((0.15, 0.15), (0.4, 0.4), (0.2, 0.4), (0.4, 0.2))
PAIRS = (CLEAN, *NOISY)
"""The rows of the paper's Figure 2, from its top to its bottom."""


def rows_of(name: str) -> Stream:
    """The rows of a data set, of unit norm."""
    return load(name, normalize=True)


def channel(pair: Pair) -> Channel:
    """The bit that lies at these rates.

    >>> channel((0.2, 0.4)), channel(CLEAN)
    (NoisyBit(rho_0=0.2, rho_1=0.4, delay=0), Bit(delay=0))
    """
    return Bit() if pair == CLEAN else NoisyBit(*pair)


def feedback(pair: Pair) -> str:
    """The name of the channel in results.

    >>> feedback((0.2, 0.4)), feedback(CLEAN)
    ('noisy:0.2,0.4', 'bit')
    """
    return "bit" if pair == CLEAN else f"noisy:{pair[0]:g},{pair[1]:g}"


def pair_text(pair: Pair) -> str:
    """The rates as a reader likes them.

    >>> pair_text((0.15, 0.15))
    '(0.15, 0.15)'
    """
    return f"({pair[0]:g}, {pair[1]:g})"


def because(name: str, why: str = "") -> str:
    """A reason, and for Fashion-MNIST that its rows are not the paper's.

    >>> because("usps", "too few rounds"), because("fashion_mnist")
    ('too few rounds', "our rows are pixels, the paper's the features of a trained network")
    """
    return "; ".join(part for part in (why, PIXELS if name == "fashion_mnist" else "") if part)
