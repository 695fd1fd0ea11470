"""What the tests of files share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["a.parquet", "a.csv"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)
