"""onebit check."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command


def test_check_passes_a_sound_learner(onebit: Command) -> None:
    outcome = onebit("check", "onebit.learners.banditron:Banditron", "--json")
    report = json.loads(outcome.out)
    assert [check for check in report["checks"] if not check["passed"]] == []
    assert (outcome.code, report["passed"]) == (0, True)


def test_settings_for_the_battery_reach_it(onebit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []

    def spy(learner: Any, **options: Any) -> list[Any]:
        given.append(options)
        return []

    monkeypatch.setattr(sys.modules["onebit.cli.check"], "check_learner", spy)
    learner = "onebit.learners.kernel_bandit:KernelBandit"
    assert onebit("check", learner).code == 0
    assert onebit("check", learner, "--bounded", "form=dual", "--bounded", "budget=40").code == 0
    assert onebit("check", learner, "--alike", "normalize").code == 2
    assert [(options["alike"], options["bounded"]) for options in given] == [
        (None, None),
        (None, {"form": "dual", "budget": 40}),
    ]


UNSOUND = """
import onebit

class Leaky(onebit.Banditron):
    def predict(self, X):
        self._session.rng[0] += 1
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
