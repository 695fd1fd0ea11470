"""onebit data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from onebit.core.paths import data_folder
from tests.cli.conftest import Command


def test_data_list(onebit: Command) -> None:
    assert onebit("data").out == onebit("data", "list").out
    sets = {entry["name"]: entry for entry in json.loads(onebit("data", "list", "--json").out)["data"]}
    assert sets["digits"]["available"]
    assert (sets["digits"]["rows"], sets["digits"]["features"]) == (1797, 64)


def test_missing_data_is_listed_and_cannot_be_played(
    onebit: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ONEBIT_DATA", str(tmp_path))
    listed = {line.split()[0]: line.split()[4] for line in onebit("data").out.splitlines()[2:]}
    assert (listed["mnist"], listed["digits"]) == ("no", "yes")
    outcome = onebit("run", "banditron", "--data", "mnist")
    assert outcome.code == 1
    assert "ONEBIT_DATA" in outcome.one_line_error


def test_a_graph_is_described_if_not_played(onebit: Command) -> None:
    if not (data_folder() / "cora.npz").exists():
        pytest.skip("cora is not in the data folder")
    assert "repository MIT" in onebit("data", "show", "cora").out


def test_data_show(onebit: Command, tmp_path: Path) -> None:
    shown = dict(line.split(maxsplit=1) for line in onebit("data", "show", "digits").out.splitlines()[2:])
    assert (shown["rows"], shown["features"], shown["classes"]) == ("1,797", "64", "10")
    path = tmp_path / "pets.csv"
    path.write_text("weight,pet\n4,cat\n9,dog\n")
    description = json.loads(onebit("data", "show", path, "--label", "pet", "--json").out)
    assert (description["rows"], description["labels"]) == (2, ["cat", "dog"])
    assert onebit("data", "show", path, "--label", "owner").code == 1
    assert onebit("data", "show", "nothing").code == 1
    texts = tmp_path / "texts.csv"
    texts.write_text("word,pet\nmeow,cat\nwoof,dog\n")
    assert "word    symbol       0 %        0 %  meow" in onebit("data", "show", texts, "--label", "pet").out
    assert "1,024" in onebit("data", "show", texts, "--label", "pet", "--hash-features", "2^10").out
