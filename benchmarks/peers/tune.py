"""Choosing each peer's setting for each stream, on seeds that the report never sees: a knock-out over its grid.

`python -m benchmarks.peers.tune RACE STREAM PEER` chooses one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.cells import BUILD, Job, measured, read
from benchmarks.peers.contenders import PEERS
from benchmarks.peers.measure import Played, Setting
from benchmarks.peers.races import RACES, Race, Rung
from benchmarks.peers.rows import forms, game
from onebit.core.files import written_whole

SEEDS = (11, 12)


Tried = list[tuple[Setting, list[Played]]]


def tune(race: Race, stream: str, peer: str) -> dict[str, Any]:
    """The best setting, its error on the tuning seeds, and the runners-up of the last rung."""
    grid = PEERS[peer].grid if race.name == "long" else PEERS[peer].few
    assert grid is not None
    settings = list(grid(stream, forms(stream)))
    tried, among = 0, len(settings)
    found: Tried = []
    rungs = [rung._replace(rounds=min(rung.rounds, race.rounds[stream])) for rung in race.rungs]
    for rung in rungs:
        if race.name == "long" and rung is rungs[-1]:
            settings += [one for one in [singly(settings[0])] if one not in settings]
        found = ranked([(setting, _play(stream, peer, setting, rung)) for setting in settings], rung.rounds)
        settings, tried = [setting for setting, _ in found[: rung.stay]], tried + len(found)
    last = [{"setting": setting, **_summary(played)} for setting, played in found]
    laps = [rung._asdict() for rung in rungs]
    return {"setting": settings[0], "among": among, "plays": tried, "rungs": laps, "last": last}


def singly(setting: Setting) -> Setting:
    """The same, learning from each round before the next, for a peer that takes batches."""
    return setting | {"batch": 1} if "batch" in setting else setting


def ranked(tried: Tried, rounds: int) -> Tried:
    """By error, best first. Those stopped before `rounds` come after those that were not, by their error at the last
    checkpoint that they all reached; and those that got not even half as far as the furthest of them come last.
    """
    stopped = [min(one.rounds for one in played) for _, played in tried if _stopped(played, rounds)]
    far = [reached for reached in stopped if 2 * reached >= max(stopped)]

    def standing(pair: tuple[Setting, list[Played]]) -> tuple[int, float]:
        played = pair[1]
        if not _stopped(played, rounds):
            return 0, float(np.mean([error(one) for one in played]))
        behind = 2 * min(one.rounds for one in played) < max(stopped)
        at = min(stopped if behind else far)
        return 2 if behind else 1, float(np.mean([error_at(one, at) for one in played]))

    return sorted(tried, key=standing)


def _stopped(played: Sequence[Played], rounds: int) -> bool:
    return any(one.rounds < rounds for one in played)


def error(played: Played) -> float:
    """Over the rounds played."""
    return played.mistakes / played.rounds


def error_at(played: Played, rounds: int) -> float:
    """At the last checkpoint not after so many rounds."""
    at = max((n for n in played.curve if n <= rounds), default=0)
    return played.curve[at] / at if at else error(played)


def _play(stream: str, peer: str, setting: Setting, rung: Rung) -> list[Played]:
    """On the seeds of the rung, but on one alone if that was stopped."""
    found: list[Played] = []
    for seed in SEEDS[: rung.seeds]:
        job = Job(peer, stream, setting, seed, rung.rounds, rung.limit, 1)
        found.append(read(job) or measured(job, _game(stream, setting["rows"], seed, rung.rounds)))
        if found[-1].rounds < rung.rounds:
            break
    return found


_game = lru_cache(maxsize=2)(game)


def _summary(played: Sequence[Played]) -> dict[str, Any]:
    return {
        "rounds": min(one.rounds for one in played),
        "errors": [round(error(one), 6) for one in played],
    }


def tuned_path(race: str, stream: str, peer: str) -> Path:
    """Where the choice is kept."""
    return BUILD / "tuned" / f"{race}-{stream}-{peer}.json"


def main(race: str, stream: str, peer: str) -> None:
    chosen = tune(RACES[race], stream, peer)
    with written_whole(tuned_path(race, stream, peer)) as path:
        path.write_text(json.dumps(chosen))


if __name__ == "__main__":
    main(*sys.argv[1:])
