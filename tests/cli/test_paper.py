"""onebit paper, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from onebit.papers import IDS, NOT_RUN, experiment
from onebit.papers.run import default_folder, missing, run_experiment, took
from tests.cli.conftest import Command


def test_list_names_every_experiment_with_its_times(onebit: Command) -> None:
    outcome = onebit("paper", "list")
    assert outcome.code == 0
    lines = outcome.out.splitlines()[2:-1]
    assert {line.split()[0] for line in lines} == {*IDS, *NOT_RUN}
    assert len(lines) == len(IDS) + len(NOT_RUN)
    assert "kernel/fig1" in next(line for line in lines if "not run: a drawing of three definitions" in line)
    found = json.loads(onebit("paper", "list", "--json").out)
    assert [one["id"] for one in found] == [*IDS, *NOT_RUN]
    assert all(one["minutes"]["quick"] > 0 for one in found if "minutes" in one)


def test_all_in_full_fit_into_an_hour_and_a_half() -> None:
    assert sum(experiment(id).minutes[1] for id in IDS) <= 90


def test_list_says_how_long_a_full_run_took(onebit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert onebit("paper", "run", "soba/fig1", "--full").code == 0
    (line,) = [line for line in onebit("paper", "list").out.splitlines() if line.startswith("soba/fig1")]
    assert line.count(" min") == 3
    assert took(default_folder("soba/fig1", full=True)) is not None


def test_what_was_played_short_has_no_verdict(tmp_path: Path) -> None:
    found = run_experiment(experiment("kernel/fig3"), tmp_path, full=True, rounds=300, seeds=1, progress=False)
    assert found is not None
    assert {row.verdict for row in found[0].rows} == {"too short", "not comparable", "ours"}
    assert json.loads((tmp_path / "table.json").read_text())["judged"] is False


@pytest.mark.parametrize("id", IDS)
def test_an_experiment_is_what_its_id_says(id: str) -> None:
    one = experiment(id)
    assert one.id == id
    assert one.title
    assert one.about
    assert one.paper
    assert all(minutes > 0 for minutes in one.minutes)


def test_run_writes_figures_and_a_table_and_goes_on(onebit: Command, tmp_path: Path) -> None:
    arguments = ("paper", "run", "kernel/fig3", "--rounds", "2e3", "--seeds", "1", "--out", tmp_path, "--workers", "1")
    outcome = onebit(*arguments)
    assert outcome.code == 0
    assert "the linear learner fails" in outcome.out
    assert "so there are no verdicts" in outcome.err
    written = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert {"table.csv", "table.json", "sweep.json"} < written
    assert {Path(name).suffix for name in written} >= {".svg", ".png"}
    cells = {path: path.stat().st_mtime_ns for path in (tmp_path / "cells").iterdir()}
    again = onebit(*arguments, "--json")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "cells").iterdir()} == cells
    record = json.loads(again.out)
    assert record["id"] == "kernel/fig3"
    assert {row["verdict"] for row in record["rows"]} == {"too short", "not comparable", "ours"}
    assert json.loads((tmp_path / "table.json").read_text())["rows"] == record["rows"]


def test_missing_data_is_told(onebit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    assert missing(experiment("soba/fig2")) == ["covtype", "newsgroups20"]
    told = onebit("paper", "run", "soba/fig2", "--out", tmp_path / "out").one_line_error
    assert told.startswith("soba/fig2: needs covtype, newsgroups20, not in the data folder")
    assert "missing: covtype, newsgroups20" in onebit("paper", "list").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rcnbf/fig1",), "id='rcnbf/fig1': cannot be run: a drawing of three kinds of feedback"),
        (("soba/fig3",), "id='soba/fig3': there is no such experiment; did you mean soba/fig2?"),
        (("kernel/fig3", "--rounds", "0"), "--rounds=0: must be a whole number, 1 or larger"),
        (("kernel/fig3", "--seeds", "0"), "--seeds=0: must be a whole number, 1 or larger"),
    ],
)
def test_wrong_usage(onebit: Command, arguments: tuple[str, ...], message: str) -> None:
    outcome = onebit("paper", "run", *arguments)
    assert outcome.code == 2
    assert message in outcome.one_line_error
