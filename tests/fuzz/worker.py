"""The process in which cases run: `python -m tests.fuzz.worker HANDLE`. It may die; the room sees it."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import resource
import sys
import traceback
import warnings
from multiprocessing.connection import Connection
from pathlib import Path

import onebit
from tests.fuzz.cases import Case, Ran
from tests.fuzz.status import bytes_of, processor_time
from tests.fuzz.tape import Tape

_ROOM_FOR_ALL = 8 * 2**30  # address space beyond what the process has at its start: so that the machine survives


def serve(room: Connection) -> None:
    """Run cases until the room closes."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    room_for_all = _status("VmSize") + _ROOM_FOR_ALL
    resource.setrlimit(resource.RLIMIT_AS, (room_for_all, room_for_all))
    home = Path.cwd()
    with contextlib.suppress(EOFError):
        while True:
            case: Case = room.recv()
            os.chdir(case.folder)
            room.send(run(case))
            os.chdir(home)


def run(case: Case) -> Ran:
    """Run one case here."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = _status("VmRSS")
    began = processor_time(os.getpid())
    problem = ""
    try:
        if case.source is None:
            from tests.fuzz.trials import TRIALS

            TRIALS[case.name](Tape(case.tape), Path(case.folder))
        else:
            exec(compile(case.source, case.name, "exec"), {"__name__": "__main__"})
    except onebit.OnebitError:
        pass
    except SystemExit as ended:
        if ended.code not in (None, 0, 1, 2, 3):
            problem = traceback.format_exc()
    except BaseException:
        problem = traceback.format_exc()
    return Ran(problem, _status("VmHWM") - before, processor_time(os.getpid()) - began)


def _status(name: str) -> int:
    """A size in bytes from what the kernel tells of this process."""
    return bytes_of(name, Path("/proc/self/status").read_text())


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
