"""One table of tickets through every door: the same seed gives the same bits, whatever brings the cases."""

from __future__ import annotations

import csv
import datetime
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import onebit
from onebit.cli import main
from onebit.sklearn import OneBitClassifier
from onebit.streams.base import Stream

TEAMS = ("abuse", "billing", "refund")
WORDS = {
    "billing": "what is this charge on my invoice",
    "refund": "money back please I return my order",
    "abuse": "stop this spam and block the user",
}
SEED = 3
N = 600


def tickets(n: int = N, seed: int = 0) -> list[dict[str, Any]]:
    """Text, names, amounts with gaps, codes with zeros in front, dates, yes and no; the team is the label."""
    draw = random.Random(seed)
    made = []
    for i in range(n):
        team = draw.choice(TEAMS)
        words = WORDS[team].split()
        draw.shuffle(words)
        made.append(
            {
                "subject": " ".join(words[: draw.randrange(2, 6)]) + f" ticket {i}",
                "customer": f"c{draw.randrange(60)}",
                "amount": None if draw.random() < 0.2 else round(draw.expovariate(1 / 50), 2),
                "code": f"{draw.randrange(40):04d}x",
                "sent": datetime.date(2026, 1, 1) + datetime.timedelta(days=draw.randrange(300)),
                "right": draw.choice(["yes", "no"]),
                "team": team,
            }
        )
    return made


TICKETS = tickets()
CASES = [{name: value for name, value in ticket.items() if name != "team"} for ticket in TICKETS]
LABELS = [ticket["team"] for ticket in TICKETS]
TABLE = pa.Table.from_pylist(TICKETS)


def as_csv(folder: Path) -> Stream:
    path = folder / "tickets.csv"
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, TICKETS[0])
        table.writeheader()
        table.writerows(TICKETS)
    return onebit.streams.from_file(path, label="team")


def as_parquet(folder: Path) -> Stream:
    pq.write_table(TABLE, folder / "tickets.parquet")
    return onebit.streams.from_file(folder / "tickets.parquet", label="team")


def as_pandas(folder: Path) -> Stream:
    pytest.importorskip("pandas")
    return onebit.streams.from_frame(TABLE.to_pandas(), label="team")


def as_polars(folder: Path) -> Stream:
    return onebit.streams.from_frame(pytest.importorskip("polars").DataFrame(TABLE), label="team")


def as_arrow(folder: Path) -> Stream:
    return onebit.streams.from_arrays(TABLE.drop_columns(["team"]), TABLE["team"])


def as_dicts(folder: Path) -> Stream:
    return onebit.streams.from_arrays(CASES, LABELS)


def as_pairs(folder: Path) -> Stream:
    return onebit.streams.from_river(list(zip(CASES, LABELS, strict=True)), shuffle=True)


DOORS = [as_csv, as_parquet, as_pandas, as_polars, as_arrow, as_dicts]


def learner(**more: Any) -> onebit.OneBit:
    return onebit.OneBit(TEAMS, **{"seed": SEED} | more)


@pytest.fixture(scope="module")
def wanted() -> onebit.Result:
    return onebit.simulate(learner(), as_dicts(Path()), seeds=[SEED])


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_streams(door: Callable[[Path], Stream], wanted: onebit.Result, tmp_path: Path) -> None:
    stream = door(tmp_path)
    assert stream.cases
    assert stream.classes == TEAMS
    assert stream.feature_names == tuple(CASES[0])
    for workers in (1, 3):
        result = onebit.simulate(learner(), stream, seeds=[SEED, 8], workers=workers)
        assert result.errors[0] == wanted.error
        assert result.learners[0].scores(CASES[:40]).tolist() == wanted.learners[0].scores(CASES[:40]).tolist()


def test_the_command_line(tmp_path: Path, wanted: onebit.Result, capsys: pytest.CaptureFixture[str]) -> None:
    as_csv(tmp_path)
    data = ["--data", str(tmp_path / "tickets.csv"), "--label", "team"]
    for workers in ("1", "2"):
        command = ["run", "one-bit", *data, "--seeds", f"{SEED},8", "--workers", workers, "--json"]
        assert main(command) == 0
        (found,) = json.loads(capsys.readouterr().out)["results"]
        assert found["errors"][0] == wanted.error


@pytest.mark.parametrize("door", [as_csv, as_arrow, as_dicts], ids=lambda door: door.__name__)
def test_sweeps(door: Callable[[Path], Stream], wanted: onebit.Result, tmp_path: Path) -> None:
    arms = [onebit.Arm(learner(seed=0), {"variance": [1.0, "auto"]}), onebit.Arm(onebit.Banditron(TEAMS))]
    plan = onebit.Sweep.cross(arms, door(tmp_path), seeds=[SEED], tune_seeds=0)
    results = onebit.sweep(plan, tmp_path / "sweep", workers=2, progress=False)
    assert results.complete
    found = [one.report.errors[0] for one in results.entries[0].configurations]
    assert found[1] == wanted.error


