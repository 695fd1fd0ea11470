"""Findings in words, and as plain values."""

from __future__ import annotations

import json
from math import inf

import numpy as np

from onebit.separability import Finding
from onebit.streams import group_separable, separability


def test_words() -> None:
    stream = group_separable(2000)
    found = separability(stream.X, stream.y)
    assert repr(found) == "<Separability of 2000 rows, 9 classes: strong=no, weak=no, group=yes>"
    assert "0 < 1 < 2 | 3 < 4 < 5 | 6 < 7 < 8" in found.summary() or "2 < 1 < 0" in found.summary()
    assert found.strong.proof.startswith("rows ")
    assert "rule out: a plane through the origin between 0 and all others" in found.strong.proof


def test_plain_values() -> None:
    found = separability(np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [1.0, 0.1]]), [0, 1, 2, 1])
    for one in found.findings:
        plain = json.loads(json.dumps(one.to_dict()))
        assert plain["holds"] is one.holds
        assert len(plain["contradictions"]) == len(one.contradictions)
    assert found.strong.to_dict()["contradictions"][0]["kind"] == "sides"


def test_what_is_not_decided_says_so() -> None:
    open_ = Finding("weak", None, None, inf)
    assert (open_.answer, open_.bounds, open_.proof) == ("not decided", ("–", "–"), "the search was given up")
    assert open_.to_dict()["at_most"] is None
