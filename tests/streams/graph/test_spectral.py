"""Spectral rows: weights, lengths, signs, the cache; and node features joined to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.core.errors import ConfigError, DataError
from onebit.graph import Graph
from onebit.streams import planted_graph, spectral_rows
from onebit.streams.graph import cache
from onebit.streams.graph.cache import cache_path
from onebit.streams.graph.eigenpairs import smallest_pairs
from onebit.streams.graph.node_features import join_node_features

SMALL = planted_graph(200, seed=4).graph
LARGE = planted_graph(1200, seed=4).graph
D = 20


def test_rows_are_weighted_vectors() -> None:
    values, vectors = smallest_pairs(SMALL, D)
    for weights, factors in (("1/sqrt", values**-0.5), ("1/lambda", 1 / values), (np.arange(D), np.arange(D))):
        rows = spectral_rows(SMALL, D, weights=weights, unit=False)
        np.testing.assert_allclose(np.abs(rows), np.abs(vectors * factors), rtol=1e-12)
        unit = spectral_rows(SMALL, D, weights=weights)
        np.testing.assert_allclose(unit, rows / np.linalg.norm(rows, axis=1, keepdims=True), rtol=1e-12)


def test_the_largest_entry_is_positive() -> None:
    rows = spectral_rows(SMALL, D, unit=False)
    assert (rows[np.abs(rows).argmax(axis=0), np.arange(D)] > 0).all()


def test_of_entries_that_tie_the_first_is_positive() -> None:
    path = Graph.of(np.diag(np.ones(7), 1) + np.diag(np.ones(7), -1))
    rows = spectral_rows(path, 3, unit=False)
    for column in rows.T:
        ties = np.flatnonzero(np.isclose(np.abs(column), np.abs(column).max(), rtol=1e-6))
        assert len(ties) > 1
        assert column[ties[0]] > 0


def test_a_row_of_zeros_stays() -> None:
    spokes = np.zeros((6, 6))
    spokes[0, 1:] = spokes[1:, 0] = 1
    rows = spectral_rows(Graph.of(spokes), 4)
    assert not rows[0].any()
    np.testing.assert_allclose(np.linalg.norm(rows[1:], axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"d": 0}, "d=0: must be a whole number, 1 or larger"),
        ({"d": 2.0}, "d=2.0: must be a whole number"),
        ({"d": 200}, "d=200: the graph has 200 nodes, so d must be from 1 to 199"),
        ({"weights": "1/λ"}, "weights='1/λ': must be '1/sqrt', '1/lambda' or 20 numbers"),
        ({"weights": [1.0]}, "must be '1/sqrt', '1/lambda' or 20 finite numbers"),
        ({"weights": [np.nan] * D}, "20 finite numbers"),
        ({"weights": [[1], [1, 2]]}, "20 finite numbers"),
        ({"unit": "yes"}, "unit='yes': must be True or False"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        spectral_rows(SMALL, **({"d": D} | options))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    return tmp_path


def never(*_: Any) -> Any:
    raise AssertionError("computed, though it is in the cache")


def test_the_cache_gives_the_same_bits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = spectral_rows(LARGE, D)
    fewer = spectral_rows(LARGE, D - 1)
    assert len(list(folder.rglob("*.npz"))) == 2
    monkeypatch.setattr(cache, "smallest_pairs", never)
    np.testing.assert_array_equal(spectral_rows(LARGE, D), rows)
    np.testing.assert_array_equal(spectral_rows(LARGE, D - 1), fewer)


@pytest.mark.parametrize("damage", ["cut", "foreign", "shape", "bit"])
def test_a_damaged_file_is_made_again(folder: Path, damage: str) -> None:
    rows, path = spectral_rows(LARGE, D), cache_path(LARGE, D)
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "foreign":
        path.write_text("no pairs")
    elif damage == "bit":
        middle = len(content) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    else:
        np.savez(path, values=np.ones(D), vectors=np.ones((3, D)))
    np.testing.assert_array_equal(spectral_rows(LARGE, D), rows)
    assert path.read_bytes() == content


def test_a_cache_that_cannot_be_written(folder: Path) -> None:
    (folder / "spectral").write_text("in the way")
    assert spectral_rows(LARGE, D).shape == (len(LARGE), D)


def test_small_graphs_are_not_kept(folder: Path) -> None:
    spectral_rows(SMALL, D)
    assert not list(folder.iterdir())


def naive_features(graph: Graph, F: Any, dims: int) -> Any:
    S = graph.matrix.toarray() + np.eye(len(graph))
    M = S / np.sqrt(np.outer(S.sum(axis=0), S.sum(axis=0)))
    lengths = np.linalg.norm(F, axis=1, keepdims=True)
    spread = M @ M @ (F / np.where(lengths > 0, lengths, 1))
    U, s, _ = np.linalg.svd(spread - spread.mean(axis=0))
    parts = U[:, :dims] * s[:dims]
    return parts / np.linalg.norm(parts, axis=1, keepdims=True)


@pytest.mark.parametrize("columns", [5, 60, 300])  # fewer than dims, a few, more than nodes
def test_joined_features(columns: int) -> None:
    F = (np.random.default_rng(0).random((200, columns)) < 0.1).astype(float)
    rows, dims = spectral_rows(SMALL, D), min(columns, 10)
    both = join_node_features(rows, SMALL, sp.csr_array(F), 10)
    assert both.shape == (200, D + dims)
    np.testing.assert_array_equal(both[:, :D], rows / np.sqrt(2))
    np.testing.assert_allclose(np.abs(both[:, D:]), np.abs(naive_features(SMALL, F, dims)) / np.sqrt(2), atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(both, axis=1), 1, rtol=1e-12)
    np.testing.assert_array_equal(join_node_features(rows, SMALL, sp.csr_array(F), 10), both)
    np.testing.assert_allclose(join_node_features(rows, SMALL, F, 10), both, atol=1e-8)


@pytest.mark.parametrize("columns", [3, 100])
def test_features_that_say_nothing(columns: int) -> None:
    both = join_node_features(spectral_rows(SMALL, D), SMALL, np.zeros((200, columns)), 10)
    assert both.shape == (200, D + min(columns, 10))
    assert not both[:, D:].any()


def test_features_of_low_rank_leave_columns_of_zeros() -> None:
    F = np.repeat(np.eye(3)[np.arange(200) % 3], 40, axis=1)
    parts = join_node_features(spectral_rows(SMALL, D), SMALL, F, 10)[:, D:]
    assert parts[:, :3].any(axis=0).all()
    assert not parts[:, 3:].any()


def test_wrong_features() -> None:
    rows = spectral_rows(SMALL, D)
    with pytest.raises(DataError, match="features: have 3 rows beside 200 spectral rows for a graph of 200 nodes"):
        join_node_features(rows, SMALL, np.eye(3))
    with pytest.raises(ConfigError, match="dims=0: must be a whole number, 1 or larger"):
        join_node_features(rows, SMALL, np.eye(200), 0)
