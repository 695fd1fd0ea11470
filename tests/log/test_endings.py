"""However a program ends, what was logged can be read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import onebit
from onebit.log import DecisionLog, read_log
from tests.log.samples import NAMES, batch, written

_START = """
import os, signal, sys, resource
from onebit.log import DecisionLog
from tests.log.samples import NAMES, batch
log = DecisionLog(sys.argv[1], classes=NAMES, batch_rows=10)
log.write(batch(25))
log.write(batch(5, first=25))
"""


def _run(path: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    program = "\n".join([_START, *lines])
    root = Path(__file__).parents[2]
    return subprocess.run([sys.executable, "-c", program, str(path)], cwd=root, capture_output=True, text=True)


def test_a_failed_block_leaves_a_readable_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    with suppress(KeyboardInterrupt), DecisionLog(path, classes=NAMES) as log:
        log.write(batch(10))
        raise KeyboardInterrupt
    assert len(read_log(path)) == 10


def test_the_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    log = DecisionLog(path, classes=NAMES, batch_rows=5)
    log.write(batch(10))
    assert not path.exists()
    assert list(tmp_path.glob("*.parquet")) == []
    log.close()
    log.close()
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]
    with pytest.raises(onebit.ConfigError, match="is closed"):
        log.write(batch(10))


def test_a_forgotten_log_is_closed(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.parquet", classes=NAMES)
    log.write(batch(10))
    del log
    assert len(read_log(tmp_path / "a.parquet")) == 10


def test_an_empty_log_is_a_readable_file_without_decisions(tmp_path: Path) -> None:
    with pytest.raises(onebit.DataError, match="has no decisions"):
        read_log(written(tmp_path / "a.parquet"))


@pytest.mark.parametrize("name", ["a.parquet", "folder"])
@pytest.mark.parametrize("ending", ["", "raise RuntimeError", "os.kill(os.getpid(), signal.SIGINT)"])
def test_the_end_of_the_program_closes(tmp_path: Path, name: str, ending: str) -> None:
    _run(tmp_path / name, ending)
    assert len(read_log(tmp_path / name)) == 30


def test_a_killed_program_leaves_the_parts_it_had_written(tmp_path: Path) -> None:
    ended = _run(tmp_path / "folder", "os.kill(os.getpid(), signal.SIGKILL)")
    assert ended.returncode == -signal.SIGKILL
    assert len(read_log(tmp_path / "folder")) == 25


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("name", ["a.parquet", "folder"])
def test_a_forked_copy_does_not_write_it_again(tmp_path: Path, name: str) -> None:
    _run(tmp_path / name, "child = os.fork()", "if child: os.waitpid(child, 0)")
    assert len(read_log(tmp_path / name)) == 30


@pytest.mark.parametrize("name", ["a.parquet", "folder"])
def test_a_full_disk(tmp_path: Path, name: str) -> None:
    ended = _run(
        tmp_path / name,
        "log.flush()",
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))",
        "log.write(batch(5000, first=30))",
    )
    last = (
        f"onebit.core.errors.OutputError: {tmp_path / name}: cannot be written (File too large); choose another place"
    )
    assert ended.stderr.count("Traceback") == 2  # the system's, then ours; nothing from the end of the program
    assert ended.stderr.splitlines()[-1] == last
    assert list(tmp_path.rglob("*.draft")) == []
    if name == "folder":
        assert len(read_log(tmp_path / name)) == 30


@pytest.mark.parametrize("name", ["a.parquet", "folder"])
def test_an_unwritable_place(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(onebit.OutputError, match="cannot be written .Not a directory.; choose another place"):
        DecisionLog(tmp_path / "file" / name, classes=NAMES)
    with pytest.raises(onebit.OutputError, match="cannot be written .Not a directory."):
        DecisionLog(tmp_path / "file", classes=NAMES)


def test_a_folder_without_the_right_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(onebit.OutputError, match="cannot be written .Permission denied."):
        DecisionLog(tmp_path / "folder", classes=NAMES)


def test_writers_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    with DecisionLog(path, classes=NAMES, batch_rows=1) as one, DecisionLog(path, classes=NAMES, batch_rows=4) as other:
        for i in range(12):
            one.write(batch(1, first=i))
            other.write(batch(1, first=100 + i))
    ids = read_log(path).id
    assert ids is not None
    assert ids.tolist() == [*range(12), *range(100, 112)]
