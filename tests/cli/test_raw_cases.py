"""Raw cases at the command line: files of any columns, and options that say how they are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import onebit as package
from onebit.cli.inputs import parse_cases
from tests.cli.conftest import Command
from tests.test_every_door import TEAMS, as_csv, tickets

N = 1200


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tickets with an id, more than a column that cannot teach takes to be found out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tests.test_every_door.TICKETS", [{"id": f"T-{i}"} | one for i, one in enumerate(tickets(N))])
    as_csv(tmp_path)
    return tmp_path / "tickets.csv"


def test_a_run_says_once_what_cannot_teach(onebit: Command, table: Path) -> None:
    run = ("run", "one-bit", "banditron", "--data", table, "--label", "team", "--seeds", 3)
    outcome = onebit(*run)
    assert outcome.code == 0
    assert "tickets.csv: 7 features, 3 classes; 1,200 rounds" in outcome.out
    said = "onebit: warning: tickets.csv: the values of column 'id' never recur, so nothing can be learned from it; "
    assert outcome.err == f"{said}try --ignore id\n"
    assert onebit(*run, "--ignore", "id").err == ""


def test_options_are_those_of_cases(onebit: Command, table: Path) -> None:
    options = [
        "--ignore",
        "id,right",
        "--category",
        "code",
        "--text",
        "subject",
        "--number",
        "amount",
        "--date",
        "sent",
    ]
    outcome = onebit("run", "one-bit", "--data", table, "--label", "team", "--seeds", 2, *options, "--json")
    found = json.loads(outcome.out)["results"][0]["errors"]
    cases = package.Cases(ignore=["id", "right"], category="code", text="subject", number="amount", date="sent")
    stream = package.streams.from_file(table, label="team")
    assert package.simulate(package.OneBit(TEAMS, cases=cases), stream, seeds=2).errors == found
    assert parse_cases(ignore=["id,right"], category=["code"], text=None) == package.Cases(
        ignore=["id", "right"], category="code"
    )


def test_a_declared_column_makes_a_table_of_numbers_raw(onebit: Command, tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("zip,size,y\n" + "".join(f"{i % 9},{i},{'ab'[i % 9 > 4]}\n" for i in range(90)))
    for more, kind in (((), "dense"), (("--category", "zip"), "cases")):
        outcome = onebit("run", "one-bit", "--data", path, "--label", "y", *more, "--json")
        assert json.loads(outcome.out)["results"][0]["settings"]["stream"]["kind"] == kind


def test_data_show_tells_how_columns_are_read(onebit: Command, table: Path) -> None:
    outcome = onebit("data", "show", table, "--label", "team", "--category", "code")
    lines = {line.split()[0]: line.split() for line in outcome.out.split("read as")[1].splitlines()[1:]}
    assert lines["id"] == ["id", "symbol", "0", "%", "0", "%", "T-0"]
    assert lines["amount"][:2] == ["amount", "number"]
    assert 15 < int(lines["amount"][2]) < 25, "the share of gaps"
    assert outcome.err.endswith("try --ignore id\n")
    found = json.loads(onebit("data", "show", table, "--label", "team", "--ignore", "id", "--json").out)
    assert found["kind"] == "cases"
    assert found["read_as"] == {
        "subject": "text", "customer": "symbol", "amount": "number", "code": "symbol", "sent": "date",
        "sent (day)": "number", "right": "symbol", "id": "ignored",
    }  # fmt: skip


def test_a_sweep_plays_them_by_options_or_by_a_file(onebit: Command, table: Path, tmp_path: Path) -> None:
    plan = ("--seeds", 2, "--tune-seeds", 0, "--rounds", 1100, "--workers", 1)
    outcome = onebit("sweep", "one-bit", "--data", table, "--label", "team", *plan, "--out", "by-options")
    assert outcome.code == 0
    assert outcome.err.count("the values of column 'id' never recur") == 1
    text = '[[arm]]\nlearner = "one-bit"\n[[stream]]\ndata = "tickets.csv"\nlabel = "team"\n'
    (tmp_path / "plan.toml").write_text(f'{text}ignore = ["id"]\ncategory = ["code"]\n')
    more = ("--seeds", 2, "--tune-seeds", 0, "--rounds", 500, "--workers", 1, "--out", "by-file")
    outcome = onebit("sweep", "plan.toml", *more)
    assert outcome.code == 0
    assert "never recur" not in outcome.err
    assert "were there already" in onebit("sweep", "plan.toml", *more).err
    assert onebit("report", "by-file").code == 0
    for line, said in [
        (
            'ignore = ["idd"]',
            "cases: 'idd' is declared as ignore, and tickets.csv has no such column; name one of 'id'",
        ),
        ("ignore = 3", "ignore=3: must be names of columns"),
        ('ignored = ["id"]', "ignored: no such key; did you mean ignore?"),
    ]:
        (tmp_path / "plan.toml").write_text(f"{text}{line}\n")
        assert said in onebit("sweep", "plan.toml", *more).one_line_error


def test_what_is_wrong_is_one_line(onebit: Command, table: Path) -> None:
    data = ("--data", table, "--label", "team")
    wrong = {
        (*data, "--ignore", "idd"): "--ignore 'idd': tickets.csv has no such column; name one of 'id', 'subject'",
        (*data, "--ignore", ""): "--ignore '': tickets.csv has no such column",
        (*data, "--ignore", "team"): "--ignore 'team': is the label, which no learner reads",
        (
            *data,
            "--columns",
            "code",
            "--ignore",
            "id",
        ): "--ignore 'id': tickets.csv has no such column; name one of 'code'",
        (*data, "--text", "subject", "--category", "subject"): "--category: column 'subject' is declared as text too",
        (*data, "--number", "subject"): "column 'subject' is",
        (*data, "--date", "customer"): "and was declared a date",
        (*data, "--text", "subject", "--hash-features", "2^12"): "--hash-features 2^12: hashes what --text says",
        (*data, "--normalize"): "normalize=True: is for rows of numbers, and these are raw cases",
        (*data, "--bias"): "bias=True: is for rows of numbers, and these are raw cases",
        (*data, "--map", "fourier"): "has raw cases, and a map takes rows of numbers",
        (*data, "--boundary", "x.svg"): "tickets.csv has raw cases; it draws rows of numbers",
        (*data, "--set", "cases=auto"): "cases comes from --text, --category, --number, --date, --vector and --ignore",
        ("--data", "digits", "--ignore", "id"): "--hash-features, --text and the like are for files",
        ("--graph", "e.csv", "--labels", "l.csv", "--ignore", "id"): "--ignore: is not for a graph's file",
    }
    for arguments, said in wrong.items():
        outcome = onebit("run", "one-bit", *arguments)
        assert said in outcome.one_line_error, arguments
        assert outcome.code in (1, 2)
    assert (
        "has raw cases; it is for rows of numbers"
        in onebit("data", "show", table, "--label", "team", "--separability").one_line_error
    )
    assert "PageRankUCB walks a graph, and this stream has none" in onebit("run", "page-rank-ucb", *data).one_line_error


def test_a_log_of_raw_cases_tells_flip_rates(onebit: Command, table: Path) -> None:
    data = ("--data", table, "--label", "team")
    assert (
        onebit("run", "banditron", *data, "--ignore", "id", "--log", "log.parquet", "--feedback", "noisy:0.1,0.2").code
        == 0
    )
    assert onebit("noise", "log.parquet").code == 0
    assert (
        "has raw cases, whose log has the rows as they were read"
        in onebit("noise", "log.parquet", *data).one_line_error
    )
