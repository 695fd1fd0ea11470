"""onebit report: where the page goes, and the exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.report.samples import small_sweep, write_sweep


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sweep(tmp_path_factory.mktemp("sweep"), small_sweep(seeds=2, tune_seeds=1)).folder


def test_the_page_goes_into_the_folder(onebit: Command, folder: Path) -> None:
    outcome = onebit("report", folder)
    assert outcome == (0, f"{folder / 'report.html'}\n", "")
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_or_where_it_is_told_to(onebit: Command, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "pages" / "one.html"
    assert onebit("report", folder, "--out", target).out == f"{target}\n"
    assert target.read_text(encoding="utf-8").endswith("</html>")
    assert "cannot be written" in onebit("report", folder, "--out", "/dev/null/page.html").one_line_error


def test_partly_done_is_exit_code_3(onebit: Command, tmp_path: Path) -> None:
    write_sweep(tmp_path, small_sweep(seeds=2, tune_seeds=1), lambda arm, role, seed: seed != 1)
    outcome = onebit("report", tmp_path)
    assert (outcome.code, outcome.out) == (3, f"{tmp_path / 'report.html'}\n")
    assert outcome.err == "onebit: warning: the sweep is partly done (20 of 26 cells)\n"


def test_no_sweep(onebit: Command, tmp_path: Path) -> None:
    outcome = onebit("report", tmp_path)
    assert outcome.code == 1
    assert "holds no sweep" in outcome.one_line_error
    assert list(tmp_path.iterdir()) == []
