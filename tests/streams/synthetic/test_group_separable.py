"""Group separable streams: the definition, the layouts, masses, margins that cannot be."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.streams import group_separable
from tests.naive.separable import group_rows

SHAPES = [
    {},
    {"layout": "random", "structure_seed": 3},
    {"layout": "radial", "margin": 0.02},
    {"classes": 7, "groups": 5, "margin": 0.01},
    {"d": 3, "classes": 8, "groups": 6, "layout": "random"},
    {"d": 12, "classes": 5, "groups": 2, "layout": "radial", "margin": 0.03},
    {"d": 4, "classes": 3, "groups": 1, "margin": 0.1},
    {"d": 2, "classes": 4, "groups": 4, "margin": 0.05},
]


def group_gaps(stream: Any) -> Any:
    """By how much each row's own group beats every other one."""
    scores, own = stream.X @ stream.u.T, np.array(stream.groups)[stream.y]
    rows = np.arange(len(own))
    best = scores[rows, own]
    scores[rows, own] = -np.inf
    return best - scores.max(axis=1)


def class_gaps(stream: Any) -> list[float]:
    """How far apart neighbouring classes of a group lie on its u'; below 0 if they overlap."""
    gaps, groups = [], np.array(stream.groups)
    for c in np.flatnonzero(groups[1:] == groups[:-1]).tolist():
        heights = stream.X @ stream.u_prime[groups[c]]
        gaps.append(float(heights[stream.y == c + 1].min() - heights[stream.y == c].max()))
    return gaps


@pytest.mark.parametrize("shape", SHAPES)
def test_every_row_keeps_both_conditions_and_none_is_dropped_without_need(shape: dict[str, Any]) -> None:
    stream = group_separable(30_000, seed=5, **shape)
    margin, L = stream.margin, len(stream.u)
    assert (stream.u**2).sum() == pytest.approx(1, rel=1e-12)
    assert (stream.u_prime**2).sum() == pytest.approx(1, rel=1e-12)
    assert np.linalg.norm(stream.X, axis=1).max() <= 1
    assert set(stream.y.tolist()) == set(range(len(stream.classes)))
    if L > 1:
        assert margin <= group_gaps(stream).min() < 1.05 * margin
    gaps = class_gaps(stream)
    assert len(gaps) == len(stream.classes) - L
    if gaps:
        assert 2 * margin <= min(gaps) < 2.1 * margin


@pytest.mark.parametrize("shape", SHAPES[:5])
def test_rows_are_those_of_the_obvious_generator(shape: dict[str, Any]) -> None:
    stream = group_separable(300, seed=8, label_noise=0.3, **shape)
    X, y = group_rows(stream, 300, seed=8)
    assert np.abs(stream.X - X).max() < 1e-11
    assert stream.y.tolist() == y


@pytest.mark.parametrize("layout", ["perp", "random", "radial"])
def test_classes_have_equal_mass_though_the_margin_takes_more_from_the_middle(layout: Any) -> None:
    n = 300_000
    shares = np.bincount(group_separable(n, margin=0.03, layout=layout).y) / n
    noise = 4.5 * np.sqrt(1 / 9 * 8 / 9 / n)
    own = np.repeat(shares.reshape(3, 3).mean(axis=1), 3)
    assert shares == pytest.approx(own, abs=noise)
    if layout != "random":
        assert own == pytest.approx(1 / 9, abs=noise), "the margin takes as much from each group"


def test_classes_of_uneven_groups_share_the_mass_of_their_group() -> None:
    n = 100_000
    stream = group_separable(n, d=4, classes=7, groups=3)
    assert stream.groups == (0, 0, 0, 1, 1, 2, 2)
    expected = np.repeat([1 / 9, 1 / 6], [3, 4])
    assert np.bincount(stream.y) / n == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("d", [2, 5])
def test_rows_are_uniform_in_the_ball(d: int) -> None:
    n = 50_000
    X = group_separable(n, d=d, classes=2, groups=1, margin=1e-9).X
    volumes = np.sort(np.linalg.norm(X, axis=1) ** d)
    assert volumes == pytest.approx((np.arange(n) + 0.5) / n, abs=2 / np.sqrt(n))
    assert X.mean(axis=0) == pytest.approx(0, abs=5 / np.sqrt(n * (d + 2)))
    assert X.T @ X / n == pytest.approx(np.eye(d) / (d + 2), abs=5 / np.sqrt(n) / (d + 2))


