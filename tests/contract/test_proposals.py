"""Decisions that change nothing, drawn by a key, and how likely each label is in them."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.contract.proposals import keyed
from onebit.contract.states import arrays
from onebit.ops.random import best_label_pmf, gamma_greedy, gamma_greedy_pmf, pack, uniform
from onebit.ops.sets import inclusion_without_replacement

ROW = np.array([0.5, 1.0, -0.25])
TICKET = {"subject": "Money back, please", "amount": 12.5, "plan": None}


def state_of(learner: onebit.Learner) -> list[Any]:
    return [learner._session.rng.copy(), *(array.copy() for _, array in arrays(learner._session.state))]


@pytest.mark.parametrize(
    "key", ["event 7", b"event 7", 7, -7, np.int64(7), pytest.param(10**5000, id="long"), "\ud800", ""]
)
def test_any_name_of_an_event_is_a_key(key: Any) -> None:
    learner = onebit.Banditron(5, gamma=0.9)
    made = [learner.propose(ROW, key) for _ in range(2)]
    assert made[0].label == made[1].label
    assert learner.decisions == 0


@pytest.mark.parametrize("key", [None, 1.5, True, ["event"], np.nan])
def test_what_is_no_name_is_refused(key: Any) -> None:
    with pytest.raises(onebit.ConfigError, match=r"key=.*: must be a text, bytes or a whole number"):
        onebit.Banditron(5).propose(ROW, key)


def test_keys_seeds_and_kinds_of_keys_draw_apart() -> None:
    drawn = {uniform(keyed(seed, key)) for seed in (0, 1) for key in ("7", b"7", 7, "8", 8)}
    assert len(drawn) == 10


def test_keys_draw_uniform_numbers() -> None:
    drawn = np.sort([uniform(keyed(0, key)) for key in range(4000)])
    assert np.abs(drawn - np.linspace(0, 1, 4000)).max() < 1.95 / np.sqrt(4000)  # Kolmogorov and Smirnov, .1 %


def test_one_row_at_a_time_and_only_such_as_can_be_decided() -> None:
    learner = onebit.Banditron(3)
    with pytest.raises(onebit.DataError, match="row: 2 rows are a table; propose takes one row at a time"):
        learner.propose([ROW, ROW], 0)
    with pytest.raises(onebit.DataError, match="nan"):
        learner.propose([1.0, np.nan], 0)
    with pytest.raises(onebit.DataError, match="among: the label 'x'"):
        learner.propose(ROW, 0, among=["x"])


@pytest.mark.parametrize("learner", [onebit.OneBit(4), onebit.Banditron(4, gamma=0.5)])
def test_among_some_labels_only_these_are_proposed(learner: onebit.Learner) -> None:
    learner.learn(learner.decide(ROW), False)
    before = state_of(learner)
    made = [learner.propose(ROW, key, among=[1, 3]) for key in range(200)]
    assert {decision.label for decision in made} == {1, 3}
    assert {decision.among for decision in made} == {(1, 3)}
    chances = {decision.label: decision.propensity for decision in made}
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    for kept, now in zip(before, state_of(learner), strict=True):
        np.testing.assert_array_equal(kept, now)


def test_raw_cases_are_proposed_as_they_are_and_met_with_their_answer() -> None:
    learner = onebit.OneBit(["billing", "refund"])
    first = learner.propose(TICKET, "ticket 1")
    assert learner._session.encoder is None
    learner.learn(first, True)
    seen = repr(learner.cases)
    learner.propose({"subject": "never seen before", "colour": "green"}, "ticket 2")
    assert repr(learner.cases) == seen
    np.testing.assert_allclose(learner.pmf(TICKET).sum(), 1, atol=1e-12)
    assert learner.pmf([TICKET, TICKET]).shape == (2, 2)


def test_rows_and_rounds_count_when_their_answer_is_learned() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 3))
    by_proposal = onebit.OneBit(2, kernel=None)
    for i, row in enumerate(rows):
        by_proposal.learn(by_proposal.propose(row, i), bool(row[0] > 0))
    statistics = by_proposal._session.state.statistics
    assert statistics.seen[0] == 30
    np.testing.assert_allclose(statistics.mean, rows.mean(axis=0), rtol=1e-12)
    clock = onebit.Confidit(2)
    clock.learn_many([clock.propose(row, i) for i, row in enumerate(rows)], [True] * 30)
    assert clock._session.state.t[0] == 30


def test_an_answer_that_is_refused_counts_nothing() -> None:
    learner = onebit.Confidit(2)
    learner.learn(learner.propose(ROW, 0), True)
    before = state_of(learner)
    damaged = replace(learner.propose(ROW, 1), row=np.array([1.0, np.nan, 0.0]))
    with pytest.raises(onebit.DataError, match="nan"):
        learner.learn(damaged, True)
    assert state_of(learner)[0].tolist() == before[0].tolist()
    assert learner._session.state.t[0] == 1


def test_a_learner_without_a_pmf_says_so() -> None:
    class Silent(onebit.Banditron):
        functions = onebit.Banditron.functions._replace(pmf=None)

    with pytest.raises(onebit.ConfigError, match="Silent does not say how likely it plays each label"):
        Silent(3).pmf(ROW)


def test_many_rows_at_once() -> None:
    learner = onebit.LinUCB(3)
    learner.learn(learner.decide(ROW), False)
    both = learner.pmf([ROW, -ROW])
    np.testing.assert_array_equal(both, [learner.pmf(ROW), learner.pmf(-ROW)])


@pytest.mark.parametrize("random_ties", [False, True])
@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.0])
def test_gamma_greedy_tells_what_it_claims(random_ties: bool, gamma: float) -> None:
    scores = np.array([1.0, 3.0, 0.0, 3.0])
    out = np.zeros(4)
    gamma_greedy_pmf(scores, gamma, random_ties, out)
    assert out.sum() == pytest.approx(1, abs=1e-15)
    rng = pack(np.random.PCG64(0))
    for _ in range(200):
        played, _, propensity, _ = gamma_greedy(scores, gamma, random_ties, rng)
        assert propensity == pytest.approx(out[played], abs=1e-15)


def test_ties_are_shared_or_go_to_the_first() -> None:
    out = np.zeros(3)
    best_label_pmf(np.array([2.0, 1.0, 2.0]), True, out)
    assert out.tolist() == [0.5, 0.0, 0.5]
    best_label_pmf(np.array([2.0, 1.0, 2.0]), False, out)
    assert out.tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(("K", "m"), [(2, 1), (4, 2), (5, 3), (5, 4), (6, 2)])
@pytest.mark.parametrize("gamma", [0.0, 0.01, 0.4, 1.0])
def test_inclusion_is_that_of_every_order_added_up(K: int, m: int, gamma: float) -> None:
    top = np.arange(K)[::-1][:m].copy()
    P = np.array([(1 - gamma) / m * (r in top) + gamma / K for r in range(K)])
    expected = np.zeros(K)
    for order in permutations(range(K), m):
        left = 1.0
        chance = 1.0
        for r in order:
            chance *= P[r] / left if P[r] > 0 else 0.0
            left -= P[r]
        expected[list(order)] += chance
    out = np.zeros(K)
    inclusion_without_replacement(gamma, top, out)
    np.testing.assert_allclose(out, expected, atol=1e-12)
    assert out.sum() == pytest.approx(m, abs=1e-12)
