"""A sweep that is killed, or runs out of disk, goes on where it stopped and ends with the same results."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

import onebit

SCRIPT = """
import sys, onebit
arms = [onebit.Arm(onebit.Banditron(9), {"gamma": [2.0**-k for k in range(1, 9)]}), onebit.Perceptron(9)]
plan = onebit.Sweep.cross(arms, onebit.streams.synsep(int(sys.argv[2])), seeds=8, tune_seeds=8)
try:
    results = onebit.sweep(plan, sys.argv[1], workers=2, progress=False)
except onebit.OutputError as error:
    sys.exit(f"told: {error}")
print(results.cells_done, results.cells_total)
"""
CELLS = 8 * 8 + 8 + 8


def start(folder: Path, rounds: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder), str(rounds)])


def cells(folder: Path) -> int:
    return len(list((folder / "cells").glob("*.parquet")))


def content(folder: Path) -> dict[str, bytes]:
    """Every column but the time, cell by cell."""
    from pyarrow import parquet

    tables = {path.stem: parquet.read_table(path) for path in (folder / "cells").glob("*.parquet")}
    return {
        key: b"".join(
            buffer.to_pybytes()
            for name in table.column_names
            if name != "seconds"
            for chunk in table[name].chunks
            for buffer in chunk.buffers()
            if buffer is not None
        )
        for key, table in sorted(tables.items())
    }


@pytest.mark.slow  # ten times a new driver and two new workers have to start: half a minute
def test_kill_9_at_ten_random_moments(tmp_path: Path) -> None:
    draw, kills, rounds, folder = random.Random(7), 0, 60_000, tmp_path / "killed"
    while kills < 10:
        process, before, limit = start(folder, rounds), cells(folder), monotonic() + 60
        wanted = before + draw.randint(0, 5)
        while cells(folder) < wanted and process.poll() is None and monotonic() < limit:
            sleep(0.005)
        sleep(draw.uniform(0, 0.1))
        assert process.poll() is None, "the sweep ended before it could be killed: make it longer"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        kills += 1
    assert 0 < cells(folder) < CELLS
    assert start(folder, rounds).wait() == 0
    whole = tmp_path / "whole"
    assert start(whole, rounds).wait() == 0
    assert cells(folder) == cells(whole) == CELLS
    assert content(folder) == content(whole)
    assert not (folder / "drafts").exists()
    assert onebit.open_results(folder).complete


def test_workers_end_with_their_driver(tmp_path: Path) -> None:
    process = start(tmp_path, 10**9)
    limit = monotonic() + 60
    while len(children(process.pid)) < 2 and monotonic() < limit:
        sleep(0.05)
    workers = children(process.pid)
    assert len(workers) == 2
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    limit = monotonic() + 30
    while any(alive(pid) for pid in workers) and monotonic() < limit:
        sleep(0.05)
    assert not any(alive(pid) for pid in workers)


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    tasks = Path(f"/proc/{pid}/task")
    if not found.exists():
        pytest.skip("needs Linux's /proc to find the workers")
    return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def small_disk() -> list[str]:
    """A command that runs a shell script where it may mount a disk of its own."""
    for command in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        if shutil.which("unshare") is None:
            break
        probe = [*command, "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"]
        if subprocess.run(probe, capture_output=True).returncode == 0:
            return [*command, "sh", "-c"]
    pytest.skip("needs leave to mount a small tmpfs (root, or user namespaces)")


def test_a_full_disk_is_told_and_the_sweep_goes_on_after_space_is_freed(tmp_path: Path) -> None:
    shell, disk = small_disk(), tmp_path / "disk"
    disk.mkdir()
    steps = f"""
        mount -t tmpfs -o size=1m tmpfs {disk} || exit 99
        dd if=/dev/zero of={disk}/ballast bs=1k count=800 2>/dev/null
        "$0" -c "$1" {disk}/sweep 500; echo "first: $?"
        ls {disk}/sweep/cells | wc -l
        rm {disk}/ballast
        "$0" -c "$1" {disk}/sweep 500; echo "second: $?"
        cp -r {disk}/sweep {tmp_path}/kept
    """
    run = subprocess.run([*shell, steps, sys.executable, SCRIPT], capture_output=True, text=True)
    lines = run.stdout.split("\n")
    assert lines[0] == "first: 1", run.stderr
    assert 0 < int(lines[1]) < CELLS
    assert "told: " in run.stderr
    assert "No space left on device" in run.stderr
    assert "make room, then run the same sweep again" in run.stderr
    assert lines[2:4] == [f"{CELLS} {CELLS}", "second: 0"], run.stderr
    assert start(tmp_path / "whole", 500).wait() == 0
    assert content(tmp_path / "kept") == content(tmp_path / "whole")
