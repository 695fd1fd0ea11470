"""NREst finds known rates, and says where it cannot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import onebit
from onebit.noise.nrest import NREst

K = 4


def told(draw: np.random.Generator, right: Any, rho_0: float, rho_1: float) -> Any:
    return (draw.random(len(right)) < np.where(right, 1 - rho_1, rho_0)).astype(int)


def population(n: int, rho_0: float, rho_1: float, seed: int = 0, d: int = 8) -> tuple[Any, Any, Any, Any]:
    """Rows that give their class away, labels played at random, and what a liar says of them."""
    draw = np.random.default_rng(seed)
    truth, played = draw.integers(K, size=(2, n))
    rows = 3 * np.eye(K, d)[truth] + draw.normal(size=(n, d)) * (np.arange(d) >= K)
    return rows, played, np.full(n, 1 / K), told(draw, played == truth, rho_0, rho_1)


class Oracle(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Reads q(x, j) from column j of the row; the last column is the label played."""

    def fit(self, X: Any, y: Any) -> Oracle:
        assert len(np.unique(X[:, -1])) == 1
        self.label_ = int(X[0, -1])
        return self

    def predict_proba(self, X: Any) -> Any:
        q = X[:, self.label_]
        return np.column_stack([1 - q, q])


@pytest.mark.parametrize("percentile", [1, 50, 89, 100])
def test_the_rates_are_those_of_the_percentile_examples(percentile: float) -> None:
    draw = np.random.default_rng(3)
    q, played, bit = draw.random((700, K)), draw.integers(K, size=700), draw.integers(2, size=700)
    rows = np.column_stack([q, played])
    found = NREst(classifier=Oracle(), percentile=percentile).fit(rows, played, np.ones(700), bit)
    right, wrong = [], []
    for k in range(K):
        mine = sorted(q[played == k].tolist(), key=lambda row: row[k])
        first, last = (round(p / 100 * (len(mine) - 1)) for p in (percentile - 1, percentile + 1))
        star = np.mean([row for rank, row in enumerate(mine) if first <= rank <= last], axis=0)
        right.append(star[k])
        wrong += [star[l] for l in range(K) if l != k]
    shrink = min(1, 0.95 / (np.mean(wrong) + 1 - np.mean(right)))
    assert found.rho_0 == pytest.approx(np.mean(wrong) * shrink, abs=1e-12)
    assert found.rho_1 == pytest.approx((1 - np.mean(right)) * shrink, abs=1e-12)
    assert found.se_1 == pytest.approx(np.std(right, ddof=1) / np.sqrt(K), abs=1e-12)


