"""Numbers and dates that are written as text, in compiled code; what is rare or unclear is left to Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.features.cases.letters import Bytes
from onebit.ops.jit import jit

IS_NONE = 0
IS_ONE = 1
ASK_PYTHON = 2

_MOST_EXACT = 2**53
_MOST_PLACES = 22
_DAYS_BEFORE_1970 = 719163
_ZERO = 48
_NINE = 57


@jit
def is_digit(c: int) -> bool:
    """Whether a byte is a digit."""
    return _ZERO <= c <= _NINE


@jit
def number_in(text: Bytes, start: int, stop: int) -> tuple[int, float]:
    """Whether this is a number, and which: Python's `float` of it, to the last bit.

    Up to 2^53 without its point, and with at most 22 places after it, a number is exact, and so is the power of ten
    that divides it: one division rounds once.
    """
    i = start
    negative = text[i] == 45
    if negative or text[i] == 43:
        i += 1
    whole = np.int64(0)
    digits = 0
    places = 0
    point = False
    while i < stop:
        c = text[i]
        if is_digit(c):
            if whole > _MOST_EXACT // 10 - 1:
                return _perhaps_number(text, start, stop), 0.0
            whole = whole * 10 + (np.int64(c) - _ZERO)
            digits += 1
            places += point
        elif c == 46 and not point:
            point = True
        else:
            return _perhaps_number(text, start, stop), 0.0
        i += 1
    if digits == 0:
        return IS_NONE, 0.0
    if places > _MOST_PLACES:
        return ASK_PYTHON, 0.0
    x = float(whole)
    scale = 1.0
    for _ in range(places):
        scale *= 10.0
    x /= scale
    return IS_ONE, -x if negative else x


@jit
def _perhaps_number(text: Bytes, start: int, stop: int) -> int:
    """Whether Python has to say if this is a number: where every byte may stand in one."""
    for i in range(start, stop):
        c = text[i]
        small = c | 32
        known = is_digit(c) or c == 43 or c == 45 or c == 46 or c == 95
        # e; inf, infinity, nan
        known = known or small == 101 or small == 105 or small == 110 or small == 102
        known = known or small == 116 or small == 121 or small == 97
        if not known:
            return IS_NONE
    return ASK_PYTHON


@jit
def day_number_of(year: Any, month: Any, day: Any) -> Any:
    """The day, as `date.toordinal` counts; 0 if there is no such day."""
    if year < 1 or year > 9999 or month < 1 or month > 12 or day < 1:
        return 0
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = 28 + leap if month == 2 else 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31
    if day > longest:
        return 0
    # Years that begin in March, so that the leap day is their last.
    y = year - (month <= 2)
    era = y // 400
    year_of_era = y - era * 400
    day_of_year = (153 * (month + (9 if month <= 2 else -3)) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146097 + day_of_era - 719468 + _DAYS_BEFORE_1970


@jit
def month_of(day_number: int) -> int:
    """The month of a day."""
    z = day_number - _DAYS_BEFORE_1970 + 719468
    day_of_era = z % 146097
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    return shifted + 3 if shifted < 10 else shifted - 9


@jit
def _two(text: Bytes, i: int) -> Any:
    """The number of two digits; -1 if they are none."""
    if is_digit(text[i]) and is_digit(text[i + 1]):
        return (np.int64(text[i]) - _ZERO) * 10 + np.int64(text[i + 1]) - _ZERO
    return -1


@jit
def date_in(text: Bytes, start: int, stop: int) -> tuple[int, float, float]:
    """Whether this is a date, its day, and its hour with the minutes as a share, -1 if it has none."""
    length = stop - start
    if length >= 10 and text[start + 4] == 45:
        return _iso_in(text, start, stop)
    if is_digit(text[start]):
        found, day = _numbers_in(text, start, stop)
        if found != IS_NONE:
            return found, day, -1.0
    if _ends_as_year(text, start, stop) and _names_month(text, start, stop):
        return ASK_PYTHON, 0.0, 0.0
    return IS_NONE, 0.0, 0.0


@jit
def _iso_in(text: Bytes, start: int, stop: int) -> tuple[int, float, float]:
    """2026-11-02, also with hours and minutes after a blank or a T; Python knows other forms."""
    length = stop - start
    century = _two(text, start)
    year = _two(text, start + 2)
    month = _two(text, start + 5)
    day = _two(text, start + 8)
    if century < 0 or year < 0 or month < 0 or day < 0 or text[start + 7] != 45:
        return ASK_PYTHON, 0.0, 0.0
    number = day_number_of(century * 100 + year, month, day)
    if number == 0:
        return ASK_PYTHON, 0.0, 0.0
    if length == 10:
        return IS_ONE, float(number), -1.0
    if (length != 16 and length != 19) or (text[start + 10] != 32 and text[start + 10] != 84) or text[start + 13] != 58:
        return ASK_PYTHON, 0.0, 0.0
    hour = _two(text, start + 11)
    minute = _two(text, start + 14)
    second = 0
    if length == 19:
        second = _two(text, start + 17) if text[start + 16] == 58 else -1
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
        return ASK_PYTHON, 0.0, 0.0
    return IS_ONE, float(number), hour + minute / 60


@jit
def _numbers_in(text: Bytes, start: int, stop: int) -> tuple[int, float]:
    """Three numbers with slashes or dots between: year first, or day and month before it, as `dates.parsed_date` does.

    The month comes first, unless it cannot be one.
    """
    numbers = (np.int64(0), np.int64(0), np.int64(0))
    lengths = (0, 0, 0)
    i = start
    for place in range(3):
        most = 2 if place == 1 else 4
        value = np.int64(0)
        length = 0
        while i < stop and length < most and is_digit(text[i]):
            value = value * 10 + (np.int64(text[i]) - _ZERO)
            length += 1
            i += 1
        if length == 0:
            return IS_NONE, 0.0
        if place == 0:
            numbers = (value, numbers[1], numbers[2])
            lengths = (length, 0, 0)
        elif place == 1:
            numbers = (numbers[0], value, numbers[2])
        else:
            numbers = (numbers[0], numbers[1], value)
            lengths = (lengths[0], 0, length)
        if place < 2:
            if i >= stop or (text[i] != 47 and text[i] != 46):
                return IS_NONE, 0.0
            i += 1
    if i < stop:
        return (ASK_PYTHON if text[i] == 32 or text[i] == 84 else IS_NONE), 0.0
    first, second, third = numbers
    if lengths[0] == 4:
        number = day_number_of(first, second, third)
    else:
        year = third if lengths[2] == 4 else 2000 + third if third < 70 else 1900 + third
        number = day_number_of(year, first, second) if first <= 12 else day_number_of(year, second, first)
    return (IS_ONE if number > 0 else IS_NONE), float(number)


@jit
def _ends_as_year(text: Bytes, start: int, stop: int) -> bool:
    """Whether the last four are digits."""
    if stop - start < 4:
        return False
    return (
        is_digit(text[stop - 4]) and is_digit(text[stop - 3]) and is_digit(text[stop - 2]) and is_digit(text[stop - 1])
    )


@jit
def _names_month(text: Bytes, start: int, stop: int) -> bool:
    """Whether one of the first two words may begin as the name of a month."""
    i = start
    for _ in range(2):
        if stop - i >= 3 and _is_month(text[i] | 32, text[i + 1] | 32, text[i + 2] | 32):
            return True
        while i < stop and text[i] != 32:
            i += 1
        i += 1
    return False


@jit
def _is_month(a: int, b: int, c: int) -> bool:
    """Whether three small letters begin the name of a month."""
    name = (np.int64(a) << 16) | (np.int64(b) << 8) | np.int64(c)
    found = False
    for month in _MONTHS:
        found = found or name == month
    return found


_MONTHS = tuple(
    ord(month[0]) << 16 | ord(month[1]) << 8 | ord(month[2])
    for month in ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
)
