"""What Linux tells of a process in /proc."""

from __future__ import annotations

import os
from pathlib import Path


def bytes_of(name: str, status: str) -> int:
    """A size in bytes from the text of a process' status.

    >>> bytes_of("VmHWM", "VmHWM:\\t     12 kB\\nVmRSS:\\t  8 kB\\n")
    12288
    """
    for line in status.splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(name)


def processor_time(process: int) -> float:
    """Seconds of the processor's time that a process has had, and those of its children that have ended.

    >>> processor_time(os.getpid()) > 0
    True
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0  # it has ended
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
