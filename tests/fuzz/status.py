"""What Linux tells of a process in /proc."""

from __future__ import annotations


def bytes_of(name: str, status: str) -> int:
    """A size in bytes from the text of a process' status.

    >>> bytes_of("VmHWM", "VmHWM:\\t     12 kB\\nVmRSS:\\t  8 kB\\n")
    12288
    """
    for line in status.splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(name)
