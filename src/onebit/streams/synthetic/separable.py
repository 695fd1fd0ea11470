"""What the separable streams share: dense rows in the unit ball, drawn as they are played, and label noise."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from math import log, sqrt

import numpy as np

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.checks import MOST_CLASSES, check_number, check_whole
from onebit.core.errors import ConfigError
from onebit.core.seeds import bit_generator, check_seed
from onebit.ops.jit import jit
from onebit.ops.random import pack, uniform
from onebit.streams.base import Stream, Window

_WINDOW = 16_384
_MOST_NUMBERS = 10_000_000  # of the vectors that tell the classes apart: some 80 MB
_WINDOW_NUMBERS = 2**21  # rows of many features come in shorter windows

ROUNDING_ROOM = 1e-12
"""How much wider than asked for the margins are, so that whoever checks them and rounds otherwise finds them kept."""


@jit
def fill_ball(rng: Rng, X: FloatArray, t: int) -> float:
    """Row t of X: a point uniform in the unit ball. Returns its squared length.

    d normal numbers and √(2E), E exponential, are a vector of a random direction in d + 2 dimensions; brought to
    length 1, its first d coordinates are uniform in the ball.

    >>> X = np.zeros((1, 3))
    >>> square = fill_ball(pack(np.random.PCG64(0)), X, 0)
    >>> X.round(2), round(square, 2)
    (array([[0.33, 0.08, 0.72]]), 0.64)
    """
    d = X.shape[1]
    j = 0
    square = 0.0
    rest = -2 * log(1 - uniform(rng))
    while j < d:
        a = 2 * uniform(rng) - 1
        b = 2 * uniform(rng) - 1
        s = a * a + b * b
        if 0 < s < 1:
            scale = sqrt(-2 * log(s) / s)
            X[t, j] = scale * a
            square += X[t, j] * X[t, j]
            if j + 1 < d:
                X[t, j + 1] = scale * b
                square += X[t, j + 1] * X[t, j + 1]
            j += 2
    shrink = (1 - ROUNDING_ROOM) / sqrt(square + rest)
    for k in range(d):
        X[t, k] *= shrink
    return square * shrink * shrink


@jit
def fill_scores(scores: FloatArray, columns: FloatArray, X: FloatArray, t: int) -> None:
    """scores[i] = ⟨column i, row t of X⟩: sums that run side by side, quick for many columns and for few features.

    >>> scores = np.zeros(2)
    >>> fill_scores(scores, np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[3.0, 4.0]]), 0)
    >>> scores
    array([11.,  4.])
    """
    for i in range(len(scores)):
        scores[i] = 0.0
    for j in range(X.shape[1]):
        x = X[t, j]
        for i in range(len(scores)):
            scores[i] += x * columns[j, i]


@jit
def redrawn(rng: Rng, label: int, classes: int, share: float) -> int:
    """The label, or with probability `share` one drawn uniformly over all classes. Draws one number either way.

    >>> redrawn(pack(np.random.PCG64(0)), 2, 5, 0.0)
    2
    """
    u = uniform(rng)
    return min(int(u / share * classes), classes - 1) if u < share else label


class SeparableStream(Stream):
    """Rows that keep a margin, drawn without end; each seed gives another sample of the same structure.

    Attributes: `margin`; `label_noise`, the share of labels redrawn uniformly over all classes.

    >>> import onebit
    >>> onebit.streams.weak_separable(100, margin=0.01).margin
    0.01
    """

    sparse = False
    sound = True

    def __init__(
        self,
        name: str,
        rounds: int,
        d: int,
        classes: int,
        margin: float,
        seed: int,
        structure_seed: int,
        label_noise: float,
    ) -> None:
        self.name = name
        self.rounds = check_whole("rounds", rounds)
        self.n_features = check_whole("d", d, 2, most=_MOST_NUMBERS)
        self.seed = check_seed(seed)
        self.classes = tuple(range(check_whole("classes", classes, 2, most=MOST_CLASSES)))
        if d * classes > _MOST_NUMBERS:
            raise ConfigError(f"d={d}, classes={classes}: must be {_MOST_NUMBERS:,} or less when multiplied")
        self.margin = check_number("margin", margin, 0, open_low=True)
        self.label_noise = check_number("label_noise", label_noise, 0, 1)
        self.facts = {"margin": self.margin}
        self._structure_seed = check_seed(structure_seed, "structure_seed")

    def _draw_structure(self) -> np.random.Generator:
        return np.random.Generator(bit_generator(self._structure_seed, "structure"))

    @abstractmethod
    def _fill(self, rng: Rng, X: FloatArray, y: IntArray) -> None:
        """Draw rows and labels."""

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """Windows of freshly drawn rows."""
        rounds = self.rounds if rounds is None else rounds
        assert rounds is not None
        rng = pack(bit_generator(seed, "stream"))
        longest = min(_WINDOW, max(_WINDOW_NUMBERS // self.n_features, 1))
        for start in range(0, rounds, longest):
            n = min(longest, rounds - start)
            X = np.empty((n, self.n_features))
            y = np.empty(n, dtype=np.int64)
            self._fill(rng, X, y)
            yield Window(X, y, np.arange(n))
