"""The page "start here", as a new user would go through it: in an empty folder, from the top to the bottom."""

import tomllib
from pathlib import Path

import pytest

from tests.pages import ROOT, blocks, play, steady

PAGE = ROOT / "docs" / "start-here.md"


def test_the_transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = play(PAGE)
    shown = [(block.text, steady(printed), steady(block.shown)) for block, printed in played if block.shown is not None]
    assert len(shown) == 5
    for text, printed, expected in shown:
        assert printed == expected, text
    silent = [printed for block, printed in played if block.shown is None]
    assert silent == ["", ""], "what prints something shows it on the page"
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {
        "calls.csv", "cases.csv", "curve.svg", "mechanic.onebit",
        "results/curve.png", "results/curve.svg", "results/one-bit.json", "results/one-bit.parquet",
    }  # fmt: skip


def test_only_the_install_is_not_run_and_it_installs_what_is_here() -> None:
    [install] = [block for block in blocks(PAGE) if block.why]
    assert install.commands[-1] == ["pip", "install", "."]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (project["name"], project["scripts"]) == ("onebit", {"onebit": "onebit.cli:main"})
    assert f"Python {project['requires-python'].removeprefix('>=')} or newer" in PAGE.read_text(encoding="utf-8")
