"""Strongly and weakly separable streams: the definitions, at any size; masses; what cannot be."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.streams import strong_separable, weak_separable
from tests.naive.separable import region_rows

STRONG = [
    {},
    {"d": 2, "classes": 3, "margin": 0.1},
    {"d": 2, "classes": 2},
    {"d": 3, "classes": 4, "margin": 0.2},
    {"d": 6, "classes": 30, "margin": 0.01},
    {"d": 40, "classes": 9, "margin": 0.1},
]
WEAK = [
    {},
    {"classes": 2, "margin": 0.5},
    {"d": 3, "classes": 4, "margin": 0.3},
    {"d": 5, "classes": 40, "margin": 0.02},
    {"d": 40, "classes": 9, "margin": 0.2},
]
BOTH = [(strong_separable, shape) for shape in STRONG] + [(weak_separable, shape) for shape in WEAK]


def margins(stream: Any) -> Any:
    """The margin that each row keeps."""
    scores, rows = stream.X @ stream.vectors.T, np.arange(len(stream.y))
    own = scores[rows, stream.y]
    scores[rows, stream.y] = -np.inf
    others = scores.max(axis=1)
    return own - others if stream.name == "weak-separable" else 2 * np.minimum(own, -others)


@pytest.mark.parametrize(("make", "shape"), BOTH)
def test_every_row_keeps_the_margin_and_some_hardly_so(make: Any, shape: dict[str, Any]) -> None:
    stream = make(30_000, seed=3, **shape)
    assert (stream.vectors**2).sum() == pytest.approx(1, rel=1e-12)
    assert stream.margin <= margins(stream).min() < 1.1 * stream.margin
    lengths = np.linalg.norm(stream.X, axis=1)
    assert 0.999 < lengths.max() <= 1


@pytest.mark.parametrize(("make", "shape"), [BOTH[0], BOTH[1], BOTH[4], BOTH[6], BOTH[9]])
def test_rows_are_those_of_the_obvious_generator(make: Any, shape: dict[str, Any]) -> None:
    stream = make(200, seed=8, label_noise=0.3, **shape)
    X, y = region_rows(stream, stream._regions.centres, 200, seed=8)
    assert np.abs(stream.X - X).max() < 1e-9
    assert stream.y.tolist() == y


def test_a_region_is_filled_to_its_corners() -> None:
    stream = weak_separable(100_000, classes=4)
    X = stream.X[stream.y == 0]
    forward = X @ stream.vectors[0] * 2
    sideways = X @ (stream.vectors[1] - stream.vectors[3])
    assert forward.min() < 0.03, "the tip of the cone"
    assert forward.max() > 0.97
    assert sideways.min() < -0.65, "the cone meets the circle at ±1/√2"
    assert sideways.max() > 0.65


@pytest.mark.parametrize("make", [strong_separable, weak_separable])
def test_classes_have_equal_mass(make: Any) -> None:
    n = 100_000
    assert np.bincount(make(n).y) / n == pytest.approx(1 / 9, abs=5 * np.sqrt(1 / 9 / n))


@pytest.mark.parametrize("make", [strong_separable, weak_separable])
def test_seeds_and_label_noise(make: Any) -> None:
    n = 20_000
    one, other = make(n, seed=1, structure_seed=5), make(n, seed=2, structure_seed=5)
    assert (one.vectors == other.vectors).all()
    assert not (one.X == other.X).any()
    assert not (one.vectors == make(1, structure_seed=6).vectors).any()
    noisy = make(n, seed=1, structure_seed=5, label_noise=0.2)
    assert (noisy.X == one.X).all()
    assert (noisy.y != one.y).mean() == pytest.approx(0.2 * 8 / 9, abs=4 * np.sqrt(0.18 / n))
    assert noisy.describe()["margin"] == 0.005
    assert noisy.describe()["options"].items() >= {"structure_seed": 5, "label_noise": 0.2, "margin": 0.005}.items()


def test_many_features_and_classes() -> None:
    stream = weak_separable(500, d=120, classes=100)
    assert stream.X.shape == (500, 120)
    assert margins(stream).min() >= 0.005


def test_many_features_come_in_shorter_windows_of_the_same_rows() -> None:
    stream = weak_separable(2_200, d=2_000, classes=3)
    lengths = [len(window.y) for window in stream.windows(0)]
    assert lengths == [1_048, 1_048, 104]
    assert (stream.X[:1_100] == weak_separable(1_100, d=2_000, classes=3).X).all()


def test_in_the_plane_no_more_than_three_classes_are_strongly_separable() -> None:
    with pytest.raises(onebit.ConfigError, match="classes=9: with d=2 features at most 3 classes .* use d=3 or more"):
        strong_separable(10, d=2)
    assert strong_separable(10).n_features == 3


@pytest.mark.parametrize(("make", "shape"), [BOTH[0], BOTH[1], BOTH[4], BOTH[6], BOTH[9]])
def test_too_wide_a_margin_is_told_the_largest(make: Any, shape: dict[str, Any]) -> None:
    with pytest.raises(onebit.ConfigError, match=r"margin=1: leaves no room for a class.* about ") as caught:
        make(10, **(shape | {"margin": 1}))
    told = float(re.findall(r"about ([\d.e-]+)$", str(caught.value))[0])
    wide = make(2_000, **(shape | {"margin": 0.9 * told}))
    assert margins(wide).min() >= 0.9 * told
    with pytest.raises(onebit.ConfigError, match="the largest margin is about"):
        make(10, **(shape | {"margin": 1.1 * told}))


@pytest.mark.parametrize("make", [strong_separable, weak_separable])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rounds": -1}, "rounds=-1: must be a whole number, 1 or larger"),
        ({"d": 1}, "d=1: must be a whole number, 2 or larger"),
        ({"classes": "9"}, "classes='9': must be a whole number, 2 or larger"),
        ({"margin": -0.1}, "margin=-0.1: must be a number above 0"),
        ({"seed": 1.5}, "seed=1.5"),
        ({"label_noise": True}, "label_noise=True: must be a number from 0 to 1"),
    ],
)
def test_parameters_that_cannot_be(make: Any, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=re.escape(message)):
        make(**({"rounds": 10} | wrong))
