"""The pictures of the docs: drawn again, they are the same files."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs import pictures

DRAWN_BY = "Matplotlib v"


def without_version(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if DRAWN_BY not in line]


def test_the_tracked_picture_is_the_one_that_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tracked = pictures.IMAGES / "reliability.svg"
    monkeypatch.setattr(pictures, "IMAGES", tmp_path)
    pictures.reliability()
    assert without_version(tmp_path / "reliability.svg") == without_version(tracked), "run `make docs`, and commit it"
