"""Over several learners: the answers they want, rows of zeros, float32, inverses, sizes, ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit import ConfigError, FeedbackError
from tests.learners.lessons import TWINS, K, like, table, teach, with_twin

FULL: list[tuple[str, dict[str, Any]]] = [
    ("SOBA", {"gamma": 0.3}),
    ("Confidit", {"covariance": "full"}),
    ("LinUCB", {"alpha": 0.5}),
]


CLOSE: list[tuple[str, dict[str, Any], float]] = [
    ("Perceptron", {}, 1e-4),
    ("RCNBF", {"gamma": 0.2, "rho_0": 0.1}, 1e-3),
    ("RCNBF", {"gamma": 0.2, "rho_0": 0.1, "average": True}, 1e-3),
    ("PNewtron", {"gamma": 0.1}, 1e-4),
    ("BanditPA", {"gamma": 0.1}, 1e-4),
    *((name, parameters, 2e-4) for name, parameters in FULL),
    ("SOBADiagonal", {"gamma": 0.3}, 2e-4),
    ("Confidit", {"covariance": "diagonal"}, 2e-4),
]


def test_the_perceptron_wants_labels_and_the_others_bits() -> None:
    full = onebit.Perceptron(["a", "b"])
    with pytest.raises(FeedbackError, match="feedback=True: Perceptron learns from the true label, not from a bit"):
        full.learn(full.decide([1.0]), True)
    for learner in (onebit.RCNBF(["a", "b"]), onebit.PNewtron(["a", "b"]), onebit.BanditPA(["a", "b"])):
        with pytest.raises(FeedbackError, match="learns from a bit"):
            learner.learn(learner.decide([1.0]), "a")
        assert learner.updates == 0


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(("name", "parameters", "close"), CLOSE, ids=[f"{n}-{p}" for n, p, _ in CLOSE])
def test_float32_is_close_to_float64(name: str, parameters: dict[str, Any], close: float, kind: str) -> None:
    X, y = table(1000)
    rows = sp.csr_array(X) if kind == "sparse" else X
    wide = getattr(onebit, name)(K, seed=3, **parameters)
    narrow = wide.clone(dtype="float32")
    for a, b in zip(teach(wide, rows, y), teach(narrow, rows, y), strict=True):
        assert (a.label, a.greedy) == (b.label, b.greedy)
    assert narrow.updates == wide.updates > 100
    assert narrow.scores(X).dtype == np.float32
    assert narrow.scores(X) == pytest.approx(wide.scores(X), rel=0, abs=close)


@pytest.mark.parametrize("name", ["Perceptron", "RCNBF", "PNewtron", "BanditPA"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("normalize", [False, True])
def test_a_row_of_zeros_teaches_nothing(name: str, kind: str, normalize: bool) -> None:
    learner = getattr(onebit, name)(3, normalize=normalize)
    zeros = sp.csr_array((1, 4)) if kind == "sparse" else np.zeros(4)
    decision = learner.decide(zeros)
    learner.learn(decision, 2 if learner.feedback == "label" else False)
    assert np.array_equal(learner.scores(np.eye(4)), np.zeros((4, 3)))


@pytest.mark.parametrize(("name", "parameters"), FULL, ids=[n for n, _ in FULL])
def test_the_inverse_stays_the_inverse(name: str, parameters: dict[str, Any]) -> None:
    learner, twin = with_twin(name, parameters)
    X, y = table(5000)
    for t in range(len(y)):
        decision = learner.decide(X[t])
        hit = bool(decision.label == y[t])
        learner.learn(decision, hit)
        twin.learn(X[t], decision.label, decision.greedy, decision.propensity, decision.explored, int(hit))
    assert learner.updates > 100
    P = learner._session.state.P
    inverse = np.linalg.inv(twin.A)
    assert np.abs(P - np.swapaxes(P, -1, -2)).max() <= 1e-12
    assert np.abs(P - inverse).max() <= TWINS * np.abs(inverse).max()
    assert learner.scores(X[7]) == like(twin.scores(X[7]))
    assert np.linalg.eigvalsh(P).min() > 0


@pytest.mark.parametrize(
    ("learner", "instead"),
    [
        (onebit.SOBA(9), r"SOBA would keep 6035 GiB of matrices for 9 classes; use SOBADiagonal, or fewer"),
        (onebit.LinUCB(9), r"LinUCB would keep 671 GiB .* use Confidit with its diagonal covariance, or fewer"),
        (onebit.Confidit(9, covariance="full"), r"Confidit would keep 671 GiB .* use covariance='diagonal', or"),
    ],
)
def test_a_matrix_too_large_for_memory_says_what_to_use_instead(learner: Any, instead: str) -> None:
    with pytest.raises(ConfigError, match=instead):
        learner.decide(sp.csr_array((1, 100_000)))
    assert learner.decisions == 0


@pytest.mark.parametrize("learner", [onebit.Confidit(4), onebit.LinUCB(4), onebit.Confidit(4, covariance="full")])
def test_optimistic_learners_play_with_propensity_one_or_draw_among_ties(learner: Any) -> None:
    x = np.ones(3)
    decision = learner.decide(x)
    assert (decision.label, decision.propensity, decision.explored) == (0, 1.0, False)
    drawn = [learner.clone(ties="random", seed=s).decide(x) for s in range(60)]
    assert {d.label for d in drawn} == {0, 1, 2, 3}
    assert {d.propensity for d in drawn} == {0.25}


@pytest.mark.parametrize("name", ["SOBA", "SOBADiagonal", "GPA", "MSG", "MOLGF"])
def test_the_best_rival_is_the_first_of_a_tie_whatever_ties_says_of_what_is_played(name: str) -> None:
    played = set()
    for seed in range(40):
        learner = getattr(onebit, name)(4, ties="random", seed=seed, normalize=name == "MOLGF")
        decision = learner.decide([0.6, 0.8])
        played.add(decision.label)
        y = seed % 4 if learner.feedback == "label" else decision.label
        learner.learn(decision, y if learner.feedback == "label" else True)
        s = learner.scores([0.6, 0.8])
        rival = int(y == 0)
        assert s[y] > 0 > s[rival]
        assert np.flatnonzero(s).tolist() == sorted([y, rival])
    assert played == {0, 1, 2, 3}
