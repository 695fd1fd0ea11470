"""Hyper-parameters: declared once as fields, checked from that one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, field
from math import inf, isfinite
from typing import Any

import numpy as np

from onebit.core.errors import ConfigError
from onebit.core.labels import check_classes
from onebit.core.types import Label


def number(
    *,
    default: float | str,
    low: float,
    high: float = inf,
    open_low: bool = False,
    open_high: bool = False,
    words: tuple[str, ...] = (),
) -> Any:
    """A hyper-parameter that is a number in a range, or one of a few words.

    >>> number(default=0.5, low=0, high=1).default
    0.5
    """

    def check(name: str, value: Any) -> Any:
        if isinstance(value, str) and value in words:
            return value
        fine = isinstance(value, int | float | np.number) and not isinstance(value, bool) and isfinite(value)
        if not fine or value < low or value > high or (open_low and value == low) or (open_high and value == high):
            wanted = _range_text(low, high, open_low, open_high)
            raise ConfigError(f"{name}={value!r}: must be {wanted}" + "".join(f", or {w!r}" for w in words))
        return float(value)

    return field(default=default, metadata={"check": check})


def choice(*options: Any, default: Any) -> Any:
    """A hyper-parameter that is one of a few values.

    >>> choice("full", "diagonal", default="full").default
    'full'
    """

    def check(name: str, value: Any) -> Any:
        if not any(type(value) is type(option) and value == option for option in options):
            raise ConfigError(f"{name}={value!r}: must be {' or '.join(map(repr, options))}")
        return value

    return field(default=default, metadata={"check": check})


def checked(*, check: Callable[[str, Any], Any], default: Any = MISSING, kw_only: bool = True) -> Any:
    """A parameter with a check of its own: `check(name, value)` returns the value to keep, or raises.

    >>> checked(default=0, check=lambda name, value: value).default
    0
    """
    return field(default=default, kw_only=kw_only, metadata={"check": check})


def check_field(parameter: Field[Any], value: Any) -> Any:
    """The value, as it will be kept, or a `ConfigError`."""
    check = parameter.metadata.get("check")
    return check(parameter.name, value) if check else value


def check_labels(name: str, classes: Any) -> tuple[Label, ...]:
    """The classes, from their number or a list of labels."""
    if isinstance(classes, bool) or not isinstance(classes, int | np.integer):
        return check_classes(classes)
    if classes < 2:
        raise ConfigError(
            f"classes={classes!r}: a learner needs at least 2 classes; give their number or a list of labels"
        )
    return tuple(range(int(classes)))


def check_width(name: str, width: Any) -> int | None:
    """A number of features, or None."""
    if width is None:
        return None
    if isinstance(width, bool) or not isinstance(width, int | np.integer) or width < 1:
        raise ConfigError(f"n_features={width!r}: must be a whole number above 0, or None to take the first row's")
    return int(width)


def check_dtype(name: str, dtype: Any) -> str:
    """One of the two dtypes, by name."""
    try:
        found = str(np.dtype(dtype))
    except TypeError:
        found = ""
    if found not in ("float64", "float32"):
        raise ConfigError(f"dtype={dtype!r}: must be 'float64' or 'float32'")
    return found


def _range_text(low: float, high: float, open_low: bool, open_high: bool) -> str:
    if high == inf:
        return f"a number above {low:g}" if open_low else f"a number, {low:g} or larger"
    if open_low and open_high:
        return f"a number between {low:g} and {high:g}, both excluded"
    if open_low:
        return f"a number above {low:g}, up to {high:g}"
    return f"a number from {low:g} to {high:g}" + (f", {high:g} excluded" if open_high else "")
