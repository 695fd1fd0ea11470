"""Research: what OneBit's second generation was chosen by, and what was tried and left out. All on tuning seeds.

python -m benchmarks.onebit.research             # an hour; or some of: choices texts replay lies narrow words line

`choices` changes one constant of the dictionary or of the grid at a time, in a process of its own, with an empty cache
if it is compiled in; digits are also played with lies of .2 and .4.
`texts` are rows of 768 columns that a truncated SVD made of words, with the seven themes of 20 Newsgroups as classes:
few bits, many columns. `replay` learns answers again that were learned before. `lies` are heavy ones with many classes.
`narrow` are sparse rows of few columns, `words` of many, on twelve seeds. `line` calibrates the forecast of the bit.
Played errors in per cent.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD

import onebit
from benchmarks.onebit.calibration import calibration_error
from benchmarks.onebit.dense import stream_of as one_hot
from benchmarks.onebit.streams import CASES, TUNING, Line, Part, Plan, main, rows_of, simulate, spread
from onebit.learners.one_bit.calibration import calibrate, new_calibration
from onebit.streams import from_arrays, load
from onebit.streams.base import Stream

SEEDS = TUNING[:3]
INSIDE = "--inside"
"""The argument of a process with other constants."""

STREAMS = {
    "digits": 20_000,
    "pendigits": 10_992,
    "letter": 20_000,
    "usps": 7_291,
    "covtype": 20_000,
    "cifar10_features": 2_000,
}


LIES = onebit.NoisyBit(0.2, 0.4)


class Choice(NamedTuple):
    """What is set in a module below `learners.one_bit` (or in the learner: no module), in place of the default."""

    module: str
    name: str
    value: Any


CHOICES = {
    "default": None,
    "nothing flat": Choice("curved.dictionary", "LINEAR", 0.0),
    "twice as much flat": Choice("curved.dictionary", "LINEAR", 0.4),
    "shares of both views .4, .4": Choice("curved.dictionary", "SHARES", (0.4, 0.4)),
    "shares of both views .1, .7": Choice("curved.dictionary", "SHARES", (0.1, 0.7)),
    "rates .01, .1, .25, .4": Choice("rated.rates", "RATES", (0.01, 0.1, 0.25, 0.4)),
    "the same share for each rate at first": Choice("rated.rates", "_FIRST_TRUST", 0.25),
    "priors in doubt as wide as √κ says": Choice("curved.state", "_DOUBTED", 1.0),
    "in doubt what says less than .01 is left": Choice("curved.step", "_LEAST_IN_DOUBT", 0.01),
    "shrinkage .03": Choice("curved.step", "_LEAST_SHRINKAGE", 0.03),
    "first view alone": Choice("curved.dictionary", "SHARES", (0.8, 0.0)),
    "second view alone": Choice("curved.dictionary", "SHARES", (0.0, 0.8)),
    "budget 128": Choice("", "budget", 128),
    "budget 512": Choice("", "budget", 512),
    "variance 30": Choice("", "variance", 30.0),
    "variance 300": Choice("", "variance", 300.0),
    "noise=None": Choice("", "noise", None),
    "kernels 1.4 times as wide": Choice("curved.dictionary", "NARROWNESS", 0.5),
    "kernels 1.4 times as narrow": Choice("curved.dictionary", "NARROWNESS", 2.0),
    "novelty .005": Choice("curved.dictionary", "_LEAST_NOVELTY", 0.005),
    "novelty .05": Choice("curved.dictionary", "_LEAST_NOVELTY", 0.05),
    "steepness 20": Choice("rated.decide", "STEEPNESS", 20.0),
    "steepness 80": Choice("rated.decide", "STEEPNESS", 80.0),
    "shrinkage .01": Choice("curved.step", "_LEAST_SHRINKAGE", 0.01),
    "shrinkage .2": Choice("curved.step", "_LEAST_SHRINKAGE", 0.2),
    "kernels twice as wide": Choice("curved.dictionary", "NARROWNESS", 0.25),
    "kernels twice as narrow": Choice("curved.dictionary", "NARROWNESS", 4.0),
}


@cache
def stream_of(name: str) -> Stream:
    """A data set by name, or `texts`."""
    if name == "texts":
        return _themes()
    return load(name, split="all" if name in ("covtype", "pendigits") else "train")


def _themes() -> Stream:
    """Newsgroups by their first word (comp, rec, sci, talk, ...), counts as tf-idf, then 768 directions."""
    words = load("newsgroups20")
    counts = words.X.astype(np.float64)
    idf = np.log(counts.shape[0] / (1 + np.bincount(counts.indices, minlength=counts.shape[1])))
    counts.data = (1 + np.log(counts.data)) * idf[counts.indices]
    norms = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    counts.data /= np.repeat(np.maximum(norms, 1e-12), np.diff(counts.indptr))
    X = TruncatedSVD(768, random_state=0).fit_transform(counts)
    themes = [str(name).split(".")[0] for name in words.y]
    return from_arrays(X, themes, name="texts")


def play_choice(name: str, plan: Plan) -> Iterator[tuple[str, list[float]]]:
    """The errors of one choice on each stream."""
    choice = CHOICES[name]
    settings: dict[str, Any] = {}
    if choice and choice.module:
        setattr(import_module(f"onebit.learners.one_bit.{choice.module}"), choice.name, choice.value)
    elif choice:
        settings[choice.name] = choice.value
    for what, rounds in STREAMS.items():
        stream = stream_of(what)
        result = simulate(onebit.OneBit(stream.classes, **settings), stream, plan.rounds(rounds), SEEDS)
        yield what, result.errors
    digits = stream_of("digits")
    result = simulate(onebit.OneBit(digits.classes, **settings), digits, plan.rounds(20_000), SEEDS, LIES)
    yield "digits-with-lies", result.errors


def choices(plan: Plan) -> Iterator[Line]:
    for name, choice in CHOICES.items():
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "benchmarks.onebit.research", INSIDE, name, *["--quick"][: plan.quick]]
            compiled_anew = choice is not None and choice.module != ""
            env = os.environ | ({"ONEBIT_CACHE": folder} if compiled_anew else {})
            done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            what, *errors = line.split()
            values = [float(error) for error in errors]
            yield Line(f"{what}, {name}", 100 * float(np.mean(values)), None, spread(values))


def texts(plan: Plan) -> Iterator[Line]:
    """After few bits: OneBit, with more kept cases, linear, and LinUCB with three widths."""
    learners: dict[str, Callable[[Any], onebit.Learner]] = {
        "OneBit": lambda K: onebit.OneBit(K),
        "budget 512": lambda K: onebit.OneBit(K, budget=512),
        "kernel=None": lambda K: onebit.OneBit(K, kernel=None),
        "kernel=None, standardize=False, variance 30": lambda K: onebit.OneBit(
            K, kernel=None, standardize=False, variance=30
        ),
        **{f"LinUCB, alpha={a:g}": partial(onebit.LinUCB, alpha=a, normalize=True) for a in (0.1, 0.3, 1)},
    }
    for name in ("texts", "cifar10_features"):
        stream = stream_of(name)
        for what, make in learners.items():
            for rounds in (500, 2_000, 10_000):
                result = simulate(make(stream.classes), stream, plan.rounds(rounds), SEEDS)
                yield Line(f"{name}, {rounds:,} bits, {what}", 100 * result.error, None, spread(result.errors))


def replay(plan: Plan) -> Iterator[Line]:
    """After each bit, some bits of before are learned again, drawn among the last thousand: as others' decisions."""
    for name, rounds in (("cifar10_features", 2_000), ("digits", 2_000), ("letter", 5_000), ("texts", 2_000)):
        stream = stream_of(name)
        for again in (0, 1, 3):
            errors = [_played_again(stream, seed, plan.rounds(rounds), again) for seed in SEEDS]
            yield Line(
                f"{name}, {rounds:,} bits, {again} learned again", 100 * float(np.mean(errors)), None, spread(errors)
            )


