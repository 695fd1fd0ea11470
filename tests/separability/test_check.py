"""Which notions of separability hold: margins against plain solvers, proofs, one point that spoils it, odd input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

import onebit
from onebit.separability import Separability, check, margins
from onebit.separability.margins import Budget
from onebit.streams import group_separable, separability, strong_separable, weak_separable

RNG = np.random.default_rng(5)


def proven(found: Separability, X: Any, y: Any) -> Separability:
    """The same, after a check of every proof."""
    for one in found.findings:
        if one.holds:
            assert one.certificate is not None
            assert one.margin is not None
            assert 0 < one.margin == one.certificate.verify(X, y) <= one.at_most
        elif one.holds is False:
            assert one.contradictions
            assert one.at_most == 0
        for proof in one.contradictions:
            assert proof.verify(X, y) <= 1e-9
    return found


def answers(found: Separability) -> tuple[bool | None, ...]:
    return tuple(one.holds for one in found.findings)


def smallest_norm(A: Any) -> float:
    """min ‖w‖ over A w ≥ 1, by a general solver."""
    conditions = {"type": "ineq", "fun": lambda w: A @ w - 1, "jac": lambda w: A}
    start = np.linalg.lstsq(A, np.ones(len(A)), rcond=None)[0] * 3
    done = minimize(
        lambda w: w @ w, start, jac=lambda w: 2 * w, constraints=conditions, options={"ftol": 1e-14, "maxiter": 500}
    )
    assert (A @ done.x).min() > 1 - 1e-6
    return float(np.sqrt(done.fun))


def corners(K: int, n: int) -> tuple[Any, Any]:
    """n rows of each of K classes around unit vectors, strongly separable."""
    y = np.arange(K * n) % K
    return np.eye(K)[y] + RNG.uniform(-0.2, 0.2, (len(y), K)), y


def test_margins_are_those_of_a_general_solver() -> None:
    K, d = 3, 3
    X, y = corners(K, 8)
    found = proven(separability(X, y, [0, 0, 1]), X, y)
    assert answers(found) == (True, True, True)
    strong = 2 / np.sqrt(sum(smallest_norm(np.where(y == k, 1, -1)[:, None] * X) ** 2 for k in range(K)))
    rivals = [
        np.kron(np.eye(K)[label] - np.eye(K)[k], x)
        for x, label in zip(X, y, strict=True)
        for k in range(K)
        if k != label
    ]
    weak = 1 / smallest_norm(np.array(rivals).reshape(-1, K * d))
    pairs = [(b - a) / 2 for a in X[y == 0] for b in X[y == 1]]
    groups = [np.kron([1, -1] if label < 2 else [-1, 1], x) for x, label in zip(X, y, strict=True)]
    group = min(1 / smallest_norm(np.array(groups)), 1 / smallest_norm(np.array(pairs)))
    for one, want in zip(found.findings, (strong, weak, group), strict=True):
        assert one.margin == pytest.approx(want, rel=1e-6)
        assert one.at_most == pytest.approx(one.margin, rel=1e-6)


@pytest.mark.parametrize("layout", ["perp", "radial"])
def test_the_margin_and_the_groups_of_a_group_separable_stream(layout: Any) -> None:
    stream = group_separable(200_000, layout=layout)
    for groups in (stream.groups, None):
        found = proven(separability(stream.X, stream.y, groups), stream.X, stream.y)
        assert answers(found) == (False, False, True)
        assert found.groups == stream.groups
        assert 0.005 <= found.group.at_most <= 0.00505
        assert found.group.margin == pytest.approx(found.group.at_most, rel=1e-6)


def test_the_margin_of_a_weakly_separable_stream() -> None:
    stream = weak_separable(200_000)
    found = proven(separability(stream.X, stream.y), stream.X, stream.y)
    assert answers(found) == (False, True, True)
    assert found.groups == tuple(range(9))
    assert 0.005 <= found.weak.at_most <= 0.00505
    assert found.weak.margin == pytest.approx(found.weak.at_most, rel=1e-6)
    assert found.group.margin == pytest.approx(found.weak.margin, rel=1e-6)


def test_the_margin_of_a_strongly_separable_stream() -> None:
    stream = strong_separable(200_000, d=2, classes=3)
    found = proven(separability(stream.X, stream.y), stream.X, stream.y)
    assert answers(found) == (True, True, True)
    assert 0.005 <= found.strong.at_most <= 0.00505
    assert found.strong.margin == pytest.approx(found.strong.at_most, rel=1e-6)


def test_one_point_across_breaks_each_notion() -> None:
    streams = strong_separable(2000, d=2, classes=3), weak_separable(2000), group_separable(2000)
    for at, stream in enumerate(streams):
        X, y = stream.X, stream.y.copy()
        groups = getattr(stream, "groups", None)
        assert separability(X, y, groups).findings[at].holds
        middle = X[y == 1].mean(axis=0)
        X = np.vstack([X, middle])
        found = proven(separability(X, np.append(y, 1), groups), X, np.append(y, 1))
        assert found.findings[at].holds, "the point belongs there"
        y = np.append(y, 0)
        found = proven(separability(X, y, groups), X, y)
        assert [one.holds for one in found.findings[: at + 1]] == [False] * (at + 1)
        assert all(2000 in proof.examples for proof in found.findings[at].contradictions)


def test_slabs_are_of_whole_classes() -> None:
    """The example that shows that single pairs of rows are not enough: x = -.5: A, 0: B, .5: A."""
    X, y = [[-0.5], [0.0], [0.5]], ["A", "B", "A"]
    found = proven(separability(X, y, [0, 0]), X, y)
    assert answers(found) == (False, False, False)
    assert found.group.contradictions[0].examples.tolist() == [0, 1, 2]
    assert answers(proven(separability(X, y), X, y)) == (False, False, False)
    assert answers(proven(separability(X, ["A", "B", "C"]), X, ["A", "B", "C"])) == (False, False, True)


def test_the_inclusions_hold_for_random_sets() -> None:
    seen = set()
    for _ in range(60):
        n = int(RNG.integers(3, 15))
        X = RNG.normal(size=(n, 2)) + 1.5 * np.array([[1, 0], [-1, 1], [-1, -1]])[np.arange(n) % 3]
        y = np.arange(n) % 3
        found = proven(separability(X, y), X, y)
        assert None not in answers(found)
        margins_ = [one.margin or 0.0 for one in found.findings]
        assert margins_[0] <= margins_[1] * (1 + 1e-6)
        assert found.weak.holds is False or margins_[1] <= margins_[2] * (1 + 1e-6)
        assert answers(found) == tuple(sorted(answers(found), key=bool))
        seen.add(answers(found))
    assert len(seen) == 4


def test_margins_scale_and_kinds_of_tables_agree() -> None:
    X, y = corners(3, 6)
    want = separability(X, y)
    single = X.astype(np.float32)
    for table, factor, tolerance in ((sp.csr_array(X), 1, 1e-9), (1e6 * X, 1e6, 1e-9), (single, 1, 1e-5)):
        found = proven(separability(table, y), table, y)
        for one, other in zip(found.findings, want.findings, strict=True):
            assert one.margin == pytest.approx(factor * (other.margin or 0), rel=tolerance)


def test_the_origin_and_equal_rows_with_other_labels() -> None:
    X, y = corners(3, 2)
    there = np.vstack([X, np.zeros(3)]), np.append(y, 0)
    found = proven(separability(*there), *there)
    assert answers(found)[:2] == (False, False)
    assert found.weak.contradictions[0].examples.tolist() == [6]
    twice = np.vstack([X, X[0]]), np.append(y, y[0] + 1)
    found = proven(separability(*twice), *twice)
    assert answers(found) == (False, False, False)
    assert set(found.weak.contradictions[0].examples) <= set(range(7))
    equal = [[0.0, 0.0], [0.0, 0.0]], ["a", "b"]
    assert answers(proven(separability(*equal), *equal)) == (False, False, False)


def test_classes_without_rows_count_as_the_definitions_say() -> None:
    X, y = [[1.0, 0.0], [-1.0, 0.0]], ["a", "b"]
    found = proven(separability(X, y, classes=["a", "b", "never"]), X, y)
    assert found.classes == ("a", "b", "never")
    assert answers(found) == (False, True, True), "no half-plane holds both rows, but the third vector can be 0"
    found = proven(separability(X, y, ["one", "one", "one"], classes=["a", "b", "never"]), X, y)
    assert found.group.margin == pytest.approx(1)
    assert found.groups == (0, 0, 0)


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        ([[1.0], [2.0]], [0, 0], {}, "at least 2 classes"),
        (np.empty((0, 2)), [], {}, "is empty"),
        ([[np.nan], [1.0]], [0, 1], {}, "row 0, feature 0 is nan"),
        ([[1.0], [2.0]], [0], {}, "one label per row"),
        ([[1.0], [2.0]], [0, 1], {"classes": [0, 2]}, "not among the classes"),
        ([[1.0], [2.0]], [0, 1], {"groups": [0]}, "each of the 2 classes"),
        ([[1.0], [2.0]], [0, 1], {"groups": "01"}, "each of the 2 classes"),
        ([[1.0], [2.0]], [0, 1], {"groups": 2}, "the group of each class"),
        ([[1.0], [2.0]], [0, 1], {"groups": [[0], [1]]}, "the group of each class"),
    ],
)
def test_what_cannot_be_checked(X: Any, y: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.OnebitError, match=message):
        separability(X, y, **options)


def test_what_takes_too_much_work_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = weak_separable(5000)
    monkeypatch.setattr(check, "Budget", lambda left=1.0: Budget(left))
    found = separability(stream.X, stream.y)
    assert found.weak.holds is None
    assert (found.weak.margin, found.weak.certificate, found.weak.contradictions) == (None, None, ())
    assert found.weak.at_most >= 0.005
    assert "not decided" in str(found)
    assert found.groups is None
    assert found.group.to_dict()["at_most"] is None


@pytest.mark.parametrize("label_noise", [0.0, 0.1])
def test_many_dimensions(label_noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other solver comes to the same answers, here in few dimensions."""
    stream = weak_separable(1000, d=5, classes=4, margin=0.02, label_noise=label_noise)
    want = separability(stream.X, stream.y)
    monkeypatch.setattr(margins, "LARGE", 3)
    found = proven(separability(stream.X, stream.y), stream.X, stream.y)
    assert answers(found) == answers(want)
    assert found.weak.at_most == pytest.approx(want.weak.at_most, rel=1e-5)
    assert (found.weak.margin or 0) == pytest.approx(want.weak.margin or 0, rel=1e-5)


def test_two_classes_alone_can_rule_out_weak_separability(monkeypatch: pytest.MonkeyPatch) -> None:
    y = np.array([0] * 10 + [1] * 10 + [2] * 280)
    X = np.where(y[:, None] < 2, 0.1, 1.0) * RNG.normal(size=(300, 2))
    monkeypatch.setattr(check, "LARGE", 1)
    monkeypatch.setattr(check, "Budget", lambda left=3000.0: Budget(left))
    found = proven(separability(X, y, [0, 0, 0]), X, y)
    proof = found.weak.contradictions[0]
    assert (found.weak.holds, proof.kind, proof.places) == (False, "sides", (1, -1, 0))


def test_progress() -> None:
    heard: list[tuple[str, int, int]] = []
    stream = group_separable(2000)
    separability(stream.X, stream.y, progress=lambda *step: heard.append(step))
    assert [what for at, (what, _, _) in enumerate(heard) if at == 0 or heard[at - 1][0] != what] == [
        "strong", "weak", "pairs of classes", "groupings", "group",
    ]  # fmt: skip
    assert all(0 <= done <= total for _, done, total in heard)
