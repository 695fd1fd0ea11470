"""The member of the bank that keeps cases equals its naive twin; files, classes and columns that come and go."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.core.seeds import bit_generator
from onebit.features.cases.quantities import NUMBERS, PLACES, QUANTITIES
from onebit.learners.one_bit.bank import CURVED
from onebit.learners.one_bit.bank import state as bank_state
from onebit.learners.one_bit.bank.kept import new_kept
from tests.naive.onebit_bank import BankTwin

ROUNDS, K, EXACT = 700, 4, 1e-7
WIDTH = 4098
HONEST, LIES = (0.0, 0.0), (0.3, 0.2)


@pytest.fixture
def double_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding to single precision would make the two part in the last digits of single weights."""
    monkeypatch.setattr(bank_state, "_PRECISION", "float64")


@cache
def cases() -> tuple[list[dict[str, Any]], Any]:
    """Points in rings, of which flat cuts know little, with a word, a vector and gaps."""
    draw = np.random.default_rng(1)
    y = draw.integers(K, size=ROUNDS)
    angle = draw.uniform(0, 2 * np.pi, ROUNDS)
    radius = 1 + y + 0.2 * draw.normal(size=ROUNDS)
    rows = []
    for t in range(ROUNDS):
        row: dict[str, Any] = {
            "east": 20 * radius[t] * np.cos(angle[t]),
            "north": None if draw.random() < 0.05 else 3 + radius[t] * np.sin(angle[t]),
            "says": f"w{draw.integers(6)} w{draw.integers(6)}",
        }
        if t > 100:
            row["v"] = (draw.normal(size=5) * [3, 1, 1, 0.1, 0.1]).tolist()
        rows.append(row)
    return rows, y


def dense_row(decision: Any) -> Any:
    """The row as the learner's encoder has read it."""
    rows = decision._features[1]
    x = np.zeros(WIDTH)
    x[rows.indices] = rows.values
    return x


def assert_same(learner: Any, twin: BankTwin, t: int) -> None:
    state = learner._session.state
    bank, kept = state.bank, state.kept
    n = kept.size.item()
    assert (state.clock.t[0], state.clock.n[0], state.lies.often[0]) == (twin.t, twin.n, twin.lying), f"round {t}"
    assert kept.seen.tolist() == twin.seen.tolist(), f"round {t}"
    assert n == len(twin.kept.squares), f"round {t}"
    W = twin.W.transpose(1, 0, 2)
    assert np.abs(bank.W - W).max() < EXACT * max(np.abs(W).max(), 1), f"round {t}"
    assert np.abs(kept.V[:, :n] - twin.kept.V).max(initial=0) < EXACT * max(np.abs(twin.kept.V).max(initial=0), 1)
    assert np.allclose(bank.share, twin.share, rtol=EXACT, atol=EXACT), f"round {t}"
    assert [state.calibration.a[0], state.calibration.b[0]] == pytest.approx([twin.a, twin.b], rel=EXACT, abs=EXACT)


def play(lies: Any = HONEST, longest: int = 0, told: bool = False, among: bool = False, **parameters: Any) -> Any:
    """Both side by side, with one answer for both: the learner, if they agree."""
    rows, y = cases()
    learner = onebit.OneBit(K, seed=3, n_features=WIDTH, cases=onebit.Cases(), **parameters)
    twin = BankTwin(K, WIDTH, np.random.Generator(bit_generator(3, "learner")), curved=True, **parameters)
    draw = np.random.default_rng(2)
    delays, flips = draw.integers(0, longest + 1, size=ROUNDS), draw.random(ROUNDS)
    under_way: dict[int, list[Any]] = {}
    for t in range(ROUNDS):
        some = sorted(draw.choice(K, size=3, replace=False).tolist()) if among else None
        decision = learner.decide(rows[t], among=some)
        played, greedy, propensity, explored = twin.decide(dense_row(decision), some)
        assert (decision.labels, decision.greedy, decision.explored) == (played, greedy, explored), f"round {t}"
        assert abs(decision.propensity - propensity) <= EXACT * propensity, f"round {t}"
        hit = y[t] in played
        bit = hit != (flips[t] < (lies[1] if hit else lies[0]))
        under_way.setdefault(t + delays[t], []).append((decision, t, bit))
        for late, i, says in under_way.pop(t, []):
            lesson = dense_row(late), late.labels, late.greedy, late.propensity, late.explored
            tell = told and i % 3 == 0
            learner.learn(late, int(y[i]) if tell else bool(says))
            (twin.learn_label if tell else twin.learn)(*lesson, y[i] if tell else int(says))
        if t % 50 == 0 or t == ROUNDS - 1:
            assert_same(learner, twin, t)
    assert learner._session.state.kept.size[0] > 20
    return learner


