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


@pytest.mark.parametrize("name", ["SOBA", "MCDBF", "RCNBF"])
@pytest.mark.parametrize("written", ["theory:1e6", "theory:1000000", "theory:1_000_000"])
def test_the_rounds_of_theory_have_one_form(name: str, written: str) -> None:
    assert getattr(onebit, name)(3, gamma=written).gamma == "theory:1000000"


@pytest.mark.parametrize("name", ["SOBA", "MCDBF", "RCNBF"])
@pytest.mark.parametrize(
    "written", ["theory", "theory:", "theory:1", "theory:2.5", "theory:many", "theory:nan", "theory:1e30"]
)
def test_theory_needs_the_number_of_rounds(name: str, written: str) -> None:
    with pytest.raises(ConfigError, match=f"gamma='{written}': must be 'theory:' and the number of rounds, 2 or more"):
        getattr(onebit, name)(3, gamma=written)


@pytest.mark.parametrize("name", ["Banditron", "SOBADiagonal", "RCINE"])
def test_where_no_theorem_sets_gamma_theory_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="gamma='theory:1e6': must be a number"):
        getattr(onebit, name)(3, gamma="theory:1e6")


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
