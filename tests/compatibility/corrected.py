"""Learners whose algorithm was corrected since 0.1.0: what they play is meant to be other, and is held here instead.

`python -m tests.compatibility.corrected` prints the table that `corrected.json` holds, for these learners only: the
plays of `bits.json`, and what the learners of `files/` play next.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import onebit
from tests.compatibility.make import NEXT, TRAINED, live
from tests.compatibility.plays import ROUNDS, counts, machine, plays, state

WHY = {
    "confidit": "it left right answers by a coin, so that its weights converged to less than those of its model; "
    "now it learns in every round, the coin, for α < 1, turns wrong answers, and a diagonal covariance takes the step "
    "of a full one (docs/mathematics/confidence.md)",
}
"""The names of the learners, each with the reason."""

FILES = Path(__file__).with_name("files")


def table() -> dict[str, Any]:
    """The plays of these learners with their hashes, and what those of the files play next."""
    played = {}
    for name, learner, stream, channel in plays():
        if learner.name in WHY:
            result = onebit.simulate(learner, stream, channel, ROUNDS, [5], progress=False)
            played[name] = [counts(result), state(result.learners[0])]
    following = {}
    for file, known in json.loads((FILES / "known.json").read_text())["learners"].items():
        learner = onebit.load(FILES / "learners" / file)
        if learner.name in WHY:
            following[file] = live(learner, known["kind"], TRAINED, TRAINED + NEXT)
    return {"machine": machine(), "plays": played, "next": following}


if __name__ == "__main__":
    json.dump(table(), sys.stdout)
