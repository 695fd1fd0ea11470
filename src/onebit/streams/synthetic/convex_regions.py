"""Strongly and weakly separable streams (Beygelzimer et al. 2019): every class fills a convex region of the ball."""

from __future__ import annotations

from math import sqrt
from typing import Literal, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.errors import ConfigError
from onebit.ops.flat import inner
from onebit.ops.jit import entry_point, jit
from onebit.ops.random import below
from onebit.streams.synthetic.directions import largest_cosine, spread, turned
from onebit.streams.synthetic.separable import ROUNDING_ROOM, SeparableStream, fill_ball, fill_scores, redrawn

Notion = Literal["strong", "weak"]


class Regions(NamedTuple):
    """The regions of the classes, as the compiled code that draws rows sees them.

    With s_i = ⟨x, w_i⟩, the region of class y has s_y - s_i ≥ `bound` for all other i if they are weak, else
    s_y ≥ `bound` and -s_i ≥ `bound`.
    """

    columns: FloatArray  # the vectors w_i
    centres: FloatArray
    rooms: FloatArray  # 1 - ‖centre‖²
    depths: FloatArray  # of the centres: the scores s_i of centre y in row y
    bound: float
    weak: bool
    label_noise: float


@jit
def _reach(regions: Regions, y: int, scores: FloatArray, along: float, square: float) -> float:
    """How many times a step fits between the centre of region y and the border.

    `scores` are those of the step, `square` is its squared length and `along` its product with the centre.
    """
    depths = regions.depths
    pull = 1.0 if regions.weak else 0.0
    reach = (sqrt(along * along + square * regions.rooms[y]) - along) / square
    if not regions.weak and scores[y] < 0:
        reach = min(reach, (depths[y, y] - regions.bound) / -scores[y])
    for i in range(len(scores)):
        rate = pull * scores[y] - scores[i]
        if i != y and rate < 0:
            reach = min(reach, (pull * depths[y, y] - depths[y, i] - regions.bound) / -rate)
    return reach


@entry_point
def _draw_rows(regions: Regions, rng: Rng, scores: FloatArray, X: FloatArray, labels: IntArray) -> None:
    """Fill a window with rows: a class, a direction from its centre, and a part of the way to the border."""
    K, d = regions.centres.shape
    for t in range(len(labels)):
        y = below(rng, K)
        square = fill_ball(rng, X, t)
        fill_scores(scores, regions.columns, X, t)
        along = inner(regions.centres, y * d, X, t * d, d)
        step = _reach(regions, y, scores, along, square) * sqrt(square)
        for j in range(d):
            X[t, j] = regions.centres[y, j] + step * X[t, j]
        labels[t] = redrawn(rng, y, K, regions.label_noise)


class RegionStream(SeparableStream):
    """Rows of classes that each fill a convex region, all with the same probability; drawn without end.

    Attributes: `vectors` (K × d), the w_i of the definition, whose squared lengths add up to 1; `margin`;
    `label_noise`.

    >>> import onebit
    >>> onebit.streams.weak_separable(100, d=5, classes=3).vectors.shape
    (3, 5)
    """

    def __init__(
        self,
        notion: Notion,
        rounds: int,
        d: int,
        classes: int,
        margin: float,
        seed: int,
        structure_seed: int,
        label_noise: float,
    ) -> None:
        super().__init__(f"{notion}-separable", rounds, d, classes, margin, seed, structure_seed, label_noise)
        weak = notion == "weak"
        draw = self._draw_structure()
        vectors, anchors = _weak_vectors(classes, d, draw) if weak else _strong_vectors(classes, d, draw)
        depth, length = _depths(vectors, anchors, weak)
        widest = float(depth.min()) * (1 if weak else 2)
        if margin >= widest:
            raise ConfigError(
                f"margin={margin!r}: leaves no room for a class; with d={d} and classes={classes} the largest margin "
                f"is about {widest:.2g}"
            )
        bound = self.margin if weak else self.margin / 2
        way = ((1 + bound / length) / (1 + depth / length)).max(axis=1)  # as far from the nearest plane as from 1
        centres = way[:, None] * anchors
        self.vectors = vectors
        rooms = 1 - ROUNDING_ROOM - np.square(centres).sum(axis=1)
        columns = np.ascontiguousarray(vectors.T)
        depths = centres @ vectors.T
        self._regions = Regions(columns, centres, rooms, depths, bound + ROUNDING_ROOM, weak, self.label_noise)

    def _fill(self, rng: Rng, X: FloatArray, y: IntArray) -> None:
        _draw_rows(self._regions, rng, np.empty(len(self.vectors)), X, y)


