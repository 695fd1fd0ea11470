"""The fuzzing room: runs cases in a process of their own and sees how they end.

    python -m tests.fuzz.room --minutes 60          all trials, with fresh seeds (`make fuzz MINUTES=60`)
    python -m tests.fuzz.room --replay FOLDER       a failure again

A case fails if its process dies (crash) or raises anything but an `onebit.OnebitError` (foreign), or if twice it does
not answer within 120 s (hang), takes more than 20 s (slow) or 512 MB (memory). The first time may have compiled
something, which takes both time and memory, so only the second counts. Seconds are the processor's, for all that the
machine may be busy with. Failures are kept in `fuzz-failures/`, with the files of the case.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager
from itertools import cycle
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from time import monotonic
from typing import IO, NamedTuple

from tests.fuzz.cases import Case, Ran
from tests.fuzz.status import processor_time

ROOT = Path(__file__).parents[2]
FAILURES = ROOT / "fuzz-failures"
SLOW = 20.0
HANG = 120.0
MEMORY = 512 * 2**20
_SLICE = 0.25  # seconds of waiting at a time
_PATIENCE = 5  # times as long may an answer take if the processor is busy with others
_TURN = 3.0  # seconds of one trial before it is the turn of the next
_SERVED = 2000  # cases, after which a worker is replaced: what leaks does not count as the last one's


class Ending(NamedTuple):
    """How a case ended: `fine`, or what was wrong with it, and details."""

    what: str
    detail: str = ""

    @property
    def fine(self) -> bool:
        """Whether nothing was wrong."""
        return self.what == "fine"


class Room(AbstractContextManager["Room"]):
    """Runs cases one after another in a worker, and starts another one when it dies."""

    def __init__(self, slow: float = SLOW, hang: float = HANG, memory: int = MEMORY) -> None:
        self._slow = slow
        self._hang = hang
        self._memory = memory
        self._worker: _Worker | None = None

    def __exit__(self, *problem: object) -> None:
        self._stop()

    def run_trial(self, name: str, tape: bytes) -> Ending:
        """Run a trial on a tape; a failure is kept."""
        ending, folder = self.run(name, tape, None)
        if not ending.fine:
            keep(name, tape, ending, folder)
        shutil.rmtree(folder, ignore_errors=True)
        return ending

    def run_source(self, name: str, source: str) -> Ending:
        """Run the source of an example."""
        ending, folder = self.run(name, b"", source)
        shutil.rmtree(folder, ignore_errors=True)
        return ending

    def run(self, name: str, tape: bytes, source: str | None) -> tuple[Ending, Path]:
        ending, folder = self._run_once(name, tape, source)
        if ending.what in ("slow", "memory", "hang"):
            shutil.rmtree(folder, ignore_errors=True)
            ending, folder = self._run_once(name, tape, source)
        return ending, folder

    def _run_once(self, name: str, tape: bytes, source: str | None) -> tuple[Ending, Path]:
        folder = Path(tempfile.mkdtemp(prefix="onebit-fuzz-"))
        if self._worker is None or self._worker.served >= _SERVED:
            self._stop()
            self._worker = _Worker()
        ran = self._worker.answer(Case(name, tape, source, str(folder)), self._hang)
        if isinstance(ran, Ending):
            self._stop()
            return ran, folder
        return self._judged(ran), folder

    def _judged(self, ran: Ran) -> Ending:
        if ran.problem:
            return Ending("foreign", ran.problem)
        if ran.memory > self._memory:
            return Ending("memory", f"{ran.memory / 2**20:,.0f} MB")
        if ran.seconds > self._slow:
            return Ending("slow", f"{ran.seconds:.0f} s of the processor's time")
        return Ending("fine")

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None


class _Worker:
    """A process that runs cases. What it prints is thrown away, but for the end of stderr when it dies."""

    def __init__(self) -> None:
        self.served = 0
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed by stop
        self._pipe: Connection
        self._pipe, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker", str(theirs.fileno())],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C is for the room
        )
        theirs.close()

    def answer(self, case: Case, hang: float) -> Ran | Ending:
        """What came of a case, or how the process ended over it."""
        self.served += 1
        try:
            self._pipe.send(case)
            if not self._answers(hang):
                return Ending(
                    "hang", f"no answer after {hang:.0f} s of the processor's time, or {_PATIENCE} times that"
                )
            ran: Ran = self._pipe.recv()
            return ran
        except (EOFError, OSError):
            code = self._process.wait()
            self._errors.seek(0)
            last = self._errors.read()[-4000:].decode(errors="replace")
            return Ending("crash", f"the process ended with {code}\n{last}")

    def _answers(self, most: float) -> bool:
        """Whether it answers, or ends, before it has had so many seconds of the processor's time."""
        until = processor_time(self._process.pid) + most
        left = _PATIENCE * most
        while left > 0 and processor_time(self._process.pid) < until:
            began = monotonic()
            if self._pipe.poll(_SLICE):
                return True
            left -= min(monotonic() - began, 2 * _SLICE)  # while room and worker are paused, no time passes
        return False

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._pipe.close()
        self._errors.close()


