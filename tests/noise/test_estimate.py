"""What estimators take and give: checked columns, and rates that know how sure they are."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.noise.estimate import NoiseEstimate, check_lessons

GOOD: dict[str, Any] = {
    "rows": [[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]],
    "played": ["a", "b", "a"],
    "propensity": [0.5, 0.25, 1.0],
    "bit": [1, 0, True],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": [1.0, 2.0, 3.0]}, "rows: float64 with 1 dimensions; give a table of numbers"),
        ({"rows": [["x"], ["y"], ["z"]]}, "rows: <U1 with 2 dimensions"),
        ({"rows": np.ones((2, 2))}, "2, 3, 3 and 3 entries; give one of each per decision"),
        ({"rows": np.ones((0, 2)), "played": [], "propensity": [], "bit": []}, "at least one decision"),
        ({"rows": [[1.0, 2.0], [0.0, np.nan], [np.inf, 1.0]]}, "rows: nan in row 1; must be finite numbers .2 such"),
        ({"rows": sp.csr_array([[1.0], [np.inf], [2.0]])}, "rows: inf; must be finite numbers"),
        ({"propensity": [0.5, None, 1.0]}, "propensity: nan in row 1; must be above 0 and at most 1"),
        ({"propensity": [0.5, 0.0, 1.0]}, "propensity: 0.0 in row 1"),
        ({"propensity": [0.5, 0.5, 1.01]}, "propensity: 1.01 in row 2"),
        ({"propensity": ["much", "more", "most"]}, "propensity: holds values that are not numbers"),
        ({"propensity": [[0.5], [0.5], [0.5]]}, "propensity: has 2 dimensions; give one number per decision"),
        ({"bit": [1, 0, 2]}, "bit: 2.0 in row 2; must be 0 .wrong. or 1 .right."),
        ({"bit": [0, 0, 0]}, "bit: all 3 are 0; rates can be told only where both answers occur"),
        ({"played": ["a", "a", "a"]}, "played: only the label 'a'"),
        ({"classes": 1}, "classes=1: but 2 different labels were played"),
    ],
)
def test_columns_that_cannot_be(change: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.DataError, match=message):
        check_lessons(**(GOOD | change))


def test_columns_as_kernels_want_them() -> None:
    lessons = check_lessons(**GOOD)
    assert lessons.played.tolist() == [[0], [1], [0]]
    assert lessons.bit.tolist() == [1, 0, 1]
    assert lessons.n_classes == 2
    sets = check_lessons(**(GOOD | {"played": [["a", "c"], ["b", "a"], ["c", "b"]]}), classes=5)
    assert sets.played.tolist() == [[0, 2], [1, 0], [2, 1]]
    assert sets.n_classes == 5


def test_an_estimate_stays_within_what_rates_can_be() -> None:
    assert NoiseEstimate(-0.01, 0.2) == (0.0, 0.2)
    cut = NoiseEstimate(0.6, 0.6, notes=("first",))
    assert sum(cut) == pytest.approx(0.95)
    assert cut.rho_0 == cut.rho_1
    assert cut.notes[0] == "first"
    assert "cut to a sum of .95" in cut.notes[1]
    assert onebit.NoiseRates(*cut).checked() == cut
    assert isnan(cut.se_0)
