"""Worker processes for the tests of sweeps."""

from __future__ import annotations

from typing import Any

import pytest

from onebit.sweep.run.processes import Processes


@pytest.fixture(scope="module")
def pool() -> Any:
    with Processes(2) as processes:
        yield processes