@pytest.mark.parametrize("d", [2, 6])
def test_layouts_are_slabs_along_and_across_the_cones(d: int) -> None:
    perp, radial = group_separable(1, d=d), group_separable(1, d=d, layout="radial")
    assert (perp.u * perp.u_prime).sum(axis=1) == pytest.approx(0, abs=1e-15)
    assert np.linalg.norm(perp.u_prime, axis=1) == pytest.approx(1 / np.sqrt(3))
    assert (radial.u == radial.u_prime).all()
    assert perp.u @ perp.u.T * 3 == pytest.approx(1.5 * np.eye(3) - 0.5), "three groups are a simplex"


def test_the_structure_is_that_of_the_structure_seed() -> None:
    one, other = group_separable(500, seed=1, structure_seed=5), group_separable(500, seed=2, structure_seed=5)
    assert (one.u == other.u).all()
    assert (one.u_prime == other.u_prime).all()
    assert (np.concatenate(one.thresholds) == np.concatenate(other.thresholds)).all()
    assert not (one.X == other.X).any()
    assert (one.X == group_separable(500, seed=1, structure_seed=5).X).all()
    assert not (one.u == group_separable(500, seed=1, structure_seed=6).u).any()


def test_fewer_rounds_are_the_beginning_of_more() -> None:
    long, short = group_separable(40_000, seed=2), group_separable(17_000, seed=2)
    assert (long.X[:17_000] == short.X).all()
    assert (long.y[:17_000] == short.y).all()
    asked = [w.y for w in long.windows(2, rounds=17_000)]
    assert (np.concatenate(asked) == short.y).all()


def test_a_share_of_the_labels_is_redrawn_over_all_classes_and_the_rows_stay() -> None:
    n = 50_000
    clean, noisy = group_separable(n), group_separable(n, label_noise=0.1)
    assert (clean.X == noisy.X).all()
    moved = clean.y != noisy.y
    assert moved.mean() == pytest.approx(0.1 * 8 / 9, abs=4 * np.sqrt(0.09 / n))
    assert np.bincount(noisy.y[moved]) / moved.sum() == pytest.approx(1 / 9, abs=5 * np.sqrt(1 / 9 / moved.sum()))
    assert (np.bincount(group_separable(n, label_noise=1.0).y) > n / 10).all()


def test_a_learner_plays_it_and_the_stream_says_what_it_is() -> None:
    stream = group_separable(2000, classes=4, groups=2, margin=0.01, layout="radial")
    told = stream.describe()
    assert (told["margin"], told["groups"], told["layout"]) == (0.01, (0, 0, 1, 1), "radial")
    result = onebit.simulate(onebit.Banditron(4), stream, seeds=2)
    assert result.settings["stream"]["groups"] == [0, 0, 1, 1]
    assert result.errors[0] != result.errors[1], "each seed draws rows of its own"


@pytest.mark.parametrize(
    "shape", [{}, {"layout": "radial"}, {"d": 5, "classes": 12, "groups": 4}, {"d": 3, "classes": 5, "groups": 5}]
)
def test_too_wide_a_margin_is_told_the_largest(shape: dict[str, Any]) -> None:
    with pytest.raises(onebit.ConfigError, match=r"margin=0\.6: leaves a class next to nothing.* about ") as caught:
        group_separable(10, margin=0.6, **shape)
    told = float(re.findall(r"about ([\d.e-]+)$", str(caught.value))[0])
    assert set(group_separable(5_000, margin=0.9 * told, **shape).y) == set(range(shape.get("classes", 9)))
    with pytest.raises(onebit.ConfigError, match="the largest margin is about"):
        group_separable(10, margin=1.1 * told, **shape)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rounds": 0}, "rounds=0: must be a whole number, 1 or larger"),
        ({"d": 1}, "d=1: must be a whole number, 2 or larger"),
        ({"d": 2.0}, "d=2.0: must be a whole number"),
        ({"classes": 1}, "classes=1: must be a whole number, 2 or larger"),
        ({"groups": 0}, "groups=0: must be a whole number, 1 or larger"),
        ({"groups": True}, "groups=True: must be a whole number"),
        ({"groups": 10}, "groups=10: every group needs a class; give 9 or fewer"),
        ({"margin": 0}, "margin=0: must be a number above 0"),
        ({"margin": float("nan")}, "margin=nan: must be a number above 0"),
        ({"margin": float("inf")}, "margin=inf: must be a number above 0"),
        ({"margin": "wide"}, "margin='wide': must be a number above 0"),
        ({"layout": "spiral"}, "layout='spiral': must be 'perp' or 'random' or 'radial'"),
        ({"seed": -1}, "seed=-1"),
        ({"structure_seed": 0.5}, "structure_seed=0.5"),
        ({"label_noise": 1.1}, "label_noise=1.1: must be a number from 0 to 1"),
    ],
)
def test_parameters_that_cannot_be(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=re.escape(message)):
        group_separable(**({"rounds": 10} | wrong))
