"""Every registered learner passes the battery, and the battery catches what it is for."""

from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import onebit
from onebit.checks import CHECKS, _run, _scene, check_learner
from onebit.contract.compiled import Draw, Functions, linear_score
from onebit.contract.layout import Layout
from onebit.contract.parameters import choice
from onebit.contract.schema import reals, room, whole
from onebit.core.registry import _LEARNERS, learner_class, learner_names, register
from onebit.learners import banditron
from onebit.ops.jit import jit
from onebit.ops.random import uniform
from onebit.ops.rows import is_sparse
from onebit.ops.weights import add
from tests.either import Either, enlist

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "banditron": [{"ties": "random"}, {"normalize": True}],
    "rcnbf": [{"rho_0": 0.1, "rho_1": 0.2, "average": True}],
    "soba": [{"gamma": "adaptive"}],
    "soba-diagonal": [{"gamma": "adaptive"}],
    "confidit": [{"covariance": "full"}, {"covariance": "diagonal"}, {"ties": "random"}],
    "bandit-perceptron": [{"correct_others": True}],
    "kernel-bandit": [
        {"kernel": "linear", "ties": "random"},
        {"kernel": "matern", "budget": 20, "removal": "random"},
        {"form": "dual", "correct_others": True},
    ],
    "molg-b": [{"varphi": "schedule"}],
    "mc-slp": [{"m": 1}, {"gated": False}],
    "mc-dbf": [{"m": 1}, {"noise": (0.2, 0.1)}],
    "one-bit": [{"m": 2}, {"noise": (0.2, 0.1)}, {"budget": 12}, {"kernel": None}, {"curvature": "diagonal"}],
    "page-rank-ucb": [{"ties": "random", "noise": (0.2, 0.1)}],
    "second-order-kernel": [{"kernel": "rbf:4", "ties": "random"}],
    "set-banditron": [{"m": 1}, {"noise": (0.2, 0.1)}, {"loss": "log"}, {"m": 1, "loss": "log", "normalize": False}],
}
CASES = [(name, extra) for name in learner_names() for extra in [{}, *VARIANTS.get(name, [])]]


@pytest.mark.parametrize(("name", "extra"), CASES, ids=[f"{n}-{e}" for n, e in CASES])
@pytest.mark.parametrize("check", list(CHECKS))
def test_battery(name: str, extra: dict[str, Any], check: str) -> None:
    outcome = _run(check, CHECKS[check], _scene(learner_class(name)(["a", "b", "c"], **extra)))
    assert outcome.passed, outcome.detail


@jit
def boastful_decide(hyper, state, row, rng, labels):  # type: ignore[no-untyped-def]
    propensity, greedy, explored = banditron.decide(hyper, state, row, rng, labels)
    return min(1.0, propensity + 0.05), greedy, explored


@jit
def forgetful_decide(hyper, state, row, rng, labels):  # type: ignore[no-untyped-def]
    propensity, greedy, explored = banditron.decide(hyper, state, row, rng, labels)
    state.s[0] = propensity
    return propensity, greedy, explored


@jit
def forgetful_learn(hyper, state, row, draw, bit, rng):  # type: ignore[no-untyped-def]
    own = Draw(draw.labels, state.s[0], draw.greedy, draw.explored, draw.last)
    return banditron.learn(hyper, state, row, own, bit, rng)


@jit
def forgetful_label(hyper, state, row, draw, y, rng):  # type: ignore[no-untyped-def]
    add(state.W, y, row, 1 / state.s[0])
    return 1


@jit
def restless_score(hyper, state, row, out):  # type: ignore[no-untyped-def]
    linear_score(hyper, state, row, out)
    state.W[0, 0] += 1e-3


@jit
def moody_score(hyper, state, row, out):  # type: ignore[no-untyped-def]
    linear_score(hyper, state, row, out)
    out[0], out[1] = out[1], out[0]


@jit
def biased_decide(hyper, state, row, rng, labels):  # type: ignore[no-untyped-def]
    propensity, greedy, explored = banditron.decide(hyper, state, row, rng, labels)
    if uniform(rng) < 0.2:
        labels[0] = 0
    return propensity, greedy, explored


@jit
def heedless_among(hyper, state, row, rng, labels, is_open):  # type: ignore[no-untyped-def]
    return banditron.decide(hyper, state, row, rng, labels)