@pytest.mark.usefixtures("double_precision")
@pytest.mark.parametrize("parameters", [{}, {"m": 2}, {"noise": None}, {"budget": 24}])
def test_bits(parameters: dict[str, Any]) -> None:
    play(**parameters)


@pytest.mark.usefixtures("double_precision")
def test_late_answers_and_labels_that_are_told() -> None:
    play(longest=40, told=True)


@pytest.mark.usefixtures("double_precision")
def test_bits_that_lie() -> None:
    play(LIES, noise=(0.3, 0.2))


@pytest.mark.usefixtures("double_precision")
def test_among_some_of_the_labels() -> None:
    play(among=True, drift=None)


def lived(rows: list[dict[str, Any]], y: Any, learner: Any) -> float:
    """The share of wrong answers."""
    wrong = 0
    for row, label in zip(rows, y, strict=True):
        decision = learner.decide(row)
        wrong += decision.label != label
        learner.learn(decision, bool(decision.label == label))
    return wrong / len(rows)


def test_it_bends() -> None:
    """Rings around one middle: what single bins tell of them is little."""
    rows, y = cases()
    numbers = [{"east": row["east"], "north": row["north"]} for row in rows]
    curved = lived(numbers, y, onebit.OneBit(K))
    flat = lived(numbers, y, onebit.OneBit(K, kernel=None))
    assert curved < 0.75 * flat


def test_without_quantities_the_member_is_the_tight_one() -> None:
    learner = onebit.OneBit(["cat", "dog"])
    for i in range(60):
        said = ["meow", "woof"][i % 2]
        learner.learn(learner.decide({"says": said}), ["cat", "dog"][i % 2])
    state = learner._session.state
    assert state.kept.size[0] == 0
    assert np.array_equal(state.bank.W[:, CURVED], state.bank.W[:, 0])


def test_kernel_none_and_one_variance_keep_nothing() -> None:
    rows, y = cases()
    for learner, members in ((onebit.OneBit(K, kernel=None), 3), (onebit.OneBit(K, variance=10.0), 1)):
        lived(rows[:30], y[:30], learner)
        assert learner._session.state.bank.share.shape == (members,)
        assert learner._session.capacity == 0


def test_a_file_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    rows, y = cases()
    learner: Any = onebit.OneBit(K, seed=5)
    lived(rows[:300], y[:300], learner)
    learner.save(tmp_path / "one.onebit")
    again: Any = onebit.load(tmp_path / "one.onebit")
    assert again._session.encoder.memory.counts[6:8].tolist() == [2, 5]
    assert lived(rows[300:], y[300:], learner) == lived(rows[300:], y[300:], again)
    for name, array in learner._session.state.kept._asdict().items():
        assert np.array_equal(array, getattr(again._session.state.kept, name)), name


