"""Grids of hyper-parameters on the command line."""

from __future__ import annotations

from typing import Any

import pytest

from onebit.cli.plan.grids import parse_values
from onebit.core.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.1", [0.1]),
        ("0.1,1", [0.1, 1]),
        ("2^-13:2^-2", [2.0**k for k in range(-13, -1)]),
        ("2^-13:2^-3:2", [2.0**k for k in (-13, -11, -9, -7, -5, -3)]),
        ("2^-4:2^-1:2", [2**-4, 2**-2]),
        ("10^-3:10^1", [0.001, 0.01, 0.1, 1, 10]),
        ("2^3:2^5", [8, 16, 32]),
        ("2^5,2^0.5", [32, 2**0.5]),
        ("0.5^1:0.5^3", [0.5, 0.25, 0.125]),
        ("2:6", [2, 3, 4, 5, 6]),
        ("-1:1", [-1, 0, 1]),
        ("2:10:4", [2, 6, 10]),
        ("3:3", [3]),
        ("0,2^-3:2^-2,adaptive", [0, 0.125, 0.25, "adaptive"]),
        ("true,false", [True, False]),
        ("true,1", [True, 1]),
        ("full,diagonal", ["full", "diagonal"]),
    ],
)
def test_values(text: str, values: list[Any]) -> None:
    parsed = parse_values(text)
    assert parsed == values
    assert [type(value) for value in parsed] == [type(value) for value in values], "32 is a size, 32.0 is none"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'': a value is missing"),
        ("0.1,,1", "a value is missing between two commas"),
        ("1,1.0", "the value 1.0 is there twice"),
        ("2:4,3", "the value 3 is there twice"),
        ("6:2", "'6:2': the range is empty; write the smaller end first"),
        ("2^-2:2^-13", "the range is empty"),
        ("0.1:1", "the ends of a range are whole numbers"),
        ("2:x", "the ends of a range are whole numbers"),
        (":", "the ends of a range are whole numbers"),
        ("2^-3:10^-1", "both ends must be whole powers of one base"),
        ("2^-3:1", "both ends must be whole powers of one base"),
        ("2^0.5:2^2", "both ends must be whole powers of one base"),
        ("x^1:x^2", "the base must be a number above 0, other than 1"),
        ("1^1:1^2", "the base must be a number above 0, other than 1"),
        ("-2^1:-2^2", "the base must be a number above 0, other than 1"),
        ("inf^1:inf^2", "the base must be a number above 0, other than 1"),
        ("10^1:10^999", "an end is beyond the largest number"),
        ("1:2:3:4", "a range has two ends and perhaps a step"),
        ("1:5:0", "the step must be a whole number above 0"),
        ("2^-5:2^-1:half", "the step must be a whole number above 0"),
        ("1:1000000", "more than 10,000 values; take a larger step"),
    ],
)
def test_no_grids(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_values(text)
