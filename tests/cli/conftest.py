"""Running commands inside the test process."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from onebit.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def one_line_error(self) -> str:
        """The error message, which must be the only thing that was said."""
        assert self.out == ""
        assert self.err.startswith("onebit: error: ")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        return self.err.removeprefix("onebit: error: ").rstrip()


Command = Callable[..., Outcome]


@pytest.fixture
def onebit(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run
