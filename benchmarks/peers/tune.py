"""Choosing each peer's setting for each stream, on seeds that the report never sees: a knock-out over its grid.

`python -m benchmarks.peers.tune STREAM PEER` chooses one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.peers.cells import BUILD, Job, measured, read
from benchmarks.peers.contenders import PEERS
from benchmarks.peers.measure import Played, Setting
from benchmarks.peers.rows import forms, game
from onebit.core.files import written_whole

SEEDS = (11, 12)


class Rung(NamedTuple):
    """A round of the knock-out: how long a setting is played, on how many seeds, and how many settings stay."""

    rounds: int
    seeds: int
    limit: float
    stay: int


RUNGS = (Rung(4_000, 1, 2, 6), Rung(20_000, 1, 6, 2), Rung(100_000, 2, 20, 1))
Tried = list[tuple[Setting, list[Played]]]


def tune(stream: str, peer: str) -> dict[str, Any]:
    """The best setting, its error on the tuning seeds, and the runners-up of the last rung."""
    settings = list(PEERS[peer].grid(stream, forms(stream)))  # type: ignore[misc]  # peers are those with a grid
    tried, among = 0, len(settings)
    found: Tried = []
    for rung in RUNGS:
        if rung is RUNGS[-1]:
            settings += [one for one in [singly(settings[0])] if one not in settings]
        found = ranked([(setting, _play(stream, peer, setting, rung)) for setting in settings], rung.rounds)
        settings, tried = [setting for setting, _ in found[: rung.stay]], tried + len(found)
    last = [{"setting": setting, **_summary(played)} for setting, played in found]
    rungs = [rung._asdict() for rung in RUNGS]
    return {"setting": settings[0], "among": among, "plays": tried, "rungs": rungs, "last": last}


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


def tuned_path(stream: str, peer: str) -> Path:
    """Where the choice is kept."""
    return BUILD / "tuned" / f"{stream}-{peer}.json"


def main(stream: str, peer: str) -> None:
    chosen = tune(stream, peer)
    with written_whole(tuned_path(stream, peer)) as path:
        path.write_text(json.dumps(chosen))


if __name__ == "__main__":
    main(*sys.argv[1:])