def strong_separable(
    rounds: int = 1_000_000,
    d: int = 3,
    classes: int = 9,
    margin: float = 0.005,
    seed: int = 0,
    structure_seed: int = 0,
    *,
    label_noise: float = 0.0,
) -> RegionStream:
    """Strongly separable rows: with K vectors w_i, Σ‖w_i‖² = 1, every row of class y in the unit ball has

        ⟨x, w_y⟩ ≥ margin/2,  and  ⟨x, w_i⟩ ≤ -margin/2  for all other classes i.

    A single plane through the origin cuts a class off from all others. In the plane (d = 2) no more than 3 classes can
    be so: the neighbours of a class on the circle must lie more than half a turn apart, on the side where it is, and
    these K stretches make two turns. In more dimensions any number can: each corner of a convex polygon is cut off by
    a line, and lines of a plane that does not hold the origin are planes through it. So here `d` is 3 if nothing else
    is said, and not 2 as in `weak_separable`, and the corners are directions in d - 1 dimensions, as far apart as
    they go. All else is as in `weak_separable`.

    >>> stream = strong_separable(1000)
    >>> scores = stream.X @ stream.vectors.T
    >>> bool(((scores >= 0.0025).sum(axis=1) == 1).all()), bool((abs(scores) >= 0.0025).all())
    (True, True)

    Reference: Beygelzimer et al., Bandit Multiclass Linear Classification: Efficient Algorithms for the Separable
    Case, ICML 2019, section 2.
    """
    return RegionStream("strong", rounds, d, classes, margin, seed, structure_seed, label_noise)


def weak_separable(
    rounds: int = 1_000_000,
    d: int = 2,
    classes: int = 9,
    margin: float = 0.005,
    seed: int = 0,
    structure_seed: int = 0,
    *,
    label_noise: float = 0.0,
) -> RegionStream:
    """Weakly separable rows: with K vectors w_i, Σ‖w_i‖² = 1, every row of class y in the unit ball has

        ⟨x, w_y⟩ ≥ ⟨x, w_i⟩ + margin  for all other classes i.

    The vectors are as far apart as they go (equally spaced in the plane, a simplex for up to d + 1 classes) and turned
    at random by `structure_seed`. Each class fills its whole region: from a centre on the way to w_y, as far from the
    border of the ball as from the nearest plane, rows go in all directions alike, a part U^(1/d) of the way to the
    border, U uniform. So nothing is rejected, however many the features and classes, and all classes have the same
    probability. (Rows uniform in the ball: `group_separable` with as many groups as classes.) `label_noise` is the
    share of labels redrawn uniformly over all classes; the rows do not depend on it.

    >>> stream = weak_separable(1000, margin=0.01)
    >>> scores = np.sort(stream.X @ stream.vectors.T, axis=1)
    >>> bool((scores[:, -1] - scores[:, -2] >= 0.01).all())
    True

    Reference: Beygelzimer et al., Bandit Multiclass Linear Classification: Efficient Algorithms for the Separable
    Case, ICML 2019, section 2.
    """
    return RegionStream("weak", rounds, d, classes, margin, seed, structure_seed, label_noise)


def _weak_vectors(classes: int, d: int, draw: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """The vectors, and for each class a unit vector deep in its region: the same, longer."""
    directions = turned(spread(classes, d, draw), d, draw)
    return directions / np.sqrt(classes), directions


def _strong_vectors(classes: int, d: int, draw: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """The vectors, and for each class a unit vector deep in its region.

    Corners a_y in d - 1 dimensions, the nearest two at cosine c; q = (1 + c)/2. With the anchor (a_y, √q) and the
    vector (a_y, -√q), brought to their lengths, ⟨anchor, w⟩ is as far above 0 for the own class as below for the
    nearest other, and no other height than √q of the two gives more.
    """
    if d == 2 and classes > 3:
        raise ConfigError(
            f"classes={classes}: with d=2 features at most 3 classes can be strongly separable; use d=3 or more, "
            "or weak_separable or group_separable"
        )
    if d == 2 and classes == 3:
        return _weak_vectors(classes, d, draw)
    corners = spread(classes, d - 1, draw)
    q = (1 + largest_cosine(corners)) / 2
    height = np.full((classes, 1), np.sqrt(q))
    both = np.concatenate([np.hstack([corners, -height]), np.hstack([corners, height])]) / np.sqrt(1 + q)
    both = turned(both, d, draw)
    return both[:classes] / np.sqrt(classes), both[classes:].copy()


def _depths(vectors: FloatArray, anchors: FloatArray, weak: bool) -> tuple[FloatArray, FloatArray]:
    """For each class y (rows) and plane i of its region, of normal n: ⟨anchor_y, n⟩, and ‖n‖."""
    scores = anchors @ vectors.T
    squares = np.square(vectors).sum(axis=1)
    if not weak:
        signs = 2 * np.eye(len(vectors)) - 1
        return signs * scores, np.broadcast_to(np.sqrt(squares), scores.shape)
    depth = np.diag(scores)[:, None] - scores
    length = np.sqrt(np.maximum(squares[:, None] + squares - 2 * vectors @ vectors.T, 0))
    np.fill_diagonal(depth, 1.0)  # there is no plane between a class and itself: one as far as the border of the ball
    np.fill_diagonal(length, 1.0)
    return depth, length
