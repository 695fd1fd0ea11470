"""Group separable streams: the experiment of Fakcharoenphol and Prompak (2024), section 4."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from onebit.core.aliases import FloatArray, IntArray, Rng
from onebit.core.checks import check_choice, check_whole
from onebit.core.errors import ConfigError
from onebit.ops.flat import inner
from onebit.ops.jit import entry_point, jit
from onebit.ops.random import first_best
from onebit.streams.synthetic.directions import spread, turned, unit
from onebit.streams.synthetic.separable import (
    ROUNDING_ROOM,
    SeparableStream,
    fill_ball,
    fill_scores,
    redrawn,
)
from onebit.streams.synthetic.slabs import LEAST_MASS, cut_groups, sample_groups, widest_margin

Layout = Literal["perp", "random", "radial"]


class Structure(NamedTuple):
    """The structure of the groups, as the compiled code that draws rows sees it."""

    columns: FloatArray  # u, one column per group
    u_prime: FloatArray
    first: IntArray  # the first class of each group; one more ends the last group
    tops: FloatArray  # where each class ends on its u'
    margin: float
    label_noise: float


@jit
def _class_of(structure: Structure, scores: FloatArray, X: FloatArray, t: int) -> int:
    """The class of row t, or -1 if it is nearer than the margin to a boundary."""
    tops = structure.tops
    margin = structure.margin
    d = X.shape[1]
    fill_scores(scores, structure.columns, X, t)
    group = first_best(scores)
    for g in range(len(scores)):
        if g != group and scores[group] - scores[g] < margin:
            return -1
    height = inner(structure.u_prime, group * d, X, t * d, d)
    first = int(structure.first[group])
    c = first
    while height > tops[c]:
        c += 1
    if tops[c] - height < margin or (c > first and height - tops[c - 1] < margin):
        return -1
    return c


@entry_point
def _draw_rows(structure: Structure, rng: Rng, scores: FloatArray, X: FloatArray, y: IntArray) -> None:
    """Fill a window with rows that keep the margin."""
    for t in range(len(y)):
        c = -1
        while c < 0:
            fill_ball(rng, X, t)
            c = _class_of(structure, scores, X, t)
        y[t] = redrawn(rng, c, len(structure.tops), structure.label_noise)


class GroupSeparable(SeparableStream):
    """Rows of classes in groups, drawn without end; each seed gives another sample of the same structure.

    Attributes: `groups`, the group of each class; `u` and `u_prime` (L × d), the vectors of the definition, whose
    squared lengths add up to 1; `thresholds`, for each group the cuts between its classes on ⟨x, u'⟩; `layout`;
    `margin`; `label_noise`.

    >>> import onebit
    >>> stream = onebit.streams.group_separable(1000)
    >>> stream.groups, stream.u.shape
    ((0, 0, 0, 1, 1, 1, 2, 2, 2), (3, 2))
    """

    def __init__(
        self,
        rounds: int,
        d: int,
        classes: int,
        groups: int,
        margin: float,
        layout: Layout,
        seed: int,
        structure_seed: int,
        label_noise: float,
    ) -> None:
        super().__init__("group-separable", rounds, d, classes, margin, seed, structure_seed, label_noise)
        check_whole("groups", groups)
        if groups > classes:
            raise ConfigError(f"groups={groups}: every group needs a class; give {classes} or fewer, or more classes")
        check_choice("layout", layout, get_args(Layout))
        self.layout = layout
        draw = self._draw_structure()
        directions = turned(spread(groups, d, draw), d, draw)
        self.u = directions / np.sqrt(groups)
        self.u_prime = _slab_directions(directions, layout, draw) / np.sqrt(groups)
        sizes = np.full(groups, classes // groups)
        sizes[: classes % groups] += 1
        self.groups: tuple[int, ...] = tuple(np.repeat(np.arange(groups), sizes).tolist())
        sample = sample_groups(self.u, self.u_prime, draw)
        tops, mass = cut_groups(sample, sizes, self.margin)
        if mass < LEAST_MASS:
            raise ConfigError(
                f"margin={margin!r}: leaves a class next to nothing of the unit ball; with d={d}, classes={classes}, "
                f"groups={groups} and layout={layout!r} the largest margin is about {widest_margin(sample, sizes):.2g}"
            )
        first = np.concatenate([[0], np.cumsum(sizes)])
        self.thresholds = tuple(tops[first[g] : first[g + 1] - 1] for g in range(groups))
        columns = np.ascontiguousarray(self.u.T)
        self._structure = Structure(columns, self.u_prime, first, tops, self.margin + ROUNDING_ROOM, self.label_noise)
        self.facts = {"margin": self.margin, "groups": self.groups, "layout": layout}

    def _fill(self, rng: Rng, X: FloatArray, y: IntArray) -> None:
        _draw_rows(self._structure, rng, np.empty(len(self.u)), X, y)


def group_separable(
    rounds: int = 1_000_000,
    d: int = 2,
    classes: int = 9,
    groups: int = 3,
    margin: float = 0.005,
    layout: Layout = "perp",
    seed: int = 0,
    structure_seed: int = 0,
    *,
    label_noise: float = 0.0,
) -> GroupSeparable:
    """Group weakly separable rows: L groups that are weakly separable, each cut into classes by parallel slabs.

    With vectors u_1 .. u_L and u'_1 .. u'_L, Σ‖u‖² = Σ‖u'‖² = 1, and γ the margin, every row of class y in group g has

        ⟨x, u_g⟩ ≥ ⟨x, u_p⟩ + γ  for all other groups p,

    and any two classes of a group lie 2γ apart on ⟨x, u'_g⟩, one wholly above the other. Rows are uniform in the unit
    ball but for what is nearer than the margin to a boundary. The directions of the groups are as far apart as they
    go (equally spaced in the plane, a simplex for up to d + 1 groups) and turned at random by `structure_seed`. The
    classes are spread over the groups as evenly as possible, and those of one group have equal mass, what the margin
    takes left aside. All classes have where the groups are alike: `classes` a multiple of `groups`, in the plane or
    with up to d + 1 groups, and "perp" (in the plane) or "radial"; nearly so in other layouts, if the margin is small.

    `layout` is the direction u'_g in which a group is cut: "radial" is that of the group, so that slabs lie across
    its cone; "perp" one at a right angle to it (of the two in the plane, and the many in more dimensions, one at
    random), so that slabs lie along the cone; "random" any. `label_noise` is the share of labels redrawn uniformly
    over all classes; the rows do not depend on it.

    >>> stream = group_separable(1000, margin=0.01)
    >>> scores = stream.X @ stream.u.T
    >>> bool((scores.argmax(axis=1) == np.array(stream.groups)[stream.y]).all())
    True

    Reference: Fakcharoenphol, Prompak, Bandit Multiclass Linear Classification for the Group Linear Separable Case,
    2024, sections 2.1 and 4 (its data are not published).
    """
    return GroupSeparable(rounds, d, classes, groups, margin, layout, seed, structure_seed, label_noise)


def _slab_directions(directions: FloatArray, layout: Layout, draw: np.random.Generator) -> FloatArray:
    """The unit direction in which each group is cut."""
    if layout == "radial":
        return directions.copy()
    drawn = draw.standard_normal(directions.shape)
    if layout == "perp":
        drawn -= (drawn * directions).sum(axis=1, keepdims=True) * directions
    return unit(drawn)
