"""Where the names of classes stand."""

from __future__ import annotations

import numpy as np

from onebit.plots.boundary.labels import place_names


def test_names_stand_inside_their_regions_and_apart() -> None:
    winner = np.zeros((90, 90), dtype=np.int64)
    winner[10:80, 40:60], winner[0:3, 0:3] = 1, 2
    names = place_names(winner, np.ones((90, 90), dtype=np.bool_), ["a", "b", "c"], (0.05, 0.05))
    assert [winner[int(name.y * 90), int(name.x * 90)] for name in names] == [name.code for name in names]
    close = place_names(winner, np.ones((90, 90), dtype=np.bool_), ["a" * 16, "b" * 16, "c"], (0.1, 2.0))
    assert len(close) < len(names)
