"""The other commands, and what all have in common."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import onebit as package
from onebit.core.registry import learner_names
from tests.cli.conftest import Command
from tests.either import enlist


def test_version_and_help(onebit: Command) -> None:
    assert onebit("--version") == (0, f"onebit {package.__version__}\n", "")
    assert onebit().out == onebit("--help").out
    for command in ("demo", "learners", "data", "run", "check"):
        outcome = onebit(command, "--help")
        assert outcome.code == 0
        assert f"  onebit {command}" in outcome.out.split("Example", 1)[1]
        assert max(map(len, outcome.out.splitlines())) <= 80


def test_unknown_command(onebit: Command) -> None:
    outcome = onebit("dance")
    assert outcome.code == 2
    assert "No such command 'dance'" in outcome.one_line_error


def test_learners(onebit: Command) -> None:
    text, parsed = onebit("learners").out, json.loads(onebit("learners", "--json").out)
    assert [learner["name"] for learner in parsed["learners"]] == learner_names()
    by_name = {learner["name"]: learner for learner in parsed["learners"]}
    assert by_name["banditron"]["parameters"] == {"gamma": 2**-7}
    assert (by_name["perceptron"]["feedback"], by_name["banditron"]["feedback"]) == ("full", "bit")
    assert all(learner["summary"] for learner in parsed["learners"])
    assert "gamma=2^-7" in text
    assert all(name in text for name in learner_names())


def test_a_learner_that_takes_both_is_listed_and_played_with_both(
    onebit: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    enlist(monkeypatch)
    listed = {
        learner["name"]: learner["feedback"] for learner in json.loads(onebit("learners", "--json").out)["learners"]
    }
    assert listed["either"] == "bit or full"
    assert "bit or full" in onebit("learners").out
    played = {}
    for feedback in ("full", "bit", "noisy:0.1,0.1", None):
        options = () if feedback is None else ("--feedback", feedback)
        outcome = onebit("run", "either", "--data", "digits", "--rounds", "300", "--json", *options)
        assert outcome.code == 0
        played[feedback] = json.loads(outcome.out)["results"][0]["settings"]["feedback"]["channel"]
    assert played == {"full": "full", "bit": "bit", "noisy:0.1,0.1": "noisy:0.1,0.1", None: "bit"}


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


def test_data_show(onebit: Command, tmp_path: Path) -> None:
    shown = dict(line.split(maxsplit=1) for line in onebit("data", "show", "digits").out.splitlines()[2:])
    assert (shown["rows"], shown["features"], shown["classes"]) == ("1,797", "64", "10")
    path = tmp_path / "pets.csv"
    path.write_text("weight,pet\n4,cat\n9,dog\n")
    description = json.loads(onebit("data", "show", path, "--label", "pet", "--json").out)
    assert (description["rows"], description["labels"]) == (2, ["cat", "dog"])
    assert onebit("data", "show", path, "--label", "owner").code == 1
    assert onebit("data", "show", "nothing").code == 1
    assert "repository MIT" in onebit("data", "show", "cora").out, "a graph is described, if not played"
    texts = tmp_path / "texts.csv"
    texts.write_text("word,pet\nmeow,cat\nwoof,dog\n")
    assert "columns of text  word: 2" in onebit("data", "show", texts, "--label", "pet").out
    assert "1,024" in onebit("data", "show", texts, "--label", "pet", "--hash-features", "2^10").out


def test_check_passes_a_sound_learner(onebit: Command) -> None:
    outcome = onebit("check", "onebit.learners.banditron:Banditron", "--json")
    report = json.loads(outcome.out)
    assert [check for check in report["checks"] if not check["passed"]] == []
    assert (outcome.code, report["passed"]) == (0, True)


UNSOUND = """
import onebit

class Leaky(onebit.Banditron):
    def predict(self, X):
        self._run.rng[0] += 1
        return super().predict(X)

class Needy(onebit.Banditron):
    def __init__(self, classes, more):
        pass
"""


def test_check_fails_an_unsound_learner(onebit: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "strangers_learner.py").write_text(UNSOUND)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    outcome = onebit("check", "strangers_learner:Leaky")
    assert outcome.code == 1
    lines = outcome.out.splitlines()
    assert any(line.startswith("FAIL  pure predict") and "predict changed the learner" in line for line in lines)
    assert any(line.startswith("pass  determinism") for line in lines)
    assert lines[-1].endswith("checks passed")
    outcome = onebit("check", "strangers_learner:Needy")
    assert outcome.code == 2
    assert "cannot be made with classes=3 (TypeError" in outcome.one_line_error


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("banditron", "write MODULE:CLASS"),
        ("no.such.module:Learner", "cannot import no.such.module"),
        ("onebit.learners.banditron:Nothing", "has no learner class Nothing"),
        ("json:JSONDecoder", "has no learner class JSONDecoder"),
        ("onebit:Learner", "gives no `hyper`"),
    ],
)
def test_check_of_what_is_no_learner(onebit: Command, target: str, message: str) -> None:
    outcome = onebit("check", target)
    assert outcome.code == 2
    assert message in outcome.one_line_error


def test_demo(onebit: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("onebit.cli.demo.ROUNDS", {"synnonsep": 600, "digits": 400})
    outcome = onebit("demo", "--out", tmp_path / "pictures")
    assert outcome.code == 0
    cells = [line.split() for line in outcome.out.splitlines() if line.startswith("rcnbf")]
    assert [row[-1] for row in cells] == ["–", "–"]
    assert all(row.count("±") == 2 for row in cells)
    perceptron = [line.split()[1:3] for line in outcome.out.splitlines() if line.startswith("perceptron")]
    assert perceptron == [["–", "–"], ["–", "–"]]
    assert (tmp_path / "pictures" / "onebit-demo.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "pictures" / "onebit-demo.svg").read_bytes().startswith(b"<?xml")


def test_demo_into_an_unwritable_folder(onebit: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = onebit("demo", "--out", tmp_path / "file" / "pictures")
    assert outcome.code == 1
    assert "cannot be made a folder" in outcome.one_line_error


def test_run_imports_nothing_heavy() -> None:
    """Startup time is part of the product: these are imported only by the commands that draw or read files."""
    heavy = "sklearn", "matplotlib", "pyarrow", "pandas", "rich"
    code = f"""
import sys
from onebit.cli import main
assert main(["run", "banditron", "--data", "synsep", "--rounds", "100"]) == 0
print([name for name in {heavy!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
