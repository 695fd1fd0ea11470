"""Texts of the command line as values."""

from __future__ import annotations

from typing import Any

import pytest

from onebit.cli.values import parse_delay, parse_seeds, parse_value
from onebit.core.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2", -2),
        ("0.25", 0.25),
        ("1e-3", 0.001),
        ("2^-7", 2**-7),
        ("10^2", 100),
        ("true", True),
        ("False", False),
        ("none", None),
        ("diagonal", "diagonal"),
        ("2^x", "2^x"),
        ("0^-1", "0^-1"),
    ],
)
def test_values(text: str, value: Any) -> None:
    parsed = parse_value(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("text", "seeds"), [("5", 5), ("10:13", [10, 11, 12]), ("3,8,1", [3, 8, 1]), ("7,", [7]), ("4:4", [])]
)
def test_seeds(text: str, seeds: Any) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "1:2:3", "1,,2", "1.5", ":"])
def test_bad_seeds(text: str) -> None:
    with pytest.raises(ConfigError, match="--seeds"):
        parse_seeds(text)


@pytest.mark.parametrize("text", ["", "soon", "1:soon", "1.5"])
def test_bad_delay(text: str) -> None:
    with pytest.raises(ConfigError, match="--delay"):
        parse_delay(text)


@pytest.mark.parametrize(("text", "value"), [("2^1", 2), ("1e3", 1000), ("1.5e3", 1500), ("-8^0.5", "-8^0.5")])
def test_powers_and_exponents_are_whole_where_they_can_be(text: str, value: object) -> None:
    found = parse_value(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", ["5:", ":5", ":", "1:2:3"])
def test_half_a_delay(text: str) -> None:
    with pytest.raises(ConfigError, match="write a number of rounds, or a range LOW:HIGH"):
        parse_delay(text)


def test_too_many_seeds() -> None:
    with pytest.raises(ConfigError, match="must be 100,000 seeds or fewer"):
        parse_seeds("0:99999999999")
