"""The grid of panels."""

from __future__ import annotations

from pathlib import Path

from matplotlib.colors import to_hex

from onebit import Banditron, NoisyBit, Perceptron, simulate
from onebit.report.figures import Panel, panel_grid
from onebit.streams import synsep


def test_grid(tmp_path: Path) -> None:
    told = simulate(Perceptron(9), synsep(2000), seeds=2)
    clean, noisy = (simulate(Banditron(9), synsep(2000), channel, seeds=2) for channel in (None, NoisyBit(0.2, 0.2)))
    path = tmp_path / "grid.svg"
    figure = panel_grid([[Panel("clean", [told, clean]), Panel("noisy", [noisy])]], path, title="Two panels")
    assert path.read_bytes().startswith(b"<?xml")
    left, right = figure.axes
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["clean", "noisy"]
    assert left.get_ylim() == right.get_ylim()
    colours = {line.get_label(): to_hex(line.get_color()) for line in left.lines}
    assert colours["banditron"] == to_hex(right.lines[0].get_color())
    assert colours["banditron"] != colours["perceptron"]
    assert left.lines[0].get_linestyle() == "--"
