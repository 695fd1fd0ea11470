"""Class labels: any hashable values, at least two, all different."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from onebit.core.aliases import Label
from onebit.core.errors import ConfigError


def check_classes(classes: Any) -> tuple[Label, ...]:
    """The labels that a user gave, as plain values, or a `ConfigError`.

    >>> check_classes(["cat", "dog"])
    ('cat', 'dog')
    """
    if not isinstance(classes, Iterable) or isinstance(classes, str | bytes):
        raise ConfigError(f"classes={classes!r}: give the number of classes, or a list of labels")
    labels = tuple(c.item() if isinstance(c, np.generic) else c for c in classes)
    try:
        distinct = len(set(labels))
    except TypeError:
        raise ConfigError(f"classes={classes!r}: labels must be hashable (strings, numbers, tuples, ...)") from None
    if len(labels) < 2:
        raise ConfigError(f"classes={classes!r}: there must be at least 2 classes")
    if distinct < len(labels):
        raise ConfigError(f"classes={classes!r}: the labels must be different from each other")
    return labels


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
