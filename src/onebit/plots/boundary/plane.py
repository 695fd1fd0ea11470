"""What a picture of decision boundaries shows, as numbers: rows, a plane through them, and scores all over it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.learner import Learner
from onebit.core.aliases import FloatArray, IntArray
from onebit.core.errors import ConfigError
from onebit.streams.base import Stream

_MOST_ROWS_READ = 100_000  # of a stream that is not in memory
_CELLS = 300  # of the grid, along its longer side
_FINER = 3  # so many times as many points after `refine`
_BLOCK_NUMBERS = 2**22  # that are in memory at a time
_INSIDE = 1 - 1e-6  # of the radius: where a kernel still takes rows


class Sample(NamedTuple):
    """Rows of a stream as they were before any feature map, and the number of each one's class."""

    X: FloatArray
    codes: IntArray


class Plane(NamedTuple):
    """A rectangle on two features: its sides, the row through which it goes, the radius within which rows lie.

    The radius is that of the unit ball where the plane cuts it; None if rows lie outside the ball.
    """

    axes: tuple[int, int]
    x: tuple[float, float]
    y: tuple[float, float]
    at: FloatArray
    radius: float | None

    @property
    def ratio(self) -> float:
        """Height over width, as drawn: lengths are true unless one feature spans over four times the other."""
        ratio = (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])
        return ratio if 0.25 <= ratio <= 4 else 1.0

    @property
    def stretched(self) -> bool:
        """Whether the two features are drawn at different scales."""
        return self.ratio != (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])


def check_drawable(stream: Stream | None, axes: Any = (0, 1)) -> tuple[Stream, tuple[int, int]]:
    """The stream whose rows are drawn and the two features, or an error if there can be no picture.

    >>> import onebit
    >>> check_drawable(onebit.streams.synsep(100))
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: plot_boundary: the rows of synsep are sparse; it draws dense rows, such ...
    """
    if stream is None:
        raise ConfigError("plot_boundary: this result came without its stream; play it again with onebit.simulate")
    raw = stream.raw
    if raw.cases:
        raise ConfigError(f"plot_boundary: {raw.name} has raw cases; it draws rows of numbers")
    if raw.sparse:
        raise ConfigError(
            f"plot_boundary: the rows of {raw.name} are sparse; it draws dense rows, such as those of "
            "from_arrays(X.toarray(), y)"
        )
    if raw.n_features < 2:
        raise ConfigError(f"plot_boundary: the rows of {raw.name} have 1 feature; a plane needs two")
    try:
        first, second = (int(axis) for axis in axes)
        whole = [first, second] == list(axes)
    except (TypeError, ValueError):
        whole = False
    if not whole or first == second or not (0 <= first < raw.n_features and 0 <= second < raw.n_features):
        raise ConfigError(
            f"axes={axes!r}: must be two different features of {raw.name}, from 0 to {raw.n_features - 1}, as in (0, 1)"
        )
    return raw, (first, second)


def sample(stream: Stream, seed: int, points: int) -> Sample:
    """About `points` rows, evenly over the seed's first pass (of one that is not in memory, over its start)."""
    total = _MOST_ROWS_READ if stream.rounds is None else stream.rounds
    if not stream.numbered:
        total = min(total, _MOST_ROWS_READ)
    wanted = np.unique(np.linspace(0, total - 1, min(points, total)).astype(np.int64))
    tables = []
    codes = []
    passed = 0
    for window in stream.windows(seed, total):
        here = wanted[(wanted >= passed) & (wanted < passed + len(window.order))] - passed
        picked = window.order[here]
        tables.append(np.asarray(window.X[picked], dtype=np.float64))
        codes.append(window.y[picked])
        passed += len(window.order)
    return Sample(np.concatenate(tables), np.concatenate(codes))


def plane_through(rows: FloatArray, axes: tuple[int, int], at: Any) -> Plane:
    """The plane on which to draw these rows, the other features held at the values of `at`, or else at their mean."""
    held = rows.mean(axis=0) if at is None else _check_at(at, rows.shape[1])
    others = np.delete(held, axes)
    inside = np.linalg.norm(rows, axis=1).max() <= 1 + 1e-5 and np.linalg.norm(others) < 1
    radius = float(np.sqrt(1 - others @ others)) if inside else None
    x, y = (_side(rows[:, axis], radius) for axis in axes)
    return Plane(axes, x, y, held, radius)


def _check_at(at: Any, n_features: int) -> FloatArray:
    try:
        held = np.asarray(at, dtype=np.float64)
    except (TypeError, ValueError):
        held = np.empty(0)
    if held.shape != (n_features,) or not np.isfinite(held).all():
        raise ConfigError(f"at={at!r}: must be {n_features} numbers, a value for each feature (those of the axes idle)")
    return held


def _side(values: FloatArray, radius: float | None) -> tuple[float, float]:
    """From lowest to highest with some room; as far as the circle where they come near it."""
    low = float(values.min())
    high = float(values.max())
    room = 0.04 * (high - low) or 0.5
    low = low - room
    high = high + room
    if radius is not None:
        low = -1.03 * radius if low < -0.8 * radius else low
        high = 1.03 * radius if high > 0.8 * radius else high
    return low, high


def scores_on(plane: Plane, learner: Learner, stream: Stream) -> FloatArray:
    """The scores of every class on a grid over the plane, (height, width, K); beyond the radius, those of its edge."""
    width = _CELLS if plane.ratio <= 1 else round(_CELLS / plane.ratio)
    height = round(width * plane.ratio)
    x, y = np.meshgrid(np.linspace(*plane.x, width), np.linspace(*plane.y, height))
    if plane.radius is not None:
        shrink = np.minimum(1, _INSIDE * plane.radius / np.maximum(np.hypot(x, y), 1e-300))
        x = x * shrink
        y = y * shrink
    spots = np.stack([x.ravel(), y.ravel()], axis=1)
    found = scores_of(learner, stream, plane.at, spots, plane.axes)
    return found.reshape(height, width, -1)


def scores_of(learner: Learner, stream: Stream, at: FloatArray, spots: FloatArray, axes: tuple[int, int]) -> FloatArray:
    """The scores of rows that differ from `at` in two features, block by block."""
    size = max(64, min(8192, _BLOCK_NUMBERS // stream.n_features))
    parts = []
    for first in range(0, len(spots), size):
        block = spots[first : first + size]
        rows = np.tile(at, (len(block), 1))
        rows[:, axes] = block
        parts.append(learner.scores(stream.through_map(rows)))
    return np.concatenate(parts).astype(np.float64)


def refine(values: FloatArray) -> FloatArray:
    """A grid of numbers on a grid three times as fine, linear in between: what makes boundaries smooth."""
    from scipy.ndimage import zoom

    finer: FloatArray = zoom(values, _FINER, order=1, mode="nearest")
    return finer


def partition(scores: FloatArray) -> NDArray[np.int64]:
    """The number of the class with the largest score (of equals, the first), on the refined grid."""
    best = refine(scores[:, :, 0])
    winner = np.zeros(best.shape, dtype=np.int64)
    for k in range(1, scores.shape[2]):
        score = refine(scores[:, :, k])
        above = score > best
        winner[above] = k
        best[above] = score[above]
    return winner
