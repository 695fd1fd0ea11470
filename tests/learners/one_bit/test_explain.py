"""OneBit explains a row: parts that sum to the score, doubts as NumPy has them, names, errors."""

from __future__ import annotations

import json
from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit import ConfigError, DataError, OneBit
from onebit.contract.layout import Layout
from onebit.contract.states import arrays
from onebit.features import hash_rows
from tests.either import clusters

K, D = 3, 7
TOLERANCE = {"float64": 1e-9, "float32": 1e-4}
CASES = [
    (kind, curvature, dtype, extra)
    for kind in ("dense", "sparse")
    for curvature in ("full", "diagonal")
    for dtype, extra in (("float64", {}), ("float32", {}), ("float64", {"standardize": False, "normalize": True}))
]


def lived(kind: Any, curvature: str, dtype: str, **extra: Any) -> OneBit:
    """A learner whose state is drawn: weights, covariances and statistics of features that mean something."""
    learner = OneBit(["a", "b", "c"], curvature=curvature, dtype=dtype, **extra)
    learner.begin(Layout(K, D, kind, dtype))
    state, draw = learner._session.state, np.random.default_rng(4)
    W, P, _ = state.weights
    W[...] = draw.normal(size=W.shape)
    root = draw.normal(size=P.shape)
    P[...] = root @ root.swapaxes(1, 2) if P.ndim == 3 else root**2
    for statistic in (state.statistics.mean, state.statistics.variance, state.statistics.weights):
        statistic[...] = draw.uniform(0.5, 2, size=statistic.shape)
    return learner


def as_learned(learner: OneBit, row: Any) -> Any:
    """The row that the weights see, bias last: `onebit.learners.one_bit.features` in NumPy."""
    statistics, x = learner._session.state.statistics, np.asarray(row, dtype=np.float64)
    if learner.normalize:
        x = x / np.linalg.norm(x)
    if learner.standardize:
        if len(statistics.mean):
            x = np.clip((x - statistics.mean) / np.sqrt(statistics.variance), -4, 4)
        else:
            x = x * statistics.weights
    return np.append(x / np.linalg.norm(x), 0.1) / sqrt(1.01)


def kept(learner: OneBit) -> list[Any]:
    return [array.copy() for _, array in arrays(learner._session.state)] + [learner._session.rng.copy()]


def row_and(kind: str) -> tuple[Any, Any]:
    """A row of the kind, with zeros and an outlier, and the same as a dense vector."""
    x = np.array([0.5, 0.0, -2.0, 30.0, 0.0, 1.0, 0.25])
    return (sp.csr_array(x[None]) if kind == "sparse" else x), x


@pytest.mark.parametrize(("kind", "curvature", "dtype", "extra"), CASES, ids=str)
def test_parts_and_doubt_as_numpy_has_them(kind: str, curvature: str, dtype: str, extra: dict[str, Any]) -> None:
    learner, (row, dense), near = lived(kind, curvature, dtype, **extra), row_and(kind), TOLERANCE[dtype]
    weights, x = learner._session.state.weights, as_learned(learner, dense)
    why, probability = learner.explain(row, top=D), learner.predict_proba(row)
    for k, r in enumerate(why.reasons):
        found = {part.name: part.amount for part in r.parts}
        present = range(D) if kind == "dense" else np.flatnonzero(dense)
        assert found == pytest.approx({f"x[{j}]": weights.W[k, j] * x[j] for j in present}, abs=near)
        assert {part.name: part.value for part in r.parts} == {f"x[{j}]": dense[j] for j in present}
        assert r.bias == pytest.approx(weights.W[k, D] * x[D], abs=near)
        assert r.score == pytest.approx(weights.W[k] @ x, abs=near)
        P = weights.P[k] if curvature == "full" else np.diag(weights.P[k])
        assert r.deviation == pytest.approx(sqrt(x @ P @ x), abs=near)
        assert r.probability == probability[k]
    assert why.best == learner.predict(row)
    assert why.sure == max(probability)


