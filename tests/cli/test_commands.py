"""The other commands, and what all have in common."""

from __future__ import annotations

import subprocess
import sys

import onebit as package
from tests.cli.conftest import Command


def test_version_and_help(onebit: Command) -> None:
    assert onebit("--version") == (0, f"onebit {package.__version__}\n", "")
    assert onebit().out == onebit("--help").out
    for command in ("demo", "learners", "data", "run", "teach", "decide", "check"):
        outcome = onebit(command, "--help")
        assert outcome.code == 0
        assert f"  onebit {command}" in outcome.out.split("Example", 1)[1]
        assert max(map(len, outcome.out.splitlines())) <= 80


def test_unknown_command(onebit: Command) -> None:
    outcome = onebit("dance")
    assert outcome.code == 2
    assert "No such command 'dance'" in outcome.one_line_error


def test_run_imports_nothing_heavy() -> None:
    """Startup time is part of the product: these are imported only by the commands that draw or read files."""
    heavy = "sklearn", "matplotlib", "pyarrow", "pandas", "rich"
    code = f"""
import sys
from onebit.cli import main
assert main(["run", "banditron", "--data", "synsep", "--rounds", "100"]) == 0
print([name for name in {heavy!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
