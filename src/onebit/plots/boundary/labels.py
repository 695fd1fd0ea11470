"""Where to write the name of each class on a picture of the plane: inside its region, and never over another name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_LONGEST = 16
_COARSER = 3


class Name(NamedTuple):
    """The name of a class, and its place: shares of the picture's width and height."""

    code: int
    text: str
    x: float
    y: float


def short_name(label: object) -> str:
    """A label as text, cut where it is long.

    >>> short_name("a rather long name of a class")
    'a rather long n…'
    """
    text = str(label)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def place_names(
    winner: NDArray[np.int64], inside: NDArray[np.bool_], labels: Sequence[object], em: tuple[float, float]
) -> list[Name]:
    """A name for each region with room for one: the widest first, and none that would touch an earlier one.

    `winner` holds the class of each point, `inside` which points belong to the picture; `em` is the size of a
    letter as shares of the picture's width and height.

    >>> winner = np.repeat([[0, 1]], 60, axis=0).repeat(30, axis=1)
    >>> names = place_names(winner, np.ones(winner.shape, dtype=bool), ["cat", "dog"], (0.04, 0.06))
    >>> [(name.text, round(name.x, 1), round(name.y, 1)) for name in names]
    [('cat', 0.2, 0.5), ('dog', 0.7, 0.5)]
    """
    winner = winner[::_COARSER, ::_COARSER]
    inside = inside[::_COARSER, ::_COARSER]
    found = []
    for code in np.unique(winner[inside]).tolist():
        room, x, y = _middle((winner == code) & inside)
        found.append((room, Name(code, short_name(labels[code]), x, y)))
    names: list[Name] = []
    for _, name in sorted(found, key=lambda pair: (-pair[0], pair[1].code)):
        if not any(_touch(name, other, em) for other in names):
            names.append(name)
    return sorted(names)


def _middle(region: NDArray[np.bool_]) -> tuple[float, float, float]:
    """How wide a region is at its widest, and a point in the middle of where it is wide."""
    from scipy.ndimage import distance_transform_edt, label

    height, width = region.shape
    depth = distance_transform_edt(np.pad(region, 1))[1:-1, 1:-1]
    parts, _ = label(depth >= 0.75 * depth.max())
    deepest = np.unravel_index(np.argmax(depth), depth.shape)
    spots = np.argwhere(parts == parts[deepest])
    row, column = spots[np.argmin(np.square(spots - spots.mean(axis=0)).sum(axis=1))]
    return float(depth.max()), float(column + 0.5) / width, float(row + 0.5) / height


def _touch(one: Name, other: Name, em: tuple[float, float]) -> bool:
    letters = (len(one.text) + len(other.text)) / 2 + 0.6
    return abs(one.x - other.x) < letters * em[0] and abs(one.y - other.y) < em[1]
