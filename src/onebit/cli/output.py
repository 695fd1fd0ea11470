"""What the commands print: tables for people, JSON for programs."""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from onebit.core.errors import OutputError
from onebit.core.text import text_table

FINE = 0
FAILED = 1
WRONG_USAGE = 2
PARTLY_DONE = 3
INTERRUPTED = 130
"""Exit codes."""

_SIMILAR = {"─": "-", "–": "-", "…": "...", "±": "+-", "×": "x", "≤": "<=", "≥": ">=", "‖": "||", "²": "2"}
UNEXPECTED = "a mistake of onebit itself"
"""What is said of an error that no command should end with."""


def print_json(value: Any) -> None:
    """One JSON document on stdout.

    >>> print_json({"error": 0.5})
    {
      "error": 0.5
    }
    """
    text = json.dumps(value, indent=2, ensure_ascii=False)
    print(text if _can_be_written(text) else json.dumps(value, indent=2))


def _can_be_written(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def print_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "", right: Collection[str] = ()
) -> None:
    """A table on stdout; on a terminal folded to its width, with its header in bold if colour is welcome.

    >>> print_table(["learner", "error"], [["banditron", "4.75 %"]], title="synsep", right=["error"])
    synsep
    <BLANKLINE>
    learner     error
    ─────────  ──────
    banditron  4.75 %
    """
    terminal = sys.stdout.isatty()
    lines = text_table(header, rows, right=right, width=get_terminal_size().columns if terminal else None)
    if terminal and not os.environ.get("NO_COLOR"):
        lines[0] = f"\x1b[1m{lines[0]}\x1b[0m"
    print("\n".join([title, "", *lines] if title else lines))


def note(message: str) -> None:
    """A line for people on stderr, if anybody can read there."""
    with suppress(OSError):
        print(message, file=sys.stderr)


@contextmanager
def usable_streams() -> Iterator[None]:
    """Stdout and stderr that take every character: those that a terminal does not have become similar ones.

    A closed stderr is replaced by nothing; a closed stdout is an error, for results go there.

    >>> with usable_streams():
    ...     print("γ")
    γ
    """
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        # Its number must be taken, or the next file that is opened gets it.
        # It stays open for as long as the program runs.
        setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115  # stays open for good
    if "stdout" in closed:
        raise OutputError("stdout: is closed, and results go there; redirect it to a file or to /dev/null")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="onebit.similar")
    yield


def _similar(error: UnicodeError) -> tuple[str, int]:
    """For characters that an encoding does not have: some that are similar, or question marks."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(_SIMILAR.get(character, "?") for character in missing), error.end


codecs.register_error("onebit.similar", _similar)


def drop_output() -> None:
    """Nobody reads stdout any more, or it is full: what is still to be written goes nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def make_folder(folder: Path) -> None:
    """Make the folder before the play, so that nobody waits for results that cannot be written.

    >>> make_folder(Path("/dev/null/results"))
    Traceback (most recent call last):
    onebit.core.errors.OutputError: /dev/null/results: cannot be made a folder (Not a directory); ...
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made a folder ({error.strerror}); choose another --out") from error
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{folder}: cannot be written to; choose another --out")
