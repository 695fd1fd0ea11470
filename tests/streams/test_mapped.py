"""Mapped streams: the source's rows in the source's order, through a map that no play changes."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, Normalizer, StandardScaler

import onebit
from onebit import ConfigError, DataError, streams
from onebit.features import RandomFourier, RationalMap
from onebit.streams.base import Stream

IRIS = streams.load("iris")
WAVES = RandomFourier(8).fit(IRIS.X)


class Spy:
    """A transformer with nothing but fit and transform, which adds up to the mean of what it was fitted on."""

    def __init__(self) -> None:
        self.fits: list[Any] = []

    def fit(self, X: Any) -> Spy:
        self.fits.append(X)
        return self

    def transform(self, X: Any) -> Any:
        return X - self.fits[0].mean(axis=0)


def played(stream: Stream, seed: int, rounds: int | None = None) -> tuple[Any, Any]:
    parts = [(window.X[window.order], window.y[window.order]) for window in stream.windows(seed, rounds)]
    return np.vstack([X for X, _ in parts]), np.concatenate([y for _, y in parts])


@pytest.mark.parametrize("rounds", [None, 40, 400])
def test_the_same_rows_in_the_same_order(rounds: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("onebit.streams.mapped"), "_PIECE_BYTES", 8 * 8 * 37)
    stream = streams.mapped(IRIS, RandomFourier(8))
    assert max(len(window.y) for window in stream.windows(3)) == 37
    X, y = played(IRIS, 3, rounds)
    for seen, expected in zip(played(stream, 3, rounds), (WAVES.transform(X), y), strict=True):
        np.testing.assert_allclose(seen, expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(stream.X, WAVES.transform(IRIS.X), rtol=1e-12, atol=1e-15)
    assert (stream.y == IRIS.y).all()


def test_a_learner_plays_it_as_the_table_mapped_before() -> None:
    table = streams.from_arrays(WAVES.transform(IRIS.X), IRIS.y)
    learner = onebit.Banditron(IRIS.classes, gamma=0.1)
    for channel in (onebit.Bit(), onebit.Bit(delay=(0, 30))):
        lazy = onebit.simulate(learner, streams.mapped(IRIS, RandomFourier(8)), channel, rounds=500, seeds=2)
        assert lazy.errors == onebit.simulate(learner, table, channel, rounds=500, seeds=2).errors


def test_the_map_is_fitted_once_on_rows_of_its_own_and_the_one_given_is_not_touched() -> None:
    drawn, spy = streams.synsep(5000), Spy()
    stream = streams.mapped(drawn, spy)
    own = stream.transformer
    for seed in (0, 1):
        next(stream.windows(seed, 10))
    assert spy.fits == []
    (rows,) = own.fits
    assert rows.shape == (2000, 400)
    assert (rows[:10] != next(drawn.windows(0, 10)).X).nnz > 0
    assert (rows != streams.mapped(drawn, Spy()).transformer.fits[0]).nnz == 0
    assert (rows != streams.mapped(drawn, Spy(), seed=1).transformer.fits[0]).nnz > 0
    assert streams.mapped(drawn, Spy(), fit_rows=50).transformer.fits[0].shape == (50, 400)
    assert streams.mapped(IRIS, Spy()).transformer.fits[0].shape == (150, 4)


def test_a_fitted_map_is_taken_as_it_is() -> None:
    shifted = Spy().fit(np.ones((1, 4)))
    stream = streams.mapped(IRIS, shifted, fit_rows=None)
    assert (stream.X == IRIS.X - 1).all()
    shifted.fits[0][:] = 5
    assert (played(stream, 0)[0] == played(IRIS, 0)[0] - 1).all()
    assert stream.describe()["map"]["fit_rows"] is None


def test_pipelines_and_nystroem() -> None:
    curve = make_pipeline(StandardScaler(), Nystroem(gamma=0.1, n_components=20, random_state=0))
    stream = streams.mapped(IRIS, curve)
    assert (stream.n_features, stream.sparse, stream.name) == (20, False, "iris (Pipeline)")
    said = stream.describe()["map"]["transformer"]
    assert "StandardScaler" in said
    assert "n_components=20" in said


def test_sparse_in_and_sparse_out() -> None:
    drawn = streams.synsep(300)
    stream = streams.mapped(drawn, Normalizer())
    assert stream.sparse
    assert stream.describe()["kind"] == "sparse"
    np.testing.assert_allclose(sp.linalg.norm(stream.X, axis=1), 1)
    assert next(stream.windows(0)).X.indices.dtype == np.int32
    result = onebit.simulate(onebit.Banditron(9), stream)
    assert result.errors == onebit.simulate(onebit.Banditron(9, normalize=True), drawn).errors


def test_transformers_that_want_indices_of_32_bits() -> None:
    stream = streams.mapped(streams.synsep(300), KMeans(3, n_init=1, random_state=0))
    assert next(stream.windows(0)).X.shape == (300, 3)


def test_by_hand_and_maps_on_maps() -> None:
    twice = streams.mapped(streams.mapped(IRIS, Normalizer()), RationalMap(2))
    assert twice.raw is IRIS
    np.testing.assert_allclose(twice.through_map(IRIS.X), twice.X, rtol=1e-15)
    assert twice.name == "iris (Normalizer) (RationalMap)"
    learner = onebit.Banditron(twice.classes)
    assert learner.decide(twice.through_map(IRIS.X[:1])[0]).id == 0


def test_the_description_is_the_sources_and_the_maps() -> None:
    said = streams.mapped(streams.synsep(300), RandomFourier(4, gamma=0.5), fit_rows=20).describe()
    assert (said["features"], said["kind"], said["rows"], said["classes"]) == (4, "dense", 300, 9)
    assert said["options"] == streams.synsep(300).describe()["options"]
    assert "gamma=0.5, kernel='rbf'" in said["map"].pop("transformer")
    assert said["map"] == {"features": 400, "fit_rows": 20, "seed": 0}


def test_rows_that_the_map_refuses_are_told_with_their_rounds() -> None:
    X = np.full((100, 2), 0.5)
    X[99] = 3
    stream = streams.mapped(streams.from_arrays(X, np.arange(100) % 2, shuffle=False), RationalMap(2), fit_rows=90)
    with pytest.raises(DataError, match=r"rounds 1 to 100: RationalMap\(degree=2\) failed: row 99: has norm 4.24"):
        onebit.simulate(onebit.Banditron(2), stream)


def test_what_a_map_gives_is_checked() -> None:
    def broken(X: Any) -> Any:
        return X / X[:, 1:2].round()

    table = streams.from_arrays([[1.0, 1.0], [1.0, 1.0], [1.0, 0.0]], [0, 1, 1], shuffle=False)
    with np.errstate(divide="ignore", invalid="ignore"), pytest.raises(DataError, match="row 2, feature 0 is inf"):
        streams.mapped(table, FunctionTransformer(broken))
    dropping = FunctionTransformer(lambda X: X[X[:, 1] > 0])
    with pytest.raises(DataError, match="3 rows became a table of shape .2, 2.*one row of 2 features for each"):
        played(streams.mapped(table, dropping), 0)


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"stream": [[1.0]]}, ConfigError, "must be a stream"),
        ({"transformer": RationalMap}, ConfigError, "must be an object with fit and transform"),
        ({"transformer": "rational"}, ConfigError, "transformer='rational': must be an object"),
        ({"fit_rows": 0}, ConfigError, "fit_rows=0: must be a whole number, 1 or larger, or None"),
        ({"seed": -1}, ConfigError, "seed=-1"),
        ({"fit_rows": None}, DataError, r"iris .RationalMap.: RationalMap\(\) failed: .* not fitted"),
        ({}, DataError, r"iris: RationalMap\(\) cannot be fitted to its rows: row 0: has norm"),
        ({"transformer": RationalMap(0)}, ConfigError, "degree=0: must be"),
    ],
)
def test_bad_input(change: dict[str, Any], kind: type[Exception], message: str) -> None:
    given: dict[str, Any] = {"stream": IRIS, "transformer": RationalMap()} | change
    with pytest.raises(kind, match=message):
        streams.mapped(given.pop("stream"), given.pop("transformer"), **given)
