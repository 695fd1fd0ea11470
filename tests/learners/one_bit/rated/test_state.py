"""The state of the grid on sparse rows: when there is one, how it begins, its file, and classes that come and go."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit import ConfigError, FormatError, OneBit
from onebit.contract.layout import Layout
from onebit.contract.states import arrays
from onebit.learners.one_bit.curved.state import CurvedState
from onebit.learners.one_bit.learn import WARM_UP_LESSONS
from onebit.learners.one_bit.rated.linear import RatedState
from onebit.learners.one_bit.state import State
from tests.learners.one_bit.live import kept
from tests.learners.one_bit.rated.wide import LABELS, WIDTH, live, texts

E = 4
BEYOND = WARM_UP_LESSONS + 40


def begun(K: int, d: int, **parameters: Any) -> Any:
    return OneBit(K, **parameters).start(Layout(K, d, "sparse", "float64"))


@pytest.mark.parametrize(
    ("kind", "d", "parameters", "form"),
    [
        ("sparse", 299, {}, State),
        ("sparse", 300, {}, RatedState),
        ("dense", 300, {}, CurvedState),
        ("sparse", 300, {"kernel": None}, State),
        ("sparse", 300, {"budget": 0}, State),
        ("sparse", 300, {"curvature": "diagonal"}, State),
    ],
)
def test_where_there_is_a_grid(kind: Any, d: int, parameters: dict[str, Any], form: type) -> None:
    assert type(OneBit(3, **parameters).start(Layout(3, d, kind, "float64"))) is form


@pytest.mark.parametrize(
    ("d", "noise", "full"), [(481, "auto", E), (482, "auto", 0), (481, None, 1), (481, (0.1, 0.2), 1)]
)
def test_whole_covariances_begin_where_they_are_not_too_many(d: int, noise: Any, full: int) -> None:
    state = begun(9, d, noise=noise)
    assert state.warm_up.P.shape == ((full, 9, d + 1, d + 1) if full else (0, 0, 0, 0))
    assert state.weights.P.shape == (E if noise == "auto" else 1, d + 1, 9)


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize(("variance", "v"), [("auto", 10_000), (50.0, 50)])
def test_experts_that_trust_bits_less_begin_closer_to_nothing(m: int, variance: Any, v: float) -> None:
    state = begun(3, 300, m=m, variance=variance)
    for e, kappa in enumerate((1, 0.9, 0.5, 0.2)):
        assert np.unique(state.weights.P[e]) == pytest.approx([v / m * kappa**3])
        assert (state.warm_up.P[e] == state.weights.P[e, 0, 0] * np.eye(301)).all()


def test_weights_that_would_take_too_much() -> None:
    with pytest.raises(
        ConfigError, match=r"n_features=1048576: weights.*1000 classes and 4 flip rates.*hash.*noise=None"
    ):
        begun(1000, 2**20)


def same(one: Any, other: Any) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(kept(one), kept(other), strict=True))


def assert_alike(one: Any, other: Any, first: int, lessons: int = 40) -> None:
    """Both decide and learn the same bits from here on."""
    rows, y = texts(first + lessons)
    for t in range(first, first + lessons):
        a, b = one.decide(rows[t]), other.decide(rows[t])
        assert (a.labels, a.propensity, a.greedy, a.explored) == (b.labels, b.propensity, b.greedy, b.explored)
        answer = LABELS[y[t]] if t % 3 == 0 else bool(LABELS[y[t]] in a.labels)
        one.learn(a, answer)
        other.learn(b, answer)
    assert same(one, other)


@pytest.mark.parametrize(
    ("lessons", "parameters"),
    [(60, {}), (60, {"dtype": "float32", "m": 2}), (60, {"noise": (0.1, 0.2)}), (BEYOND, {})],
    ids=str,
)
def test_a_saved_learner_goes_on_as_if_nothing_had_happened(
    lessons: int, parameters: dict[str, Any], tmp_path: Path
) -> None:
    learner = live(OneBit(LABELS, seed=4, **parameters), 0, lessons)
    last = learner.decide(texts(lessons)[0][-1])  # what is believed of it is part of the state
    learner.save(tmp_path / "m.onebit")
    twin = onebit.load(tmp_path / "m.onebit")
    assert isinstance(twin._session.state, RatedState)
    assert same(learner, twin)
    learner.learn(last, True)
    last._spent[0] = False
    twin.learn(last, True)
    assert_alike(learner, twin, lessons)


def test_a_pickled_learner_goes_on() -> None:
    learner = live(OneBit(LABELS))
    assert_alike(learner, pickle.loads(pickle.dumps(learner)), 60)


def test_every_array_is_stored_once_and_comes_back_to_its_own_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OneBit, "schema", lambda self, layout, capacity: None)  # so that any number will do
    monkeypatch.setattr(OneBit, "check_state", lambda self, state: None)
    learner = live(OneBit(LABELS), stop=3)
    state = learner._session.state
    stored = [id(part) for parts in learner.file_arrays(state).values() for part in parts]
    assert sorted(stored) == sorted(id(array) for _, array in arrays(state))
    for at, (_, array) in enumerate(arrays(state)):
        array[...] = at
    learner.save(tmp_path / "m.onebit")
    assert same(learner, onebit.load(tmp_path / "m.onebit"))


HOSTILE: list[tuple[str, Callable[[RatedState], Any], Any, str]] = [
    ("all asleep", lambda state: state.rates.share, 0, "no expert that is awake"),
    ("a share below 0", lambda state: state.rates.share, -0.1, "grid-share holds -0.1"),
    ("a share above 1", lambda state: state.rates.share, 1.5, "grid-share holds 1.5"),
    ("bits that say nothing", lambda state: state.rates.rho_0, 0.99, "must be below 1"),
    ("a rate below 0", lambda state: state.rates.rho_1, -0.1, "grid-rho_1 holds -0.1"),
    ("no variance", lambda state: state.rates.variance, 0, "grid-variance holds 0"),
    ("steepness above 1", lambda state: state.rates.steepness, 2, "grid-steepness holds 2"),
    ("lessons below 0", lambda state: state.clock.n, -1, "clock holds -1"),
    ("a count below 0", lambda state: state.statistics.counts, -1, "counts holds -1"),
    ("a label that is none", lambda state: state.mixture.told, len(LABELS), "last-told holds 3"),
    ("knowledge of no kind", lambda state: state.mixture.known, 3, "last-known holds 3"),
    (
        "belief in nothing",
        lambda state: state.mixture.believed,
        np.nan,
        "last-believed holds values that are not finite",
    ),
    ("a column that is none", lambda state: state.row.indices, WIDTH + 1, "row-indices holds 302"),
    ("a row too long", lambda state: state.row.size, WIDTH + 1, "row-size holds 302"),
    ("infinite weights", lambda state: state.weights.W, np.inf, "W holds values that are not finite"),
    ("infinite covariances", lambda state: state.warm_up.P, np.inf, "warm-P holds values that are not finite"),
    ("no information", lambda state: state.calibration.S_aa, 0, "line holds no information"),
]


@pytest.fixture(scope="module")
def saved() -> bytes:
    """A learner to spoil."""
    return pickle.dumps(live(OneBit(LABELS), stop=3))


@pytest.mark.parametrize(("of", "value", "message"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_states_that_are_refused(saved: bytes, of: Any, value: Any, message: str, tmp_path: Path) -> None:
    learner = pickle.loads(saved)
    of(learner._session.state)[...] = value
    learner.save(tmp_path / "m.onebit")
    with pytest.raises(FormatError, match=message):
        onebit.load(tmp_path / "m.onebit")


# Classes that come and go


@pytest.mark.parametrize("lessons", [60, BEYOND])
def test_a_new_class_begins_at_the_prior_of_every_expert(lessons: int) -> None:
    learner = live(OneBit(LABELS), 0, lessons)
    before = learner._session.state
    W, P, full = before.weights.W.copy(), before.weights.P.copy(), before.warm_up.P.copy()
    learner.add_classes(["d"])
    state = learner._session.state
    assert (state.weights.W[:, :, :3] == W).all()
    assert (state.weights.P[:, :, :3] == P).all()
    assert (state.warm_up.P[:, :3] == full).all()
    assert not state.weights.W[:, :, 3].any()
    for e, v in enumerate(state.rates.variance):
        assert (state.weights.P[e, :, 3] == v).all()
        assert (state.warm_up.P[e, 3] == v * np.eye(WIDTH + 1)).all()
    live(learner, lessons, lessons + 20)


@pytest.mark.parametrize("lessons", [60, BEYOND])
def test_a_class_that_returns_is_as_it_was(lessons: int) -> None:
    learner = live(OneBit(LABELS), 0, lessons)
    rows = texts(lessons)[0]
    before = [learner.scores(row) for row in rows[:20]]
    P = learner._session.state.weights.P.copy()
    learner.retire(["c"])
    assert learner._session.state.weights.W.shape == (E, WIDTH + 1, 2)
    learner.add_classes(["c"])
    assert all((learner.scores(row) == old).all() for row, old in zip(rows, before, strict=False))
    assert (learner._session.state.weights.P == P).all()


def test_after_a_restart_a_class_returns_at_the_prior() -> None:
    learner = live(OneBit(LABELS))
    learner.retire(["c"])
    learner._session.state.clock.drift_restarts[0] += 1
    learner.add_classes(["c"])
    state = learner._session.state
    assert not state.weights.W[:, :, 2].any()
    assert (state.weights.P[:, :, 2] == state.rates.variance[:, None]).all()


@pytest.mark.parametrize("lessons", [40, BEYOND])
def test_covariances_too_large_for_more_classes_become_diagonals(lessons: int, tmp_path: Path) -> None:
    """With 800 columns three classes have whole ones in the first lessons; four have not."""
    rows, y = texts(lessons, width=800)
    learner = OneBit(LABELS, noise=(0.1, 0.1))
    for row, label in zip(rows, y, strict=True):
        decision = learner.decide(row)
        learner.learn(decision, bool(LABELS[label] in decision.labels))
    state: Any = learner._session.state
    assert state.warm_up.P.shape == (1, 3, 801, 801)
    whole = np.diagonal(state.warm_up.P, axis1=2, axis2=3).swapaxes(1, 2)
    now = whole if lessons < WARM_UP_LESSONS else state.weights.P
    P, scores = now.copy(), learner.scores(rows[0])
    learner.add_classes(["d"])
    state = learner._session.state
    assert state.warm_up.P.size == 0
    assert (state.weights.P[:, :, :3] == P).all()
    assert np.diff(learner.scores(rows[0])[:3]) == pytest.approx(np.diff(scores), rel=1e-12)
    learner.save(tmp_path / "m.onebit")
    assert same(learner, onebit.load(tmp_path / "m.onebit"))
