"""Hyper-parameters: declared once as fields, checked from that one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, field
from math import inf
from typing import Any

import numpy as np

from onebit.core.aliases import Label
from onebit.core.checks import MOST_CLASSES, check_choice, check_number, check_whole, shown, wrong
from onebit.core.errors import ConfigError
from onebit.core.labels import check_classes

_THEORY = "theory"


def number(
    *,
    default: float | str,
    low: float,
    high: float = inf,
    open_low: bool = False,
    open_high: bool = False,
    words: tuple[str, ...] = (),
    theory: bool = False,
) -> Any:
    """A hyper-parameter that is a number in a range, or one of a few words, or what theory sets for T rounds.

    >>> number(default=0.5, low=0, high=1).default
    0.5
    """
    instead = [repr(word) for word in words] + ["'theory:T' for T rounds"] * theory

    def check(name: str, value: Any) -> Any:
        if isinstance(value, str) and value in words:
            return value
        if theory and isinstance(value, str) and value.partition(":")[0] == _THEORY:
            return f"{_THEORY}:{_rounds_of_theory(name, value)}"
        ends = {"open_low": open_low, "open_high": open_high}
        return check_number(name, value, low, high, **ends, instead=" or ".join(instead))

    return field(default=default, metadata={"check": check})


def horizon(value: float | str) -> int | None:
    """The T of 'theory:T', a hyper-parameter that has been checked; None for any other value of it.

    >>> horizon("theory:1000000"), horizon(0.1)
    (1000000, None)
    """
    word, _, rounds = str(value).partition(":")
    return int(rounds) if word == _THEORY else None


def _rounds_of_theory(name: str, value: str) -> int:
    try:
        return check_whole(name, float(value.partition(":")[2]), 2, floats=True)
    except (ConfigError, ValueError):
        wanted = "'theory:' and the number of rounds, 2 or more, as in 'theory:1e6'"
        raise wrong(name, value, wanted) from None


_AS_BY_DEFAULT: Any = object()


def choice(*options: Any, default: Any, later: bool = False, formerly: Any = _AS_BY_DEFAULT) -> Any:
    """A hyper-parameter that is one of a few values; for `later` and `formerly`, see `checked`.

    >>> choice("full", "diagonal", default="full").default
    'full'
    """

    def check(name: str, value: Any) -> Any:
        return check_choice(name, value, options)

    return checked(check=check, default=default, later=later, formerly=formerly)


def checked(
    *,
    check: Callable[[str, Any], Any],
    default: Any = MISSING,
    kw_only: bool = True,
    later: bool = False,
    formerly: Any = _AS_BY_DEFAULT,
) -> Any:
    """A parameter with a check of its own: `check(name, value)` returns the value to keep, or raises.

    One that came `later` than the learner is no part of a run's settings where it has its default, so that sweeps know
    their cells from before. If the learner was then as it is with another value now, that value is `formerly`: it
    stands for the parameter in files without it, and is the one that is no part of the settings.

    >>> checked(default=0, check=lambda name, value: value).default
    0
    """
    metadata: dict[str, Any] = {"check": check}
    if formerly is not _AS_BY_DEFAULT:
        metadata["formerly"] = formerly
    elif later:
        metadata["formerly"] = default
    return field(default=default, kw_only=kw_only, metadata=metadata)


def check_labels(name: str, classes: Any) -> tuple[Label, ...]:
    """The classes, from their number or a list of labels."""
    if isinstance(classes, bool) or not isinstance(classes, int | np.integer):
        return check_classes(classes)
    if classes < 2:
        raise ConfigError(
            f"classes={shown(classes)}: a learner needs at least 2 classes; give their number or a list of labels"
        )
    return tuple(range(check_whole(name, classes, 2, most=MOST_CLASSES)))


def check_width(name: str, width: Any) -> int | None:
    """A number of features, or None."""
    if width is None:
        return None
    return check_whole(name, width, instead="None to take the first row's")


def check_dtype(name: str, dtype: Any) -> str:
    """One of the two dtypes, by name."""
    try:
        found = str(np.dtype(dtype))
    except (TypeError, ValueError):
        found = ""
    if found not in ("float64", "float32"):
        raise ConfigError(f"dtype={shown(dtype)}: must be 'float64' or 'float32'")
    return found