def keep(name: str, tape: bytes, ending: Ending, files: Path) -> Path:
    """Put a failure aside, with the files that the case has made; returns its folder."""
    folder = FAILURES / f"{name}-{ending.what}-{hashlib.sha256(tape).hexdigest()[:12]}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(files, folder / "files", symlinks=True, ignore_dangling_symlinks=True)
    record = {"trial": name, "tape": tape.hex(), "what": ending.what, "detail": ending.detail}
    (folder / "case.json").write_text(json.dumps(record, indent=1) + "\n")
    return folder


def replay(folder: Path) -> int:
    """Run a failure again; 1 if it still fails."""
    case = json.loads((folder / "case.json").read_text())
    with Room() as room:
        ending = room.run_trial(case["trial"], bytes.fromhex(case["tape"]))
    print(f"{case['trial']}: {ending.what}\n{ending.detail}")
    return 0 if ending.fine else 1


def fuzz(minutes: float, names: list[str], seed: int) -> int:
    """Run the trials in turn for so long; 1 if one failed."""
    until = monotonic() + 60 * minutes
    counts: dict[str, int] = {}
    failures: dict[str, int] = {}
    print(f"{len(names)} trials for {minutes:g} minutes, seed {seed}", file=sys.stderr)
    try:
        with Room() as room:
            _run_until(until, room, names, seed, counts, failures)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
    print(f"\n{sum(counts.values()):,} cases: " + ", ".join(f"{name} {done:,}" for name, done in counts.items()))
    for folder, times in failures.items():
        print(f"{times} x {folder}\n    python -m tests.fuzz.room --replay {folder}")
    print(f"{len(failures)} kinds of failures" if failures else "no failures")
    return 1 if failures else 0


def _run_until(
    until: float, room: Room, names: list[str], seed: int, counts: dict[str, int], failures: dict[str, int]
) -> None:
    first_of_kind: dict[tuple[str, str, str], str] = {}
    for name in cycle(names):
        turn = min(until, monotonic() + _TURN)
        while True:
            tape = hashlib.sha256(f"{seed} {name} {counts.get(name, 0)}".encode()).digest()[:8]
            ending, files = room.run(name, tape, None)
            counts[name] = counts.get(name, 0) + 1
            if not ending.fine:
                kind = (name, ending.what, _last_line(ending.detail))
                if kind not in first_of_kind:
                    first_of_kind[kind] = os.path.relpath(keep(name, tape, ending, files))
                    print(f"\n{name}: {ending.what}: {kind[2]}", file=sys.stderr)
                failures[first_of_kind[kind]] = failures.get(first_of_kind[kind], 0) + 1
            shutil.rmtree(files, ignore_errors=True)
            if monotonic() >= turn:
                break
        _tell(max(0.0, until - monotonic()), counts, failures)
        if monotonic() >= until:
            break


def _tell(left: float, counts: dict[str, int], failures: dict[str, int]) -> None:
    """How far it is: on a terminal in one line that changes, elsewhere a line each."""
    done = f"{sum(counts.values()):,} cases, {sum(failures.values()):,} failed, {left / 60:.1f} minutes left"
    line = f"\r{done}   " if sys.stderr.isatty() else f"{done}\n"
    print(line, end="", file=sys.stderr, flush=True)


def _last_line(detail: str) -> str:
    return detail.strip().splitlines()[-1][:160] if detail.strip() else ""


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.room", description="Throw hostile inputs at onebit.")
    parser.add_argument("--minutes", type=float, default=5, help="how long (default: 5)")
    parser.add_argument("--trials", help="names, separated by commas (default: all)")
    parser.add_argument("--seed", type=int, help="where the choices begin (default: a new one, which is printed)")
    parser.add_argument("--replay", type=Path, metavar="FOLDER", help="run one failure again")
    asked = parser.parse_args()
    if asked.replay:
        return replay(asked.replay)
    from tests.fuzz.trials import TRIALS

    names = asked.trials.split(",") if asked.trials else list(TRIALS)
    unknown = sorted(set(names) - set(TRIALS))
    if unknown:
        parser.error(f"no such trial: {', '.join(unknown)}; known are {', '.join(TRIALS)}")
    return fuzz(asked.minutes, names, secrets.randbits(32) if asked.seed is None else asked.seed)


if __name__ == "__main__":
    sys.exit(main())
