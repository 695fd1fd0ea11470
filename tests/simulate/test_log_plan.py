"""Simulations and live learners log their decisions; a learner taught from the log is the one that wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract.states import arrays
from tests.either import Either, clusters

NOISE = onebit.NoisyBit(0.1, 0.2)


def stream(kind: str = "dense") -> onebit.streams.Stream:
    digits = onebit.streams.load("digits", normalize=True)
    X = sp.csr_array(digits.X) if kind == "sparse" else digits.X
    return onebit.streams.from_arrays(X, digits.y)


LEARNERS = [
    onebit.Banditron(10, gamma=0.2),
    onebit.RCINE(10, gamma=0.2, N_s=700),
    onebit.Perceptron(10),
    onebit.MCDBF(10, m=3),
    onebit.SetBanditron(10, m=2, loss="log"),
    onebit.PNewtron(10, gamma=0.1),
]


@pytest.mark.parametrize("delay", [0, (0, 50)], ids=["at once", "late"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.name)
def test_a_learner_taught_from_the_log_is_the_one_that_wrote_it(
    learner: Any, kind: str, delay: Any, tmp_path: Path
) -> None:
    rows, path = stream(kind), tmp_path / "log.parquet"
    learner = learner.clone(classes=rows.classes)
    channel = onebit.Full(delay) if learner.feedback == "label" else onebit.NoisyBit(0.1, 0.2, delay)
    trained = onebit.simulate(learner, rows, channel, rounds=2_000, seeds=[5], log=path).learners[0]
    taught = learner.clone(seed=5)
    for decision, answer in onebit.log.replay(onebit.read_log(path, rows=rows.X)):
        taught.learn(decision, answer)
    for (name, a), (_, b) in zip(arrays(trained._session.state), arrays(taught._session.state), strict=True):
        if name in ("W", "V", "G"):
            assert np.array_equal(a, b), name
    assert taught.noise_rates == trained.noise_rates


def test_what_a_log_says_is_what_was_counted(tmp_path: Path) -> None:
    rows = stream()
    result = onebit.simulate(
        onebit.Banditron(rows.classes, gamma=0.2),
        rows,
        rounds=40_000,
        seeds=[1, 2],
        log=tmp_path / "log-{seed}.parquet",
    )
    for seed, error, greedy_error in zip(result.seeds, result.errors, result.greedy_errors, strict=True):
        import pyarrow.parquet as pq

        table = pq.read_table(tmp_path / f"log-{seed}.parquet")
        assert table.column_names == ["id", "step", "played", "propensity", "greedy", "explored", "bit", "row"]
        frame = table.to_pandas()
        truth = rows.y[frame["row"]]
        assert frame["id"].tolist() == frame["step"].tolist() == list(range(40_000))
        assert 1 - frame["bit"].mean() == pytest.approx(error)
        assert ((frame["played"] == truth) == frame["bit"]).all()
        assert (frame["greedy"] != truth).mean() == pytest.approx(greedy_error)
        assert (frame["propensity"] == np.where(frame["played"] == frame["greedy"], 0.8 + 0.02, 0.02)).all()
        assert frame["explored"].mean() == pytest.approx(0.2, abs=0.01)


def test_late_answers_are_logged_when_they_come(tmp_path: Path) -> None:
    rows = stream()
    channel = onebit.Bit(delay=(3, 30))
    onebit.simulate(onebit.Banditron(rows.classes), rows, channel, rounds=500, log=tmp_path / "log.parquet")
    table = onebit.read_log(tmp_path / "log.parquet", rows=rows.X)
    assert table.id is not None
    assert table.step is not None
    waited = table.step - table.id
    assert waited.min() == 3
    assert waited.max() == 30
    assert (np.diff(table.step) >= 0).all()
    assert set(range(470)) <= set(table.id.tolist()) < set(range(500)), "those under way at the end are not there"


def test_rows_are_logged_where_their_numbers_would_not_do(tmp_path: Path) -> None:
    docs = onebit.streams.synsep(3_000)
    onebit.simulate(onebit.Banditron(9), docs, seeds=[0], log=tmp_path / "docs.parquet")
    table = onebit.read_log(tmp_path / "docs.parquet")
    assert sp.issparse(table.rows)
    assert (table.rows != docs.X).nnz == 0
    digits = stream()
    onebit.simulate(onebit.Banditron(digits.classes), digits, log=tmp_path / "digits.parquet", log_features=True)
    table = onebit.read_log(tmp_path / "digits.parquet")
    assert sorted(map(tuple, table.rows)) == sorted(map(tuple, digits.X))


def test_a_log_changes_no_bit(tmp_path: Path) -> None:
    rows = stream()
    learner = onebit.RCINE(rows.classes, gamma=0.2, N_s=900)
    plain = onebit.simulate(learner, rows, NOISE, rounds=3_000)
    logged = onebit.simulate(learner, rows, NOISE, rounds=3_000, log=tmp_path / "log.parquet")
    assert np.array_equal(plain.learners[0]._session.state.W, logged.learners[0]._session.state.W)
    assert plain.curve.equals(logged.curve)


def test_paths_that_cannot_be(tmp_path: Path) -> None:
    rows, learner = stream(), onebit.Banditron(stream().classes)
    with pytest.raises(onebit.ConfigError, match=r"must contain \{seed\}"):
        onebit.simulate(learner, rows, seeds=2, log=tmp_path / "log.parquet")
    (tmp_path / "there.parquet").touch()
    with pytest.raises(onebit.ConfigError, match="there is such a file"):
        onebit.simulate(learner, rows, log=tmp_path / "there.parquet")
    with pytest.raises(onebit.OnebitError, match="nowhere"):
        onebit.simulate(learner, rows, log=tmp_path / "there.parquet" / "nowhere" / "log.parquet")


def test_a_live_learner_logs_from_when_it_is_told_until_it_is_closed(tmp_path: Path) -> None:
    X = stream().X
    learner = onebit.Banditron(10, gamma=0.3)
    early = learner.decide(X[0])
    with learner.log(tmp_path / "log.parquet") as log:
        with pytest.raises(onebit.ConfigError, match="writes a log already"):
            learner.log(tmp_path / "other.parquet")
        for t in range(1, 50):
            learner.learn(learner.decide(X[t]), t % 3 == 0)
        learner.learn(early, True)
        log.flush()
    learner.learn(learner.decide(X[50]), True)
    table = onebit.read_log(tmp_path / "log.parquet")
    assert table.id is not None
    assert table.step is not None
    assert table.id.tolist() == [*range(1, 50), 0]
    assert table.step.tolist() == [*range(1, 50), 49]
    assert np.array_equal(table.rows, X[[*range(1, 50), 0]])
    assert table.bit.tolist() == [t % 3 == 0 for t in range(1, 50)] + [True]


@pytest.mark.parametrize("path", [5, None, ""])
def test_what_is_no_path(path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(onebit.ConfigError, match="log=.*must be a path, of a file in .parquet or of a folder"):
        onebit.Banditron(3).log(path)
    if path is not None:
        with pytest.raises(onebit.ConfigError, match="log=.*must be a path"):
            onebit.simulate(onebit.Banditron(stream().classes), stream(), log=path)
    assert not list(tmp_path.iterdir())


def test_features_are_logged_or_not(tmp_path: Path) -> None:
    with pytest.raises(onebit.ConfigError, match="features='yes': must be True or False"):
        onebit.Banditron(3).log(tmp_path / "log", features="yes")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(onebit.ConfigError, match="log_features='yes': must be True or False, or None"):
        onebit.simulate(onebit.Banditron(stream().classes), stream(), log=tmp_path / "log", log_features="yes")  # type: ignore[arg-type]  # on purpose


def test_a_live_learner_says_at_once_or_with_its_first_row_what_is_wrong_with_its_log(tmp_path: Path) -> None:
    (tmp_path / "there.parquet").touch()
    learner = onebit.Banditron(3)
    with pytest.raises(onebit.ConfigError, match="there is such a file"):
        learner.log(tmp_path / "there.parquet")
    learner.log(tmp_path / "there.parquet" / "below")
    for _ in range(2):
        with pytest.raises(onebit.OutputError, match="below: cannot be written"):
            learner.decide([1.0])
    assert learner.decisions == 0


def test_a_folder_keeps_growing(tmp_path: Path) -> None:
    for _ in range(2):
        learner = onebit.Banditron(["a", "b"])
        with learner.log(tmp_path / "decisions", features=False):
            learner.learn(learner.decide([1.0, 2.0]), False)
    table = onebit.read_log(tmp_path / "decisions")
    assert len(table) == 2
    assert table.rows is None


@pytest.mark.parametrize("classes", [("a", "b", "c"), (True, False)], ids=str)
@pytest.mark.parametrize("channel", [onebit.Full(), onebit.Full(delay=(0, 50)), onebit.Bit()], ids=str)
def test_a_learner_that_takes_both_logs_what_it_was_told(channel: Any, classes: Any, tmp_path: Path) -> None:
    rows, path = clusters(classes=classes), tmp_path / "log.parquet"
    learner = Either(rows.classes, gamma=0.2)
    trained = onebit.simulate(learner, rows, channel, rounds=900, seeds=[5], log=path).learners[0]
    table = onebit.read_log(path, rows=rows.X)
    assert table.feedback == channel.kind
    taught = learner.clone(seed=5)
    for decision, answer in onebit.log.replay(table):
        taught.learn(decision, answer)
    assert np.array_equal(trained._session.state.W, taught._session.state.W)
    assert taught.updates == trained.updates
