"""What is tuned and what is run: lists of measurements, played by processes of their own, gathered in two files.

Both hold the long race, and the short one under `short`. What is not measured again keeps what the files say of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.peers import machine
from benchmarks.peers.cells import Job, day, read
from benchmarks.peers.contenders import CONTENDERS, PEERS, Contender, why_not
from benchmarks.peers.crew import Command, run_all
from benchmarks.peers.measure import Setting
from benchmarks.peers.races import LONG, Race, Size
from benchmarks.peers.rows import source
from benchmarks.peers.tune import SEEDS as TUNING
from benchmarks.peers.tune import tuned_path
from onebit.core.files import written_whole

HERE = Path(__file__).parent
SETTINGS, RESULTS = HERE / "settings.json", HERE / "results.json"
FIRST_SEED, REPEATS = 2001, 3


def installed(names: Iterable[str]) -> list[Contender]:
    """The contenders whose packages are there; a line for each that is not."""
    found = []
    for name in names:
        contender = CONTENDERS[name]
        if contender.version:
            found.append(contender)
        else:
            _say(f"{name} is skipped: {contender.package} is not installed; pip install 'onebit[peers]'")
    return found


def tune(race: Race, streams: Sequence[str], names: Sequence[str], workers: int) -> int:
    """Tune peers on streams, and write the settings file; pairs that are not asked for keep what it says."""
    peers = installed(name for name in names if name in PEERS and name in race.contenders)
    pairs = [(race.name, stream, peer.name) for stream, peer in playable(streams, peers) if not reason(stream, peer)]
    todo = [("benchmarks.peers.tune", *pair) for pair in pairs if not tuned_path(*pair).exists()]
    failed = run_all(todo, workers, lambda done, command: _say(f"tuned {done} of {len(todo)}: {' '.join(command[1:])}"))
    chosen: dict[str, dict[str, Any]] = part_of(SETTINGS, race).get("settings", {})
    for _, stream, peer in pairs:
        path = tuned_path(race.name, stream, peer)
        if path.exists():
            chosen.setdefault(stream, {})[peer] = json.loads(path.read_text())
    about = {
        "command": f"python -m benchmarks.peers tune --race {race.name}",
        "date": date.today().isoformat(),
        "seeds": TUNING,
        "versions": machine.versions(),
    }
    _write(SETTINGS, race, {**about, "settings": chosen})
    return _end(failed)


def part_of(path: Path, race: Race) -> dict[str, Any]:
    """What a file says of a race."""
    kept: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    if race is LONG:
        return {key: value for key, value in kept.items() if key != "short"}
    return dict(kept.get(race.name, {}))


def _write(path: Path, race: Race, part: dict[str, Any]) -> None:
    """Put it in its place, and leave the other race as it was."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    whole = part | ({"short": kept["short"]} if "short" in kept else {}) if race is LONG else kept | {race.name: part}
    with written_whole(path) as new:
        new.write_text(json.dumps(whole, indent=1) + "\n")


def run(race: Race, streams: Sequence[str], names: Sequence[str], workers: int) -> int:
    """Measure what is not kept yet: what is compiled alone, the loops in Python several at a time; then gather."""
    pairs = list(playable(streams, installed(name for name in names if name in race.contenders)))
    jobs = [job for pair in pairs for job in jobs_of(race, *pair)]
    failed: list[str] = []
    for alone in (True, False):
        todo = [job for job in jobs if CONTENDERS[job.contender].compiled is alone and read(job) is None]
        commands = {("benchmarks.peers.cells", json.dumps(job)): job for job in todo}

        def told(done: int, command: Command, asked: dict[Any, Job] = commands) -> None:
            _say(f"{done} of {len(asked)}: {_outcome(asked[tuple(command)])}")

        failed += run_all(list(commands), 1 if alone else workers, told)
    _write(RESULTS, race, gathered(race))
    _say(f"wrote {RESULTS.name}; python -m benchmarks.peers page writes the page")
    return _end(failed)