def test_live_with_a_restart_in_the_middle(wanted: onebit.Result, tmp_path: Path) -> None:
    (window,) = as_dicts(tmp_path).windows(SEED)
    live = learner()
    wrong = 0
    for t, r in enumerate(window.order.tolist()):
        if t == N // 2:
            live.save(tmp_path / "live.onebit")
            live = onebit.load(tmp_path / "live.onebit")
        decision = live.decide(CASES[r])
        wrong += decision.label != LABELS[r]
        live.learn(decision, decision.label == LABELS[r])
    assert wrong / N == wanted.error
    assert live.scores(CASES[:40]).tolist() == wanted.learners[0].scores(CASES[:40]).tolist()


def test_rows_and_tables_of_every_kind_are_decided_alike(wanted: onebit.Result, tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    wanted.learners[0].save(tmp_path / "trained.onebit")
    features = TABLE.drop_columns(["team"]).slice(0, 30)
    frame, other = features.to_pandas(), polars.DataFrame(features)
    tables: list[Any] = [CASES[:30], frame, other, features]
    rows: list[list[Any]] = [
        CASES[:30],
        [row for _, row in frame.iterrows()],
        [frame.iloc[i : i + 1] for i in range(30)],
        [other[i] for i in range(30)],
        list(other.iter_rows(named=True)),
        [[case] for case in CASES[:30]],
    ]
    assert isinstance(rows[1][0], pandas.Series)
    truth = np.array(LABELS[:30])

    def after(decide: Callable[[Any], None]) -> Any:
        trained = onebit.load(tmp_path / "trained.onebit")
        decide(trained)
        return trained.scores(CASES[:60])

    def in_turn(some: list[Any]) -> Callable[[Any], None]:
        def play(trained: Any) -> None:
            decisions = [trained.decide(row) for row in some]
            trained.learn_many(decisions, [one.label == label for one, label in zip(decisions, truth, strict=True)])

        return play

    def together(X: Any) -> Callable[[Any], None]:
        def play(trained: Any) -> None:
            decisions = trained.decide_many(X)
            trained.learn_many(decisions, decisions.labels == truth)

        return play

    first = after(in_turn(CASES[:30]))
    for some in rows:
        assert np.array_equal(after(in_turn(some)), first)
    for X in tables:
        assert np.array_equal(after(together(X)), first)


def test_what_changes_nothing_takes_them_all(wanted: onebit.Result) -> None:
    polars = pytest.importorskip("polars")
    trained: Any = wanted.learners[0]
    features = TABLE.drop_columns(["team"]).slice(0, 30)
    frame, other = features.to_pandas(), polars.DataFrame(features)
    before = trained.scores(CASES)
    told = str(trained.cases)
    for method in ("predict", "scores", "predict_proba"):
        call = getattr(trained, method)
        whole = call(CASES[:30])
        for X in (frame, other, features):
            assert np.array_equal(call(X), whole)
        for row in (CASES[7], frame.iloc[7], other.row(7, named=True)):
            assert np.array_equal(call(row), whole[7])
    explained = {str(trained.explain(row)) for row in (CASES[7], frame.iloc[7], frame[7:8], other[7])}
    assert len(explained) == 1
    new = {"subject": "words never seen", "plan": "platinum", "amount": 1e9}
    trained.predict(new)
    trained.explain(new)
    assert np.array_equal(trained.scores(CASES), before)
    assert str(trained.cases) == told


def test_scikit_learn(wanted: onebit.Result) -> None:
    frame = TABLE.drop_columns(["team"]).to_pandas()
    for X in (CASES, frame):
        classifier = OneBitClassifier(random_state=SEED).fit(X, LABELS)
        assert classifier.played_error_ == wanted.error
        assert (classifier.decision_function(frame[:40]) == wanted.learners[0].scores(CASES[:40])).all()


def test_river_in_its_own_order() -> None:
    pytest.importorskip("river", reason="River is not installed; the extra `river` has it")
    from onebit.river import wrap

    stream = onebit.streams.from_river(list(zip(CASES, LABELS, strict=True)))
    result = onebit.simulate(learner(), stream, seeds=[SEED])
    model = wrap(learner())
    for case, label in zip(CASES, LABELS, strict=True):
        model.learn_one(case, label)
    assert model.played_error == result.error


def test_a_live_log_of_raw_cases_is_replayed_with_the_same_bits(tmp_path: Path) -> None:
    live = onebit.Banditron(TEAMS, gamma=0.2, seed=SEED)
    with live.log(tmp_path / "log"):
        for case, label in zip(CASES, LABELS, strict=True):
            decision = live.decide(case)
            live.learn(decision, decision.label == label)
    table = onebit.read_log(tmp_path / "log")
    pupil = onebit.Banditron(TEAMS, gamma=0.2, n_features=table.rows.shape[1])
    for decision, bit in onebit.log.replay(table):
        pupil.learn(decision, bit)
    weights: Any = live._session.state
    assert np.array_equal(pupil._session.state.W[:, : weights.W.shape[1]], weights.W)