def _played_again(stream: Stream, seed: int, rounds: int, again: int) -> float:
    learner, draw = onebit.OneBit(stream.classes, seed=seed, drift=None), np.random.default_rng(seed)
    heard: list[tuple[tuple[Any, ...], bool]] = []
    wrong = 0
    for row, y in rows_of(stream, seed, rounds):
        decision = learner.decide(row)
        right = decision.label == y
        wrong += not right
        learner.learn(decision, right)
        for i in draw.integers(max(0, len(heard) - 1_000), len(heard), size=again) if heard else ():
            played, answer = heard[i]
            learner.learn(onebit.Decision(*played), answer)
        heard.append(((decision.labels, decision.propensity, decision.greedy, False, row, -1), right))
    return wrong / rounds


def lies(plan: Plan) -> Iterator[Line]:
    for name in ("digits", "letter", "covtype"):
        stream = stream_of(name)
        for rates in ((0.0, 0.0), (0.25, 0.25), (0.4, 0.4)):
            for what, settings in (
                ("OneBit", {}),
                ("rates known", {"noise": rates}),
                ("kernel=None", {"kernel": None}),
            ):
                learner: Any = onebit.OneBit(stream.classes, **settings)
                result = simulate(learner, stream, plan.rounds(20_000), SEEDS, onebit.NoisyBit(*rates))
                found = [round(player.noise_rates.rho_0, 2) for player in result.learners]
                detail = f"{spread(result.errors)}; ρ̂0 {found}"
                yield Line(f"{name} {rates}, {what}", 100 * result.error, None, detail)


