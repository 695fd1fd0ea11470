"""The state of a learner as a list of arrays."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray


def arrays(state: Any) -> list[tuple[str, NDArray[Any]]]:
    """The arrays of a state by name, in order; those of a named tuple inside it in its place.

    >>> from typing import NamedTuple
    >>> class Inner(NamedTuple):
    ...     P: Any
    >>> class Outer(NamedTuple):
    ...     W: Any
    ...     inner: Inner
    >>> arrays(Outer(W=1, inner=Inner(P=2)))
    [('W', 1), ('P', 2)]
    """
    found: list[tuple[str, NDArray[Any]]] = []
    for name, value in zip(state._fields, state, strict=True):
        found += arrays(value) if hasattr(value, "_fields") else [(name, value)]
    return found