@pytest.mark.parametrize(("kind", "curvature", "dtype", "extra"), CASES, ids=str)
@pytest.mark.parametrize("top", [1, 3])
def test_parts_sum_to_the_score(kind: str, curvature: str, dtype: str, extra: dict[str, Any], top: int) -> None:
    learner, (row, dense) = lived(kind, curvature, dtype, **extra), row_and(kind)
    entries = D if kind == "dense" else np.count_nonzero(dense)
    for r, score in zip(learner.explain(row, top=top).reasons, learner.scores(row), strict=True):
        amounts = [part.amount for part in r.parts]
        assert (len(amounts), r.n_others) == (top, entries - top)
        assert sum(amounts) + r.others + r.bias == pytest.approx(r.score, abs=TOLERANCE[dtype])
        assert r.score == score
        assert amounts == sorted(amounts, key=abs, reverse=True)


def tickets(n: int) -> list[tuple[dict[str, Any], str]]:
    """Rows with their labels; the subject is the cause, the rest is chance."""
    draw, causes = np.random.default_rng(5), {"billing": "invoice", "refund": "money back", "abuse": "spam"}
    rows = []
    for _ in range(n):
        label = draw.choice(list(causes))
        noise = {f"word {j}": True for j in draw.integers(40, size=3)}
        rows.append(({"urgent": bool(draw.random() < 0.5), "subject": causes[label], **noise}, str(label)))
    return rows


@pytest.fixture(scope="module")
def clerk() -> OneBit:
    """A learner that has seen three hundred tickets."""
    learner = OneBit(["billing", "refund", "abuse"], cases=None)
    for row, label in tickets(300):
        decision = learner.decide(row)
        learner.learn(decision, decision.label == label)
    return learner


def test_the_cause_stands_first(clerk: OneBit) -> None:
    for subject, label in {"invoice": "billing", "money back": "refund", "spam": "abuse"}.items():
        row = {"urgent": True, "word 3": True, "word 4": True, "subject": subject}
        why = clerk.explain(row)
        assert why.best == label
        first = why[label].parts[0]
        assert (first.name, first.value) == (f"subject={subject}", 1.0)
        assert first.amount > 0
        r = why[label]
        assert sum(part.amount for part in r.parts) + r.bias == pytest.approx(r.score)
        assert {part.name for part in r.parts} == {"urgent", "word 3", "word 4", f"subject={subject}"}


def test_explaining_changes_nothing(clerk: OneBit) -> None:
    before = kept(clerk)
    clerk.explain({"subject": "invoice"})
    clerk.describe()
    for old, new in zip(before, kept(clerk), strict=True):
        np.testing.assert_array_equal(old, new)


def test_doubt_falls_with_lessons() -> None:
    learner, row, doubts, stream = OneBit(["a", "b", "c"], kernel=None), [1.0, 0.5, -1.0, 0.0, 2.0], [], clusters(640)
    for t, (x, y) in enumerate(zip(stream.X, stream.y, strict=True)):
        if t in (10, 80, 639):
            doubts.append([r.deviation for r in learner.explain(row).reasons])
        learner.learn(learner.decide(x), str(y))
    assert all(first < 10 for first in doubts[0]), "10 is what a row of unit norm has by the prior"
    assert all(early > 1.5 * late for early, late in zip(doubts[0], doubts[1], strict=True))
    assert all(early > 1.5 * late for early, late in zip(doubts[1], doubts[2], strict=True))


@pytest.mark.parametrize("row", [[1.0, 2.0], {"a": 1, "b": "x"}, {}, sp.csr_array([[0.0, 3.0]]), [[1.0, 2.0]]])
def test_before_the_first_lesson(row: Any) -> None:
    learner = OneBit(4, kernel=None)
    why = learner.explain(row)
    assert {r.score for r in why.reasons} == {part.amount for r in why.reasons for part in r.parts} | {0.0} == {0.0}
    assert why.best == 0
    assert why.sure == pytest.approx(0.25)
    assert learner._session.layout is None, "the first row is still to come"
    assert "0.250" in str(why)


