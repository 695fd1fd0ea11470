"""The lessons of a noise estimate in a file: what they may be."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.core.errors import FormatError
from tests.contract.test_saving import put, rewrite, stored


def saved(path: Path, kind: str) -> onebit.Learner:
    """RCINE with 30 lessons in its window, saved."""
    draw = np.random.default_rng(0)
    learner = onebit.RCINE(3, N_s=40)
    for _ in range(30):
        x = draw.normal(size=5)
        learner.learn(learner.decide(sp.csr_array(x[None, :]) if kind == "sparse" else x), bool(draw.random() < 0.5))
    learner.save(path)
    return learner


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_the_window_comes_back(kind: str, tmp_path: Path) -> None:
    learner = saved(tmp_path / "m.onebit", kind)
    twin = onebit.load(tmp_path / "m.onebit")
    for a, b in zip(learner.noise_window(), twin.noise_window(), strict=True):
        assert np.array_equal(a.toarray() if sp.issparse(a) else a, b.toarray() if sp.issparse(b) else b)


def shorter(name: str) -> Any:
    """A change: an array loses its last entry."""

    def change(header: Any, parts: Any) -> None:
        parts[f"{name}.npy"] = stored(np.load(io.BytesIO(parts[f"{name}.npy"]))[:-1])

    return change


ANY = [
    lambda h, p: h["parameters"].update(N_s=30),
    lambda h, p: h["parameters"].update(N_s=5),
    lambda h, p: h["window"].update(held=29),
    lambda h, p: h["window"].update(held=10**9),
    lambda h, p: h["window"].update(held=-1),
    lambda h, p: h["window"].update(held=True),
    lambda h, p: h["window"].update(lessons=3),
    lambda h, p: h["window"].update(history=[[1, 2, 0, 0, 0, []]]),
    lambda h, p: h["window"].update(history=[[1, 0, 0, "x", 0, []]]),
    lambda h, p: h["window"].update(history=[[1, 0, 0, 0, 0, "note"]]),
    lambda h, p: h["window"].update(history=[3]),
    lambda h, p: h.update(window=[]),
    put("window-labels", 0, 3),
    put("window-labels", 0, -1),
    put("window-greedy", 5, 3),
    put("window-propensity", 5, 0.0),
    put("window-propensity", 5, 1.5),
    put("window-propensity", 5, np.nan),
    put("window-answer", 5, 2),
    put("window-explored", 5, 2),
    put("window-step", 5, -2),
    shorter("window-id"),
    shorter("window-labels"),
]
SPARSE = [
    put("window-indptr", 0, 1),
    put("window-indptr", 3, 10**9),
    put("window-indptr", -1, 4),
    put("window-indptr", 4, 0),
    put("window-indices", 2, 5),
    put("window-values", 2, np.inf),
    shorter("window-indptr"),
    shorter("window-values"),
]
DENSE = [put("window-X", (1, 1), np.nan), shorter("window-X")]


@pytest.mark.parametrize(
    ("kind", "change"),
    [*(("dense", c) for c in ANY + DENSE), *(("sparse", c) for c in ANY + SPARSE)],
)
def test_what_is_refused(kind: str, change: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.onebit"
    saved(path, kind)
    rewrite(path, change)
    with pytest.raises(FormatError, match=r"m\.onebit: "):
        onebit.load(path)
