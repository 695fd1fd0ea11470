"""A row of sparse features explained by the expert that leads: parts that sum to its score, and its doubt."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from onebit import OneBit
from onebit.contract.layout import Layout
from onebit.contract.states import arrays
from onebit.learners.one_bit.learn import WARM_UP_LESSONS
from tests.learners.one_bit.rated.wide import LABELS, WIDTH, live, texts

NEAR = {"float64": 1e-9, "float32": 1e-4}
OPTIONS: list[dict[str, Any]] = [{}, {"dtype": "float32"}, {"standardize": False, "normalize": True}]


def lived(leading: int, lessons: int, **parameters: Any) -> Any:
    """A learner whose numbers are drawn, after so many lessons, with this expert at the head."""
    learner: Any = OneBit(LABELS, **parameters)
    learner.begin(Layout(len(LABELS), WIDTH, "sparse", learner.dtype))
    state, draw = learner._session.state, np.random.default_rng(4)
    state.weights.W[...] = draw.normal(size=state.weights.W.shape)
    state.weights.P[...] = draw.uniform(1, 2, size=state.weights.P.shape)
    roots = draw.normal(size=(*state.warm_up.P.shape[:3], 5))
    state.warm_up.P[...] = np.eye(WIDTH + 1) + roots @ roots.swapaxes(2, 3)
    state.statistics.weights[...] = draw.uniform(0.5, 2, size=WIDTH)
    state.rates.share[...] = 0.2
    state.rates.share[leading] = 0.4
    state.clock.n[0] = lessons
    return learner


def a_row() -> tuple[Any, Any]:
    """Sparse and dense."""
    x = np.zeros(WIDTH)
    x[[0, 7, 150, 299, 300]] = 0.5, -2, 3, 1, 0.25
    return sp.csr_array(x[None]), x


def as_learned(learner: Any, x: Any) -> Any:
    """The row that the weights see, bias last."""
    if learner.standardize:
        x = x * learner._session.state.statistics.weights
    return np.append(x / np.linalg.norm(x), 0.1) / sqrt(1.01)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    ("leading", "lessons"), [(0, 10), (2, WARM_UP_LESSONS - 1), (2, WARM_UP_LESSONS), (3, 2 * WARM_UP_LESSONS)]
)
def test_parts_and_doubt_of_the_leading_expert(leading: int, lessons: int, options: dict[str, Any]) -> None:
    """The next lesson says whether covariances are whole."""
    learner, (row, dense) = lived(leading, lessons, **options), a_row()
    near, x = NEAR[learner.dtype], as_learned(learner, dense)
    weights, full = learner._session.state.weights, learner._session.state.warm_up.P
    why = learner.explain(row)
    for k, r in enumerate(why.reasons):
        w = weights.W[leading, :, k].astype(np.float64)
        P = full[leading, k] if lessons < WARM_UP_LESSONS else np.diag(weights.P[leading, :, k])
        found = {part.name: part.amount for part in r.parts}
        assert found == pytest.approx({f"x[{j}]": w[j] * x[j] for j in np.flatnonzero(dense)}, abs=near)
        assert {part.name: part.value for part in r.parts} == {f"x[{j}]": dense[j] for j in np.flatnonzero(dense)}
        assert r.bias == pytest.approx(w[-1] * x[-1], abs=near)
        assert r.score == pytest.approx(w @ x, abs=near)
        assert r.deviation == pytest.approx(sqrt(x @ P @ x), abs=near)


@pytest.mark.parametrize("top", [1, 3])
def test_parts_sum_to_the_score(top: int) -> None:
    why = lived(1, 10).explain(a_row()[0], top=top)
    for r in why.reasons:
        amounts = [part.amount for part in r.parts]
        assert (len(amounts), r.n_others) == (top, 5 - top)
        assert sum(amounts) + r.others + r.bias == pytest.approx(r.score, abs=1e-12)
        assert amounts == sorted(amounts, key=abs, reverse=True)


def test_probabilities_are_those_of_all_experts() -> None:
    learner, (row, _) = lived(1, 10), a_row()
    why = learner.explain(row)
    assert [r.probability for r in why.reasons] == learner.predict_proba(row).tolist()
    assert why.best == learner.predict(row)
    assert why.sure == max(r.probability for r in why.reasons)


def test_one_expert_of_known_rates_speaks_for_itself() -> None:
    """Scores differ from log p by the same amount for every label."""
    learner, row = live(OneBit(LABELS, noise=(0.1, 0.1))), texts(60)[0][7]
    scores = np.array([r.score for r in learner.explain(row).reasons])
    assert np.diff(scores) == pytest.approx(np.diff(learner.scores(row)), rel=1e-9)


def test_explaining_changes_nothing() -> None:
    learner, rows = live(OneBit(LABELS)), texts(62)[0]
    learner.decide(rows[60])
    before = [array.copy() for _, array in arrays(learner._session.state)] + [learner._session.rng.copy()]
    learner.explain(rows[61])
    learner.predict_proba(rows[61])
    after = [array for _, array in arrays(learner._session.state)] + [learner._session.rng]
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def test_before_the_first_lesson() -> None:
    learner, row = OneBit(LABELS), texts(1)[0][0]
    why = learner.explain(row)
    assert {part.amount for r in why.reasons for part in r.parts} == {0.0}
    assert [r.deviation for r in why.reasons] == pytest.approx([100 * 0.1 / sqrt(1.01)] * 3), "√v times the bias alone"
    assert learner._session.layout is None
