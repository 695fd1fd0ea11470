"""The commands: `tune`, `run`, `page`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable

from benchmarks.peers import plan
from benchmarks.peers.contenders import CONTENDERS
from benchmarks.peers.races import RACES
from benchmarks.peers.rows import NAMES


def main(arguments: list[str] | None = None) -> int:
    """0 if all went well, 1 if something failed, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description="onebit beside other libraries.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (("tune", "choose each peer's settings"), ("run", "play the report seeds")):
        command = commands.add_parser(name, help=about)
        command.add_argument("--race", choices=list(RACES), help="one of them alone")
        command.add_argument("--streams", type=_names(NAMES), default=list(NAMES), help="some of them, by commas")
        command.add_argument(
            "--contenders", type=_names(CONTENDERS), default=list(CONTENDERS), help="some of them, by commas"
        )
        command.add_argument("--workers", type=_count, default=os.cpu_count() or 1, help="processes at a time")
    commands.add_parser("page", help="write docs/benchmarks.md and its picture")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "page":
            from benchmarks.peers.page import write

            return write()
        play = plan.tune if chosen.command == "tune" else plan.run
        ended = 0
        for race in [RACES[chosen.race]] if chosen.race else RACES.values():
            streams = [name for name in chosen.streams if name in race.streams]
            ended = max(ended, play(race, streams, chosen.contenders, chosen.workers))
        return ended
    except KeyboardInterrupt:
        print("stopped; what was measured is kept, and the same command goes on from there", file=sys.stderr)
        return 130


def _names(known: Iterable[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(known)}")
        return names

    return parse


def _count(text: str) -> int:
    try:
        number = int(float(text))
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


if __name__ == "__main__":
    sys.exit(main())
