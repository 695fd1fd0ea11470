"""The room sees how a case ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.fuzz import room as the_room
from tests.fuzz.room import Ending, Room, keep, replay
from tests.fuzz.tape import Tape

if sys.platform != "linux":
    pytest.skip("memory is measured by what Linux tells", allow_module_level=True)

ENDINGS = [
    ("pass", "fine"),
    ("import onebit; onebit.Banditron(1)", "fine"),
    ("raise SystemExit(2)", "fine"),
    ("import ctypes; ctypes.string_at(0)", "crash"),
    ("import os; os._exit(0)", "crash"),
    ("1 / 0", "foreign"),
    ("raise KeyboardInterrupt", "foreign"),
    ("print('to stdout')", "fine"),
    ("held = b'x' * (90 << 20)", "memory"),
    ("import time; began = time.process_time()\nwhile time.process_time() < began + 1.2: pass", "slow"),
    ("while True: pass", "hang"),
    ("open('mine.txt', 'w').write('in a folder of its own')", "fine"),
]


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    with Room(slow=1, hang=5, memory=64 * 2**20) as opened:
        opened.run_source("warm up", "pass")
        yield opened


@pytest.mark.parametrize(("source", "what"), ENDINGS, ids=[source for source, _ in ENDINGS])
def test_how_a_case_ends(room: Room, source: str, what: str) -> None:
    ending = room.run_source("example", source)
    assert ending.what == what, ending.detail


def test_only_the_second_time_counts(room: Room) -> None:
    work = "began = time.process_time()\n    while time.process_time() < began + 1.2: pass"
    source = f"import sys, time\nif not hasattr(sys, 'warm'):\n    sys.warm = True\n    {work}"
    assert room.run_source("compiles at first", source).fine


def test_time_in_which_all_is_paused_does_not_count(monkeypatch: pytest.MonkeyPatch, room: Room) -> None:
    hours = count(step=3600.0)
    monkeypatch.setattr(the_room, "monotonic", lambda: next(hours))
    assert room.run_source("example", "pass").fine


def test_a_crash_says_where(room: Room) -> None:
    ending = room.run_source("example", "import ctypes\ndef here(): ctypes.string_at(0)\nhere()")
    assert "Segmentation fault" in ending.detail
    assert "in here" in ending.detail


def test_a_failure_is_kept_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(the_room, "FAILURES", tmp_path / "failures")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "hostile.bin").write_bytes(b"\0")
    folder = keep("log-bytes", b"\1\2", Ending("crash", "a signal"), tmp_path / "files")
    assert (folder / "files" / "hostile.bin").read_bytes() == b"\0"
    assert json.loads((folder / "case.json").read_text())["tape"] == "0102"
    assert replay(folder) == 0
    assert "log-bytes: fine" in capsys.readouterr().out


def test_a_tape_says_the_choices_and_seeds_the_rest() -> None:
    assert Tape(bytes(400)).choice("abc") == "a"
    assert Tape(b"\xff" * 400).random() == pytest.approx(1)
    one, other = ([Tape(bytes([at])).random() for _ in range(3)] for at in (1, 2))
    assert one != other
    assert one == [Tape(b"\1").random() for _ in range(3)]
