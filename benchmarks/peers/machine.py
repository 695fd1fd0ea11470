"""What the measurements were made on: the machine, versions, and how much memory the packages take by themselves."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers.contenders import CONTENDERS


def describe() -> str:
    """The processor, its cores, the memory."""
    cpu = [line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    memory = [int(line.split()[1]) / 2**20 for line in _lines("/proc/meminfo") if line.startswith("MemTotal")]
    name = cpu[0] if cpu else platform.processor()
    return f"{name}, {os.cpu_count()} cores, {memory[0] if memory else 0:.0f} GB of memory, {platform.system()}"


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def versions() -> dict[str, str]:
    """Of Python, of what all build on, and of each contender's package."""
    found = {
        "Python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "scikit-learn")},
    }
    return found | {one.package: one.version for one in CONTENDERS.values() if one.version}


def import_sizes() -> dict[str, float]:
    """MB that a fresh Python grows by when it imports a package."""
    code = (
        "import importlib, sys, re, pathlib\n"
        "size = lambda: int(re.search(r'VmRSS:\\s+(\\d+)', pathlib.Path('/proc/self/status').read_text())[1]) / 1024\n"
        "before = size(); importlib.import_module(sys.argv[1]); print(size() - before)"
    )
    found = {}
    for one in CONTENDERS.values():
        if one.version and one.package not in found:
            done = subprocess.run(
                [sys.executable, "-W", "ignore", "-c", code, one.module], capture_output=True, text=True
            )
            found[one.package] = round(float(done.stdout.split()[-1]), 1)
    return found
