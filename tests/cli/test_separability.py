"""onebit data show --separability."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from onebit.cli.separability import ProgressBars, check_stream
from onebit.streams import from_arrays
from onebit.streams import separability as check
from tests.cli.conftest import Command


def test_the_table_of_a_known_data_set(onebit: Command) -> None:
    outcome = onebit("data", "show", "iris", "--separability")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(onebit("data", "show", "iris").out)
    title, _, header, _, *lines = outcome.out.split("\n\n", 1)[1].splitlines()
    assert title == "separability of all 150 rows"
    assert header.split() == ["separable", "holds", "margin", "at", "most", "by"]
    assert [line.split()[:2] for line in lines] == [["strong", "no"], ["weak", "no"], ["group", "no"]]
    assert all("rule out" in line for line in lines)


def test_json_has_it_all_and_generated_streams_are_cut(onebit: Command) -> None:
    outcome = onebit("data", "show", "group-separable", "--separability", "--rows", "2e3", "--json")
    found = json.loads(outcome.out)["separability"]
    assert (found["rows"], found["which"]) == (2000, "2,000 rows, as seed 0 orders them")
    assert found["groups"] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [found[notion]["holds"] for notion in ("strong", "weak", "group")] == [False, False, True]
    assert 0.005 <= found["group"]["margin"] <= found["group"]["at_most"]
    assert np.array(found["group"]["certificate"]["directions"]).shape == (3, 2)
    assert found["weak"]["contradictions"][0]["weights"]


def test_a_file(onebit: Command, tmp_path: Path) -> None:
    path = tmp_path / "pets.csv"
    path.write_text("weight,pet\n-4,cat\n9,dog\n")
    outcome = onebit("data", "show", path, "--label", "pet", "--separability", "--json")
    strong = json.loads(outcome.out)["separability"]["strong"]
    assert (strong["holds"], strong["margin"]) == (True, pytest.approx(2 / np.sqrt(2 / 4**2)))


def test_rows_of_a_part_of_a_table_keep_their_numbers() -> None:
    X, y = np.random.default_rng(0).normal(size=(400, 2)), np.arange(400) % 2
    stream = from_arrays(X, y)
    found = check_stream(stream, 50)
    assert (found.found.rows, found.which) == (50, "50 rows, as seed 0 orders them")
    for one in found.found.findings:
        assert one.contradictions
        assert all(proof.verify(X, y) < 1e-9 for proof in one.contradictions)
    assert max(found.found.strong.contradictions[0].examples) > 50
    assert check_stream(stream, 400).found.strong.holds is check(X, y).strong.holds


def test_progress_where_somebody_looks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with ProgressBars() as bars:
        bars.update("strong", 1, 3)
        bars.update("weak", 0, 1)
    shown = capsys.readouterr().err
    assert "separability: strong" in shown
    assert "separability: weak" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("digits", "--rows", "10"), "is for --separability"),
        (("digits", "--separability", "--rows", "0"), "--rows=0: must be a whole number, 1 or larger"),
        (("digits", "--separability", "--rows", "many"), "must be a whole number above 0"),
        (("obd_small", "--separability"), "is a log of decisions"),
    ],
)
def test_wrong_usage(onebit: Command, arguments: tuple[str, ...], message: str) -> None:
    outcome = onebit("data", "show", *arguments)
    assert outcome.code == 2
    assert message in outcome.one_line_error