def test_names_of_arrays() -> None:
    learner = lived("dense", "full", "float64")
    names = [f"column {j}" for j in range(D)]
    for given in (names, tuple(names), np.array(names)):
        assert {part.name for part in learner.explain(np.ones(D), names=given).reasons[0].parts} == {*names}


def test_names_that_share_a_column_are_joined() -> None:
    learner, row = OneBit(2, n_features=2, cases=None), {"a": 1, "b": 2.0, "c": "d", "zero": 0}
    columns = [int(hash_rows([{name: row[name] or 1}], 2).indices[0]) for name in row]
    shown = ["a", "b", "c=d", "zero"]
    expected = {" | ".join(n for n, at in zip(shown, columns, strict=True) if at == column) for column in columns[:3]}
    assert {part.name for part in learner.explain(row).reasons[0].parts} == expected
    assert any("|" in name for name in expected)
    values = {part.name: part.value for part in learner.explain(row).reasons[0].parts}
    assert sum(values.values()) == 4


@pytest.mark.parametrize(
    ("row", "options", "kind", "message"),
    [
        (np.ones((2, D)), {}, DataError, r"row: \(2, 7\) is a table; explain takes one row"),
        (np.ones((0, D)), {}, DataError, r"row: \(0, 7\) is a table"),
        ({"a": 1}, {}, DataError, "row: dict is a raw case, by its names, and the learner has had rows of 7 numbers"),
        (np.ones(D - 1), {}, DataError, "has 6 features, but the learner has n_features=7"),
        (np.full(D, np.nan), {}, DataError, "feature 0 is nan; rows must be finite"),
        (np.ones(D), {"top": 0}, ConfigError, "top=0: must be a whole number of features, 1 or larger"),
        (np.ones(D), {"top": 2.5}, ConfigError, "top=2.5: must be"),
        (np.ones(D), {"top": True}, ConfigError, "top=True: must be"),
        (np.ones(D), {"names": ["a", "b"]}, ConfigError, r"names=\['a', 'b'\]: must be 7 strings"),
        (np.ones(D), {"names": "abcdefg"}, ConfigError, "names='abcdefg': must be 7 strings"),
        (np.ones(D), {"names": list(range(D))}, ConfigError, "names=.*: must be 7 strings"),
        (np.ones(D), {"names": 7}, ConfigError, "names=7: must be 7 strings"),
    ],
)
def test_errors(row: Any, options: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        lived("dense", "full", "float64").explain(row, **options)


@pytest.mark.parametrize(
    ("row", "options", "kind", "message"),
    [
        ([{"a": 1}, {"b": 2}], {}, DataError, r"row: \(2,\) is a table"),
        ({"a": float("inf")}, {}, DataError, "is inf; rows must be finite"),
        ({"a": 1}, {"names": ["a"] * D}, ConfigError, "a dict row has names of its own; leave names out"),
    ],
)
def test_errors_in_dict_rows(row: Any, options: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        OneBit(2, n_features=D, cases=None).explain(row, **options)


def test_a_label_that_is_none_of_the_classes() -> None:
    with pytest.raises(DataError, match="label='cow': must be one of the classes"):
        _ = OneBit(["cat", "dog"]).explain([1.0])["cow"]


def test_text_and_values_of_an_explanation(clerk: OneBit) -> None:
    why = clerk.explain({"subject": "spam", "note": "long " * 50, "amount": -1.5e12}, top=2)
    lines = str(why).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["label", "probability", "score", "±"]
    assert [line for line in lines if line.startswith(("why abuse", "why not"))]
    assert "(1 other feature)" in str(why)
    assert repr(why) == f"Explanation(best={why.best!r}, sure={why.sure:.3f})"
    values = json.loads(json.dumps(why.to_dict()))
    assert values["reasons"][1]["label"] == "refund"
    assert values["reasons"][1]["parts"][0]["name"] == why["refund"].parts[0].name
    many = OneBit([(k, "label") for k in range(12)]).explain([1.0])
    assert "and 2 more" in str(many)
    assert json.loads(json.dumps(many.to_dict()))["best"] == "(0, 'label')"
