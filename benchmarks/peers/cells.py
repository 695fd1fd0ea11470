"""One measurement, in a process of its own, kept on disk: `python -m benchmarks.peers.cells JSON` makes one."""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peers.contenders import CONTENDERS
from benchmarks.peers.measure import Played, Setting
from benchmarks.peers.rows import Game, game
from onebit.core.files import written_whole

BUILD = Path(__file__).parents[1] / "build" / "peers"


class Job(NamedTuple):
    """What to measure: a contender with a setting on one game, up to `limit` CPU seconds of play."""

    contender: str
    stream: str
    setting: Setting
    seed: int
    rounds: int
    limit: float
    repeats: int

    @property
    def path(self) -> Path:
        """Where it is kept, under a name that another version of the contender's package would not have."""
        content = json.dumps([*self, CONTENDERS[self.contender].version], sort_keys=True)
        return BUILD / self.stream / f"{self.contender}-{hashlib.sha256(content.encode()).hexdigest()[:20]}.json"


def read(job: Job) -> Played | None:
    """What was measured before."""
    if not job.path.exists():
        return None
    kept = json.loads(job.path.read_text())["played"]
    return Played(**kept | {"curve": {int(n): mistakes for n, mistakes in kept["curve"].items()}})


def day(job: Job) -> str:
    """When it was measured."""
    return str(json.loads(job.path.read_text())["date"])


def measured(job: Job, given: Game | None = None) -> Played:
    """Play, here and now, and keep the outcome."""
    contender = CONTENDERS[job.contender]
    import_module(contender.module)
    rows = given or game(job.stream, job.setting["rows"], job.seed, job.rounds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what peers say to their users, round by round
        played = contender.play(rows, job.setting, job.seed, job.limit, job.repeats)
    with written_whole(job.path) as path:
        path.write_text(
            json.dumps({"job": job._asdict(), "date": date.today().isoformat(), "played": played._asdict()})
        )
    return played


def main(arguments: list[Any]) -> None:
    measured(Job(*json.loads(arguments[0])))


if __name__ == "__main__":
    main(sys.argv[1:])
