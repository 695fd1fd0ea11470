"""Class labels: any hashable values, at least two, all different."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from onebit.core.aliases import Label
from onebit.core.checks import MOST_CLASSES, shown
from onebit.core.errors import ConfigError
from onebit.core.text import is_encodable

_TOO_LONG = 10**4300  # Python writes no whole number of more digits


def check_classes(classes: Any) -> tuple[Label, ...]:
    """The labels that a user gave, as plain values, or a `ConfigError`.

    >>> check_classes(["cat", "dog"])
    ('cat', 'dog')
    """
    return check_labels(classes, "give the number of classes, or a list of labels", least=2)


def check_labels(classes: Any, wanted: str = "give a list of labels", least: int = 0) -> tuple[Label, ...]:
    """At least so many different labels as plain values, or a `ConfigError` that says what is wanted.

    >>> check_labels("cat")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: classes='cat': give a list of labels
    """
    if not isinstance(classes, Iterable) or isinstance(classes, str | bytes):
        raise ConfigError(f"classes={shown(classes)}: {wanted}")
    labels = tuple(map(plain_label, islice(classes, MOST_CLASSES + 1)))
    if len(labels) > MOST_CLASSES:
        raise ConfigError(
            f"classes={shown(classes)}: has more than {MOST_CLASSES:,} labels, the most that there can be"
        )
    try:
        distinct = len(set(labels))
    except TypeError:
        raise ConfigError(
            f"classes={shown(classes)}: labels must be hashable (strings, numbers, tuples, ...)"
        ) from None
    if len(labels) < least:
        raise ConfigError(f"classes={shown(classes)}: there must be at least {least} classes")
    for label in labels:
        if (flaw := flaw_of(label)) is not None:
            raise ConfigError(f"classes: the label {shown(label)} {flaw}")
    if distinct < len(labels):
        raise ConfigError(f"classes={shown(classes)}: the labels must be different from each other")
    return labels


def plain_label(label: Any) -> Any:
    """A label that is a scalar of NumPy as Python's own value; any other as it is.

    >>> plain_label(np.int64(3))
    3
    """
    return label.item() if isinstance(label, np.generic) else label


def flaw_of(label: Any) -> str | None:
    """Why a value cannot be a label, or None if it can: NaN equals nothing, and half a character cannot be written.

    >>> flaw_of("cat"), flaw_of(float("nan"))
    (None, 'is not equal to itself, so no answer could name it; give it a name, say "none"')
    """
    if isinstance(label, tuple | frozenset):
        return next((flaw for flaw in map(flaw_of, label) if flaw is not None), None)
    if isinstance(label, str) and not is_encodable(label):
        return "holds half of a pair of surrogates, which no file can hold; repair it first"
    if isinstance(label, int) and abs(label) >= _TOO_LONG:
        return "has more than 4,300 digits, which no file can hold; give it a name"
    if isinstance(label, float | complex) and label != label:
        return 'is not equal to itself, so no answer could name it; give it a name, say "none"'
    return None


def label_array(labels: Sequence[Label]) -> Any:
    """Labels as an array: of their own type where they share one, else of objects.

    >>> label_array([2, 5])
    array([2, 5])
    >>> label_array([2, "five"])
    array([2, 'five'], dtype=object)
    """
    if len({type(label) for label in labels}) == 1 and isinstance(labels[0], str | int | float | bool):
        return np.array(labels)
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def told(label: Label) -> Label:
    """A true label as a learner is told it: one that is a boolean as 1 or 0, so that it is not taken for a bit.

    >>> told("cat"), told(True)
    ('cat', 1)
    """
    return int(label) if isinstance(label, bool) else label