def narrow(plan: Plan) -> Iterator[Line]:
    """The one model, full or diagonal, and the grid, which rows get from 300 columns on: empty ones are added."""
    for name, rounds in (("digits", 20_000), ("usps", 7_291), ("nursery", 12_958)):
        dense: Any = one_hot(name) if name == "nursery" else stream_of(name)
        few = sp.csr_array(dense.X)
        many = sp.csr_array(sp.hstack([few, sp.csr_array((few.shape[0], 300 - few.shape[1]))]))
        for what, X, settings in (
            ("the one model, full (the default)", few, {}),
            ("the one model, full, variance 100", few, {"variance": 100}),
            ("the one model, diagonal", few, {"curvature": "diagonal"}),
            ("the grid, diagonal", many, {}),
        ):
            stream = from_arrays(X, dense.y, classes=dense.classes, name=name)
            learner: Any = onebit.OneBit(stream.classes, **settings)
            result = simulate(learner, stream, plan.rounds(rounds), SEEDS)
            detail = f"{spread(result.errors)}; {result.nanoseconds / 1000:,.1f} µs"
            yield Line(f"sparse {name}, {what}", 100 * result.error, None, detail)


def words(plan: Plan) -> Iterator[Line]:
    """The grid on sparse rows of many columns, beside bits that are believed, and beside the one model."""
    for case in CASES:
        if not case.stream.sparse or case.name == "synnonsep":
            continue
        variants: dict[str, dict[str, Any]] = {
            "OneBit": {},
            "noise=None": {"noise": None},
            "kernel=None": {"kernel": None},
        }
        for what, settings in variants.items():
            learner: Any = onebit.OneBit(case.stream.classes, **settings)
            result = simulate(learner, case.stream, plan.of(case), TUNING[:12])
            error = np.std(result.errors, ddof=1) / np.sqrt(len(result.errors))
            yield Line(f"{case.name}, {what}", 100 * result.error, None, f"± {100 * error:.3f} (standard error)")


def line(plan: Plan) -> Iterator[Line]:
    """Calibration error of π as it is, and if Platt's line were fitted to log-odds of the forecast of the bit."""
    for name, rounds in (("digits", 15_000), ("letter", 12_000), ("covtype", 20_000), ("synnonsep", 15_000)):
        for rho in (0.0, 0.25) if name == "digits" else (0.0,):
            stream = next(case.stream for case in CASES if case.name == name)
            told, by_line, bits = _forecasts(stream, plan.rounds(rounds), rho)[:, 0 if plan.quick else 2_000 :]
            detail = f"by the line of forecasts {calibration_error(by_line, bits):.3f}"
            what = f"{name}, both rates {rho:g}: calibration error of π"
            yield Line(what, calibration_error(told, bits), None, detail)


def _forecasts(stream: Stream, rounds: int, rho: float) -> Any:
    """π as the learner tells it, as a line on log-odds of its forecast would tell it, and the bit."""
    learner, fitted, draw = onebit.OneBit(stream.classes, seed=TUNING[0]), new_calibration(), np.random.default_rng(1)
    found = np.empty((3, rounds))
    for t, (row, y) in enumerate(rows_of(stream, TUNING[0], rounds)):
        decision = learner.decide(row)
        bit = (decision.label == y) != (draw.random() < rho)
        rates = learner.noise_rates
        z = learner.scores(row)  # log p
        inside = np.exp(z[learner.classes.index(decision.label)])
        forecast = float(np.clip(rates.rho_0 + (1 - rates.rho_0 - rates.rho_1) * inside, 1e-9, 1 - 1e-9))
        told = 1 / (1 + np.exp(-(fitted.a[0] + fitted.b[0] * np.log(forecast / (1 - forecast)))))
        found[:, t] = learner.probability_of_yes(row, decision.label), told, bit
        learner.learn(decision, bit)
        calibrate(fitted, t + 1, forecast, int(bit), 0.0, 0.0)
    return found


PARTS: dict[str, Part] = {
    "choices": choices,
    "texts": texts,
    "replay": replay,
    "lies": lies,
    "narrow": narrow,
    "words": words,
    "line": line,
}

if __name__ == "__main__":
    if INSIDE in sys.argv:
        for played, shares in play_choice(sys.argv[2], Plan("--quick" in sys.argv)):
            print(played, *shares, flush=True)
        sys.exit()
    sys.exit(main(PARTS, sys.argv[1:], "What OneBit's second generation was chosen by"))