def test_classes_come_and_go() -> None:
    rows, y = cases()
    learner: Any = onebit.OneBit(K, seed=5)
    lived(rows[:300], y[:300], learner)
    before = learner._session.state.kept
    learner.retire([2])
    learner.add_classes(["new"])
    learner.add_classes([2])
    after = learner._session.state.kept
    n = before.size.item()
    assert after.V.shape[0] == K + 1
    assert np.array_equal(after.V[[0, 1, 2, 4], :n], before.V[[0, 1, 3, 2], :n])
    assert not after.V[3].any()
    assert not after.Q[3].any()


def test_columns_grow_and_what_is_kept_stays() -> None:
    rows, y = cases()
    learner: Any = onebit.OneBit(K, seed=5)
    lived(rows[:200], y[:200], learner)
    width = learner._session.layout.n_features
    before = {name: array.copy() for name, array in learner._session.state.kept._asdict().items()}
    learner.decide({"tags": [f"t{i}" for i in range(5_000)]})
    assert learner._session.layout.n_features > width
    for name in ("u", "inverse", "V", "Q", "size"):
        assert np.array_equal(before[name], getattr(learner._session.state.kept, name)), name


def test_drift_forgets_what_is_kept() -> None:
    rows, y = cases()
    learner: Any = onebit.OneBit(K, seed=5)
    lived(rows, y, learner)
    for row in rows[:200]:
        learner.learn(learner.decide(row), False)
    state = learner._session.state
    assert state.clock.drift_restarts[0] >= 1
    assert state.kept.size[0] < state.clock.n[0] + 1


def test_columns_of_quantities_are_the_first() -> None:
    learner: Any = onebit.OneBit(K)
    many = {f"n{i:03}": float(i) for i in range(NUMBERS + 10)} | {"v": list(range(PLACES + 10))}
    for scale in (1.0, 2.0, 3.0):
        learner.decide({name: np.multiply(scale, x).tolist() for name, x in many.items()} | {"word": "same"})
    encoder = learner._session.encoder
    assert learner._session.state.kept.seen.tolist() == [NUMBERS, PLACES]
    assert encoder.columns > QUANTITIES
    assert encoder.columns < learner._session.layout.n_features


def test_a_learner_that_is_asked_for_few_columns_has_none_for_quantities() -> None:
    rows, y = cases()
    learner: Any = onebit.OneBit(K, cases=onebit.Cases(hash=1024))
    lived(rows[:30], y[:30], learner)
    assert not learner._session.encoder.has_quantities
    assert learner._session.state.bank.share.shape == (3,)
    assert new_kept(K, 1.0, 0).u.size == 0


def test_late_answers_equal_those_in_chunks() -> None:
    """The engine makes room for many lessons at once, `learn` for one at a time: the bits are the same."""
    rows, y = cases()
    stream = onebit.streams.from_arrays(rows, y, shuffle=False)
    played: Any = onebit.simulate(onebit.OneBit(K), stream, seeds=[4], progress=False)
    alone = played.learners[0]
    one_by_one: Any = alone.clone()
    lived(rows, y, one_by_one)
    assert np.array_equal(alone._session.state.kept.V, one_by_one._session.state.kept.V)
    assert alone._session.capacity == one_by_one._session.capacity


def test_what_kept_cases_add_is_explained() -> None:
    rows, y = cases()
    learner: Any = onebit.OneBit(K, seed=5)
    lived(rows, y, learner)
    assert np.argmax(learner._session.state.bank.share) == CURVED
    row = rows[-1]
    scores = learner.scores(row)
    why = learner.explain(row, top=100)
    names = [part.name for part in why[0].parts]
    assert {"east", "north", "kept cases, by all numbers together"} <= set(names)
    for label in range(K):
        reasons = why[label]
        total = sum(part.amount for part in reasons.parts) + reasons.others + reasons.bias
        assert reasons.score == pytest.approx(total)
        assert reasons.deviation > 0
    member = np.array([why[label].score for label in range(K)])
    assert int(np.argmax(member)) == int(np.argmax(scores))
    assert "kept cases" in str(learner.describe())
