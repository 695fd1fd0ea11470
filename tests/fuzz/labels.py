"""Labels that come and go in the midst of a life, good ones and bad ones: what is refused changes nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import onebit
from tests.fuzz.lives import Life, live, new_life

_ODD: list[Any] = [
    None, True, 0, 1.0, -0.0, 1e400, float("nan"), 10**400, 10**5000, 1j, "", "a", "\ud800", "x" * 10**5, b"a", (),
    ("a", ("b",)), (float("nan"),), frozenset("a"), [], {}, object(), np.float32(2), np.str_("a"), np.array(["a", "b"]),
    "ant", "new", ("a", 1),
]  # fmt: skip


def trial(draw: random.Random, folder: Path) -> None:
    """A life in which labels join, leave, are closed and are told; then it goes on as any other."""
    life = new_life(draw)
    live(life, draw, draw.choice([0, 5, 40]))
    for _ in range(draw.randrange(1, 10)):
        _attempt(draw.choice([_add, _retire, _retire, _decide, _decide_many, _tell]), life, draw)
        live(life, draw, draw.choice([0, 3]))
    life.learner.save(folder / "life.onebit")  # or it says which label no file can hold
    live(life._replace(learner=onebit.load(folder / "life.onebit"), waiting=[]), draw, 5)


def _attempt(action: Callable[[Life, random.Random], None], life: Life, draw: random.Random) -> None:
    learner = life.learner
    before = learner.classes, learner.retired
    try:
        action(life, draw)
    except onebit.OnebitError:
        assert (learner.classes, learner.retired) == before, "what was refused has changed the labels"


def _labels(life: Life, draw: random.Random) -> Any:
    """A list of labels, or what is none."""
    known = [*life.learner.classes, *life.learner.retired]
    if draw.random() < 0.2:
        return draw.choice([None, "ab", b"ab", 5, count(), repeat("a"), range(10**12), {}, {"a": 1}, pa.array(["a"])])
    return [draw.choice(known if draw.random() < 0.7 else _ODD) for _ in range(draw.randrange(4))]


def _add(life: Life, draw: random.Random) -> None:
    life.learner.add_classes(_labels(life, draw))


def _retire(life: Life, draw: random.Random) -> None:
    life.learner.retire(_labels(life, draw))


def _decide(life: Life, draw: random.Random) -> None:
    life.waiting.append(life.learner.decide(draw.choice(life.rows), among=_labels(life, draw)))


def _decide_many(life: Life, draw: random.Random) -> None:
    among = draw.choice([_labels(life, draw), [_labels(life, draw) for _ in range(draw.choice([1, 2, 2, 3]))]])
    life.learner.decide_many([draw.choice(life.rows)] * 2, among=among)


def _tell(life: Life, draw: random.Random) -> None:
    decision = life.learner.decide(draw.choice(life.rows))
    life.learner.learn(decision, draw.choice(_ODD))
