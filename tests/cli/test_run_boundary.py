"""onebit run --boundary."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command


def test_draws_a_panel_for_each_learner(onebit: Command, tmp_path: Path) -> None:
    path = tmp_path / "boundary.svg"
    outcome = onebit("run", "perceptron", "banditron", "--data", "iris", "--seeds", "3,1", "--boundary", path)
    assert outcome.code == 0
    assert outcome.err == f"wrote {path}\n"
    assert path.read_text().count("<image") == 2


def test_what_cannot_be_drawn_is_said_before_anyone_plays(onebit: Command, tmp_path: Path) -> None:
    sparse = onebit("run", "banditron", "--data", "synsep", "--rounds", "1e12", "--boundary", tmp_path / "a.svg")
    assert "the rows of synsep are sparse" in sparse.one_line_error
    format = onebit("run", "banditron", "--data", "iris", "--rounds", "1e12", "--boundary", tmp_path / "a.gif")
    assert "must end in .svg, .png or .pdf" in format.one_line_error
    assert sparse.code == format.code == 2
    assert not list(tmp_path.iterdir())
