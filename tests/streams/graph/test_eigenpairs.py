"""Eigenpairs: known spectra, the two solvers against each other, and checks that catch a wrong answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit.core.errors import DataError
from onebit.graph import Graph
from onebit.streams import planted_graph
from onebit.streams.graph import chebyshev
from onebit.streams.graph.chebyshev import allowed, filtered_pairs
from onebit.streams.graph.eigenpairs import check_pairs, dense_pairs, smallest_pairs
from onebit.streams.graph.laplacian import Normalised

LARGE = 1225  # above the size up to which the matrix is solved as a dense one


def path(n: int) -> Any:
    return sp.diags_array([np.ones(n - 1)] * 2, offsets=(-1, 1))


def ring(n: int) -> Any:
    matrix = path(n).tolil()
    matrix[0, n - 1] = matrix[n - 1, 0] = 1
    return matrix


def star(n: int) -> Any:
    matrix = sp.lil_array((n, n))
    matrix[0, 1:] = 1
    matrix[1:, 0] = 1
    return matrix


def complete(n: int) -> Any:
    return np.ones((n, n)) - np.eye(n)


def torus(side: int) -> Any:
    return sp.kron(ring(side), sp.eye_array(side)) + sp.kron(sp.eye_array(side), ring(side))


def ring_values(n: int) -> Any:
    return 1 - np.cos(2 * np.pi * np.arange(n) / n)


KNOWN = {
    "path": (path, lambda n: 1 - np.cos(np.pi * np.arange(n) / (n - 1))),
    "ring": (ring, ring_values),
    "star": (star, lambda n: np.r_[0, np.ones(n - 2), 2]),
    "complete": (complete, lambda n: np.r_[0, np.full(n - 1, n / (n - 1))]),
    "torus": (
        lambda n: torus(int(np.sqrt(n))),
        lambda n: np.add.outer(*[ring_values(int(np.sqrt(n))) / 2] * 2).ravel(),
    ),
}


@pytest.mark.parametrize("n", [36, LARGE])
@pytest.mark.parametrize("kind", KNOWN)
def test_known_spectra(kind: str, n: int) -> None:
    make, truth = KNOWN[kind]
    values, vectors = smallest_pairs(Graph.of(make(n)), 20)
    np.testing.assert_allclose(values, np.sort(truth(n))[1:21], rtol=1e-6)
    assert vectors.shape == (n, 20)


@pytest.mark.parametrize("kind", KNOWN)
def test_all_pairs_of_a_small_graph(kind: str) -> None:
    make, truth = KNOWN[kind]
    values, _ = smallest_pairs(Graph.of(make(16)), 15)
    np.testing.assert_allclose(values, np.sort(truth(16))[1:], rtol=1e-9)


def two_cliques(n: int) -> Any:
    matrix = sp.block_diag([complete(n // 2)] * 2).tolil()
    matrix[0, n // 2] = matrix[n // 2, 0] = 1
    return matrix


def heavy(n: int) -> Any:
    edges = planted_graph(n, d=5, seed=1).graph.matrix
    upper = sp.triu(edges).tocsr()
    upper.data = 10 ** np.random.default_rng(0).uniform(0, 6, size=upper.nnz)
    return upper + upper.T


def bipartite(n: int) -> Any:
    edges = sp.csr_array(np.random.default_rng(0).random((n // 2, n // 2)) < 0.02, dtype=float)
    edges = (edges + sp.eye_array(n // 2) + sp.eye_array(n // 2, k=1)).sign()
    return sp.block_array([[None, edges], [edges.T, None]])


def cube(n: int) -> Any:
    """Eigenvalues 2j/10, each C(10, j) times: the 80 smallest end in the midst of 120 equal ones."""
    number, bits = np.arange(2**10), 2 ** np.arange(10)
    return sp.coo_array((np.ones(10 * 2**10), (np.repeat(number, 10), np.bitwise_xor.outer(number, bits).ravel())))


@pytest.mark.parametrize("make", [two_cliques, heavy, bipartite, cube])
def test_solvers_agree(make: Any) -> None:
    N, d = Normalised(Graph.of(make(LARGE))), 80
    mu, V = filtered_pairs(N, d)
    exact, W = dense_pairs(N, d)
    np.testing.assert_allclose(1 - mu, 1 - exact, rtol=1e-6, atol=1e-12)
    inside = exact > exact[-1] + 1e-6  # equal eigenvalues at the cut leave the choice of vectors
    assert np.linalg.norm(W[:, inside].T @ V, axis=0)[mu > exact[-1] + 1e-6].min() > 1 - 1e-8
    check_pairs(N, mu, V)


@pytest.fixture(scope="module")
def solved() -> tuple[Normalised, Any, Any]:
    N = Normalised(planted_graph(LARGE, seed=2).graph)
    return N, *filtered_pairs(N, 20)


def test_pairs_are_exact_and_repeat(solved: tuple[Normalised, Any, Any]) -> None:
    N, mu, V = solved
    again, same = filtered_pairs(N, 20)
    np.testing.assert_array_equal(again, mu)
    np.testing.assert_array_equal(same, V)
    assert (np.diff(mu) <= 0).all()
    assert (np.linalg.norm(N.matrix @ V - V * mu, axis=0) <= allowed(1 - mu)).all()
    assert abs(V.T @ V - np.eye(20)).max() < 1e-12
    assert abs(N.top @ V).max() < 1e-12


def test_checks_catch_a_vector_that_is_off(solved: tuple[Normalised, Any, Any]) -> None:
    N, mu, V = solved
    off = V.copy()
    off[0, 4] += 1e-5
    with pytest.raises(DataError, match="eigenpair 5 is wrong, its residual is"):
        check_pairs(N, mu, off)


def test_checks_catch_a_vector_found_twice(solved: tuple[Normalised, Any, Any]) -> None:
    N, mu, V = solved
    twice = np.r_[0, 0, 2:20]
    with pytest.raises(DataError, match="not orthonormal"):
        check_pairs(N, mu[twice], V[:, twice])


@pytest.mark.parametrize("missing", [0, 10])
def test_checks_catch_a_missed_pair(solved: tuple[Normalised, Any, Any], missing: int) -> None:
    N, mu, V = solved
    left = np.delete(np.arange(20), missing)
    with pytest.raises(DataError, match=r"an eigenvalue of \S+ or less was missed"):
        check_pairs(N, mu[left], V[:, left])


def test_the_known_vector_is_no_answer(solved: tuple[Normalised, Any, Any]) -> None:
    N, _, _ = solved
    with pytest.raises(DataError, match="not orthonormal"):
        check_pairs(N, np.ones(1), N.top[:, None])


def test_no_convergence_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chebyshev, "_SWEEPS", 2)
    with pytest.raises(DataError, match="20 smallest eigenpairs did not converge in 2 sweeps"):
        smallest_pairs(Graph.of(path(LARGE)), 20)


def test_a_graph_in_parts() -> None:
    with pytest.raises(DataError, match="has 2 parts that no edge joins"):
        smallest_pairs(Graph.of(np.kron(np.eye(2), complete(3))), 2)


def test_a_graph_in_parts_to_rounding() -> None:
    matrix = np.kron(np.eye(2), complete(3))
    matrix[2, 3] = matrix[3, 2] = 1e-15
    with pytest.raises(DataError, match="to rounding it falls into parts"):
        smallest_pairs(Graph.of(matrix), 2)


def test_weights_of_any_scale() -> None:
    ordinary, _ = smallest_pairs(Graph.of(heavy(300)), 5)
    for scale in (1e-300, 1e300):
        values, _ = smallest_pairs(Graph.of(scale * heavy(300)), 5)
        np.testing.assert_allclose(values, ordinary, rtol=1e-9)


def test_progress_rises_to_the_end() -> None:
    heard: list[tuple[str, int, int]] = []
    smallest_pairs(Graph.of(path(LARGE)), 20, lambda *told: heard.append(told))
    counts = [done for _, done, _ in heard]
    assert {(what, total) for what, _, total in heard} == {("eigenpairs", 20)}
    assert counts[-1] == 20
    assert len(set(counts)) > 3
    assert (np.diff(counts) >= 0).all()