class OneOracle(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Reads q(x, j) from a unit row (x1, x2), j: the square of x1, turned round for odd labels."""

    def fit(self, X: Any, y: Any) -> OneOracle:
        X = X.toarray() if sp.issparse(X) else X
        np.testing.assert_allclose(np.linalg.norm(X[:, :-1], axis=1), 1)
        return self

    def predict_proba(self, X: Any) -> Any:
        X = X.toarray() if sp.issparse(X) else X
        q = np.where(X[:, -1] % 2 == 1, 1 - X[:, 0] ** 2, X[:, 0] ** 2)
        return np.column_stack([1 - q, q])


@pytest.mark.parametrize("percentile", [1, 50, 89, 100])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_released_form_takes_one_round_of_all_below_the_percentile(percentile: float, sparse: bool) -> None:
    draw = np.random.default_rng(4)
    rows, played, bit = draw.normal(size=(700, 2)), draw.integers(K, size=700), draw.integers(2, size=700)
    estimator = NREst(classifier=OneOracle(), percentile=percentile, form="released", seed=3)
    found = estimator.fit(sp.csr_array(rows) if sparse else rows, played, np.ones(700), bit)
    # Every tenth round is kept; the 2 × 2 matrix over the others, as the released code makes it.
    taught = np.sort(np.random.default_rng(3).permutation(700)[70:]).tolist()
    predictions = []
    for t in taught:
        share = rows[t, 0] ** 2 / (rows[t, 0] ** 2 + rows[t, 1] ** 2)
        q = 1 - share if played[t] % 2 else share
        predictions.append((1 - q, q))
    T = []
    for i in (0, 1):
        ranked = sorted(prediction[i] for prediction in predictions)
        limit = ranked[int(np.ceil(percentile / 100 * (len(ranked) - 1)))]
        below = [prediction for prediction in predictions if prediction[i] < limit]
        T.append(max(below, key=lambda prediction: prediction[i]))
    shrink = min(1, 0.95 / (T[0][1] + T[1][0]))
    assert found.rho_0 == pytest.approx(T[0][1] * shrink, abs=1e-12)
    assert found.rho_1 == pytest.approx(T[1][0] * shrink, abs=1e-12)
    assert np.isnan(found.se_0)
    assert np.isnan(found.se_1)
    assert len(found.predicted) == len(found.said) == 70


@pytest.mark.parametrize("classifier", [None, DecisionTreeClassifier(max_depth=6)])
def test_the_released_form_finds_known_rates_where_rows_are_simple(classifier: Any) -> None:
    estimator = NREst(classifier=classifier, form="released", layers=(64, 64), epochs=30)
    found = estimator.fit(*population(20_000, 0.2, 0.3, d=K))
    np.testing.assert_allclose(found, (0.2, 0.3), atol=0.06)
    assert found.notes == ()


def test_the_released_form_repeats_itself_and_does_not_care_about_units() -> None:
    rows, *rest = population(3000, 0.1, 0.2)
    estimator = NREst(form="released", layers=(8,), epochs=3, seed=5)
    once, again, far = (estimator.fit(table, *rest) for table in (rows, rows, rows * 2.0**300))
    np.testing.assert_array_equal(once.predicted, again.predicted)
    np.testing.assert_array_equal(once.predicted, far.predicted)


def test_the_released_form_says_where_its_percentile_falls_on_no_right_answer() -> None:
    draw = np.random.default_rng(1)
    played, right = draw.integers(K, size=4000), draw.random(4000) < 0.05
    rows = np.column_stack([right, ~right]).astype(float)
    tree = DecisionTreeClassifier(max_depth=2)
    found = NREst(classifier=tree, form="released", percentile=89).fit(rows, played, np.ones(4000), right.astype(int))
    assert any(note.startswith("answers that are truly right seem too rare") for note in found.notes)


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.2, 0.4), (0.4, 0.2), (0.4, 0.4)])
@pytest.mark.parametrize("classifier", [None, DecisionTreeClassifier(max_depth=2), LogisticRegression()])
def test_known_rates_are_found_where_examples_are_perfect(classifier: Any, rho_0: float, rho_1: float) -> None:
    found = NREst(classifier=classifier).fit(*population(40_000, rho_0, rho_1))
    assert found.rho_0 == pytest.approx(rho_0, abs=0.03)
    assert found.rho_1 == pytest.approx(rho_1, abs=0.03)
    assert found.notes == ()


def test_a_tenth_of_the_rounds_is_kept_to_judge_the_classifier() -> None:
    lessons = population(20_000, 0.1, 0.2)
    found = NREst().fit(*lessons)
    assert len(found.predicted) == len(found.said) == 2000
    assert abs(found.predicted[found.predicted > 0.5].mean() - 0.8) < 0.03
    assert abs(found.said[found.predicted > 0.5].mean() - 0.8) < 0.06
    assert abs(found.said[found.predicted < 0.5].mean() - 0.1) < 0.04


def test_a_label_told_the_same_in_every_round_gets_a_constant() -> None:
    rows, played, propensity, bit = population(8000, 0.1, 0.1)
    bit[played == 2] = 0
    found = NREst().fit(rows, played, propensity, bit)
    assert (found.predicted == 0).sum() == pytest.approx(200, abs=60)
    assert found.rho_1 == pytest.approx((0.1 * 3 + 1) / 4, abs=0.04)
    assert any("too rarely" in note and note.endswith(": 2; explore more, or take a higher percentile")
               for note in found.notes)  # fmt: skip


def test_hardly_played_labels_have_no_say_and_a_note() -> None:
    rows, played, propensity, bit = population(12_000, 0.1, 0.2)
    few = np.flatnonzero(played == 3)[:30]
    kept = np.sort(np.concatenate([np.flatnonzero(played != 3), few]))
    bit[few] = 0
    names = np.array(["ham", "egg", "jam", "pie"])[played]
    found = NREst(classes=6).fit(rows[kept], names[kept], propensity[kept], bit[kept])
    assert found.rho_1 == pytest.approx(0.2, abs=0.04)
    assert found.rho_0 == pytest.approx(0.1, abs=0.04)
    assert found.notes == (
        "2 of 6 labels were never played: they have no say",
        "labels played fewer than 50 times have no say: pie",
    )


def test_few_rounds_get_a_note() -> None:
    found = NREst().fit(*population(2000, 0.1, 0.2))
    assert any(note.startswith("500 rounds per label") for note in found.notes)


def test_too_few_rounds_and_one_label_are_errors() -> None:
    rows, played, propensity, bit = population(100, 0.1, 0.2)
    with pytest.raises(onebit.DataError, match="0 of 4 labels have 50 rounds or more.*give more rounds"):
        NREst().fit(rows, played, propensity, bit)
    with pytest.raises(onebit.DataError, match="only the label 0"):
        NREst().fit(rows, np.zeros(100, int), propensity, bit)


def test_sets_are_refused_with_a_way_out() -> None:
    rows, played, propensity, bit = population(300, 0.1, 0.2)
    with pytest.raises(onebit.DataError, match="sets of 2 labels.*use TailMoment"):
        NREst().fit(rows, np.column_stack([played, (played + 1) % K]), propensity, bit)


def test_sparse_rows_give_what_dense_ones_give() -> None:
    rows, *rest = population(6000, 0.1, 0.2)
    rows[:, K:] *= np.abs(rows[:, K:]) > 1
    dense, sparse = (NREst().fit(table, *rest) for table in (rows, sp.csr_array(rows)))
    assert dense == sparse
    np.testing.assert_array_equal(dense.predicted, sparse.predicted)


def test_sparse_rows_of_many_features_give_what_dense_ones_give() -> None:
    rows, *rest = population(6000, 0.1, 0.2, d=300)
    rows[:, K:] *= np.abs(rows[:, K:]) > 2
    dense, sparse = (NREst().fit(table, *rest) for table in (rows, sp.csr_matrix(rows)))
    np.testing.assert_allclose(dense.predicted, sparse.predicted, atol=1e-4)
    np.testing.assert_allclose(dense, sparse, atol=1e-3)
    foreign = NREst(classifier=LogisticRegression(max_iter=500))
    np.testing.assert_allclose(foreign.fit(rows, *rest), foreign.fit(sp.csr_array(rows), *rest), atol=1e-3)


@pytest.mark.parametrize("d", [8, 300])
def test_the_same_rounds_give_the_same_bits_whatever_the_unit_of_the_rows(d: int) -> None:
    rows, *rest = population(6000, 0.2, 0.3, d=d)
    once, again, far = (NREst(seed=5).fit(table, *rest) for table in (rows, rows, rows * 2.0**300))
    assert once == again == far
    np.testing.assert_array_equal(once.predicted, far.predicted)
    assert not np.array_equal(once.predicted, NREst(seed=6).fit(rows, *rest).predicted)


def test_rows_that_say_nothing_give_rates_that_say_so() -> None:
    _, *rest = population(6000, 0.2, 0.3)
    for table in (np.zeros((6000, 3)), np.zeros((6000, 300)), sp.csr_array((6000, 300))):
        found = NREst().fit(table, *rest)
        assert found.rho_0 + found.rho_1 == pytest.approx(0.95)
        assert any("almost nothing" in note for note in found.notes)


def test_a_classifier_of_ones_own_is_cloned() -> None:
    mine = RandomForestClassifier(5, max_depth=4, random_state=0)
    found = NREst(classifier=mine).fit(*population(8000, 0.1, 0.25, d=K))
    assert not hasattr(mine, "classes_")
    np.testing.assert_allclose(found, (0.1, 0.25), atol=0.04)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"classifier": "forest"}, "classifier='forest': must be None, 'network', or a scikit-learn classifier"),
        ({"classifier": GaussianNB}, "an object, not a class"),
        ({"classifier": LinearSVC()}, "with predict_proba"),
        ({"classes": 1}, "classes=1: must be a whole number, 2 or larger"),
        ({"classes": True}, "classes=True"),
        ({"percentile": 0}, "percentile=0: must be a number above 0, up to 100"),
        ({"percentile": 100.5}, "percentile=100.5"),
        ({"percentile": float("nan")}, "percentile=nan"),
        ({"layers": ()}, "layers=\\(\\): must be a tuple"),
        ({"layers": (128, 0)}, "layers=0: must be a whole number of units"),
        ({"epochs": 0}, "epochs=0: must be a whole number, 1 or larger"),
        ({"seed": -1}, "seed=-1"),
        ({"form": "printed"}, "form='printed': must be 'per-label' or 'released'"),
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(onebit.ConfigError, match=text):
        NREst(**settings)


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.2, 0.4)])
def test_real_pictures(rho_0: float, rho_1: float) -> None:
    """60,000 rounds of RCNBF, as in the paper."""
    try:
        stream = onebit.streams.load("fashion_mnist", normalize=True)
    except onebit.DataError:
        pytest.skip("the data set fashion_mnist is not in the data folder (ONEBIT_DATA)")
    from benchmarks.noise_rates import collect

    found = NREst().fit(*collect(stream, (rho_0, rho_1), seed=31))
    assert found.rho_0 == pytest.approx(rho_0, abs=0.06)
    assert found.rho_1 == pytest.approx(rho_1, abs=0.06)
