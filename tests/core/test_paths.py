"""Folders follow the environment."""

from pathlib import Path

import pytest

from onebit.core.paths import cache_folder, data_folder


def test_folders_follow_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("ONEBIT_CACHE", "ONEBIT_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "onebit"
    assert data_folder() == tmp_path / ".local" / "share" / "onebit"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache_folder() == tmp_path / "x" / "onebit"
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path / "data"))
    assert data_folder() == tmp_path / "data"
