"""Writes the files of `files/`: learners, logs and a sweep, with what is known of each. 0.1.0 wrote them.

`python -m tests.compatibility.make FOLDER`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import onebit
from tests.compatibility.plays import SETTINGS, learner_of, streams

TRAINED = 90
NEXT = 60


def rows_and_labels(kind: str) -> tuple[Any, Any]:
    """The clusters, in order."""
    stream = streams()[kind]
    return stream.X, stream.y


def answer_to(learner: Any, decision: Any, label: int) -> Any:
    """The true answer, of the kind that the learner takes first."""
    return label in decision.labels if learner.feedback == "bit" else int(label)


def live(learner: Any, kind: str, first: int, stop: int) -> list[Any]:
    """Decide and learn, row by row; the labels played."""
    X, y = rows_and_labels(kind)
    played = []
    for t in range(first, stop):
        decision = learner.decide(X[[t]] if kind == "sparse" else X[t])
        learner.learn(decision, answer_to(learner, decision, int(y[t])))
        played.append([int(label) for label in decision.labels])
    return played


def write_learners(folder: Path) -> dict[str, Any]:
    """Every setting, trained on dense rows, and three on sparse ones; and what each plays next."""
    known = {}
    for kind, stream in streams().items():
        for at, (name, settings) in enumerate(SETTINGS):
            if kind == "sparse" and name not in ("banditron", "one-bit", "kernel-bandit"):
                continue
            learner = learner_of(name, settings, stream)
            live(learner, kind, 0, TRAINED)
            file = f"{name}-{at}-{kind}.onebit"
            learner.save(folder / file)
            known[file] = {"kind": kind, "repr": repr(learner), "next": live(learner, kind, TRAINED, TRAINED + NEXT)}
    return known


def write_logs(folder: Path) -> dict[str, Any]:
    """A file with dense rows, a folder with sparse ones, sets, and told labels."""
    known = {}
    logs: list[tuple[str, str, dict[str, Any], str]] = [
        ("dense.parquet", "banditron", {"gamma": 0.2}, "dense"),
        ("sparse", "banditron", {"gamma": 0.2}, "sparse"),
        ("sets.parquet", "mc-dbf", {"m": 3}, "dense"),
        ("labels.parquet", "perceptron", {}, "dense"),
    ]
    for file, name, settings, kind in logs:
        learner = learner_of(name, settings, streams()[kind])
        with learner.log(folder / file):
            played = live(learner, kind, 0, TRAINED)
        known[file] = {"played": played, "learner": repr(learner)}
    return known


def plan() -> Any:
    """A small sweep with something to tune."""
    arms: list[Any] = [onebit.Arm(onebit.Banditron(9), {"gamma": [0.01, 0.1]}), onebit.Perceptron(9)]
    return onebit.Sweep.cross(arms, onebit.streams.synsep(500), seeds=2, tune_seeds=1)


def main(folder: Path) -> None:
    """Write all files."""
    for name in ("learners", "logs"):
        (folder / name).mkdir(parents=True)
    known = {"learners": write_learners(folder / "learners"), "logs": write_logs(folder / "logs")}
    results = onebit.sweep(plan(), folder / "sweep", workers=1, progress=False)
    known["sweep"] = {"cells": results.cells().num_rows, "best": [e.best.setting for e in results.entries if e.best]}
    (folder / "known.json").write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
