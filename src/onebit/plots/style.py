"""What the figures share: colours, axes, labels that do not touch, and how they are written."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.errors import ConfigError
from onebit.core.files import written_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#4D4D4D")
"""Okabe and Ito's palette, which colour-blind readers can tell apart, but for its yellow."""

GREY = "#767676"
INK = "#222222"
_FORMATS = (".svg", ".png", ".pdf")
_COORDINATES = re.compile(r' (?:d|x|y)="[^"]*"|translate\([^)]*\)')  # of paths, markers and texts; 1 is 1/72 inch
_NUMBER = re.compile(r"-?\d+\.\d+")


class Style(NamedTuple):
    """How a curve looks."""

    colour: str
    stroke: str


def plain_axes(axes: Axes) -> None:
    """A light grid, and no more frame than needed."""
    axes.grid(which="major", color="#E3E3E3", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#B0B0B0")
    axes.tick_params(which="both", color="#B0B0B0", labelcolor=INK)


def spread_out(places: Any, gap: float) -> FloatArray:
    """Numbers moved as little as possible so that no two are closer than `gap`.

    >>> spread_out([0.5, 0.1, 0.5], 0.2).round(2).tolist()
    [0.4, 0.1, 0.6]
    """
    from scipy.optimize import isotonic_regression

    places = np.asarray(places, dtype=np.float64)
    order = np.argsort(places, kind="stable")
    gaps = gap * np.arange(len(places))
    moved = np.empty(len(places))
    # Less the gaps below them, the places need only be in order.
    moved[order] = isotonic_regression(places[order] - gaps).x + gaps
    return moved


def check_format(path: str | os.PathLike[str]) -> Path:
    """The path, if its suffix is that of a picture we can write.

    >>> check_format("curve.gif")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: path='curve.gif': must end in .svg, .png or .pdf
    """
    if Path(path).suffix.lower() not in _FORMATS:
        raise ConfigError(f"path={os.fspath(path)!r}: must end in .svg, .png or .pdf")
    return Path(path)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure, whole or not at all; the same figure gives the same file.

    Coordinates in an SVG file have two decimals, so that numbers which differ by a rounding error, as sums in another
    order do, give the same file too.
    """
    import matplotlib

    kind = path.suffix.lower().removeprefix(".")
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with written_whole(path) as draft, matplotlib.rc_context({"svg.hashsalt": "onebit"}):
        figure.savefig(draft, format=kind, dpi=160, facecolor="white", metadata=undated.get(kind))
        if kind == "svg":
            draft.write_text(_COORDINATES.sub(_rounded, draft.read_text(encoding="utf-8")), encoding="utf-8")


def _rounded(coordinates: re.Match[str]) -> str:
    return _NUMBER.sub(lambda number: f"{round(float(number[0]), 2) + 0.0:.8g}", coordinates[0])


def short_rounds(rounds: float) -> str:
    """1000 as 1k, a million as 1M.

    >>> short_rounds(20_000)
    '20k'
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rounds >= size:
            return f"{rounds / size:g}{letter}"
    return f"{rounds:g}"
