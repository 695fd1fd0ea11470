"""Labels that come and go: what stays, what is refused, and what it costs on real rows."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError, FeedbackError
from onebit.contract.states import arrays

ROWS = np.random.default_rng(0).normal(size=(400, 6))
TRUTH = np.argmax(ROWS[:, :4], axis=1)
NAMES = ["ant", "bee", "cow", "dog"]


def lived(learner: Any, first: int = 0, stop: int = 200) -> Any:
    """The learner after these rows."""
    for t in range(first, stop):
        decision = learner.decide(ROWS[t])
        learner.learn(decision, NAMES[TRUTH[t]] in decision.labels)
    return learner


def same(left: Any, right: Any) -> bool:
    pairs = zip(arrays(left._session.state), arrays(right._session.state), strict=True)
    return left.classes == right.classes and all(np.array_equal(a, b) for (_, a), (_, b) in pairs)


def copies(learner: Any, path: Path) -> list[Any]:
    learner.save(path)
    return [onebit.load(path), pickle.loads(pickle.dumps(learner)), copy.copy(learner), copy.deepcopy(learner)]


@pytest.mark.parametrize("learner", [onebit.OneBit(NAMES), onebit.Banditron(NAMES, gamma=0.1)], ids=str)
def test_copies_keep_the_classes_and_go_on_alike(learner: Any, tmp_path: Path) -> None:
    lived(learner := learner.clone())
    learner.add_classes(["elk"])
    learner.retire(["bee"])
    assert (learner.classes, learner.retired) == (("ant", "cow", "dog", "elk"), ("bee",))
    found = copies(learner, tmp_path / "a.onebit")
    lived(learner, 200, 300)
    learner.add_classes(["bee"])
    for other in found:
        assert other.classes == ("ant", "cow", "dog", "elk")
        lived(other, 200, 300)
        other.add_classes(["bee"])
        assert same(learner, other)


def test_a_copy_has_classes_of_its_own() -> None:
    learner = lived(onebit.Banditron(NAMES))
    other = copy.copy(learner)
    learner.add_classes(["elk"])
    assert len(other.classes) == other.scores(ROWS[0]).size == 4


def test_what_cannot_be_added_or_retired() -> None:
    learner = lived(onebit.Banditron(NAMES))
    before = learner.scores(ROWS)
    tries = [
        (learner.add_classes, ["bee"], "'bee' is among the classes already"),
        (learner.add_classes, "elk", "give a list of labels"),
        (learner.add_classes, ["elk", "elk"], "must be different"),
        (learner.add_classes, [["elk"]], "hashable"),
        (learner.add_classes, [float("nan")], "not equal to itself"),
        (learner.retire, ["elk"], "'elk' is not among the classes"),
        (learner.retire, NAMES[:3], "at least 2 of the 4 labels must stay"),
        (lived(onebit.SOBA(NAMES)).retire, ["bee"], "SOBA cannot retire a label: its one matrix ties"),
        (onebit.MCSLP(NAMES, m=3).retire, ["bee"], "at least 4 of the 4 labels must stay"),
    ]
    for change, labels, message in tries:
        with pytest.raises(ConfigError, match=message):
            change(labels)
    learner.retire(["bee"])
    with pytest.raises(ConfigError, match="'bee' has been retired before"):
        learner.retire(["bee"])
    assert np.array_equal(learner.scores(ROWS), before[:, [0, 2, 3]])


def test_a_set_that_cannot_be_leaves_all_as_it_was() -> None:
    """C(2000, 500) is more than a number can count."""
    learner = onebit.SetBanditron(500, m=250, n_features=6)
    learner.decide(ROWS[0])
    with pytest.raises(ConfigError, match="too small for a number"):
        learner.add_classes(range(500, 2000))
    assert len(learner.classes) == 500 == learner.scores(ROWS[0]).size
    learner.decide(ROWS[1])


def test_clones_and_settings_have_the_classes_of_the_time() -> None:
    learner = lived(onebit.Banditron(NAMES))
    learner.add_classes(["elk"])
    assert learner.clone().classes == learner.get_params()["classes"] == (*NAMES, "elk")
    assert repr(learner) == "Banditron(['ant', 'bee', 'cow', 'dog', 'elk'])"


def test_retiring_before_the_first_row() -> None:
    learner = onebit.OneBit(NAMES, kernel=None)
    learner.retire(["ant"])
    learner.add_classes(["elk"])
    lived(learner)
    learner.add_classes(["ant"])
    assert learner.scores(ROWS[0])[-1] == 0


def test_decisions_from_before_still_teach() -> None:
    early, late = lived(onebit.LinUCB(NAMES)), lived(onebit.LinUCB(NAMES))
    pair = [learner.decide(ROWS[300]) for learner in (early, late)]
    early.learn(pair[0], True)
    early.add_classes(["elk"])
    late.add_classes(["elk"])
    late.learn(pair[1], True)
    assert same(early, late)


@pytest.mark.parametrize("many", [False, True])
def test_an_answer_about_a_retired_label_teaches_it(many: bool) -> None:
    stays, leaves = lived(onebit.LinUCB(NAMES)), lived(onebit.LinUCB(NAMES))
    made = [learner.decide_many(ROWS[300:340]) for learner in (stays, leaves)]
    away = made[0].labels[0]
    assert 0 < (made[0].labels == away).sum() < 40
    leaves.retire([away])
    bits = made[0].labels == np.array(NAMES)[TRUTH[300:340]]
    stays.learn_many(made[0], bits)
    if many:
        leaves.learn_many(made[1], bits)
    else:
        for decision, bit in zip(made[1], bits, strict=True):
            leaves.learn(decision, bool(bit))
    assert away not in leaves.classes
    leaves.add_classes([away])
    number = {label: k for k, label in enumerate(leaves.classes)}
    assert np.array_equal(leaves.scores(ROWS)[:, [number[label] for label in NAMES]], stays.scores(ROWS))


def test_sets_drawn_from_other_classes_do_not_teach() -> None:
    learner = onebit.MCDBF(NAMES, m=2)
    decisions = learner.decide_many(ROWS[:5])
    single = learner.decide(ROWS[5])
    learner.add_classes(["elk"])
    with pytest.raises(FeedbackError, match="decision 5: was made before the classes changed, and MCDBF weighs"):
        learner.learn(single, True)
    with pytest.raises(FeedbackError, match="decision 0: was made before the classes changed"):
        learner.learn_many(decisions, [True] * 5)
    learner.learn(learner.decide(ROWS[6]), True)


def test_an_open_learner_takes_told_labels() -> None:
    learner = onebit.OneBit(["ant", "bee"], open=True)
    learner.learn(learner.decide(ROWS[0]), True)
    learner.learn(learner.decide(ROWS[1]), "cow")
    assert learner.classes == ("ant", "bee", "cow")
    learner.learn_many(learner.decide_many(ROWS[2:6]), ["dog", "ant", "elk", "dog"])
    assert learner.classes == ("ant", "bee", "cow", "dog", "elk")
    assert learner.clone().open


def test_many_told_labels_teach_as_one_by_one() -> None:
    told = [NAMES[k] for k in TRUTH[:100]]
    many, single = onebit.OneBit(["ant", "bee"], open=True), onebit.OneBit(["ant", "bee"], open=True)
    together, decisions = many.decide_many(ROWS[:100]), single.decide_many(ROWS[:100])
    many.learn_many(together, np.array(told))
    for decision, label in zip(decisions, told, strict=True):
        single.learn(decision, label)
    assert sorted(many.classes) == NAMES
    assert same(many, single)


@pytest.mark.parametrize("answer", [None, float("nan"), ["cow"], "half \ud800"])
def test_answers_that_are_no_labels_change_nothing(answer: Any) -> None:
    learner = onebit.OneBit(["ant", "bee"], open=True)
    decision = learner.decide(ROWS[0])
    with pytest.raises(FeedbackError):
        learner.learn(decision, answer)
    with pytest.raises(FeedbackError):
        learner.learn_many([decision, learner.decide(ROWS[1])], ["cow", answer])
    assert learner.classes == ("ant", "bee")


def test_a_bad_decision_adds_no_class() -> None:
    learner = onebit.OneBit(["ant", "bee"], open=True)
    decision = learner.decide(ROWS[0])
    hostile: list[Any] = [replace(decision, propensity=7.0), replace(decision, row=np.full(6, np.nan)), "no decision"]
    for bad in hostile:
        with pytest.raises(onebit.OnebitError):
            learner.learn(bad, "cow")
        with pytest.raises(onebit.OnebitError):
            learner.learn_many([decision, bad], ["cow", "dog"])
    assert learner.classes == ("ant", "bee")
    learner.learn(decision, "cow")


def test_a_closed_learner_refuses_new_labels() -> None:
    learner = onebit.OneBit(["ant", "bee"])
    with pytest.raises(FeedbackError, match="'cow': this label is not among the classes"):
        learner.learn(learner.decide(ROWS[0]), "cow")


def test_the_noise_estimate_begins_again() -> None:
    learner = lived(onebit.RCINE(NAMES, N_s=150))
    assert [estimate.lessons for estimate in learner.noise_history] == [150]
    learner.add_classes(["elk"])
    with pytest.raises(ConfigError, match="no lessons are kept"):
        learner.noise_window()
    lived(learner, 200, 260)
    assert len(learner.noise_window()[3]) == 60


def test_after_a_restart_a_class_returns_at_the_prior() -> None:
    learner = lived(onebit.OneBit(NAMES, kernel=None))
    learner.retire(["bee"])
    learner._session.state.clock.drift_restarts[0] += 1
    learner.add_classes(["bee"])
    assert learner.scores(ROWS)[:, -1].tolist() == [0] * len(ROWS)


@pytest.mark.parametrize("lessons", [100, 600])
def test_covariances_too_large_for_more_classes_become_diagonals(lessons: int, tmp_path: Path) -> None:
    """With 723 features four classes have full ones in the first 500 lessons; five have not."""
    X = np.random.default_rng(1).normal(size=(lessons, 723))
    learner = onebit.OneBit(NAMES, kernel=None)
    for row in X:
        learner.learn(learner.decide(row), bool(row[0] > 0))
    state = learner._session.state
    diagonals = np.diagonal(state.warm_up.P, axis1=1, axis2=2)
    before = learner.scores(X), (diagonals if lessons < 500 else state.weights.P).copy()
    learner.add_classes(["elk"])
    state = learner._session.state
    assert np.array_equal(learner.scores(X)[:, :4], before[0])
    assert np.array_equal(state.weights.P[:4], before[1])
    assert state.warm_up.P.shape[0] == 0
    learner.save(tmp_path / "a.onebit")
    assert same(onebit.load(tmp_path / "a.onebit"), learner)


HELD_BACK = 7
REST = [k for k in range(10) if k != HELD_BACK]


def errors_on_digits(learner: Any, seed: int) -> Any:
    """Whether each of 8,000 digits was missed; 7 is not among the first 5,000, and is added then if it is not there."""
    digits = onebit.streams.load("digits")
    X, y = digits.X, np.asarray(digits.y)
    draw = np.random.default_rng(seed)
    early = draw.choice(np.flatnonzero(y != HELD_BACK), 5000)
    order = np.concatenate([early, draw.integers(len(y), size=3000)])
    missed = np.zeros(len(order), bool)
    for t, i in enumerate(order.tolist()):
        if t == 5000 and HELD_BACK not in learner.classes:
            learner.add_classes([HELD_BACK])
        decision = learner.decide(X[i])
        missed[t] = decision.label != y[i]
        learner.learn(decision, not missed[t])
    return missed


@pytest.mark.parametrize(
    ("learner", "extra"),
    [
        (onebit.OneBit(10), 0.0),
        (onebit.OneBit(10, kernel=None), 0.0),
        (onebit.OneBit(10, curvature="diagonal"), 0.0),
        (onebit.BanditPA(10, normalize=True), 0.02),
    ],
    ids=["OneBit", "OneBit linear", "OneBit diagonal", "BanditPA"],
)
def test_a_new_label_costs_no_more_than_one_there_from_the_start(learner: Any, extra: float) -> None:
    """In the 3,000 rounds after the newcomer, and in the last 1,000 of them, for seeds that nothing was tuned on."""
    late, always = (
        np.mean([errors_on_digits(learner.clone(classes=classes, seed=seed), seed) for seed in (11, 12)], axis=0)
        for classes in (REST, [*REST, HELD_BACK])
    )
    assert late[5000:].mean() <= always[5000:].mean() + extra
    assert late[7000:].mean() <= always[7000:].mean() + 0.01
