"""KernelBandit: its forms agree, its counts add up, its memory is bounded, and Python kernels behave."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import chi2_kernel, laplacian_kernel

import onebit
from onebit import ConfigError, DataError, FormatError
from onebit.core.seeds import bit_generator
from onebit.streams import group_separable
from onebit.streams.synthetic.group_separable import Layout
from tests.naive.kernelbandit import Twin

K = 9


@pytest.mark.parametrize(("rounds", "d", "layout"), [(100_000, 2, "perp"), (20_000, 3, "radial")])
def test_dual_primal_and_twin_decide_alike(rounds: int, d: int, layout: Layout, tmp_path: Path) -> None:
    stream = group_separable(rounds, d=d, classes=K, groups=3, layout=layout)
    forms: list[dict[str, Any]] = [{"form": "dual"}, {"form": "primal"}, {"form": "primal", "degree": 27}]
    logs = []
    for number, form in enumerate(forms):
        path = tmp_path / f"{number}.parquet"
        learner = onebit.KernelBandit(K, **form)
        onebit.simulate(learner, stream, seeds=[4], log=path, log_features=False)
        logs.append(onebit.read_log(path))
    twin = Twin(K, d, np.random.Generator(bit_generator(4, "learner")))
    (X, y), played, greedy = rows_of(stream, seed=4), [], []
    for x, label in zip(X, y, strict=True):
        drawn = twin.decide(x)
        played.append(drawn[0])
        greedy.append(drawn[1])
        twin.learn(x, *drawn, int(drawn[0] == label))
    for log in logs:
        assert np.array_equal(log.played, played)
        assert np.array_equal(log.greedy, greedy)
    assert np.mean(np.array(played) != y) < 0.7  # a guess errs eight times in nine


def rows_of(stream: onebit.streams.Stream, seed: int) -> tuple[Any, Any]:
    windows = list(stream.windows(seed))
    return np.vstack([w.X[w.order] for w in windows]), np.concatenate([w.y[w.order] for w in windows])


@pytest.mark.parametrize("choice", ["random", "first", "largest"])
@pytest.mark.parametrize("kernel", ["rational", "rbf"])
def test_invariants(choice: str, kernel: str, tmp_path: Path) -> None:
    learner = onebit.KernelBandit(K, choice=choice, kernel=kernel, form="dual")
    result = onebit.simulate(learner, group_separable(10_000), seeds=[2], log=tmp_path / "log.parquet")
    log = onebit.read_log(tmp_path / "log.parquet")
    nobody, right = log.explored.astype(bool), log.bit.astype(bool)
    trained: Any = result.learners[0]
    mistakes = int((~right).sum())
    plus, minus = int((nobody & right).sum()), int((~nobody & ~right).sum())
    assert plus > 0
    assert trained.stored == result.updates == plus + minus
    assert mistakes == nobody.sum() + minus - plus
    signs = trained._session.state.blocks[:, -1]
    assert ((signs > 0).sum(), (signs < 0).sum()) == (plus, minus)


@pytest.mark.parametrize("removal", ["oldest", "random"])
def test_a_budget_holds(removal: str) -> None:
    stream = group_separable(5_000, label_noise=0.3)
    learner = onebit.KernelBandit(K, budget=33, removal=removal, form="dual")
    trained: Any = onebit.simulate(learner, stream, seeds=[1]).learners[0]
    assert trained._session.state.counts[:-1].max() == 33
    assert trained.stored <= 33 * K
    assert len(trained._session.state.blocks) == K


FORMS: list[Any] = [
    onebit.BanditPerceptron(3, choice="first", correct_others=True),
    onebit.KernelBandit(3, kernel="linear", form="primal", choice="first", correct_others=True),
    onebit.KernelBandit(3, kernel="linear", form="dual", choice="first", correct_others=True),
    onebit.KernelBandit(3, kernel="linear", form="dual", choice="first", correct_others=True, budget=5),
]


@pytest.mark.parametrize("pattern", FORMS, ids=["perceptron", "primal", "dual", "budget"])
def test_a_right_answer_corrects_every_other_class_that_says_yes(pattern: Any) -> None:
    x = [0.6, 0.8]
    learner = pattern.clone()
    first, second = learner.decide(x), learner.decide(x)
    assert first.label == second.label == 0
    learner.learn(first, True)
    assert learner.scores(x) == pytest.approx([0, -1, -1])
    assert learner.updates == 2
    learner.learn(second, True)
    assert learner.scores(x) == pytest.approx([0, -1, -1]), "by now the others say no"
    learner.learn(learner.decide(x), False)
    assert learner.scores(x) == pytest.approx([-1, -1, -1]), "only the played one"
    lucky = learner.decide(x)
    assert lucky.explored
    learner.learn(lucky, True)
    assert sorted(learner.scores(x)) == pytest.approx([-1, -1, 0]), "nobody else says yes"
    assert learner.updates == 4
    assert pattern.clone(correct_others=False).correct_others is False


@pytest.mark.parametrize("given", [{}, {"budget": 70}, {"budget": 70, "removal": "random"}])
def test_there_is_room_for_a_vector_of_every_class_in_every_lesson(given: dict[str, Any]) -> None:
    learner: Any = onebit.KernelBandit(K, kernel="linear", form="dual", correct_others=True, **given)
    most = 0
    for x in np.random.default_rng(0).normal(size=(600, 2)):  # on every side, so others say yes again and again
        decision, before = learner.decide(x), learner.updates
        room = learner._session.capacity
        assert room == len(learner._session.state.blocks) >= learner._session.state.counts[-1]
        learner.learn(decision, True)
        most = max(most, learner.updates - before)
    counts = learner._session.state.counts[:-1]
    assert most == K - 1
    assert learner.stored == counts.sum() == (np.minimum(counts, 70).sum() if given else learner.updates)
    assert counts.max() == 70 if given else counts.max() > 70


def test_the_primal_form_keeps_nothing() -> None:
    short: Any
    long: Any
    short, long = (
        onebit.simulate(onebit.KernelBandit(K), group_separable(n), seeds=[1]).learners[0] for n in (100, 20_000)
    )
    sizes = [sum(array.nbytes for array in learner._session.state) for learner in (short, long)]
    assert sizes[0] == sizes[1] < 100_000
    assert long.stored == 0


@pytest.mark.parametrize(
    ("d", "given", "primal"),
    [
        (2, {}, True),
        (3, {}, True),
        (4, {}, False),
        (2, {"kernel": "rbf"}, False),
        (2, {"budget": 10}, False),
        (5, {"kernel": "polynomial:2"}, True),
        (300, {"kernel": "linear"}, True),
    ],
)
def test_the_form_is_picked_by_size(d: int, given: dict[str, Any], primal: bool) -> None:
    learner = onebit.KernelBandit(3, n_features=d, **given)
    learner.decide(np.full(d, 1 / d))
    assert (learner._session.state.W.shape[1] > 0) == primal


def test_saving_while_it_grows(tmp_path: Path) -> None:
    stream = group_separable(3_000)
    learner: Any = onebit.simulate(onebit.KernelBandit(K, form="dual"), stream, seeds=[1]).learners[0]
    learner.save(tmp_path / "a.onebit")
    twin = onebit.load(tmp_path / "a.onebit")
    assert twin.stored == learner.stored > 300
    X, y = rows_of(stream, seed=2)
    for x, label in zip(X[:1000], y[:1000], strict=True):
        a, b = learner.decide(x), twin.decide(x)
        assert (a.labels, a.propensity, a.greedy, a.id) == (b.labels, b.propensity, b.greedy, b.id)
        learner.learn(a, a.label == label)
        twin.learn(b, b.label == label)
    assert np.array_equal(learner.scores(X), twin.scores(X))


@pytest.mark.parametrize("name", ["counts", "owner", "oldest"])
def test_a_file_with_wrong_counts_is_refused(name: str, tmp_path: Path) -> None:
    learner = onebit.simulate(onebit.KernelBandit(K, form="dual"), group_separable(500), seeds=[1]).learners[0]
    getattr(learner._session.state, name)[0] += 1_000_000
    learner.save(tmp_path / "a.onebit")
    with pytest.raises(FormatError, match="damaged"):
        onebit.load(tmp_path / "a.onebit")


def test_a_file_with_a_wrong_capacity_is_refused(tmp_path: Path) -> None:
    learner = onebit.simulate(onebit.KernelBandit(K, form="dual"), group_separable(500), seeds=[1]).learners[0]
    learner.save(tmp_path / "a.onebit")
    for capacity in ("1e9", "-1", '"many"', "8589934592"):
        with zipfile.ZipFile(tmp_path / "a.onebit") as old, zipfile.ZipFile(tmp_path / "b.onebit", "w") as new:
            for entry in old.namelist():
                text = old.read(entry)
                if entry == "header.json":
                    text = text.replace(
                        f'"capacity": {learner._session.capacity}'.encode(), f'"capacity": {capacity}'.encode()
                    )
                new.writestr(entry, text)
        with pytest.raises(FormatError):
            onebit.load(tmp_path / "b.onebit")


def test_rows_outside_the_unit_ball() -> None:
    learner = onebit.KernelBandit(3)
    with pytest.raises(DataError, match=r"row: has norm 2, .* normalize=True"):
        learner.decide([2.0, 0.0])
    assert learner.decisions == 0
    learner.decide([0.6, 0.8])
    with pytest.raises(DataError, match="row 1: has norm 1.5"):
        learner.scores([[0.5, 0.5], [0.0, 1.5]])
    with pytest.raises(DataError, match="row 2: has norm 1.5"):
        onebit.KernelBandit(3).scores(sp.csr_array([[0.0, 0.0], [0.5, 0.5], [0.0, 1.5]]))
    stream = onebit.streams.from_arrays([[0.1, 0.1], [3.0, 0.0]], [0, 1])
    with pytest.raises(DataError, match="row 1: has norm 3"):
        onebit.simulate(onebit.KernelBandit(2), stream)
    assert onebit.simulate(onebit.KernelBandit(2, normalize=True), stream).rounds == [2]
    assert onebit.simulate(onebit.KernelBandit(2, kernel="rbf"), stream).rounds == [2]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"budget": 0}, "budget=0: must be a whole number of vectors per class, 1 or larger, or None"),
        ({"budget": 2.5}, "budget=2.5"),
        ({"budget": True}, "budget=True"),
        ({"budget": 5, "form": "primal"}, "budget=5: is for form='dual'"),
        ({"kernel": "rbf", "form": "primal"}, "form='primal': the kernel rbf:1.0 is not a power series"),
        ({"degree": 0}, "degree=0"),
        ({"choice": "best"}, "choice='best'"),
        ({"form": "both"}, "form='both'"),
        ({"removal": "newest"}, "removal='newest'"),
    ],
)
def test_wrong_parameters(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.KernelBandit(3, **given)


def test_rows_too_wide_to_be_kept() -> None:
    with pytest.raises(ConfigError, match="n_features=262144: KernelBandit keeps whole rows, of up to 65536"):
        onebit.KernelBandit(3, kernel="rbf", cases=None).decide({"colour": "red"})
    onebit.KernelBandit(3, kernel="rbf", n_features=2**10, cases=None).decide({"colour": "red"})


def test_too_many_monomials() -> None:
    with pytest.raises(ConfigError, match="use form='dual'"):
        onebit.KernelBandit(3, n_features=50, form="primal").decide(np.zeros(50))


def cosine(X: Any, Z: Any) -> Any:
    """Not defined for a row of zeros, which nobody gives it."""
    return X @ Z.T / np.linalg.norm(X, axis=1)[:, None] / np.linalg.norm(Z, axis=1)


def ball(rows: int, seed: int) -> Any:
    return group_separable(rows, seed=seed).X


def rbf(X: Any, Z: Any) -> Any:
    return onebit.kernels.RBF(1.0)(X, Z)


def test_a_kernel_in_python_says_it_is_slow_and_equals_the_compiled_one() -> None:
    stream = group_separable(2_000)
    with pytest.warns(UserWarning, match="runs in Python, which is slow"):
        slow = onebit.simulate(onebit.KernelBandit(K, kernel=rbf), stream, seeds=[3])
    fast = onebit.simulate(onebit.KernelBandit(K, kernel="rbf"), stream, seeds=[3])
    assert slow.traces[0].mistakes.tolist() == fast.traces[0].mistakes.tolist()
    X = stream.X[:50]
    np.testing.assert_allclose(slow.learners[0].scores(X), fast.learners[0].scores(X), rtol=1e-10, atol=1e-12)


@pytest.mark.filterwarnings("ignore:.*runs in Python")
@pytest.mark.parametrize("kernel", [laplacian_kernel, chi2_kernel, cosine], ids=["laplacian", "chi2", "cosine"])
@pytest.mark.parametrize("make", [onebit.KernelBandit, onebit.SecondOrderKernel])
def test_kernels_of_scikit_learn_will_do(kernel: Any, make: Any, tmp_path: Path) -> None:
    learner = make(2, kernel=kernel)
    for x in ball(100, seed=3):
        learner.learn(learner.decide(np.abs(x)), False)
    assert learner.stored > 0
    with pytest.raises(ConfigError, match="cannot be saved"):
        learner.save(tmp_path / "a.onebit")


@pytest.mark.parametrize(
    ("kernel", "error", "message"),
    [
        (lambda X, Z: np.full((len(X), len(Z)), np.nan), DataError, "is nan for the rows"),
        (lambda X, Z: X[:, :1] - Z[:, 0], ConfigError, "is not symmetric"),
        (lambda X, Z: -np.eye(len(X)), ConfigError, "eigenvalue below 0"),
        (lambda X, Z: np.ones(len(X)), DataError, "must give a number for each pair"),
        (lambda X, Z: 1 / 0, ZeroDivisionError, "division"),
    ],
    ids=["NaN", "asymmetric", "indefinite", "shape", "raises"],
)
def test_what_is_no_kernel(kernel: Any, error: type[Exception], message: str) -> None:
    learner = onebit.KernelBandit(3, kernel=kernel)
    with pytest.raises(error, match=message):
        learner.decide([0.1, 0.2])
    assert learner.decisions == 0


@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_a_kernel_that_fails_later_changes_nothing() -> None:
    def touchy(X: Any, Z: Any) -> Any:
        return np.where(Z[:, 0] == 0.25, np.nan, 1.0) * onebit.kernels.Linear()(X, Z)

    learner = onebit.KernelBandit(3, kernel=touchy)
    learner.learn(learner.decide([0.1, 0.2]), False)
    rng = learner._session.rng.copy()
    with pytest.raises(DataError, match="is nan for the rows"):
        learner.decide([0.25, 0.2])
    with pytest.raises(DataError, match="is nan for the rows"):
        learner.scores([0.25, 0.2])
    assert np.array_equal(learner._session.rng, rng)
    assert (learner.decisions, learner.stored) == (1, 1)
    stream = onebit.streams.from_arrays([[0.1, 0.2]] * 50 + [[0.25, 0.2]], [0] * 51, classes=[0, 1, 2], shuffle=False)
    with pytest.raises(DataError, match="is nan for the rows"):
        onebit.simulate(onebit.KernelBandit(3, kernel=touchy), stream)
