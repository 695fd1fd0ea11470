"""Learners in the midst of a random life, and whether they go on alike after a save and a load."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

import onebit
from onebit.core.registry import learner_class
from tests.compatibility.plays import SETTINGS
from tests.needed import needed

CLASSES = ([0, 1, 2, 3, 4], ["ant", "bee", "cow", "dog", "eel", "fox"], [True, "true", 1.5, None, ("a", 1)])
_ANSWERS = 30  # how many answers may be waited for


class Life(NamedTuple):
    """A learner, its rows, and the decisions that wait for their answer."""

    learner: Any
    rows: list[Any]
    waiting: list[Any]


def new_life(draw: random.Random) -> Life:
    """A learner of any kind with rows of any kind that it takes."""
    name, settings = draw.choice(SETTINGS)
    width = draw.choice([1, 2, 7, 19])
    sparse = draw.random() < 0.4 and name != "page-rank-ucb"
    unit = {"normalize": True} if name in ("molg-b", "molg-f") else {}
    more: dict[str, Any] = {"seed": draw.randrange(100), **unit, **settings, **needed(name, width)}
    if draw.random() < 0.3 and name != "page-rank-ucb":
        more["dtype"] = "float32"
    learner = learner_class(name)(draw.choice(CLASSES), **more)
    scale = 10.0 ** draw.choice([-3, -1, 0, 0, 1, 3])
    rows = [_row(draw, width, scale, sparse) for _ in range(draw.randint(1, 6))]
    if name == "page-rank-ucb":
        rows = list(range(width))
    return Life(learner, rows, [])


def _row(draw: random.Random, width: int, scale: float, sparse: bool) -> Any:
    values = [draw.uniform(-scale, scale) if draw.random() < 0.8 else 0.0 for _ in range(width)]
    return sp.csr_array([values]) if sparse else np.array(values)


def live(life: Life, draw: random.Random, rounds: int) -> list[Any]:
    """So many rounds with late answers; what was decided."""
    played = []
    learner = life.learner
    for _ in range(rounds):
        decision = learner.decide(draw.choice(life.rows))
        played.append((decision.labels, decision.propensity, decision.greedy, decision.explored, decision.id))
        life.waiting.append(decision)
        while len(life.waiting) > _ANSWERS or (life.waiting and draw.random() < 0.6):
            late = life.waiting.pop(draw.randrange(len(life.waiting)))
            label = draw.choice(learner.classes)
            learner.learn(late, label if learner.feedback == "label" else label in late.labels)
    return played


def trial(draw: random.Random, folder: Path) -> None:
    """A life, a save, a load; then both go on with the same rows, answers and bits."""
    life = new_life(draw)
    live(life, draw, draw.randrange(60))
    path = folder / "life.onebit"
    life.learner.save(path)
    other = Life(onebit.load(path), life.rows, [])
    seed = draw.getrandbits(32)
    here = live(life._replace(waiting=[]), random.Random(seed), 30)
    there = live(other, random.Random(seed), 30)
    assert here == there, f"{life.learner!r} goes on differently after a load"
    life.learner.save(path)
    other.learner.save(folder / "other.onebit")
    assert _parts(path) == _parts(folder / "other.onebit"), f"{life.learner!r}: another state"


def _parts(path: Path) -> dict[str, bytes]:
    """What a saved file holds, without the time of its making."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
