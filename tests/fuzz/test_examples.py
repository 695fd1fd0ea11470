"""Every input that once did harm: it now ends well, or is refused with an error of ours."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.room import Room

if sys.platform != "linux":
    pytest.skip("memory is measured by what Linux tells", allow_module_level=True)


def _examples() -> Iterator[tuple[str, str]]:
    for path in sorted((Path(__file__).parent / "examples").glob("[!_]*.py")):
        for name, source in importlib.import_module(f"tests.fuzz.examples.{path.stem}").EXAMPLES:
            yield f"{path.stem}: {name}", source


EXAMPLES = dict(_examples())


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    with Room() as opened:
        yield opened


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_input_that_once_did_harm(name: str, room: Room) -> None:
    ending = room.run_source(name, EXAMPLES[name])
    assert ending.fine, f"{name}: {ending.what}\n{ending.detail}"
