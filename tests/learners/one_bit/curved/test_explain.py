"""A dictionary of kept cases explains a row: features by differences, kept cases by likeness, nothing changed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import NoisyBit, OneBit
from onebit.contract.states import arrays
from tests.either import clusters

LABELS = ["a", "b", "c"]


@pytest.fixture(scope="module", params=[{}, {"normalize": True}, {"standardize": False}, {"dtype": "float32"}], ids=str)
def learner(request: Any) -> OneBit:
    """One that has seen six hundred rows of three clusters."""
    found = OneBit(LABELS, **request.param)
    stream = clusters(600)
    for x, y in zip(stream.X, stream.y, strict=True):
        decision = found.decide(x)
        found.learn(decision, decision.label == y)
    return found


def p_of(learner: OneBit, row: Any) -> Any:
    """log p of every label."""
    return np.asarray(learner.scores(row), dtype=np.float64)


def test_parts_are_differences(learner: OneBit) -> None:
    x = np.asarray(clusters(600).X)[7]
    seen = x / np.linalg.norm(x) if learner.normalize else x
    mean = learner._session.state.statistics.mean
    why = learner.explain(x, top=len(x))
    for j in range(len(x)):
        without = seen.astype(learner.dtype).copy()
        without[j] = mean[j]
        # A row that is normalised already stays as it is but for the changed feature: ask a learner that leaves it.
        plain = learner.clone(normalize=False)
        plain._session.layout, plain._session.state = learner._session.layout, learner._session.state
        plain._session.entries, plain._session.capacity = learner._session.entries, learner._session.capacity
        moved = p_of(learner, x) - p_of(plain, without)
        for r, amount in zip(why.reasons, moved, strict=True):
            part = next(part for part in r.parts if part.name == f"x[{j}]")
            assert part.value == pytest.approx(x[j])
            assert part.amount == pytest.approx(amount, abs=1e-9 if learner.dtype == "float64" else 1e-4)


def test_scores_and_probabilities_are_those_of_predict(learner: OneBit) -> None:
    x = np.asarray(clusters(600).X)[9]
    why = learner.explain(x)
    assert [r.score for r in why.reasons] == pytest.approx(p_of(learner, x).tolist())
    assert [r.probability for r in why.reasons] == learner.predict_proba(x).tolist()
    assert why.best == learner.predict(x)


def test_like_are_the_nearest_kept_cases_of_the_label(learner: OneBit) -> None:
    stream = clusters(600)
    for row, label in [(stream.X[i], stream.y[i]) for i in range(3)]:
        why = learner.explain(row)
        for r in why.reasons:
            assert r.like is not None
            near = [case.similarity for case in r.like]
            assert near == sorted(near, reverse=True)
            assert all(-1 <= case.similarity <= 1 + 1e-6 and case.probability > 1 / 3 for case in r.like)
            assert all(1 <= case.lesson <= 600 for case in r.like)
        nearest = {r.label: r.like[0].similarity for r in why.reasons if r.like}
        assert max(nearest, key=lambda found: nearest[found]) == label


def test_a_kept_case_is_itself() -> None:
    learner = OneBit(LABELS)
    stream = clusters(300)
    for x, y in zip(stream.X, stream.y, strict=True):
        decision = learner.decide(x)
        learner.learn(decision, decision.label == y)
    dictionary = learner._session.state.dictionary
    lesson = int(dictionary.lesson[dictionary.size[0] - 1])
    row = np.asarray(stream.X)[lesson - 1]  # one row a lesson
    cases = [case for r in learner.explain(row).reasons for case in r.like or () if case.lesson == lesson]
    assert len(cases) == 1
    assert cases[0].similarity > 0.99
    assert cases[0].values == pytest.approx(row, abs=0.1)


def test_doubt_falls_where_lessons_were() -> None:
    learner, stream = OneBit(LABELS), clusters(600)
    row = stream.X[0]
    before = OneBit(LABELS).explain(row).reasons[0].deviation
    assert before == pytest.approx(np.sqrt(80)), "√(v k(x, x)), v = 100: nothing varies before the first row"
    for x, y in zip(stream.X, stream.y, strict=True):
        learner.learn(learner.decide(x), str(y))
    near = [r.deviation for r in learner.explain(row).reasons]
    far = [r.deviation for r in learner.explain([1e6, -1e6, 1e6, -1e6, 1e6]).reasons]
    assert max(near) < 0.9 * before
    assert max(near) < min(far)


def test_explaining_changes_nothing(learner: OneBit) -> None:
    before = [array.copy() for _, array in arrays(learner._session.state)] + [learner._session.rng.copy()]
    learner.explain(clusters(600).X[0])
    learner.describe()
    after = [array for _, array in arrays(learner._session.state)] + [learner._session.rng]
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, new)


def test_before_the_first_lesson() -> None:
    learner = OneBit(4)
    why = learner.explain([1.0, 2.0])
    assert {part.amount for r in why.reasons for part in r.parts} == {0.0}
    assert why.sure == pytest.approx(0.25)
    assert [r.like for r in why.reasons] == [()] * 4
    assert learner._session.layout is None, "the first row is still to come"
    assert "0.250" in str(why)


def test_text_and_values(learner: OneBit) -> None:
    why = learner.explain(clusters(600).X[0], top=2)
    text = str(why)
    assert "moves it by" in text
    assert "it is like" in text
    assert max(map(len, text.splitlines())) <= 80
    assert json.loads(json.dumps(why.to_dict()))["reasons"][0]["like"][0]["similarity"] > 0


def test_described() -> None:
    stream = clusters(2000)
    lying: Any = onebit.simulate(OneBit(LABELS), stream, NoisyBit(0.25, 0.25), seeds=1, progress=False).learners[0]
    seen = lying.describe()
    assert seen.lying
    assert (seen.kept, seen.budget) == (int(lying._session.state.dictionary.size[0]), 256)
    assert sum(share for *_, share in seen.experts) == pytest.approx(1)
    assert seen.rho_0 == pytest.approx(sum(rho * share for rho, _, share in seen.experts))
    assert (seen.rho_0, seen.rho_1) == tuple(lying.noise_rates)
    assert abs(seen.rho_0 - 0.25) < 0.03
    assert "lie often" in str(seen)
    assert f"{seen.kept} of at most 256" in str(seen)
    assert max(map(len, str(seen).splitlines())) <= 80
    json.dumps(seen.to_dict())
    honest: Any = onebit.simulate(OneBit(LABELS), stream, seeds=1, progress=False).learners[0]
    assert not honest.describe().lying
    assert "are not known to lie often" in str(honest.describe())
    known = OneBit(LABELS, noise=(0.1, 0.2))
    known.decide(stream.X[0])
    assert (known.describe().noise, known.describe().rho_0, known.describe().rho_1) == ("known", 0.1, 0.2)
    assert "lie at known rates: ρ0 = 0.100, ρ1 = 0.200" in str(known.describe())
