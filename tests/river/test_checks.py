"""River's own checks of an estimator, every one of them, on a learner with probabilities and on one without."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import onebit

pytest.importorskip("river", reason="River is not installed; the extra `river` has it")

from river import checks, datasets

from onebit.river import BanditClassifier, wrap

LABELS = [False, True, "brickface", "cement", "foliage", "grass", "path", "sky", "window"]  # of both sets they use
NAMES = list(next(iter(datasets.Phishing()))[0])
MODELS: dict[str, Callable[[], BanditClassifier]] = {
    "OneBit": lambda: wrap(onebit.OneBit(LABELS)),
    "Banditron": lambda: wrap(onebit.Banditron(LABELS, gamma=0.1)),
    "hashed": lambda: wrap(onebit.OneBit(LABELS, n_features=2**10, cases=None)),
    "dense, two classes, noisy": lambda: wrap(onebit.Banditron([False, True]), onebit.NoisyBit(0.1, 0.2), NAMES),
}


def all_checks() -> Iterator[Any]:
    for name, make in MODELS.items():
        model, seen = make(), dict[str, int]()
        assert model._unit_test_skips() == set()
        for check in checks.yield_checks(model):
            n = seen[check.__name__] = seen.get(check.__name__, 0) + 1
            yield pytest.param(name, check, id=f"{name}-{check.__name__}-{n}")


@pytest.mark.parametrize(("name", "check"), list(all_checks()))
def test_of_river(name: str, check: Callable[[BanditClassifier], None]) -> None:
    random.seed(8)
    check(MODELS[name]().clone())
