"""Predicted against observed answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from onebit.noise import NoiseEstimate
from onebit.plots.reliability import reliability_figure


def test_rounding_errors_do_not_change_the_file(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    predicted = draw.uniform(0.2, 0.6, size=1000)
    said = draw.random(1000) < predicted
    files = []
    for error in (0.0, 1e-8):
        files.append(tmp_path / f"{error}.svg")
        estimate = NoiseEstimate(0.2 + error, 0.4, 0.01, 0.01, predicted=predicted + error, said=said)
        reliability_figure(estimate, files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()
