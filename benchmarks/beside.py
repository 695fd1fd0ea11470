"""A benchmark of this tree beside the same one of another tree, such as a clone of an earlier version.

python -m benchmarks.beside ../before graphs.speed learners            # eight fresh processes each, by turns
python -m benchmarks.beside ../before speed --times 3

Where a process finds its memory changes its times by some per cent, so one process a tree proves nothing: what is shown
is the median over fresh processes, and their least. The dependencies are those of the Python that runs this.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rich.progress import track

_FIGURE = re.compile(r"(?P<name>\S.*?)\s{2,}(?P<value>\d+(?:\.\d+)?)\b")


def figures(tree: Path, cache: Path, command: list[str]) -> dict[str, float]:
    """What the benchmark of a tree prints, by name: the first number of each line."""
    paths = os.pathsep.join(map(str, (tree / "src", tree)))
    environment = os.environ | {"PYTHONPATH": paths, "ONEBIT_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{command[0]}", *command[1:]],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,  # a bar that is missed ends a benchmark with 1
    )
    lines = map(_FIGURE.match, done.stdout.splitlines())
    return {line["name"]: float(line["value"]) for line in lines if line}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the folder of the other tree")
    parser.add_argument("benchmark", nargs="+", help="a module of benchmarks, and its arguments")
    parser.add_argument("--times", type=int, default=8, help="processes of each tree")
    chosen = parser.parse_args()
    trees = {"other": chosen.other.resolve(), "this": Path(__file__).resolve().parents[1]}
    measured: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in trees}
    with TemporaryDirectory() as caches:
        for turn in track(range(chosen.times + 1), "processes"):
            for name, tree in trees.items():
                found = figures(tree, Path(caches, name), chosen.benchmark)
                for what, value in found.items() if turn else ():  # the first compiles
                    measured[name][what].append(value)
    print(f"{'':60}{'other':>10}{'this':>10}{'ratio':>8}{'of the least':>14}")
    for what, others in measured["other"].items():
        if these := measured["this"].get(what):
            ratio = median(these) / median(others)
            least = min(these) / min(others)
            print(f"{what:60}{median(others):10.3f}{median(these):10.3f}{ratio:8.3f}{least:14.3f}")


if __name__ == "__main__":
    main()
