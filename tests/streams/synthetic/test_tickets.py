"""Tickets: the same for a seed, with gaps, overlapping words, and a new product when it is launched."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

import onebit
from onebit.streams.synthetic.tickets import NEW_PRODUCT, tickets


def test_a_seed_decides_all_of_them() -> None:
    one, same, other = tickets(300, seed=1), tickets(300, seed=1), tickets(300, seed=2)
    assert one.X == same.X
    assert list(one.y) == list(same.y)
    assert one.X != other.X


def test_the_new_product_comes_when_it_is_launched() -> None:
    stream = tickets(1_000, launch=400)
    products = [case["product"] for case in stream.X]
    assert NEW_PRODUCT not in products[:400]
    assert 200 < products[400:].count(NEW_PRODUCT) < 400


def test_no_column_tells_the_team_by_itself() -> None:
    """The team that a value most often goes to, known beforehand for every value, is often wrong."""
    stream = tickets(20_000)
    for name in ("customer", "product"):
        assert _error_of_knowing(stream, name) > 0.4
    gaps = [case["amount"] is None for case in stream.X]
    assert 0.35 < sum(gaps) / len(gaps) < 0.45
    words = defaultdict[str, set[Any]](set)
    for case, team in zip(stream.X, stream.y, strict=True):
        for word in case["subject"].split():
            words[word].add(team)
    assert all(len(teams) > 1 for teams in words.values())


def _error_of_knowing(stream: Any, name: str) -> float:
    found = defaultdict[Any, Counter[Any]](Counter)
    for case, team in zip(stream.X, stream.y, strict=True):
        found[case[name]][team] += 1
    return 1 - sum(counts.most_common(1)[0][1] for counts in found.values()) / len(stream.y)


@pytest.mark.parametrize(("name", "value"), [("rounds", 0), ("strays", 2), ("launch", -1), ("seed", "x")])
def test_what_cannot_be_is_refused(name: str, value: Any) -> None:
    with pytest.raises(onebit.ConfigError, match=name):
        tickets(**{name: value})
