"""The same seeds give the bits that they gave in 0.1.0; corrected learners those since their correction."""

import json
from pathlib import Path
from typing import Any

import pytest

import onebit
from tests.compatibility.corrected import WHY
from tests.compatibility.plays import ROUNDS, counts, machine, plays, rows_of_streams, state

KNOWN = json.loads(Path(__file__).with_name("bits.json").read_text())
CORRECTED = json.loads(Path(__file__).with_name("corrected.json").read_text())
PLAYS = list(plays())


def test_every_play_is_in_the_table() -> None:
    assert [play[0] for play in PLAYS] == list(KNOWN["plays"])


@pytest.mark.parametrize(("name", "learner", "stream", "channel"), PLAYS, ids=[play[0] for play in PLAYS])
def test_a_play_ends_in_the_known_bits(name: str, learner: Any, stream: Any, channel: Any) -> None:
    result = onebit.simulate(learner, stream, channel, ROUNDS, [5], progress=False)
    known = CORRECTED if learner.name in WHY else KNOWN
    counted, ended_in = known["plays"][name]
    assert counts(result) == counted
    # Which instructions a sum is compiled to depends on the processor and the compiler, and so does its last bit.
    if machine() == known["machine"]:
        assert state(result.learners[0]) == ended_in


def test_what_was_corrected_is_other_than_it_was_and_nothing_else_is_listed() -> None:
    of_corrected = {play[0] for play in PLAYS if play[1].name in WHY}
    assert set(CORRECTED["plays"]) == of_corrected
    assert all(CORRECTED["plays"][name] != KNOWN["plays"][name] for name in of_corrected)
    assert {learner.name for _, learner, *_ in PLAYS if learner.revision > 1} == set(WHY)


def test_streams_give_the_rows_of_0_1_0() -> None:
    assert rows_of_streams() == KNOWN["rows"]
