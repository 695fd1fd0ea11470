"""Grids of hyper-parameters as people write them: lists, powers and ranges."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from onebit.cli.values import parse_value
from onebit.core.errors import ConfigError

_MOST_VALUES = 10_000  # of a range: more is a slip of the pen


def parse_values(text: str) -> list[Any]:
    """The values of a grid: with commas between them, and LOW:HIGH or LOW:HIGH:STEP, both ends included.

    The ends of a range are powers of one base, whose exponents go up by STEP, or whole numbers.

    >>> parse_values("0.1,1"), parse_values("2^-3:2^-1"), parse_values("10^-3:10^1:2"), parse_values("2:6")
    ([0.1, 1], [0.125, 0.25, 0.5], [0.001, 0.1, 10], [2, 3, 4, 5, 6])
    """
    values: list[Any] = []
    for part in text.split(","):
        if not part:
            raise ConfigError(f"{text!r}: a value is missing between two commas; write a list, as in 0.1,1")
        values += _range(part) if ":" in part else [parse_value(part)]
    return distinct(values, text)


def distinct(values: Sequence[Any], text: str) -> list[Any]:
    """These values, or an error where one is there twice, or none at all.

    >>> distinct([1, 2], "1,2")
    [1, 2]
    >>> distinct([1, 1.0], "1,1.0")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: '1,1.0': the value 1.0 is there twice; leave one out
    """
    if not values:
        raise ConfigError(f"{text!r}: no value; give at least one")
    for place, value in enumerate(values):
        if any(_same(value, earlier) for earlier in values[:place]):
            raise ConfigError(f"{text!r}: the value {value!r} is there twice; leave one out")
    return list(values)


def _same(a: Any, b: Any) -> bool:
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def _range(text: str) -> list[Any]:
    """The values of LOW:HIGH or LOW:HIGH:STEP."""
    low, high, *more = text.split(":")
    if len(more) > 1:
        raise ConfigError(f"{text!r}: a range has two ends and perhaps a step, as in 2^-13:2^-2 or 2^-13:2^-3:2")
    step = _whole(more[0]) if more else 1
    if step is None or step < 1:
        raise ConfigError(f"{text!r}: the step must be a whole number above 0, as in 2^-13:2^-3:2")
    if "^" in low or "^" in high:
        base, first, last = _powers(low, high, text)
        return [base**exponent for exponent in _steps(first, last, step, text)]
    first_number = _whole(low)
    last_number = _whole(high)
    if first_number is None or last_number is None:
        raise ConfigError(
            f"{text!r}: the ends of a range are whole numbers (2:6) or powers of one base (2^-13:2^-2); "
            "other values go into a list, as in 0.1,0.5,1"
        )
    return _steps(first_number, last_number, step, text)


def _powers(low: str, high: str, text: str) -> tuple[int | float, int, int]:
    """The base, and the exponents of both ends."""
    (base, _, low_exponent), (other, _, high_exponent) = low.partition("^"), high.partition("^")
    first = _whole(low_exponent)
    last = _whole(high_exponent)
    if base != other or first is None or last is None:
        raise ConfigError(f"{text!r}: both ends must be whole powers of one base, as in 2^-13:2^-2 or 10^-3:10^1")
    number = parse_value(base)
    if not isinstance(number, int | float) or not 0 < number < inf or number == 1:
        raise ConfigError(f"{text!r}: the base must be a number above 0, other than 1, as in 2^-13:2^-2")
    try:
        _ = float(number) ** first, float(number) ** last
    except OverflowError:
        raise ConfigError(f"{text!r}: an end is beyond the largest number there is; take another exponent") from None
    return number, first, last


def _steps(first: int, last: int, step: int, text: str) -> list[int]:
    if first > last:
        raise ConfigError(f"{text!r}: the range is empty; write the smaller end first")
    if (last - first) // step >= _MOST_VALUES:
        raise ConfigError(f"{text!r}: more than {_MOST_VALUES:,} values; take a larger step")
    return list(range(first, last + 1, step))


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
