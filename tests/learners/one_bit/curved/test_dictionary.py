"""The dictionary of kept cases, against SciPy: kernels, their inverse, what is new, and that room changes no bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import onebit
from onebit.learners.one_bit.curved import state as curved_state
from onebit.learners.one_bit.curved.dictionary import (
    Dictionary,
    compare,
    explain_by_kept,
    forget_kept,
    keep_if_novel,
    new_dictionary,
    with_room,
)
from onebit.learners.one_bit.curved.views import Views
from onebit.ops.jit import entry_point
from tests.either import clusters
from tests.learners.one_bit.curved import inside
from tests.naive.packed import whole

BUDGET = 150
A_FIFTH = 0.2


@entry_point
def offer(dictionary: Any, views: Any, lesson: int, budget: int) -> bool:
    compare(dictionary, views)
    explain_by_kept(dictionary)
    return keep_if_novel(dictionary, views, lesson, budget)


@entry_point
def ask(dictionary: Any, views: Any) -> None:
    compare(dictionary, views)
    explain_by_kept(dictionary)


@entry_point
def empty(dictionary: Any) -> None:
    forget_kept(dictionary)


def seen(a: Any, b: Any) -> Views:
    """Both views, with their squared lengths behind them."""
    return Views(*(np.append(view, view @ view) for view in (a, b)))


def cases(n: int, d: int, spread: float = 0.5) -> tuple[Any, Any]:
    """Both views of n rows, in sixteenths, which single precision holds as they are, and their squared lengths too."""
    a, b = np.round(16 * spread * np.random.default_rng(d).normal(size=(2, n, d))) / 16
    return a, b


def kernel(A: Any, B: Any) -> Any:
    """k of each pair, from both views of each."""
    by_a, by_b = (np.exp(-cdist(x, y, "sqeuclidean")) for x, y in zip(A, B, strict=True))
    return by_a / 4 + 0.55 * by_b + A_FIFTH * A[1] @ B[1].T


def filled(a: Any, b: Any, room: int = BUDGET, budget: int = BUDGET) -> tuple[Dictionary, list[int]]:
    """A dictionary to which all rows were offered, one a lesson, and the numbers of those it has kept."""
    dictionary = with_room(new_dictionary(a.shape[1]), room)
    kept = [i for i in range(len(a)) if offer(dictionary, seen(a[i], b[i]), i, budget)]
    return dictionary, kept


@pytest.mark.parametrize("n", [1, 8, 31, 32, 33, 64, 65, 140])
@pytest.mark.parametrize("d", [1, 3, 8, 20])
def test_kernels_are_those_of_both_views(n: int, d: int) -> None:
    a, b = cases(200, d, 1.0)
    dictionary, kept = filled(a[:n], b[:n])
    for i in range(195, 200):
        ask(dictionary, seen(a[i], b[i]))
        right = kernel((a[kept], b[kept]), (a[i : i + 1], b[i : i + 1]))[:, 0]
        np.testing.assert_allclose(dictionary.k[0, : len(kept)], right, rtol=1e-13, atol=1e-15)
        assert not dictionary.k[0, len(kept) :].any()


@pytest.mark.parametrize("d", [2, 5, 12])
def test_the_inverse_is_that_of_the_kernels_among_the_kept(d: int) -> None:
    a, b = cases(300, d)
    dictionary, kept = filled(a, b)
    n = len(kept)
    assert n > 20
    K = kernel((a[kept], b[kept]), (a[kept], b[kept]))
    inverse = whole(dictionary.inverse, n)
    np.testing.assert_allclose(inverse @ K, np.eye(n), rtol=0, atol=1e-10)
    ask(dictionary, seen(a[-1], b[-1]))
    k = kernel((a[kept], b[kept]), (a[-1:], b[-1:]))[:, 0]
    np.testing.assert_allclose(dictionary.explained[:n], np.linalg.solve(K, k), rtol=0, atol=1e-10)


@pytest.mark.parametrize("d", [2, 5, 12])
def test_a_row_is_kept_if_the_kept_ones_leave_too_much_of_it_unexplained(d: int) -> None:
    a, b = cases(80, d)
    dictionary = with_room(new_dictionary(d), BUDGET)
    kept: list[int] = []
    for i in range(80):
        K = kernel((a[kept], b[kept]), (a[kept], b[kept])) if kept else np.zeros((0, 0))
        k = kernel((a[kept], b[kept]), (a[i : i + 1], b[i : i + 1]))[:, 0] if kept else np.zeros(0)
        left = kernel((a[i : i + 1], b[i : i + 1]), (a[i : i + 1], b[i : i + 1])).item() - k @ np.linalg.solve(K, k)
        new = offer(dictionary, seen(a[i], b[i]), 10 + i, BUDGET)
        assert new == (left > 0.02), f"row {i}"
        if new:
            kept.append(i)
    assert dictionary.size[0] == len(kept)
    assert dictionary.lesson[: len(kept)].tolist() == [10 + i for i in kept]


@pytest.mark.parametrize(("factor", "new"), [(1 - 1e-6, False), (1 + 1e-6, True)])
def test_the_threshold(factor: float, new: bool) -> None:
    """Beside one kept case at 0, and at distance r in the first view alone: δ = .8 - (.25 exp(-r²) + .55)² / .8."""
    dictionary = with_room(new_dictionary(1), 8)
    nothing = np.zeros(1)
    assert offer(dictionary, seen(nothing, nothing), 0, 8)
    near = (np.sqrt(0.8 * (0.8 - 0.02 * factor)) - 0.55) / 0.25
    r = np.array([np.sqrt(-np.log(near))])
    assert offer(dictionary, seen(r, nothing), 1, 8) == new


def test_a_row_that_joins_is_explained_by_itself() -> None:
    a, b = cases(70, 4)
    dictionary = with_room(new_dictionary(4), BUDGET)
    joined = 0
    for i in range(70):
        if offer(dictionary, seen(a[i], b[i]), i, BUDGET):
            n = dictionary.size[0]
            joined += 1
            own = 0.8 + 0.2 * b[i] @ b[i]
            assert dictionary.k[0, n - 1] == pytest.approx(own, rel=1e-15)
            assert dictionary.explained[:n].tolist() == [0.0] * (n - 1) + [1.0]
            ask(dictionary, seen(a[i], b[i]))
            assert dictionary.k[0, n - 1] == pytest.approx(own, rel=1e-14)
            np.testing.assert_allclose(dictionary.explained[:n], np.eye(n)[-1], rtol=0, atol=1e-11)
        else:
            before = [array.copy() for array in dictionary]
            assert not offer(dictionary, seen(a[i], b[i]), i, BUDGET), "nor is it the second time"
            assert all(np.array_equal(old, new) for old, new in zip(before, dictionary, strict=True))
    assert joined == dictionary.size[0] > 20


def test_a_full_dictionary_keeps_no_more() -> None:
    a, b = cases(50, 6)
    dictionary, kept = filled(a, b, room=12, budget=12)
    assert len(kept) == 12
    assert kept == filled(a, b)[1][:12], "those that came first"
    assert dictionary.size[0] == 12


def test_single_precision_is_all_that_a_kept_case_loses() -> None:
    a, b = 0.5 * np.random.default_rng(0).normal(size=(2, 90, 5))
    dictionary, kept = filled(a, b)
    single = [view[kept].astype(np.float32) for view in (a, b)]
    for blocks, right in zip((dictionary.a, dictionary.b), single, strict=True):
        held = inside.rows_of(blocks, len(kept))
        np.testing.assert_array_equal(held[:, :-2], right)
        np.testing.assert_allclose(held[:, -2], (right.astype(np.float64) ** 2).sum(axis=1), rtol=3e-7)
    ask(dictionary, seen(a[-1], b[-1]))
    right = kernel((a[kept], b[kept]), (a[-1:], b[-1:]))[:, 0]
    np.testing.assert_allclose(dictionary.k[0, : len(kept)], right, rtol=0, atol=1e-6)
    K = kernel((a[kept], b[kept]), (a[kept], b[kept]))
    np.testing.assert_allclose(whole(dictionary.inverse, len(kept)) @ K, np.eye(len(kept)), rtol=0, atol=1e-4)


@pytest.mark.parametrize("step", [1, 7, 64])
def test_room_changes_no_bit(step: int) -> None:
    """Room for all from the start, or a little more whenever it is needed."""
    a, b = cases(200, 5)
    roomy, kept = filled(a, b)
    n = len(kept)
    assert n > 70
    room = step
    tight = with_room(new_dictionary(5), room)
    for i in range(200):
        if tight.size[0] == room:
            room += step
            tight = with_room(tight, room)
        offer(tight, seen(a[i], b[i]), i, BUDGET)
    assert tight.size[0] == n
    np.testing.assert_array_equal(whole(tight.inverse, n), whole(roomy.inverse, n))
    np.testing.assert_array_equal(tight.lesson[:n], roomy.lesson[:n])
    np.testing.assert_array_equal(tight.k[0, :n], roomy.k[0, :n])
    np.testing.assert_array_equal(tight.explained[:n], roomy.explained[:n])
    np.testing.assert_array_equal(inside.rows_of(tight.a, n), inside.rows_of(roomy.a, n))
    np.testing.assert_array_equal(inside.rows_of(tight.b, n), inside.rows_of(roomy.b, n))


def test_an_emptied_dictionary_is_as_new() -> None:
    a, b = cases(150, 5)
    dictionary, _ = filled(a[:90], b[:90])
    empty(dictionary)
    assert dictionary.size[0] == 0
    again = [i for i in range(90, 150) if offer(dictionary, seen(a[i], b[i]), i, BUDGET)]
    fresh, kept = filled(a[90:], b[90:])
    n = len(kept)
    assert [i - 90 for i in again] == kept
    np.testing.assert_array_equal(dictionary.inverse, fresh.inverse)
    np.testing.assert_array_equal(dictionary.k, fresh.k)
    np.testing.assert_array_equal(dictionary.explained[:n], fresh.explained[:n])
    np.testing.assert_array_equal(inside.rows_of(dictionary.a, n), inside.rows_of(fresh.a, n))


def learned(rounds: int) -> Any:
    """A learner of overlapping clusters, lesson by lesson."""
    stream = clusters(rounds)
    X = np.asarray(stream.X) + 2 * np.random.default_rng(0).normal(size=(rounds, 5))
    learner = onebit.OneBit(stream.classes, seed=1, budget=BUDGET)
    for x, y in zip(X, stream.y, strict=True):
        decision = learner.decide(x)
        learner.learn(decision, decision.label == y)
    return learner


def test_the_dictionary_of_a_learner() -> None:
    learner = learned(400)
    kept = inside.kept(learner)
    n = inside.size(learner)
    assert 64 < n <= BUDGET
    K = kernel((kept.a, kept.b), (kept.a, kept.b))
    inverse = inside.inverse(learner)
    # Cases were compared before they were rounded to single precision.
    np.testing.assert_allclose(np.linalg.inv(inverse), K, rtol=0, atol=1e-6)


def test_capacity_changes_no_bit_of_a_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    small = learned(250)
    monkeypatch.setattr(curved_state, "_FIRST_CAPACITY", 256)
    large = learned(250)
    n = inside.size(small)
    assert 64 < n == inside.size(large)
    np.testing.assert_array_equal(inside.inverse(small), inside.inverse(large))
    np.testing.assert_array_equal(inside.means(small), inside.means(large))
    np.testing.assert_array_equal(inside.covariances(small), inside.covariances(large))
    np.testing.assert_array_equal(inside.shares(small), inside.shares(large))
    assert inside.counts(small) == inside.counts(large)
