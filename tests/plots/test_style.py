"""What the figures share: formats, labels that do not touch, files that are the same each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from onebit import Banditron, ConfigError, Result, simulate
from onebit.plots.style import spread_out
from onebit.streams import synsep


@pytest.fixture(scope="module")
def result() -> Result:
    return simulate(Banditron(9), synsep(3000), seeds=3)


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_the_suffix_decides_the_format(result: Result, tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"curve{suffix}"
    result.plot(path)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


def test_unknown_format_is_refused(result: Result, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"must end in .svg, .png or .pdf"):
        result.plot(tmp_path / "curve.gif")
    assert not list(tmp_path.iterdir())


def test_spread_out_keeps_order_distance_and_centre() -> None:
    places = np.array([0.3, 0.31, 0.9, 0.29])
    moved = spread_out(places, 0.1)
    assert np.argsort(moved).tolist() == [3, 0, 1, 2]
    assert np.diff(np.sort(moved)).min() >= 0.1 - 1e-12
    assert moved[2] == pytest.approx(0.9)
    assert moved[[0, 1, 3]].mean() == pytest.approx(0.3)


def test_the_same_figure_gives_the_same_file(result: Result, tmp_path: Path) -> None:
    for suffix in (".svg", ".png", ".pdf"):
        files = [tmp_path / f"{name}{suffix}" for name in "ab"]
        for file in files:
            result.plot(file)
        assert files[0].read_bytes() == files[1].read_bytes()
