"""Checks of arguments: each returns the value to keep, or names the argument, the value and what it may be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from math import inf, isfinite
from reprlib import Repr
from typing import Any

import numpy as np

from onebit.core.errors import ConfigError

LARGEST_WHOLE = 2**63 - 1
"""The largest whole number that compiled code can hold."""
MOST_CLASSES = 1_000_000
"""The most classes that a learner or a stream can have: more is a slip of the pen, and fills the memory."""

_LARGEST_FLOAT = float(np.finfo(np.float64).max)
_SHORT = Repr()
_SHORT.maxstring = 80
_SHORT.maxother = 80
_SHORT.maxlist = 12
_SHORT.maxtuple = 12


def check_whole(
    name: str,
    value: Any,
    low: int = 1,
    high: int | None = None,
    *,
    of: str = "",
    instead: str = "",
    floats: bool = False,
    most: int = LARGEST_WHOLE,
) -> int:
    """The value as an int, if it is a whole number from `low` to `high`.

    `of` says what is counted; `instead` what may be given in its place; with `floats`, 1e6 is a whole number too;
    `most` is what memory or patience sets, and is told only where a number is beyond it.

    >>> check_whole("rounds", 1e6, floats=True)
    1000000
    >>> check_whole("m", 0, of="labels")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: m=0: must be a whole number of labels, 1 or larger
    """
    top = most if high is None else high
    too_large = False
    if is_number(value) and (floats or isinstance(value, int | np.integer)) and is_finite(value):
        whole = int(value)
        if whole == value and low <= whole <= top:
            return whole
        too_large = whole == value and whole > top
    kind = f"a whole number of {of}" if of else "a whole number"
    span = f"{kind}, {low} or larger" if high is None and not too_large else f"{kind} from {low} to {top}"
    raise wrong(name, value, span, instead)


def check_number(
    name: str,
    value: Any,
    low: float = -inf,
    high: float = inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
    instead: str = "",
) -> float:
    """The value as a float, if it is a finite number from `low` to `high`, the open ends excluded.

    >>> check_number("gamma", 0.5, 0, 1)
    0.5
    >>> check_number("gamma", 2, 0, 1)
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: gamma=2: must be a number from 0 to 1
    """
    if is_number(value) and is_finite(value) and abs(value) <= _LARGEST_FLOAT:
        above = value > low if open_low else value >= low
        below = value < high if open_high else value <= high
        if above and below:
            return float(value)
    raise wrong(name, value, _range_text(low, high, open_low, open_high), instead)


def check_flag(name: str, value: Any, *, instead: str = "") -> bool:
    """The value, if it is True or False.

    >>> check_flag("features", "yes")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: features='yes': must be True or False
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise wrong(name, value, "True or False", instead)


def check_choice(name: str, value: Any, options: Sequence[Any]) -> Any:
    """The value, if it is one of the options, and of its type: 1 is not True.

    >>> check_choice("ties", "last", ["first", "random"])
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: ties='last': must be 'first' or 'random'
    """
    if any(type(value) is type(option) and value == option for option in options):
        return value
    raise wrong(name, value, " or ".join(map(repr, options)))


def did_you_mean(word: object, known: Collection[str]) -> str:
    """A hint for a name that is not known: the nearest one, or all there are.

    >>> did_you_mean("banditrn", ["banditron", "soba"]), did_you_mean("x", ["banditron", "soba"])
    ('did you mean banditron?', 'known are banditron, soba')
    """
    near = get_close_matches(str(word), known, n=1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


def wrong(name: str, value: Any, wanted: str, instead: str = "") -> ConfigError:
    """The error for an argument that is not what is wanted.

    >>> wrong("d", 0, "a whole number, 1 or larger", "None")
    ConfigError('d=0: must be a whole number, 1 or larger, or None')
    """
    return ConfigError(f"{name}={shown(value)}: must be {wanted}" + (f", or {instead}" if instead else ""))


def shown(value: Any) -> str:
    """A value as an error shows it: long ones cut, and those that cannot be shown by their type.

    >>> shown(0.5), shown("bit"), shown(10**400), shown("a" * 200)
    ('0.5', "'bit'", '100000000000000000...0000000000000000000', ...)
    """
    try:
        return _SHORT.repr(value).encode("utf-8", "backslashreplace").decode()
    except Exception:  # a stranger's repr may raise anything, and ints of thousands of digits have none
        return f"<{type(value).__name__}>"


def is_finite(value: Any) -> bool:
    """Whether a number is finite; whole numbers are, however large.

    >>> is_finite(10**400), is_finite(inf)
    (True, False)
    """
    return isinstance(value, int | np.integer) or isfinite(value)


def is_number(value: Any) -> bool:
    """Whether the value is a real number; True and False are none.

    >>> is_number(1), is_number(np.float32(1)), is_number(True), is_number("1")
    (True, True, False, False)
    """
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _range_text(low: float, high: float, open_low: bool, open_high: bool) -> str:
    if low == -inf and high == inf:
        return "a finite number"
    if high == inf:
        return f"a number above {low:g}" if open_low else f"a number, {low:g} or larger"
    if open_low and open_high:
        return f"a number between {low:g} and {high:g}, both excluded"
    if open_low:
        return f"a number above {low:g}, up to {high:g}"
    return f"a number from {low:g} to {high:g}" + (f", {high:g} excluded" if open_high else "")
