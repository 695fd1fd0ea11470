"""What the commands print, and where."""

from __future__ import annotations

import json
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


def ended(shell: str, **environment: str) -> tuple[int, str, str]:
    """How `onebit` ends under a shell's redirections."""
    program = f"{sys.executable} -c 'import sys; from onebit.cli import main; sys.exit(main())'"
    done = subprocess.run(
        ["sh", "-c", shell.replace("onebit", program)],
        env=os.environ | environment,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1")


@pytest.mark.parametrize("command", ["learners", "--help"])
def test_a_full_device(command: str) -> None:
    code, _, told = ended(f"onebit {command} > /dev/full")
    assert (code, told.count("\n")) == (1, 1)
    assert "No space left on device" in told


def test_a_closed_stdout() -> None:
    code, _, told = ended("onebit learners >&-")
    assert (code, told.count("\n")) == (1, 1)
    assert "stdout: is closed" in told


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_nobody_hears_errors(redirection: str) -> None:
    assert ended(f"onebit run nobody {redirection}") == (2, "", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_our_characters(encoding: str) -> None:
    code, out, told = ended("onebit learners", PYTHONIOENCODING=encoding)
    assert (code, told) == (0, "")
    assert set(out.splitlines()[1]) == {"-", " "}
    code, out, told = ended("onebit paper list --json", PYTHONIOENCODING=encoding)
    assert (code, told) == (0, "")
    assert "√" in json.loads(out)[0]["paper"]


def test_a_mistake_of_our_own_is_one_line(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr("onebit.cli.learners._describe", broken)
    outcome = onebit("learners")
    assert outcome.code == 1
    assert "a mistake of onebit itself (IndexError: list index out of range)" in outcome.one_line_error
    monkeypatch.setenv("ONEBIT_TRACEBACK", "1")
    with pytest.raises(IndexError):
        onebit("learners")
