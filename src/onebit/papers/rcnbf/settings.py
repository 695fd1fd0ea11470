"""What the table and the figures share: data sets, flip rates, and their names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from onebit.core.seeds import bit_generator
from onebit.features.labelled import encode_labels
from onebit.feedback import Bit, Channel, NoisyBit
from onebit.streams.arrays import ArrayStream
from onebit.streams.base import Stream, Window
from onebit.streams.datasets import load

PAPER = "Agarwal and Manwani, Learning multiclass classifier under noisy bandit feedback (PAKDD 2021)"

TITLES = {
    "digits": "MNIST (8 x 8 digits)",
    "usps": "USPS",
    "fashion_mnist": "Fashion-MNIST",
    "synsep": "SynSep",
    "iris": "Iris",
    "mnist": "MNIST (28 x 28)",
}
"""The data sets. By "MNIST from UCI" the paper probably means the 8 x 8 digits: the authors' code reads 64 columns."""

_SUPPLEMENT = "the paper's results are in a supplement that is not at hand"
UNLIKE = {
    "fashion_mnist": "our rows are pixels, the paper's the features of a trained network",
    "synsep": _SUPPLEMENT,
    "iris": _SUPPLEMENT,
    "mnist": "pixels of MNIST, where the authors' code reads the 64 columns of another data set",
}
"""Why results cannot be compared."""

STAND_INS = (
    "By 'MNIST from UCI' the paper probably means the 8 x 8 digits: the authors' code reads 64 columns. On "
    f"Fashion-MNIST, {UNLIKE['fashion_mnist']}; of SynSep and Iris, {_SUPPLEMENT}: no verdict on these."
)

GAMMA = 0.03
N_S = 50_000
ROUNDS = 10_000_000
"""Of the authors' code on USPS: its exploration, how many rounds an estimate sees, and how many it plays."""

_WINDOW = 65_536

Pair = tuple[float, float]
"""ρ0, ρ1."""

CLEAN: Pair = (0.0, 0.0)
NOISY: tuple[Pair, ...] = ((0.15, 0.15), (0.4, 0.4), (0.2, 0.4), (0.4, 0.2))
PAIRS = (CLEAN, *NOISY)
"""The rows of the paper's Figure 2, from its top to its bottom."""


class Redrawn(ArrayStream):
    """A table in memory whose rows are drawn with replacement, as the authors' code does.

    >>> stream = rows_of("iris")
    >>> order = next(iter(stream.windows(0, 150))).order
    >>> len(order), len(set(order.tolist())) < 150
    (150, True)
    """

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """Windows of the same table, in the order drawn."""
        assert self.rounds is not None
        left = self.rounds if rounds is None else rounds
        draw = np.random.Generator(bit_generator(seed, "stream"))
        while left > 0:
            order = draw.integers(self.rounds, size=min(left, _WINDOW))
            yield Window(self._table, self._codes, order)
            left -= _WINDOW


def rows_of(name: str) -> Stream:
    """The rows of a data set, of unit norm, drawn with replacement; SynSep's are drawn anew.

    >>> rows_of("digits").n_features, rows_of("synsep").n_features
    (64, 400)
    """
    if name == "synsep":
        return load(name)
    whole = load(name, normalize=True)
    assert isinstance(whole, ArrayStream)
    _, codes = encode_labels(whole.y, whole.classes)
    stream = Redrawn(whole.X, codes, whole.classes, name, replacement=True)
    stream.recipe = rows_of, {"name": name}
    return stream


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


def because(*reasons: str) -> str:
    """Reasons as one text.

    >>> because("too few rounds", "", "other rows")
    'too few rounds; other rows'
    """
    return "; ".join(filter(None, reasons))
