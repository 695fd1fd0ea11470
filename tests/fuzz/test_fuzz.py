"""A short run of every trial, always the same; `make fuzz MINUTES=60` tries others for longer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from time import monotonic

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz.room import Ending, Room
from tests.fuzz.trials import TRIALS

if sys.platform != "linux":
    pytest.skip("memory is measured by what Linux tells", allow_module_level=True)

EXAMPLES = 60
SECONDS = 10
"""For one trial: what is left of its examples then counts as fine, so that a cold cache does not hold up everything."""


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    with Room() as opened:
        yield opened


@pytest.mark.parametrize("name", TRIALS)
def test_a_hostile_case_ends_well_or_is_refused(name: str, room: Room) -> None:
    until = monotonic() + SECONDS
    endings: dict[bytes, Ending] = {}

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(tape=st.binary(min_size=8, max_size=400))
    def hostile(tape: bytes) -> None:
        if tape not in endings:
            endings[tape] = room.run_trial(name, tape) if monotonic() < until else Ending("fine")
        ending = endings[tape]
        assert ending.fine, f"{name}: {ending.what}\n{ending.detail}"

    hostile()