FAULTS = {
    "plays closed labels": (
        Functions(banditron.decide, banditron.learn, linear_score, None, heedless_among),
        {"labels closed"},
    ),
    "wrong propensity": (Functions(boastful_decide, banditron.learn, linear_score), {"propensities"}),
    "plays otherwise than it says": (
        Functions(biased_decide, banditron.learn, linear_score),
        {"propensities"},
    ),
    "remembers the last draw": (
        Functions(forgetful_decide, forgetful_learn, linear_score),
        {"delay safety"},
    ),
    "remembers the last draw when told the label": (
        Functions(forgetful_decide, banditron.learn, linear_score, forgetful_label),
        {"delay safety"},
    ),
    "scores that change the state": (
        Functions(banditron.decide, banditron.learn, restless_score),
        {"pure predict", "bad input"},
    ),
    "scores of other classes": (Functions(banditron.decide, banditron.learn, moody_score), {"pure predict"}),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_faulty_learner_is_caught(fault: str) -> None:
    functions, expected = FAULTS[fault]

    @register("faulty")
    class Faulty(onebit.Banditron):
        pass

    Faulty.functions = functions
    try:
        scene = _scene(Faulty(3, gamma=0.3))
        assert not all(_run(name, CHECKS[name], scene).passed for name in expected)
    finally:
        del _LEARNERS["faulty"]


def test_the_battery_names_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Moody(onebit.Banditron):
        functions, _ = FAULTS["scores of other classes"]

    monkeypatch.setitem(_LEARNERS, "moody", Moody)
    monkeypatch.setattr(Moody, "name", "moody")
    with pytest.raises(AssertionError, match="Moody fails 3 checks\npure predict"):
        check_learner(Moody(3, gamma=0.3))


@pytest.mark.parametrize("classes", [3, [True, False]], ids=str)
def test_a_learner_that_takes_both_kinds_of_answers_passes(classes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    enlist(monkeypatch)
    check_learner(Either(classes, gamma=0.1))


def test_a_learner_that_takes_anything_for_an_answer_is_caught() -> None:
    class Credulous(Either):
        def learn(self, decision: onebit.Decision, feedback: Any) -> None:
            super().learn(decision, bool(feedback) if isinstance(feedback, list) else feedback)

    outcome = {check.name: check.detail for check in check_learner(Credulous(3), raise_on_failure=False)}
    assert "feedback of the wrong kind raised no error" in outcome["bad input"]


@jit
def moving_decide(hyper, state, row, rng, labels):  # type: ignore[no-untyped-def]
    """Dense rows change what the row means, and by how much depends on the decisions before."""
    if hyper.moving and not is_sparse(row):
        add(state.W, 0, row, 0.1)
    return banditron.decide(hyper, state, row, rng, labels)


class MovingHyper(NamedTuple):
    gamma: float
    random_ties: bool
    moving: bool


class Moving(onebit.Banditron):
    functions = Functions(moving_decide, banditron.learn, linear_score)
    moves: ClassVar[str]

    def hyper(self) -> Any:
        return MovingHyper(self.gamma, False, getattr(self, self.moves))


class Standardizing(Moving):
    standardize: bool = choice(True, False, default=True)
    moves = "standardize"


class Drifting(Moving):
    drifting: bool = choice(True, False, default=True)
    moves = "drifting"


def test_rows_that_are_standardized_mean_what_they_mean_by_design(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_LEARNERS, "standardizing", Standardizing)
    monkeypatch.setattr(Standardizing, "name", "standardizing")
    monkeypatch.setitem(_LEARNERS, "drifting", Drifting)
    monkeypatch.setattr(Drifting, "name", "drifting")
    check_learner(Standardizing(3, gamma=0.1), alike={"standardize": False})
    failed = {check.name for check in check_learner(Drifting(3, gamma=0.1), raise_on_failure=False) if not check.passed}
    assert failed == {"dense equals sparse", "delay safety", "pure predict"}


def test_a_learner_that_wears_no_name_cannot_be_saved_and_is_told_so() -> None:
    class Nameless(onebit.Banditron):
        name = ""

    failed = {c.name: c.detail for c in check_learner(Nameless(3), raise_on_failure=False) if not c.passed}
    assert "register" in failed["save and load"]


def failure_of_schema(learner: onebit.Learner, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(_LEARNERS, "declaring", type(learner))
    monkeypatch.setattr(type(learner), "name", "declaring")
    return _run("state schema", CHECKS["state schema"], _scene(learner)).detail


def test_a_learner_that_declares_nothing_is_told_what_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(onebit.Banditron):
        def start(self, layout: Layout) -> Any:
            return super().start(layout)

    assert "give it a method schema(self, layout, capacity)" in failure_of_schema(Silent(3), monkeypatch)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (lambda K, d: banditron.State(reals(K, d + 1), room(K)), "array W is float64[3, 8], expected float64[3, 9]"),
        (lambda K, d: banditron.State(reals(K, d, low=0), room(K)), "array W holds -"),
        (lambda K, d: banditron.State(reals(K, d), whole(K)), "array s is float64[3], expected int64[3]"),
    ],
)
def test_a_schema_that_is_not_that_of_the_state(declared: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Mistaken(onebit.Banditron):
        def schema(self, layout: Layout, capacity: int) -> Any:
            return declared(layout.n_classes, layout.n_features)

    assert message in failure_of_schema(Mistaken(3), monkeypatch)


def test_a_learner_that_allocates_does_not_compile() -> None:
    @jit
    def greedy_for_memory(hyper, state, row, out):  # type: ignore[no-untyped-def]
        out[:] = np.zeros(3)

    class Hungry(onebit.Banditron):
        functions = Functions(banditron.decide, banditron.learn, greedy_for_memory)

    with pytest.raises(Exception, match="Only accept returning of array passed into the function"):
        Hungry(3, n_features=2).scores([1.0, 2.0])


def test_a_learner_that_remembers_every_lesson_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[float] = []

    class Hoarder(onebit.Banditron):
        def learn(self, decision: onebit.Decision, feedback: Any) -> None:
            super().learn(decision, feedback)
            kept.append(decision.propensity + len(kept))

    monkeypatch.setattr("onebit.checks.PARTS", 3)
    assert "bytes behind" in _run("no growth", CHECKS["no growth"], _scene(Hoarder(3))).detail
