"""The same seeds give the bits that they gave in 0.1.0."""

import json
from pathlib import Path
from typing import Any

import pytest

import onebit
from tests.compatibility.plays import ROUNDS, counts, machine, plays, rows_of_streams, state

KNOWN = json.loads(Path(__file__).with_name("bits.json").read_text())
PLAYS = list(plays())


def test_every_play_is_in_the_table() -> None:
    assert [play[0] for play in PLAYS] == list(KNOWN["plays"])


@pytest.mark.parametrize(("name", "learner", "stream", "channel"), PLAYS, ids=[play[0] for play in PLAYS])
def test_a_play_ends_in_the_bits_of_0_1_0(name: str, learner: Any, stream: Any, channel: Any) -> None:
    result = onebit.simulate(learner, stream, channel, ROUNDS, [5], progress=False)
    counted, ended_in = KNOWN["plays"][name]
    assert counts(result) == counted
    # Which instructions a sum is compiled to depends on the processor and the compiler, and so does its last bit.
    if machine() == KNOWN["machine"]:
        assert state(result.learners[0]) == ended_in


def test_streams_give_the_rows_of_0_1_0() -> None:
    assert rows_of_streams() == KNOWN["rows"]