def _outcome(job: Job) -> str:
    """What there is to tell of a play."""
    name, played = f"{job.contender} on {job.stream}, seed {job.seed}", read(job)
    if played is None:
        return f"{name}: failed"
    error, speed = 100 * played.mistakes / played.rounds, played.rounds / played.seconds
    stopped = f", stopped at {played.rounds:,}" if played.rounds < job.rounds else ""
    return f"{name}: error {error:.3f} %, {speed:,.0f} rounds per CPU-second{stopped}"


def playable(streams: Sequence[str], contenders: Sequence[Contender]) -> Iterator[tuple[str, Contender]]:
    for stream in streams:
        for contender in contenders:
            yield stream, contender


def reason(stream: str, contender: Contender) -> str:
    """Why the contender cannot play the stream."""
    return why_not(contender, *_extent(stream))


@cache
def _extent(stream: str) -> tuple[int, int]:
    """Classes and features."""
    about = source(stream)
    return len(about.classes), about.n_features


def setting_of(race: Race, stream: str, contender: Contender) -> Setting | None:
    """Its one setting, or the one it was tuned to; None if it never was."""
    if contender.fixed is not None:
        return contender.fixed
    found = part_of(SETTINGS, race).get("settings", {}).get(stream, {}).get(contender.name)
    return None if found is None else found["setting"]


def jobs_of(race: Race, stream: str, contender: Contender) -> list[Job]:
    """One for each seed; none if it cannot play or has no setting."""
    setting, size = setting_of(race, stream, contender), race.size(stream)
    if setting is None or reason(stream, contender):
        return []
    repeats, seeds = REPEATS if contender.compiled and race is LONG else 1, range(FIRST_SEED, FIRST_SEED + size.seeds)
    return [Job(contender.name, stream, setting, seed, size.rounds, size.limit, repeats) for seed in seeds]


def gathered(race: Race) -> dict[str, Any]:
    """All that the page needs, from every measurement of the race that is kept, and what was gathered before."""
    before = part_of(RESULTS, race)
    kept = {(cell["stream"], cell["contender"]): cell for cell in before.get("cells", [])}
    cells = []
    for stream, contender in playable(race.streams, [CONTENDERS[name] for name in race.contenders]):
        cell, old = _cell(race, stream, contender), kept.get((stream, contender.name))
        if old and len(cell["plays"]) < race.seeds and _still_true(old, cell, race.size(stream)):
            cell = {"date": before.get("date", "")} | old
        cells.append(cell)
    return {
        "date": date.today().isoformat(),
        "machine": machine.describe(),
        "versions": before.get("versions", {}) | machine.versions(),
        "imports": before.get("imports", {}) | machine.import_sizes(),
        "rounds": race.rounds,
        "size": {"seeds": race.seeds, "limit": race.limit},
        "first_seed": FIRST_SEED,
        "cells": cells,
    }


def _cell(race: Race, stream: str, contender: Contender) -> dict[str, Any]:
    """What is measured of a contender on a stream."""
    done = [job for job in jobs_of(race, stream, contender) if job.path.exists()]
    setting = setting_of(race, stream, contender)
    why = reason(stream, contender) or ("not tuned" if setting is None else "not measured")
    return {
        "stream": stream,
        "contender": contender.name,
        "setting": setting,
        "why_not": "" if done else why,
        "date": max((day(job) for job in done), default=""),
        "plays": [one._asdict() for job in done if (one := read(job)) is not None],
    }


def _still_true(old: dict[str, Any], new: dict[str, Any], size: Size) -> bool:
    """Whether an older cell has all seeds of the same game, with the same setting."""
    return old["setting"] == new["setting"] and len(old["plays"]) == size.seeds


def _end(failed: Sequence[str]) -> int:
    for words in failed:
        _say(f"FAILED {words}")
    return int(bool(failed))


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
