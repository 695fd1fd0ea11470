"""onebit demo."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_demo(onebit: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("onebit.cli.demo.ROUNDS", {"synnonsep": 600, "digits": 400, "tickets": 300})
    outcome = onebit("demo", "--out", tmp_path / "pictures")
    assert outcome.code == 0
    cells = [line.split() for line in outcome.out.splitlines() if line.startswith("rcnbf")]
    assert [row[-1] for row in cells] == ["–", "–", "–"]
    assert all(row.count("±") == 2 for row in cells)
    perceptron = [line.split()[1:3] for line in outcome.out.splitlines() if line.startswith("perceptron")]
    assert perceptron == [["–", "–"], ["–", "–"], ["–", "–"]]
    hashed = [line.split() for line in outcome.out.splitlines() if line.startswith("one-bit, hashed")]
    assert [row.count("±") for row in hashed] == [2], "raw cases as version 0.1 took them, beside the others, once"
    assert (tmp_path / "pictures" / "onebit-demo.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "pictures" / "onebit-demo.svg").read_bytes().startswith(b"<?xml")


def test_demo_into_an_unwritable_folder(onebit: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = onebit("demo", "--out", tmp_path / "file" / "pictures")
    assert outcome.code == 1
    assert "cannot be made a folder" in outcome.one_line_error
