"""onebit noise, and the logs that onebit run writes for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from onebit.log import read_log
from onebit.noise import TailMoment
from onebit.streams import load
from tests.cli.conftest import Command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 30,000 decisions on digits, whose answers lie at rates (.2, .1)."""
    from onebit.cli import main

    folder = tmp_path_factory.mktemp("logs")
    code = main(
        ["run", "rcnbf", "--data", "digits", "--normalize", "--rounds", "3e4", "--feedback", "noisy:0.2,0.1", "--set",
         "gamma=0.2", "--set", "rho_0=0.2", "--set", "rho_1=0.1", "--log", str(folder / "{learner}-{seed}.parquet")]
    )  # fmt: skip
    assert code == 0
    return folder


def test_prints_the_rates_and_draws_the_picture(onebit: Command, folder: Path, tmp_path: Path) -> None:
    outcome = onebit("noise", folder / "rcnbf-0.parquet", "--data", "digits", "--out", tmp_path)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].endswith("rcnbf-0.parquet: 30,000 decisions; tail-moment")
    (name_0, rate_0, se_0, *_), (name_1, rate_1, se_1, *_) = (line.split() for line in lines[4:])
    assert (name_0, name_1) == ("rho_0", "rho_1")
    assert abs(float(rate_0) - 0.2) < 4 * float(se_0)
    assert abs(float(rate_1) - 0.1) < 4 * float(se_1)
    assert outcome.err == f"wrote {tmp_path / 'reliability.png'} and {tmp_path / 'reliability.svg'}\n"
    assert (tmp_path / "reliability.png").read_bytes().startswith(b"\x89PNG")


def test_json_is_what_the_estimator_gives(onebit: Command, folder: Path, tmp_path: Path) -> None:
    log = folder / "rcnbf-0.parquet"
    found = json.loads(onebit("noise", log, "--data", "digits", "--json", "--out", tmp_path).out)
    expected = TailMoment(classes=10).fit(*read_log(log, rows=load("digits", normalize=True).X).lessons)
    assert (found["rho_0"], found["rho_1"]) == (expected.rho_0, expected.rho_1)
    assert (found["se_0"], found["se_1"]) == (expected.se_0, expected.se_1)
    assert (found["decisions"], found["unanswered"], found["notes"]) == (30_000, 0, [])


def frame(n: int = 3_000, **columns: Any) -> pandas.DataFrame:
    """A log that somebody else wrote: two classes, one telling number, uniform play, honest answers."""
    draw = np.random.default_rng(0)
    truth, played = draw.integers(2, size=n), draw.integers(2, size=n)
    x = 2.0 * truth - 1 + 0.3 * draw.normal(size=n)
    plain = {"played": played, "propensity": np.full(n, 0.5), "bit": (played == truth).astype(int), "x": x}
    return pandas.DataFrame(plain | columns)


def test_a_foreign_log_with_few_rounds_gives_rates_and_a_warning(onebit: Command, tmp_path: Path) -> None:
    frame().to_parquet(tmp_path / "log.parquet")
    outcome = onebit("noise", tmp_path / "log.parquet", "--json", "--out", tmp_path)
    found = json.loads(outcome.out)
    assert found["rho_0"] < 0.05
    assert found["rho_1"] < 0.05
    assert any("20000" in note for note in found["notes"])
    assert "onebit: warning: " in outcome.err


def test_too_little_exploration_gives_a_warning(onebit: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.parquet"
    onebit("run", "banditron", "--data", "digits", "--rounds", 25_000, "--set", "gamma=0.01", "--log", log)
    outcome = onebit("noise", log, "--data", "digits", "--out", tmp_path)
    assert outcome.code == 0
    assert "onebit: warning: exploration: worth " in outcome.err
    assert "gamma=0.1" in outcome.err


MANY = np.full(3_000, 0.5)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"propensity": np.where(np.arange(3_000) == 7, np.nan, MANY)}, "propensity.*row 7"),
        ({"propensity": np.where(np.arange(3_000) == 7, 0.0, MANY)}, "propensity.*0.*row 7"),
        ({"propensity": np.where(np.arange(3_000) == 7, 1.5, MANY)}, "propensity.*1.5.*row 7"),
        ({"bit": np.where(np.arange(3_000) == 7, 2, 1)}, "bit.*2.*row 7"),
        ({"bit": np.ones(3_000, int)}, "bit: all 3000 are 1"),
        ({"played": np.zeros(3_000, int)}, "played: only the label 0"),
        ({"propensity": np.ones(3_000)}, "nothing was explored"),
        ({"x": np.where(np.arange(3_000) == 7, np.inf, MANY)}, "finite"),
    ],
)
def test_a_log_that_cannot_be(onebit: Command, tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    import re

    frame(**columns).to_parquet(tmp_path / "log.parquet")
    outcome = onebit("noise", tmp_path / "log.parquet", "--out", tmp_path / "noise")
    assert outcome.code == 1
    assert re.search(message, outcome.one_line_error), outcome.err


def test_what_else_can_be_wrong(onebit: Command, folder: Path, tmp_path: Path) -> None:
    log = folder / "rcnbf-0.parquet"
    assert "no such" in onebit("noise", tmp_path / "none.parquet", "--out", tmp_path).one_line_error
    assert onebit("noise", log, "--out", tmp_path).one_line_error.startswith("rows: the log has none")
    outcome = onebit("noise", log, "--data", "digits", "--estimator", "guess", "--out", tmp_path)
    assert outcome.code == 2
    assert outcome.one_line_error == "--estimator 'guess': must be tail-moment or nrest"
    for classes, message in ((0, "classes=0: must be"), (3, "classes=3: but 10 different labels were played")):
        outcome = onebit("noise", log, "--data", "digits", "--classes", classes, "--out", tmp_path)
        assert outcome.one_line_error.startswith(message)
    frame().drop(columns="propensity").to_parquet(tmp_path / "log.parquet")
    assert "propensity" in onebit("noise", tmp_path / "log.parquet", "--out", tmp_path).one_line_error


def test_logs_of_several_runs_need_several_paths(onebit: Command, tmp_path: Path) -> None:
    outcome = onebit("run", "banditron", "rcnbf", "--data", "digits", "--log", tmp_path / "log.parquet")
    assert outcome.code == 2
    assert "must contain {learner}" in outcome.one_line_error


def test_noise_is_set_on_the_command_line(onebit: Command) -> None:
    outcome = onebit("run", "banditron", "--data", "digits", "--set", "noise=0.2,0.4", "--json")
    parameters = json.loads(outcome.out)["results"][0]["settings"]["learner"]["parameters"]
    assert parameters["noise"] == [0.2, 0.4]
    outcome = onebit("run", "banditron", "--data", "digits", "--set", "noise=tail-moment", "--json")
    parameters = json.loads(outcome.out)["results"][0]["settings"]["learner"]["parameters"]
    assert "TailMoment" in parameters["noise"]


def test_rows_are_those_that_were_played(onebit: Command, tmp_path: Path) -> None:
    log = tmp_path / "a.parquet"
    words = ["--rounds", "3e3", "--feedback", "noisy:0.2,0.1", "--set", "gamma=0.5", "--normalize", "--bias"]
    assert onebit("run", "banditron", "--data", "digits", *words, "--log", log).code == 0
    found = json.loads(onebit("noise", log, "--data", "digits", "--json", "--out", tmp_path).out)
    rows = load("digits", normalize=True, bias=True).X
    expected = TailMoment(classes=10).fit(*read_log(log, rows=rows).lessons)
    assert (found["rho_0"], found["rho_1"]) == (expected.rho_0, expected.rho_1)
