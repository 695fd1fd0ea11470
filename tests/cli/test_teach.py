"""onebit teach and onebit decide: a learner in a file, taught by tables."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import onebit as library
from tests.cli.conftest import Command

PAST = "text,amount,team,right\nmoney back please,12.50,refund,yes\nmy invoice,,refund,no\nmy invoice,3,billing,yes\n"


def write(folder: Path, text: str, name: str = "past.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_from_a_table_to_decisions_and_their_answers(onebit: Command, tmp_path: Path) -> None:
    model, past = tmp_path / "router.onebit", write(tmp_path, PAST)
    taught = onebit("teach", model, "--data", past, "--played", "team", "--classes", "sales")
    assert taught.code == 0
    assert "learned 3 answers, 2 of them yes; 3 labels" in taught.err
    assert library.load(model).classes == ("billing", "refund", "sales")

    new = write(tmp_path, "text,amount\nmoney back,1.0\n,\n", "new.csv")
    decided = onebit("decide", model, "--data", new)
    rows = list(csv.DictReader(decided.out.splitlines()))
    assert [list(row) for row in rows] == 2 * [["text", "amount", "label", "propensity", "right"]]
    assert [(row["text"], row["amount"], row["right"]) for row in rows] == [("money back", "1.0", ""), ("", "", "")]
    assert all(0 < float(row["propensity"]) <= 1 for row in rows)

    out = tmp_path / "decided.csv"
    assert onebit("decide", model, "--data", new, "--among", "billing,sales", "--out", out).out == ""
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert {row["label"] for row in rows} <= {"billing", "sales"}
    answered = out.read_text().splitlines()
    answered[1] += "sales"
    onwards = onebit("teach", model, "--data", write(tmp_path, "\n".join(answered) + "\n", "answered.csv"))
    assert "learned 1 answers" in onwards.err
    assert "1 without an answer" in onwards.err


def test_the_same_as_in_python(onebit: Command, tmp_path: Path) -> None:
    model, past = tmp_path / "router.onebit", write(tmp_path, PAST)
    assert onebit("teach", model, "--data", past, "--played", "team").code == 0
    learner = library.OneBit(["billing", "refund"])
    for row in csv.DictReader(PAST.splitlines()):
        team, right = row.pop("team"), row.pop("right") == "yes"
        learner.learn(library.Decision((team,), 1.0, team, False, row, -1), right)
    case: dict[str, Any] = {"text": "an invoice", "amount": "7"}
    assert library.load(model).scores(case).tolist() == learner.scores(case).tolist()


def test_a_decision_draws_on(onebit: Command, tmp_path: Path) -> None:
    """The file keeps the random generator: deciding twice is not the same draw twice."""
    model, past = tmp_path / "router.onebit", write(tmp_path, PAST)
    onebit("teach", model, "--data", past, "--played", "team")
    new = write(tmp_path, "text\n" + "something else\n" * 30, "new.csv")
    labels = [
        [row["label"] for row in csv.DictReader(onebit("decide", model, "--data", new).out.splitlines())]
        for _ in range(2)
    ]
    assert labels[0] != labels[1]


@pytest.mark.parametrize(
    ("table", "options", "said"),
    [
        (PAST, ("--played", "label"), "has no column 'label' (--played)"),
        (PAST, ("--played", "team", "--right", "ok"), "has no column 'ok' (--right)"),
        (PAST.replace("no", "perhaps"), ("--played", "team"), "'perhaps' is neither yes nor no"),
        (PAST.replace(",billing,", ",,"), ("--played", "team"), "row 3 has an answer and no team"),
        ("text,team,right\na,x,yes\n", ("--played", "team"), "name the other labels with --classes"),
        ("text,team,propensity,right\na,x,half,yes\n", ("--played", "team"), "propensity is 'half'"),
        ("text,team,propensity,right\na,x,1,yes\nb,y,nan,no\n", ("--played", "team"), "row 2: propensity is 'nan'"),
        ("text,team,propensity,right\na,x,1.5,yes\n", ("--played", "team"), "row 1: propensity is '1.5'"),
        (PAST, ("--played", "right"), "must be two columns"),
        (PAST, ("--played", "team", "--right", "propensity"), "neither of them 'propensity'"),
        ("text,team,right\n", ("--played", "team"), "has no rows"),
    ],
)
def test_a_table_that_cannot_teach(
    onebit: Command, tmp_path: Path, table: str, options: tuple[str, ...], said: str
) -> None:
    model = tmp_path / "router.onebit"
    outcome = onebit("teach", model, "--data", write(tmp_path, table), *options)
    assert outcome.code != 0
    assert said in outcome.one_line_error
    assert not model.exists()


def test_a_table_of_decisions_has_a_name_for_each_column_and_a_file_of_its_own(onebit: Command, tmp_path: Path) -> None:
    model, past = tmp_path / "router.onebit", write(tmp_path, PAST)
    onebit("teach", model, "--data", past, "--played", "team")
    before = model.read_bytes()
    said = onebit("decide", model, "--data", past, "--played", "answer", "--right", "answer").one_line_error
    assert "must be two columns" in said
    assert "own file" in onebit("decide", model, "--data", past, "--played", "to", "--out", model).one_line_error
    assert model.read_bytes() == before


def test_of_many_labels_only_some_are_listed(onebit: Command, tmp_path: Path) -> None:
    table = "text,team,right\n" + "".join(f"a,team {i},no\n" for i in range(60)) + "a,team 1,perhaps\n"
    said = onebit(
        "teach", tmp_path / "router.onebit", "--data", write(tmp_path, table), "--played", "team"
    ).one_line_error
    assert "'team 0'" in said
    assert "and 50 more; new ones join with --classes perhaps" in said


def test_a_file_that_is_not_there(onebit: Command, tmp_path: Path) -> None:
    model = tmp_path / "router.onebit"
    onebit("teach", model, "--data", write(tmp_path, PAST), "--played", "team")
    for command in ("teach", "decide"):
        assert "no.csv: there is no such file" in onebit(command, model, "--data", tmp_path / "no.csv").one_line_error


def test_what_a_learner_refuses_leaves_its_file_as_it_was(onebit: Command, tmp_path: Path) -> None:
    model, past = tmp_path / "router.onebit", write(tmp_path, PAST)
    onebit("teach", model, "--data", past, "--played", "team")
    before = model.read_bytes()
    outcome = onebit("teach", model, "--data", past, "--played", "team", "--ignore", "amount")
    assert outcome.code == 2
    assert "leave them" in outcome.one_line_error
    assert "already" in onebit("decide", model, "--data", past, "--played", "team").one_line_error
    unknown = write(tmp_path, PAST.replace("billing", "sales"), "other.csv")
    assert "'sales'" in onebit("teach", model, "--data", unknown, "--played", "team").one_line_error
    assert model.read_bytes() == before
