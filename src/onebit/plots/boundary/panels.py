"""The two panels of a picture of decision boundaries: the partition of the plane, and the contours of one class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.contract.learner import Learner
from onebit.core.aliases import FloatArray
from onebit.core.readable_numbers import percent
from onebit.plots.boundary.labels import place_names, short_name
from onebit.plots.boundary.plane import Plane, Sample, refine
from onebit.plots.style import COLOURS, GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MORE = (
    "#9F2870", "#78CF68", "#6038A7", "#974000", "#102087", "#978700", "#007000", "#8778E7", "#DFA79F", "#600040",
    "#004000", "#C79FFF", "#502800",
)  # fmt: skip
"""Each as far as can be from all before it in OKLab, where equal distances look equal; no neon."""

_LINES = 9
_MOST_VECTORS = 4000
# what lies above what; the fill is lowest
_ROWS = 2
_LINE = 3
_OVER = 4


class Scene(NamedTuple):
    """One learner's plane: rows with their classes as the learner numbers them, the scores, the class of each point."""

    name: str
    learner: Learner
    plane: Plane
    rows: Sample
    right: float
    scores: FloatArray
    winner: NDArray[np.int64]


def class_colour(code: int) -> str:
    """The colour of a class: the house palette, then more; after 20 classes they come again.

    >>> class_colour(0), class_colour(7), class_colour(20) == class_colour(0)
    ('#0072B2', '#9F2870', True)
    """
    every = COLOURS + _MORE
    return every[code % len(every)]


def draw_partition(axes: Axes, scene: Scene, inches: float) -> None:
    """Each point in the pale colour of the class predicted there, the rows in that of their true one."""
    plane = scene.plane
    winner = scene.winner
    _fill(axes, scene, winner, [_blend(class_colour(k), "#FFFFFF", 0.3) for k in range(len(scene.learner.classes))])
    _draw_rows(axes, scene, [class_colour(k) for k in range(len(scene.learner.classes))], inches)
    _frame(axes, scene)
    em = 7.6 if inches > 3.5 else 6.4
    room = (em / 72 / inches, 1.9 * em / 72 / (inches * plane.ratio))
    names = place_names(winner, _inside(plane, winner.shape), scene.learner.classes, room)
    for name in names:
        _write_name(axes, name.text, (name.x, name.y), class_colour(name.code), 1.5 * em)
    axes.set_title(scene.name, loc="left", color=INK, fontsize=11, pad=20)
    _note(axes, _partition_note(scene, [name.code for name in names]))


