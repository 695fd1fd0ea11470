"""Parameters that all learners share: what they may be, frozen, cloned."""

from typing import Any

import numpy as np
import pytest

import onebit
from onebit.core.errors import ConfigError


@pytest.mark.parametrize("classes", [1, 0, -3, [], ["a"], "ab", None, 2.5, True, [[1], [2]], ["a", "a"]])
def test_bad_classes(classes: Any) -> None:
    with pytest.raises(ConfigError, match="classes="):
        onebit.Banditron(classes)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gamma", -0.1), ("gamma", 1.1), ("gamma", float("nan")), ("gamma", "much"), ("gamma", None), ("gamma", True),
        ("n_features", 0), ("n_features", 2.5), ("n_features", True), ("dtype", "int32"), ("dtype", "f16"),
        ("dtype", 7), ("seed", -1), ("seed", 1.5), ("seed", "x"), ("normalize", "yes"), ("normalize", 1),
        ("ties", "last"),
    ],
)  # fmt: skip
def test_bad_parameters(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"{name}="):
        onebit.Banditron(3, **{name: value})


def test_parameters_are_frozen_and_cloned() -> None:
    learner = onebit.Banditron(["a", "b"], gamma=np.float64(0.25), dtype=np.float32, seed=np.int64(4))  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        learner.gamma = 0.5  # type: ignore[misc]
    with pytest.raises(TypeError):
        onebit.Banditron(3, 0.5)  # type: ignore[call-arg, arg-type]
    twin = learner.clone()
    assert twin.get_params() == learner.get_params()
    assert repr(twin) == "Banditron(['a', 'b'], dtype='float32', seed=4, gamma=0.25)"
    assert learner.clone(gamma=0.5).gamma == 0.5
