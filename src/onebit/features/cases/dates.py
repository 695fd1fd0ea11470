"""Dates as people write them."""

from __future__ import annotations

import re
from datetime import date, datetime

_NUMBERS = re.compile(r"(\d{1,4})[/.](\d{1,2})[/.](\d{1,4})(?:[ T](.+))?$")
_FORMS = ("%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y")
_MONTHS = frozenset(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])


def parsed_date(text: str) -> date | None:
    """The date that a text is, with its time if there is one; None if it is no date.

    >>> parsed_date("2026-11-02"), parsed_date("9/25/2021"), parsed_date("25.9.2021 14:30")
    (datetime.date(2026, 11, 2), datetime.date(2021, 9, 25), datetime.datetime(2021, 9, 25, 14, 30))
    >>> parsed_date("September 25, 2021"), parsed_date("1/2"), parsed_date("2026")
    (datetime.date(2021, 9, 25), None, None)
    """
    if text[4:5] == "-" and len(text) >= 10:
        return _iso(text)
    if text[:1].isdigit() and (found := _NUMBERS.match(text)):
        return _by_numbers(*found.groups())
    if text[-4:].isdigit() and _names_month(text):
        for form in _FORMS:
            try:
                return datetime.strptime(text, form).date()
            except ValueError:
                continue
    return None


def _names_month(text: str) -> bool:
    return any(word[:3].lower() in _MONTHS for word in text.split(" ", 2)[:2])


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def _by_numbers(a: str, b: str, c: str, time: str | None) -> date | None:
    """Year first, or day and month before it: the month first, unless it cannot be one or dots stand between."""
    first, second, third = int(a), int(b), int(c)
    if len(a) == 4:
        year, month, day = first, second, third
    else:
        year = third if len(c) == 4 else 2000 + third if third < 70 else 1900 + third
        month, day = (first, second) if first <= 12 else (second, first)
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    if not time:
        return found
    at = _iso(f"{found.isoformat()}T{time.strip()}")
    return at if at is not None else found


def day_and_hour(when: date) -> tuple[float, float]:
    """Days from a beginning long ago, and the hour with its minutes as a share, -1 where there is no time.

    >>> day_and_hour(date(1, 1, 2)), day_and_hour(datetime(1, 1, 2, 14, 30))
    ((2.0, -1.0), (2.0, 14.5))
    """
    return float(when.toordinal()), when.hour + when.minute / 60 if isinstance(when, datetime) else -1.0