def draw_contours(figure: Figure, axes: Axes, scene: Scene, code: int, inches: float) -> None:
    """How far a class is ahead at each point, as filled contours with a thick line at 0; its own rows in colour."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm, LinearSegmentedColormap

    plane = scene.plane
    colour = class_colour(code)
    text = short_name(scene.learner.classes[code])
    lead, what = class_lead(scene.learner, scene.scores, code)
    levels = _levels(lead[_inside(plane, lead.shape)])
    tints = [_blend(INK, "#FFFFFF", 0.45), (1.0, 1.0, 1.0), _blend(colour, "#FFFFFF", 0.75)]
    shades = LinearSegmentedColormap.from_list("lead", tints).resampled(len(levels) + 1)
    bands = np.digitize(refine(lead), levels)
    _fill(axes, scene, bands, shades(np.arange(len(levels) + 1))[:, :3])
    _draw_rows(
        axes,
        scene,
        [_blend(colour if k == code else GREY, INK, 0.8) for k in range(len(scene.learner.classes))],
        inches,
    )
    _frame(axes, scene)
    if lead.min() < 0 < lead.max():
        x, y = (np.linspace(*side, n) for side, n in ((plane.x, lead.shape[1]), (plane.y, lead.shape[0])))
        line = axes.contour(x, y, lead, [0], colors=INK, linewidths=2.0, zorder=_LINE)
        _clip(axes, plane, line)
    scale = ScalarMappable(BoundaryNorm(levels, shades.N, extend="both"), shades)
    bar = figure.colorbar(scale, ax=axes, shrink=0.7, aspect=28, pad=0.02)
    bar.ax.tick_params(labelsize=8, color="#B0B0B0", labelcolor=INK)
    bar.outline.set_visible(False)
    axes.set_title(f"class {text}", loc="left", color=_blend(colour, "#000000", 0.85), fontsize=11, pad=20)
    _note(axes, f"{what}; thick line: 0")


def class_lead(learner: Learner, scores: FloatArray, code: int) -> tuple[FloatArray, str]:
    """A number that is 0 where a class begins, and what it is.

    The score itself where the learner says that 0 divides (`zero_divides`), else its lead over the best other.

    >>> import onebit
    >>> class_lead(onebit.Banditron(3), np.array([[1.0, 5.0, 2.0]]), 1)
    (array([3.]), 'its score less the best other')
    """
    if learner.zero_divides:
        return scores[..., code], "its score"
    others = np.delete(scores, code, axis=-1)
    return scores[..., code] - others.max(axis=-1), "its score less the best other"


def _fill(axes: Axes, scene: Scene, parts: NDArray[np.int64], colours: Any) -> None:
    """The plane as an image: a colour for each number of `parts`, and a thin line wherever two meet."""
    edge = np.zeros(parts.shape, dtype=np.bool_)
    edge[:-1] |= parts[:-1] != parts[1:]
    edge[:, :-1] |= parts[:, :-1] != parts[:, 1:]
    image = np.asarray(colours)[parts]
    image[edge] *= 0.72
    pixels = np.round(255 * image).astype(np.uint8)
    _clip(axes, scene.plane, axes.imshow(pixels, extent=(*scene.plane.x, *scene.plane.y), origin="lower"))


def _draw_rows(axes: Axes, scene: Scene, colours: Sequence[Any], inches: float) -> None:
    """A dot for each row, in the colour of its class: one path a class, of strokes too short to be seen as such."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    spots = scene.rows.X[:, scene.plane.axes]
    size = float(np.clip(42 * inches / 4 / np.sqrt(len(spots)), 1.5, 5))
    step = 1e-4 * (scene.plane.x[1] - scene.plane.x[0])
    for code in np.unique(scene.rows.codes).tolist():
        ends = np.repeat(spots[scene.rows.codes == code], 2, axis=0)
        ends[1::2, 0] += step
        path = Path(ends, np.tile([Path.MOVETO, Path.LINETO], len(ends) // 2))
        path.should_simplify = False
        strokes = [(size + 0.8, "white")] * (len(spots) <= 1000) + [(size, colours[code])]
        for width, colour in strokes:
            dots = PathPatch(path, fill=False, edgecolor=colour, linewidth=width, capstyle="round", zorder=_ROWS)
            dots.set_snap(False)
            dots.set_rasterized(len(spots) > _MOST_VECTORS)
            axes.add_patch(dots)


def _frame(axes: Axes, scene: Scene) -> None:
    """Limits and scales, names of the features, and the circle."""
    from matplotlib.patches import Circle

    plane = scene.plane
    axes.set_xlim(plane.x)
    axes.set_ylim(plane.y)
    axes.set_aspect("auto" if plane.stretched else "equal")
    axes.spines[:].set_visible(False)
    axes.tick_params(color="#B0B0B0", labelcolor=INK, labelsize=8.5)
    axes.locator_params(nbins=5)
    axes.set_xlabel(f"feature {plane.axes[0]}", color=INK)
    axes.set_ylabel(f"feature {plane.axes[1]}", color=INK)
    if plane.radius is not None:
        axes.add_patch(Circle((0, 0), plane.radius, fill=False, edgecolor=GREY, linewidth=1.0, zorder=_OVER))


def _clip(axes: Axes, plane: Plane, artist: Any) -> None:
    """Show only what lies in the circle, if there is one."""
    from matplotlib.patches import Circle

    if plane.radius is not None:
        artist.set_clip_path(Circle((0, 0), plane.radius, transform=axes.transData))


def _write_name(axes: Axes, text: str, place: tuple[float, float], colour: str, size: float) -> None:
    from matplotlib.patheffects import withStroke

    axes.text(
        *place, text, transform=axes.transAxes, ha="center", va="center", fontsize=size, fontweight="bold",
        color=_blend(colour, "#000000", 0.7), zorder=_OVER,
        path_effects=[withStroke(linewidth=2.6, foreground="white")],
    )  # fmt: skip


def _partition_note(scene: Scene, named: list[int]) -> str:
    """How many of the rows lie right, and which classes the picture does not show."""
    seen = set(np.unique(scene.winner[_inside(scene.plane, scene.winner.shape)]).tolist())
    missing = [short_name(label) for k, label in enumerate(scene.learner.classes) if k not in seen]
    small = [short_name(scene.learner.classes[k]) for k in sorted(seen - set(named))]
    parts = [f"{percent(scene.right)} of points right"]
    parts += [f"{what}: {_few(names)}" for what, names in (("no region", missing), ("no room", small)) if names]
    return "; ".join(parts)


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _note(axes: Axes, text: str) -> None:
    note = axes.annotate(
        text, (0, 1), (0, 7), xycoords="axes fraction", textcoords="offset points", fontsize=8.5, color=GREY
    )
    note.set_in_layout(False)  # a long one must not make the panel smaller


def _inside(plane: Plane, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Which points of a grid belong to the picture."""
    if plane.radius is None:
        return np.ones(shape, dtype=np.bool_)
    x = np.linspace(*plane.x, shape[1])
    y = np.linspace(*plane.y, shape[0])
    inside: NDArray[np.bool_] = np.hypot(x[None, :], y[:, None]) <= plane.radius
    return inside


def _levels(lead: FloatArray) -> FloatArray:
    """Round levels on both sides of 0, as far as nearly all numbers go."""
    from matplotlib.ticker import MaxNLocator

    most = float(np.quantile(np.abs(lead), 0.95)) or float(np.abs(lead).max()) or 1.0
    return np.asarray(MaxNLocator(_LINES, symmetric=True).tick_values(-most, most))


def _blend(colour: str, other: str, share: float) -> tuple[float, float, float]:
    """A mix of two colours, the first by this share."""
    from matplotlib.colors import to_rgb

    red, green, blue = share * np.array(to_rgb(colour)) + (1 - share) * np.array(to_rgb(other))
    return float(red), float(green), float(blue)
