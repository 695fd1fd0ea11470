"""onebit learners."""

from __future__ import annotations

import json

import pytest

from onebit.core.registry import learner_names
from tests.cli.conftest import Command
from tests.either import enlist


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
