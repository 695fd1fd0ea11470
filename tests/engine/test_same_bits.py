"""The fused loop and the learner's own methods give the same bits, on rows of many shapes.

Compilers may round differently in the two places where fast-math flags let them; kernels have none.
"""

from typing import Any

import numpy as np
import pytest

import onebit
from onebit.contract.states import arrays
from onebit.core.registry import learner_class, learner_names
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.engine.reference import play_reference
from onebit.streams import from_arrays, load
from onebit.streams.base import Stream
from tests.needed import needed

CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in learner_names()),
    ("confidit", {"covariance": "full"}),
    ("rcnbf", {"average": True, "rho_0": 0.1, "rho_1": 0.1}),
    ("soba-diagonal", {"gamma": "adaptive"}),
    ("molg-b", {"varphi": "schedule"}),
    ("kernel-bandit", {"correct_others": True}),
    ("mc-dbf", {"m": 4, "noise": (0.2, 0.1)}),
    ("set-banditron", {"m": 3, "loss": "log"}),
    ("one-bit", {"curvature": "diagonal"}),
    ("one-bit", {"m": 3, "noise": (0.2, 0.1), "gamma": 0.1}),
]


def narrow_and_odd() -> Stream:
    draw = np.random.default_rng(0)
    y = draw.integers(7, size=300)
    return from_arrays(draw.normal(size=(7, 37))[y] + draw.normal(size=(300, 37)), y)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("make", [lambda: load("digits"), narrow_and_odd], ids=["digits", "7 classes, 37 features"])
@pytest.mark.parametrize(("name", "extra"), CASES, ids=[f"{n}-{e}" for n, e in CASES])
def test_the_object_and_the_engine_agree_to_the_bit(name: str, extra: Any, make: Any, normalize: bool) -> None:
    stream = make()
    only_unit_rows = name in ("molg-f", "molg-b")
    learner = learner_class(name)(
        stream.classes, normalize=normalize or only_unit_rows, **extra, **needed(name, stream.n_features)
    )
    channel = onebit.Full() if learner.feedback == "label" else onebit.Bit()
    fused, slow = prepare(learner, stream, 0), prepare(learner, stream, 0)
    one, other = play(fused, stream, channel, 0, 300), play_reference(slow, stream, channel, 0, 300)
    assert np.array_equal(one.mistakes, other.mistakes)
    for (field, a), (_, b) in zip(arrays(fused._session.state), arrays(slow._session.state), strict=True):
        assert np.array_equal(a, b), field
