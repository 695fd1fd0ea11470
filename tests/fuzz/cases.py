"""What the room and its worker tell each other."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """What to run, in a folder of its own: a trial on a tape, or the source of an example."""

    name: str
    tape: bytes
    source: str | None
    folder: str


class Ran(NamedTuple):
    """How a case ended that did not end its process: the exception that is not ours, memory taken (bytes), and time."""

    problem: str
    memory: int
    seconds: float  # of the processor
