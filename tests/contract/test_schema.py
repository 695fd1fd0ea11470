"""Declarations: every learner has them, and they hold for what it starts with."""

from typing import Any

import numpy as np
import pytest

from onebit.contract.layout import Layout
from onebit.contract.schema import Declared, reals, whole, zeros
from onebit.core.errors import FormatError
from onebit.core.registry import learner_class, learner_names
from tests.needed import needed


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("name", learner_names())
def test_the_first_state_is_what_is_declared(name: str, kind: Any, dtype: str) -> None:
    learner = learner_class(name)(3, dtype=dtype, **needed(name, 5))
    layout = Layout(3, 5, kind, dtype)
    state = learner.start(layout)
    forms = learner.file_arrays(learner.schema(layout, learner.capacity(state, 1)))
    for array, parts in learner.file_arrays(state).items():
        for part, form in zip(parts, forms[array], strict=True):
            form.check(array, part, dtype)


@pytest.mark.parametrize(
    ("declared", "array"),
    [
        (reals(2), np.zeros(3)),
        (reals(2), np.zeros((2, 1))),
        (reals(2), np.zeros(2, np.float32)),
        (reals(2, dtype="float32"), np.zeros(2)),
        (reals(2), np.array([0, np.nan])),
        (reals(2), np.array([0, -np.inf])),
        (reals(2, high=1), np.array([0, 1.5])),
        (whole(2), np.array([0, -1])),
        (whole(2), np.array([0, 2**60])),
        (whole(None, 2), np.zeros((3, 1), np.int64)),
        (zeros(2), np.array([0, 1e-300])),
    ],
)
def test_what_is_not_declared(declared: Declared, array: Any) -> None:
    with pytest.raises(FormatError, match="array x "):
        declared.check("x", array, "float64")


def test_any_length() -> None:
    whole(None, 2).check("x", np.zeros((7, 2), np.int64), "float64")
    reals(0, 3).check("x", np.zeros((0, 3)), "float64")
