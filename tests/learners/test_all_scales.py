"""Second-order learners keep learning whatever the scale of the columns; one whose rows it cannot use says so, once."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract.states import arrays

ROUNDS, K, D = 3000, 3, 6
LEARNERS: list[tuple[str, dict[str, Any]]] = [
    ("LinUCB", {}),
    ("Confidit", {"covariance": "full", "normalize": False}),
    ("SOBA", {"gamma": 0.1}),
    ("MSG", {}),
    ("OSLG", {}),
    ("OSLGBandit", {}),
]


def clusters() -> tuple[Any, Any]:
    draw = np.random.default_rng(0)
    y = draw.integers(K, size=ROUNDS)
    return 1.5 * draw.normal(size=(K, D))[y] + 0.5 * draw.normal(size=(ROUNDS, D)), y


def at_scale(how: str) -> tuple[Any, Any]:
    """Clusters, of which a constant play gets two thirds wrong."""
    X, y = clusters()
    stamps = 1.7e9 + 60.0 * np.arange(ROUNDS)
    tables = {
        "time stamps": lambda: np.column_stack([X, stamps]),
        "two columns of time stamps": lambda: np.column_stack([X, stamps, stamps + 0.5 * np.arange(ROUNDS) % 977]),
        "large": lambda: X * 1e12,
        "largest": lambda: X * 1e59,
        "small": lambda: X * 1e-12,
        "mixed": lambda: X * 10.0 ** np.array([-12, -6, 0, 3, 6, 12]),
        "one huge row": lambda: np.where(np.arange(ROUNDS)[:, None] == 200, X * 1e12, X),
    }
    return tables[how](), y


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(("name", "parameters"), LEARNERS, ids=[name for name, _ in LEARNERS])
def test_it_learns_at_every_scale(name: str, parameters: dict[str, Any], kind: str) -> None:
    learner = getattr(onebit, name)(K, **parameters)
    channel = onebit.Full() if learner.feedback == "label" else onebit.Bit()
    hows = ["time stamps", "two columns of time stamps", "large", "largest", "small", "mixed", "one huge row"]
    for how in hows:
        X, y = at_scale(how)
        stream = onebit.streams.from_arrays(sp.csr_array(X) if kind == "sparse" else X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            result = onebit.simulate(learner, stream, channel, seeds=1)
        for array_name, array in arrays(result.learners[0]._session.state):
            assert np.isfinite(array).all(), f"{how}: {array_name} is not finite"
        assert result.error < 0.35, f"{how}: {result.error}"


def test_badly_scaled_rows_are_told_of_once() -> None:
    X, _ = at_scale("time stamps")
    learner = onebit.Banditron(K)
    with pytest.warns(UserWarning, match=r"feature 6 is 1.7e\+09, .* Banditron will see little else"):
        learner.decide(X[0])
    learner.decide(X[1])
    onebit.OneBit(K, n_features=D + 1).decide(X[0])
