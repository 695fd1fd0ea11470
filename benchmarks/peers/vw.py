"""Vowpal Wabbit through its own compiled driver, reading a file of rows; and row by row, to see that both agree."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.peers.measure import Meter, Played, Setting
from benchmarks.peers.rows import IMAGES, Game

WRONG_IS_0 = " --loss0 -1 --loss1 0"
"""Costs of -1 for right and 0 for wrong in place of 0 and 1: a class that was never played then looks bad, not good."""


def grid(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """Explorers and estimators, each with several learning rates, steady or decaying, or with no rate at all (coin)."""
    explorers = [f"--cb_force_legacy --cb_type dm --epsilon {e}" for e in (0, 0.005, 0.02, 0.05)]
    explorers += [f"--cb_force_legacy --cb_type dm --bag {n} --epsilon 0" for n in (2, 4)]
    explorers += [f"--cb_force_legacy --cb_type dr --epsilon {e}" for e in (0.005, 0.02)]
    explorers += [f"--cb_type mtr --epsilon {e}{pessimist}" for e in (0.005, 0.02) for pessimist in ("", WRONG_IS_0)]
    explorers += [f"--cover 4 --nounif --psi {psi} --cb_type dr" for psi in (0.01, 0.1)]
    explorers += [f"--squarecb --gamma_scale {scale} --cb_type mtr" for scale in (1000, 10_000)]
    explorers += ["--regcb --mellowness 0.001 --cb_type mtr"]
    steps = ["-l 0.1", "-l 0.5", "-l 2", "-l 0.1 --power_t 0", "-l 0.5 --power_t 0", "--coin"]
    for form, explorer, step in product(forms, explorers, steps):
        yield {"rows": form, "arguments": f"{explorer} {step}"}


def few(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """A few of these."""
    for form, explorer in product(forms[1::2], (*BEST, "--cb_type mtr --epsilon 0.005 -l 0.5")):
        yield {"rows": form, "arguments": explorer}


BEST = (
    "--cb_force_legacy --cb_type dm --epsilon 0 -l 0.5",
    "--cb_force_legacy --cb_type dm --epsilon 0 --coin",
    "--cb_force_legacy --cb_type dm --epsilon 0 -l 0.5 --power_t 0",
    "--squarecb --gamma_scale 1000 --cb_type mtr -l 0.5",
)


def pairs(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """With every pair of features; images keep their zeros, without which there are too many pairs."""
    for explorer in BEST:
        yield {"rows": "unit" if stream in IMAGES else forms[-1], "arguments": f"{explorer} -q :: -b 22"}


def networks(stream: str, forms: tuple[str, ...]) -> Iterator[Setting]:
    """A hidden layer, with the linear model beside it (`--inpass`) or without."""
    explorer = "--cb_force_legacy --cb_type dm --epsilon 0.005"
    for form, layer, step in product(forms[1::2], ("10", "30 --inpass"), ("0.1", "0.5")):
        yield {"rows": form, "arguments": f"{explorer} -l {step} --nn {layer}"}


def arguments(game: Game, setting: Setting, seed: int) -> str:
    return f"--cbify {game.n_classes} {setting['arguments']} --random_seed {seed} --quiet"


def play(game: Game, setting: Setting, seed: int, limit: float, repeats: int) -> Played:
    """The best time over some readings of the text and of VW's own binary cache of it, whichever is the faster.

    With one repeat only the text is read, once: enough for the error. `reading` is the time of the thread that reads
    ahead of the one that learns.
    """
    text = _text(game)
    options, plain = arguments(game, setting, seed), f"-d {text}"
    found = [drive(f"{options} {plain}")]
    if repeats == 1:
        return found[0]
    cached = f"{plain} --cache_file {text}.cache"
    drive(f"{options} {cached}")
    found += [drive(f"{options} {plain}") for _ in range(repeats - 1)]
    found += [drive(f"{options} {cached}") for _ in range(repeats)]
    best = min(found, key=lambda one: one.seconds)
    return best._replace(memory=found[0].memory)


def drive(options: str) -> Played:
    """One run of the driver. What it calls loss counts the labels it played that were wrong, whatever the costs."""
    from vowpalwabbit import Workspace

    meter, began = Meter(), time.thread_time()
    with meter:
        workspace = Workspace(options)
        workspace.run_parser()
    reading = max(0.0, meter.seconds - (time.thread_time() - began))
    loss, rounds, memory = workspace.get_sum_loss(), round(workspace.get_weighted_examples()), meter.memory
    workspace.finish()
    return Played(rounds, round(loss), meter.seconds, memory, {}, reading)


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where texts are, until the process ends."""
    return TemporaryDirectory()


def _text(game: Game) -> Path:
    path = Path(_folder().name) / f"{game.key.replace(' ', '-')}.txt"
    if not path.exists():
        write(game, path)
    return path


def write(game: Game, path: Path) -> None:
    """The rows of a game as VW reads them: a label from 1, then the features that are not 0."""
    with path.open("w") as file:
        file.writelines(lines(game))


def lines(game: Game) -> Iterator[str]:
    """One line for each round; a row that comes again is not formatted again."""
    table: Any = None
    known: dict[int, str] = {}
    for window in game.windows:
        if window.X is not table:
            table, known = window.X, {}
        for i in window.order.tolist():
            if i not in known:
                known[i] = f"{window.y[i] + 1} |x {_features(table, i, game.sparse)}\n"
            yield known[i]


def _features(X: Any, i: int, sparse: bool) -> str:
    if sparse:
        part = slice(X.indptr[i], X.indptr[i + 1])
        indices, values = X.indices[part], X.data[part]
    else:
        indices = X[i].nonzero()[0]
        values = X[i][indices]
    pairs = zip(indices.tolist(), values.tolist(), strict=True)
    return " ".join(str(j) if value == 1 else f"{j}:{value:.6g}" for j, value in pairs)
