"""What the commands print, and where."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.conftest import Command


def test_bold_on_a_terminal_only_and_folded_to_its_width(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "70")
    assert "\x1b" not in onebit("learners").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    lines = onebit("learners").out.splitlines()
    assert lines[0].startswith("\x1b[1mlearner")
    assert max(map(len, lines[1:])) <= 70
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in onebit("learners").out


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    code = "import sys; from onebit.cli import main; sys.exit(main(['data']))"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-c", code], stdout=write, stderr=subprocess.PIPE, timeout=120, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")
