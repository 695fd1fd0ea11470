"""Decisions among some of the labels: what is refused, what they teach, and what closing labels costs on real rows."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from itertools import count, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError, DataError, FeedbackError
from onebit.contract.states import arrays
from onebit.core.decision import Decision
from onebit.engine.closing import Closing
from onebit.features.cases.settings import Cases

ROWS = np.random.default_rng(0).normal(size=(600, 6))
TRUTH = np.argmax(ROWS[:, :5], axis=1)
NAMES = ["ant", "bee", "cow", "dog", "elk"]
OPEN = ["cow", "bee", "elk"]


def lived(learner: Any, first: int = 0, stop: int = 200, among: Any = None) -> Any:
    """The learner after these rows."""
    for t in range(first, stop):
        decision = learner.decide(ROWS[t], among)
        truth = NAMES[TRUTH[t]]
        learner.learn(decision, truth if learner.feedback == "label" else truth in decision.labels)
    return learner


def snapshot(learner: Any) -> list[Any]:
    session = learner._session
    return [session.rng.copy(), session.decisions, *(array.copy() for _, array in arrays(session.state))]


def unchanged(learner: Any, before: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(snapshot(learner), before, strict=True))


BAD: list[tuple[Any, str]] = [
    ([], "among: is empty, so nothing can be played"),
    (["bee", "yak"], "among: the label 'yak' is not among the classes"),
    (["bee", "ant"], "among: the label 'ant' has been retired; leave it out"),
    (["bee"], "among: names 1 labels, and OneBit plays 2 at a time; name 2 or more"),
    (["bee", "bee"], "among: names 1 labels, and OneBit plays 2"),
    ("bee", "among='bee': must be a list of labels"),
    (5, "among=5: must be a list of labels"),
    ([["bee"], ["cow"]], r"among: the label \['bee'\] is not among the classes"),
    ([np.nan, "bee"], "among: the label nan is not among"),
]


@pytest.mark.parametrize(("among", "why"), BAD, ids=[str(among) for among, _ in BAD])
def test_what_cannot_be_is_refused_before_anything_changes(among: Any, why: str) -> None:
    learner = lived(onebit.OneBit(NAMES, m=2))
    learner.retire(["ant"])
    before = snapshot(learner)
    with pytest.raises(DataError, match=why):
        learner.decide(ROWS[0], among=among)
    with pytest.raises(DataError):
        learner.decide_many(ROWS[:2], among=among)
    assert unchanged(learner, before)


def test_a_list_for_each_row_is_checked_too() -> None:
    learner = lived(onebit.Banditron(NAMES))
    before = snapshot(learner)
    with pytest.raises(DataError, match="among: has 2 lists of labels, and there are 3 rows"):
        learner.decide_many(ROWS[:3], among=[OPEN, OPEN])
    with pytest.raises(DataError, match=r"among\[1\]: is empty"):
        learner.decide_many(ROWS[:2], among=[OPEN, []])
    with pytest.raises(DataError, match=r"among\[1\]: the label 'yak' is not among"):
        learner.decide_many(ROWS[:2], among=[None, ["yak"]])
    assert unchanged(learner, before)


def test_nothing_has_begun_where_the_first_decision_is_refused() -> None:
    for learner in (onebit.OneBit(NAMES), onebit.Banditron(NAMES, cases=Cases())):
        with pytest.raises(DataError):
            learner.decide({"a": 1.0}, among=["yak"])
        assert learner._session.layout is None
        decision = learner.decide({"a": 1.0}, among=OPEN)
        assert decision.among == ("bee", "cow", "elk")


REFUSING = [
    (onebit.PNewtron(NAMES), "its estimate of the gradient"),
    (onebit.SetBanditron(NAMES), "it weighs an answer by how many labels"),
    (onebit.MCDBF(NAMES, m=2), "it weighs an answer by how many labels"),
    (onebit.RCNBF(NAMES, average=True), "with average=True"),
    (onebit.RCINE(NAMES, average=True), "with average=True"),
]


@pytest.mark.parametrize(("learner", "why"), REFUSING, ids=[str(one) for one, _ in REFUSING])
def test_learners_that_cannot_say_why(learner: Any, why: str) -> None:
    with pytest.raises(ConfigError, match=f"{type(learner).__name__} cannot decide among some of its labels: {why}"):
        learner.clone().decide(ROWS[0], among=OPEN)
    with pytest.raises(ConfigError, match=f"closed=0.5: {type(learner).__name__} cannot decide"):
        onebit.simulate(learner, onebit.streams.from_arrays(ROWS, np.array(NAMES)[TRUTH]), closed=0.5)


def test_a_learner_without_a_schema_says_so() -> None:
    class Bare(onebit.Banditron):
        def start(self, layout: Any) -> Any:
            return super().start(layout)

    with pytest.raises(ConfigError, match="Bare cannot decide among some of its labels: it does not say which part"):
        Bare(NAMES).decide(ROWS[0], among=OPEN)


def test_the_choice_is_that_of_a_learner_of_just_these_labels() -> None:
    # Untaught, the two know the same; the generator goes the same way.
    for make in (onebit.OneBit, onebit.Banditron, onebit.LinUCB, onebit.SOBADiagonal):
        some = make(NAMES, seed=3)
        only = make(["bee", "cow", "elk"], seed=3)
        for t in range(50):
            a = some.decide(ROWS[t], among=OPEN)
            b = only.decide(ROWS[t])
            assert (a.label, a.greedy, a.explored) == (b.label, b.greedy, b.explored)
            assert a.propensity == pytest.approx(b.propensity, rel=1e-15)  # p is mixed of five labels or of three
        assert np.array_equal(some._session.rng, only._session.rng)


def test_labels_that_are_tuples_are_labels() -> None:
    labels = [("a", 1), ("b", 2), ("c", 3)]
    learner = onebit.Banditron(labels, gamma=0.5)
    decisions = learner.decide_many(ROWS[:50], among=[("a", 1), ("c", 3)])
    assert decisions.among == (((("a", 1), ("c", 3)),) * 50)
    assert {decision.label for decision in decisions} == {("a", 1), ("c", 3)}


def test_parts_of_many_decisions_carry_what_was_open() -> None:
    learner = onebit.OneBit(NAMES)
    decisions = learner.decide_many(ROWS[:4], among=[None, OPEN, NAMES, np.array(["ant", "dog"])])
    assert decisions.among == (None, ("bee", "cow", "elk"), None, ("ant", "dog"))
    assert decisions[[3, 0]].among == (("ant", "dog"), None)
    assert decisions[::2].among is None
    assert pickle.loads(pickle.dumps(decisions)).among == decisions.among
    assert learner.decide_many(ROWS[:4], among=NAMES).among is None


def test_decisions_pickled_by_older_versions_were_among_all() -> None:
    decision = onebit.Banditron(NAMES).decide(ROWS[0], among=OPEN)
    old: Any = Decision.__new__(Decision)
    old.__setstate__([getattr(decision, field.name) for field in fields(Decision)[:-2]])
    assert old.among is None
    assert old._features is None
    assert old.labels == decision.labels
    assert pickle.loads(pickle.dumps(decision)).among == decision.among


def test_a_decision_changed_by_hand_is_refused() -> None:
    learner = lived(onebit.Banditron(NAMES))
    decision = learner.decide(ROWS[0], among=OPEN)
    before = snapshot(learner)
    for among, why in (
        (("bee", "yak"), "among holds 'yak', which is not among the classes"),
        (("ant", "dog"), "names the label .*, which is not among"),
        (["bee", "cow", "elk"], "must be a tuple of labels, or None"),
    ):
        with pytest.raises(FeedbackError, match=why):
            learner.learn(replace(decision, among=among), True)
    stranger = onebit.Banditron([*NAMES, "yak"]).decide_many(ROWS[:2], among=["bee", "yak"])
    with pytest.raises(FeedbackError, match="among holds 'yak'|label 'yak'"):
        learner.learn_many(stranger, [False, False])
    assert unchanged(learner, before)


def test_what_was_open_may_have_retired_since() -> None:
    learner = lived(onebit.OneBit(NAMES))
    decisions = [learner.decide(ROWS[t], among=OPEN) for t in range(50)]
    kept = [decision for decision in decisions if decision.label != "elk" and decision.greedy != "elk"]
    learner.retire(["elk"])
    for decision in kept:
        learner.learn(decision, False)
    assert kept
    assert learner.retired == ("elk",)


def test_the_banditrons_step_is_right_on_average_over_the_open_labels() -> None:
    # Every draw weighed by its propensity: the Perceptron's step, from the best open label to the true one if open.
    learner = lived(onebit.Banditron(NAMES, gamma=0.3))
    x, W = ROWS[0], learner._session.state.W.copy()
    for truth in NAMES:
        drawn: dict[Any, Decision] = {}
        while len(drawn) < len(OPEN):
            decision = learner.decide(x, among=OPEN)
            drawn[decision.label] = decision
        mean = np.zeros_like(W)
        for decision in drawn.values():
            learner._session.state.W[...] = W
            learner.learn(decision, decision.label == truth)
            mean += decision.propensity * (learner._session.state.W - W)
        learner._session.state.W[...] = W
        wanted = np.zeros_like(W)
        wanted[NAMES.index(decision.greedy)] -= x
        if truth in OPEN:
            wanted[NAMES.index(truth)] += x
        np.testing.assert_allclose(mean, wanted, atol=1e-12)


@pytest.mark.parametrize("learner", [onebit.Perceptron(NAMES), onebit.MCSLP(NAMES, m=2), onebit.OSLG(NAMES)], ids=str)
def test_a_told_label_teaches_as_if_all_had_been_open(learner: Any) -> None:
    # What was closed made it err; it would have been right, so there is nothing to learn, or as much as ever.
    some, all_ = lived(learner.clone(), 0, 400), lived(learner.clone(), 0, 400)
    lived(some, 400, 600, among=OPEN)
    lived(all_, 400, 600)
    assert np.array_equal(some.scores(ROWS), all_.scores(ROWS))
    assert some.updates == all_.updates


def test_estimates_of_flip_rates_hear_only_of_draws_among_all_labels(tmp_path: Path) -> None:
    learner = onebit.RCINE(NAMES, N_s=500)
    with learner.log(tmp_path / "log.parquet"):
        lived(learner, 0, 100)
        lived(learner, 100, 300, among=OPEN)
        lived(learner, 300, 350)
    assert len(learner.noise_window()[2]) == 150
    table = onebit.read_log(tmp_path / "log.parquet")
    assert len(table) == 350
    assert [len(column) for column in table.lessons] == [150] * 4
    with learner.log(tmp_path / "closed.parquet"):
        lived(learner, 0, 10, among=OPEN)
    with pytest.raises(DataError, match="every decision was drawn among some of the labels"):
        _ = onebit.read_log(tmp_path / "closed.parquet").lessons


@pytest.mark.parametrize("labels", [NAMES, [1, 2, 3, 4, 5], ["ant", 2, 3.5, ("d", 4), "elk"]], ids=str)
def test_the_log_carries_what_was_open(labels: list[Any], tmp_path: Path) -> None:
    learner = onebit.OneBit(labels)
    some = labels[1:4]
    with learner.log(tmp_path / "log.parquet"):
        for t in range(200):
            decision = learner.decide(ROWS[t], among=some if t % 2 else None)
            learner.learn(decision, decision.label == labels[TRUTH[t]])
    table = onebit.read_log(tmp_path / "log.parquet")
    told = [str(one) if isinstance(one, tuple) else one for one in some]
    assert table.among[:2].tolist() == [None, tuple(told)]
    if ("d", 4) not in labels:
        other = learner.clone()
        for decision, bit in onebit.log.replay(table):
            other.learn(decision, bit)
        assert np.array_equal(other.scores(ROWS), learner.scores(ROWS))


def test_a_folder_without_the_column_is_added_to(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder = tmp_path / "log"
    learner = onebit.Banditron(NAMES)
    with learner.log(folder):
        lived(learner, 0, 20)
    [part] = folder.glob("*.parquet")
    pq.write_table(pq.read_table(part).drop_columns(["among"]), part)
    assert onebit.read_log(folder).among is None
    with learner.log(folder):
        lived(learner, 20, 40, among=OPEN)
    table = onebit.read_log(folder)
    assert table.among.tolist() == [None] * 20 + [("bee", "cow", "elk")] * 20


def test_a_log_in_which_a_closed_label_is_played_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa

    log = pa.table({"played": ["a", "b"], "propensity": [0.5, 0.5], "bit": [1, 0], "among": [["a"], ["a", "c"]]})
    with pytest.raises(DataError, match="column 'among' is .* in row 1 .*must hold 'b', which was played"):
        onebit.read_log(log)


@pytest.mark.parametrize(
    "learner", [onebit.OneBit(NAMES, cases=Cases()), onebit.Banditron(NAMES, cases=Cases())], ids=str
)
def test_raw_cases_are_decided_among_some_labels(learner: Any) -> None:
    cases = [{"text": f"the {NAMES[TRUTH[t]]} number {t}"} for t in range(400)]
    learner = learner.clone()
    for t, case in enumerate(cases):
        decision = learner.decide(case, among=OPEN if t % 2 else None)
        assert decision.label in (OPEN if t % 2 else NAMES)
        learner.learn(decision, decision.label == NAMES[TRUTH[t]])
    decisions = learner.decide_many(cases[:20], among=OPEN)
    assert set(decisions.labels) <= set(OPEN)
    learner.learn_many(decisions, np.zeros(20, bool))


def test_simulations_close_labels_reproducibly(tmp_path: Path) -> None:
    stream = onebit.streams.from_arrays(ROWS, np.array(NAMES)[TRUTH], classes=NAMES)
    learner = onebit.OneBit(NAMES, m=2)
    path = str(tmp_path / "log-{seed}.parquet")
    first = onebit.simulate(learner, stream, onebit.Bit(delay=(0, 5)), seeds=2, closed=0.4, log=path)
    again = onebit.simulate(learner, stream, onebit.Bit(delay=(0, 5)), seeds=2, closed=0.4, workers=1)
    for a, b in zip(first.traces, again.traces, strict=True):
        assert np.array_equal(a.mistakes, b.mistakes)
    assert first.settings["closed"] == 0.4
    assert "closed" not in onebit.simulate(learner, stream).settings
    table = onebit.read_log(path.format(seed=1))
    closing = Closing(0.4, 5, 2, seed=1)
    drawn = [tuple(NAMES[k] for k in closing.open_classes()) for _ in range(600)]
    assert table.id is not None
    assert table.among is not None
    for number, among in zip(table.id, table.among, strict=True):
        assert (among or tuple(NAMES)) == drawn[number]
    shares = [len(one) for one in drawn]
    assert min(shares) == 2
    assert 0.55 < np.mean(shares) / 5 < 0.7
    for closed in (1.0, -0.1, "half"):
        with pytest.raises(ConfigError, match="closed="):
            onebit.simulate(learner, stream, closed=closed)  # type: ignore[arg-type]  # that is the point


def test_closing_labels_costs_no_more_than_it_must() -> None:
    # Where the true label is closed, every play is wrong. Elsewhere there is less to choose from, and as much to learn:
    # OneBit errs 5.5 % without closed labels, and 5.5 % in those rounds (5,000 rounds, three seeds); one point is let.
    stream = onebit.streams.load("digits")
    n = 5000
    plain = onebit.simulate(onebit.OneBit(stream.classes), stream, rounds=n, seeds=2)
    closed = onebit.simulate(onebit.OneBit(stream.classes), stream, rounds=n, seeds=2, closed=0.2)
    must = []
    for seed in closed.seeds:
        closing = Closing(0.2, len(stream.classes), 1, seed)
        labels = [y for window in stream.windows(seed, n) for y in window.y[window.order].tolist()]
        must.append(np.mean([y not in closing.open_classes() for y in labels]))
    forced = float(np.mean(must))
    elsewhere = (closed.error - forced) / (1 - forced)
    assert 0.19 < forced < 0.21
    assert elsewhere < plain.error + 0.01


@pytest.mark.parametrize("among", [count(), repeat("bee"), range(10**12)])
def test_a_list_of_open_labels_without_an_end(among: Any) -> None:
    learner = lived(onebit.Banditron(NAMES), 0, 5)
    for decide, rows in ((learner.decide, ROWS[0]), (learner.decide_many, ROWS[:3])):
        with pytest.raises(DataError, match="names more than 1,000,000 labels"):
            decide(rows, among=among)
