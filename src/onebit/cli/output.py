"""What the commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from onebit.core.errors import OutputError
from onebit.core.text import text_table

FINE = 0
FAILED = 1
WRONG_USAGE = 2
PARTLY_DONE = 3
"""Exit codes."""


def print_json(value: Any) -> None:
    """One JSON document on stdout.

    >>> print_json({"error": 0.5})
    {
      "error": 0.5
    }
    """
    print(json.dumps(value, indent=2, ensure_ascii=False))


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
    """A line for people on stderr."""
    print(message, file=sys.stderr)


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
