"""Texts of the command line, turned into numbers, words and lists."""

from __future__ import annotations

from typing import Any

from onebit.core.errors import ConfigError
from onebit.feedback import Delay
from onebit.simulate.simulate import MOST_SEEDS


def parse_value(text: str) -> Any:
    """A number (also as a power, 2^-7), true, false, none, a word, or several of these with commas.

    A power or a number with an exponent that is whole is a whole number, so that it can be a size.

    >>> [parse_value(text) for text in ("3", "1e-3", "2^-7", "true", "diagonal", "0.2,0.4", "2^1", "1e3", "2.0")]
    [3, 0.001, 0.0078125, True, 'diagonal', (0.2, 0.4), 2, 1000, 2.0]
    """
    if "," in text:
        return tuple(parse_value(part) for part in text.split(","))
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return int(text)
    except ValueError:
        pass
    base, caret, exponent = text.partition("^")
    try:
        number = float(base) ** float(exponent) if caret else float(text)
    except (ValueError, OverflowError, ZeroDivisionError):
        return text
    if isinstance(number, complex):
        return text
    scaled = caret or "e" in text.lower()
    return int(number) if scaled and number.is_integer() else number


def parse_size(text: str) -> Any:
    """As `parse_value`, but a whole number is an int however it is written, so that it can be a size.

    >>> parse_size("2^18"), parse_size("1e5"), parse_size("many")
    (262144, 100000, 'many')
    """
    value = parse_value(text)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def parse_rounds(text: str | None, option: str = "--rounds") -> float | None:
    """A number of rounds; 1e6 and 1_000_000 will do. `simulate` says whether it can be.

    >>> parse_rounds("1e6")
    1000000
    """
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        raise ConfigError(f"{option} {text!r}: must be a whole number above 0, as 100000 or 1e5") from None
    return int(number) if number.is_integer() else number


def parse_seeds(text: str, option: str = "--seeds") -> int | list[int]:
    """N seeds; or A:B, from A up to but not including B; or A,B,C.

    >>> parse_seeds("5"), parse_seeds("10:13"), parse_seeds("3,8")
    (5, [10, 11, 12], [3, 8])
    """
    try:
        if ":" in text:
            first, last = map(int, text.split(":"))
            if last - first > MOST_SEEDS:
                raise ConfigError(f"{option} {text!r}: must be {MOST_SEEDS:,} seeds or fewer")
            return list(range(first, last))
        return [int(part) for part in text.rstrip(",").split(",")] if "," in text else int(text)
    except ConfigError:
        raise
    except ValueError:
        raise ConfigError(f"{option} {text!r}: write a number of seeds, a range A:B or a list A,B,C") from None


def parse_delay(text: str | None, option: str = "--delay") -> Delay:
    """A number of rounds, or LOW:HIGH.

    >>> parse_delay("10"), parse_delay("0:100"), parse_delay(None)
    (10, (0, 100), 0)
    """
    if text is None:
        return 0
    try:
        low, colon, high = text.partition(":")
        return (int(low), int(high)) if colon else int(low)
    except ValueError:
        raise ConfigError(f"{option} {text!r}: write a number of rounds, or a range LOW:HIGH") from None
