"""What is tuned and what is run: lists of measurements, played by processes of their own, gathered in two files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peers import machine
from benchmarks.peers.cells import Job, read
from benchmarks.peers.contenders import CONTENDERS, PEERS, Contender, why_not
from benchmarks.peers.crew import Command, run_all
from benchmarks.peers.measure import Setting
from benchmarks.peers.rows import STREAMS
from benchmarks.peers.tune import SEEDS as TUNING
from benchmarks.peers.tune import tuned_path
from onebit.core.files import written_whole
from onebit.streams import load

HERE = Path(__file__).parent
SETTINGS, RESULTS = HERE / "settings.json", HERE / "results.json"
FIRST_SEED, SEEDS, LIMIT, REPEATS = 2001, 5, 30, 3


class Size(NamedTuple):
    """How much is played: rounds, seeds from `FIRST_SEED` on, and CPU seconds at most for one play."""

    rounds: int
    seeds: int
    limit: float


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


def tune(streams: Sequence[str], names: Sequence[str], workers: int) -> int:
    """Tune peers on streams, and write the settings file; pairs that are not asked for keep what it says."""
    peers = installed(name for name in names if name in PEERS)
    pairs = [(stream, peer.name) for stream, peer in playable(streams, peers) if not reason(stream, peer.name)]
    todo = [("benchmarks.peers.tune", *pair) for pair in pairs if not tuned_path(*pair).exists()]
    failed = run_all(todo, workers, lambda done, command: _say(f"tuned {done} of {len(todo)}: {' '.join(command[1:])}"))
    kept = json.loads(SETTINGS.read_text()) if SETTINGS.exists() else {}
    chosen: dict[str, dict[str, Any]] = kept.get("settings", {})
    for stream, peer in pairs:
        if tuned_path(stream, peer).exists():
            chosen.setdefault(stream, {})[peer] = json.loads(tuned_path(stream, peer).read_text())
    about = {
        "command": "python -m benchmarks.peers tune",
        "date": date.today().isoformat(),
        "seeds": TUNING,
        "versions": machine.versions(),
    }
    with written_whole(SETTINGS) as path:
        path.write_text(json.dumps({**about, "settings": chosen}, indent=1) + "\n")
    return _end(failed)


def run(streams: Sequence[str], names: Sequence[str], size: Size, workers: int) -> int:
    """Measure what is not kept yet: what is compiled alone, the loops in Python several at a time; then gather."""
    pairs = list(playable(streams, installed(names)))
    jobs = [job for pair in pairs for job in jobs_of(*pair, size)]
    failed: list[str] = []
    for alone in (True, False):
        todo = [job for job in jobs if CONTENDERS[job.contender].compiled is alone and read(job) is None]
        commands = {("benchmarks.peers.cells", json.dumps(job)): job for job in todo}

        def told(done: int, command: Command, asked: dict[Any, Job] = commands) -> None:
            _say(f"{done} of {len(asked)}: {_outcome(asked[tuple(command)])}")

        failed += run_all(list(commands), 1 if alone else workers, told)
    with written_whole(RESULTS) as path:
        path.write_text(json.dumps(gathered(size), indent=1) + "\n")
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


@cache
def reason(stream: str, contender: str) -> str:
    """Why the contender cannot play the stream."""
    about = load(stream)
    return why_not(CONTENDERS[contender], len(about.classes), about.n_features)


def setting_of(stream: str, contender: Contender) -> Setting | None:
    """Its one setting, or the one it was tuned to; None if it never was."""
    if contender.fixed is not None:
        return contender.fixed
    kept = json.loads(SETTINGS.read_text())["settings"] if SETTINGS.exists() else {}
    found = kept.get(stream, {}).get(contender.name)
    return None if found is None else found["setting"]


def jobs_of(stream: str, contender: Contender, size: Size) -> list[Job]:
    """One for each seed; none if it cannot play or has no setting."""
    setting = setting_of(stream, contender)
    if setting is None or reason(stream, contender.name):
        return []
    repeats, seeds = REPEATS if contender.compiled else 1, range(FIRST_SEED, FIRST_SEED + size.seeds)
    return [Job(contender.name, stream, setting, seed, size.rounds, size.limit, repeats) for seed in seeds]


def gathered(size: Size) -> dict[str, Any]:
    """All that the page needs, from every measurement of this size that is kept."""
    cells = []
    for stream, contender in playable(list(STREAMS), [one for one in CONTENDERS.values() if one.version]):
        jobs = jobs_of(stream, contender, size)
        plays = [one._asdict() for job in jobs if (one := read(job)) is not None]
        why = reason(stream, contender.name) or ("not measured" if jobs else "not tuned")
        setting = setting_of(stream, contender)
        about = {"stream": stream, "contender": contender.name, "setting": setting}
        cells.append({**about, "why_not": "" if plays else why, "plays": plays})
    return {
        "date": date.today().isoformat(),
        "machine": machine.describe(),
        "versions": machine.versions(),
        "imports": machine.import_sizes(),
        "size": size._asdict(),
        "first_seed": FIRST_SEED,
        "cells": cells,
    }


def _end(failed: Sequence[str]) -> int:
    for words in failed:
        _say(f"FAILED {words}")
    return int(bool(failed))


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
