"""The form of what was read from JSON: which fields there are, and what they may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from onebit.core.text import is_encodable


class Keys(NamedTuple):
    """The form of a mapping whose keys are not known beforehand: of its keys, and of its values."""

    key: Callable[[Any], bool]
    value: Any


def misfit(value: Any, form: Any, name: str = "") -> str | None:
    """What does not fit, in words, or None.

    A form is a test, a list that holds one form (for a list that is not empty), a dict of forms (those of
    fields whose name ends in "?" may be missing), or `Keys`.

    >>> misfit({"seeds": [0, 1]}, {"seeds": [is_whole]})
    >>> misfit({"seeds": [0, "x"]}, {"seeds": [is_whole]})
    "seeds[1] is 'x'"
    >>> misfit({}, {"seeds": [is_whole]})
    'seeds is missing'
    """
    parts: list[tuple[str, Any, Any]] = []
    if isinstance(form, list) and isinstance(value, list) and value:
        parts = [(f"{name}[{at}]", one, form[0]) for at, one in enumerate(value)]
    elif isinstance(form, Keys) and isinstance(value, dict) and all(map(form.key, value)):
        parts = [(f"{name}[{key}]", one, form.value) for key, one in value.items()]
    elif isinstance(form, Mapping) and isinstance(value, dict):
        for field, inner in form.items():
            key = field.removesuffix("?")
            if key in value:
                parts.append((f"{name}.{key}".removeprefix("."), value[key], inner))
            elif key == field:
                return f"{name}.{key} is missing".removeprefix(".")
    elif not callable(form) or isinstance(form, Keys) or not form(value):
        return f"{name} is {repr(value)[:60]}"
    return next((found for part in parts if (found := misfit(part[1], part[2], part[0]))), None)


def is_text(value: Any) -> bool:
    """Whether it is text that can be written.

    >>> is_text("cat"), is_text("\\ud800"), is_text(3)
    (True, False, False)
    """
    return isinstance(value, str) and is_encodable(value)


def is_whole(value: Any) -> bool:
    """Whether it is a whole number from 0 to 2^63 - 1.

    >>> is_whole(3), is_whole(True), is_whole(10**400)
    (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def is_whole_or_none(value: Any) -> bool:
    """Whether it is a whole number, or null.

    >>> is_whole_or_none(None)
    True
    """
    return value is None or is_whole(value)


def is_dict(value: Any) -> bool:
    """Whether it is a mapping, of anything.

    >>> is_dict({})
    True
    """
    return isinstance(value, dict)
