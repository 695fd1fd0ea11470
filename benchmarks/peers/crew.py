"""Commands in processes of their own, a few at a time; Ctrl-C ends them and loses nothing that is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
"""For the processes: peers use linear algebra on small matrices, where a second thread costs more than it gives."""

Command = Sequence[str]


def run_all(commands: Sequence[Command], workers: int, told: Callable[[int, Command], None]) -> list[str]:
    """Run each as `python -m ...`; what went wrong with those that failed. `told` hears of each one that ended."""
    running: set[subprocess.Popen[str]] = set()
    failed = []

    def run(command: Command) -> str:
        child = subprocess.Popen(
            [sys.executable, "-m", *command], env=os.environ | ONE_THREAD, stderr=subprocess.PIPE, text=True
        )
        running.add(child)
        words = child.communicate()[1]
        running.discard(child)
        return f"{' '.join(command)}: {words.strip()[-600:]}" if child.returncode else ""

    with ThreadPoolExecutor(workers) as pool:
        waiting = {pool.submit(run, command): command for command in commands}
        try:
            for done, future in enumerate(as_completed(waiting), 1):
                failed += [future.result()] if future.result() else []
                told(done, waiting[future])
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in list(running):
                child.terminate()
            raise
    return failed
