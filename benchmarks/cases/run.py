"""The plays of the report, one at a time, gathered in results.json."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import onebit
from benchmarks.cases import kept
from benchmarks.cases.sets import Case, Cases, available, load
from benchmarks.cases.tune import lines_about, settings
from benchmarks.cases.tune import played as vw_played
from benchmarks.peers import machine
from onebit.core.files import written_whole

RESULTS = Path(__file__).parent / "results.json"
SEEDS = (101, 102, 103, 104, 105)


class Contender(NamedTuple):
    """How a set is played with a seed; `tuned` says which settings VW plays with, and is empty for onebit."""

    name: str
    play: Callable[[Cases, int], kept.Measured]
    tuned: str = ""


def hashed(case: Case) -> Case:
    """A case as dict rows with `cases=None` take it: gaps are left out, lists and dates are text.

    >>> hashed({"plan": None, "amount": 2.5, "tags": ["late"]})
    {'amount': 2.5, 'tags': "['late']"}
    """
    there = {name: value for name, value in case.items() if value is not None and value == value}
    return {name: value if isinstance(value, str | int | float) else str(value) for name, value in there.items()}


def play(learner: onebit.Learner, rows: list[Case], labels: list[Any], seed: int, told: bool = False) -> kept.Measured:
    """One pass in the order of the seed: decide, be wrong or right, learn. `told`: the label in place of the bit."""
    order = np.random.default_rng(seed).permutation(len(rows)).tolist()
    wrong = np.zeros(len(rows), dtype=bool)
    began = time.process_time()
    for t, i in enumerate(order):
        decision = learner.decide(rows[i])
        wrong[t] = decision.label != labels[i]
        learner.learn(decision, labels[i] if told else not wrong[t])
    seconds = time.process_time() - began
    last = wrong[-(len(rows) // 10) :]
    return {"wrong": int(wrong.sum()), "cases": len(rows), "seconds": seconds, "last": float(last.mean())}


def _bits(cases: Cases, seed: int) -> kept.Measured:
    return play(onebit.OneBit(cases.classes, seed=seed), cases.rows, cases.labels, seed)


def _told(cases: Cases, seed: int) -> kept.Measured:
    return play(onebit.OneBit(cases.classes, seed=seed), cases.rows, cases.labels, seed, told=True)


def _hashed(cases: Cases, seed: int) -> kept.Measured:
    learner = onebit.OneBit(cases.classes, seed=seed, cases=None, kernel=None)  # as version 0.1 was
    return play(learner, [hashed(row) for row in cases.rows], cases.labels, seed)


def _vw(cases: Cases, seed: int) -> kept.Measured:
    return vw_played(cases, settings()["sets"][cases.name]["setting"], seed)


def _vw_plain(cases: Cases, seed: int) -> kept.Measured:
    return vw_played(cases, settings()["plain"][cases.name]["setting"], seed)


CONTENDERS = {
    one.name: one
    for one in (
        Contender("vw", _vw, tuned="sets"),
        Contender("vw-plain", _vw_plain, tuned="plain"),
        Contender("onebit", _bits),
        Contender("hashed", _hashed),
        Contender("told", _told),
    )
}


def run(names: list[str], seeds: int, contenders: list[str]) -> None:
    """Measure what is not kept yet, set by set; after each set, write the results."""
    for name in names:
        if not available(name):
            _say(f"{name} is skipped: it is not here; ONEBIT_DATA or `python -m benchmarks.cases fetch`")
            continue
        cases = load(name)
        for contender in [CONTENDERS[one] for one in contenders]:
            if contender.tuned and name not in settings()[contender.tuned]:
                _say(f"{name}: VW is not tuned; python -m benchmarks.cases tune {name}")
                continue
            for seed in SEEDS[:seeds]:
                one = measured(cases, contender, seed)
                _say(f"{name}, {contender.name}, seed {seed}: {100 * one['wrong'] / one['cases']:.2f} %")
        gather(cases)


def measured(cases: Cases, contender: Contender, seed: int) -> kept.Measured:
    """What is kept, or else a play."""
    about = about_play(cases, contender, seed)
    path = kept_path(cases, contender, about)
    return kept.read(path) or kept.keep(path, about, contender.play(cases, seed))


def about_play(cases: Cases, contender: Contender, seed: int) -> dict[str, Any]:
    """All that decides how a play ends."""
    if not contender.tuned:
        return {"digest": cases.digest, "seed": seed, "code": kept.our_code()}
    setting = settings()[contender.tuned].get(cases.name, {}).get("setting")
    return {
        "digest": cases.digest,
        "seed": seed,
        "version": kept.vw_version(),
        "setting": setting,
        **lines_about(cases),
    }


def kept_path(cases: Cases, contender: Contender, about: dict[str, Any]) -> Path:
    """Where a play is kept; the same setting of VW is the same play, however it was found."""
    return kept.path_of("vw" if contender.tuned else contender.name, cases.name, about)


def gather(cases: Cases) -> None:
    """Put what is measured of a set into the results; contenders that are not measured now stay as they were."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"sets": {}}
    largest = Counter(cases.labels).most_common(1)[0][1] / len(cases.labels)
    about = {"cases": len(cases.rows), "labels": len(cases.classes), "largest": largest, "digest": cases.digest}
    played = results["sets"].get(cases.name, {}).get("played", {})
    for contender in CONTENDERS.values():
        found = [kept.read(kept_path(cases, contender, about_play(cases, contender, s))) for s in SEEDS]
        there = [one for one in found if one is not None]
        if there:
            played[contender.name] = {
                "errors": [round(one["wrong"] / one["cases"], 6) for one in there],
                "micros": [round(1e6 * one["seconds"] / one["cases"], 1) for one in there],
                "last": [round(one["last"], 5) for one in there if "last" in one],
            }
    results["sets"][cases.name] = {**about, "played": played}
    results |= {
        "command": "python -m benchmarks.cases run",
        "date": date.today().isoformat(),
        "seeds": SEEDS,
        "machine": machine.describe(),
        "versions": {**machine.versions(), "vowpalwabbit": kept.vw_version()},
    }
    with written_whole(RESULTS) as path:
        path.write_text(json.dumps(results, indent=1) + "\n")


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
