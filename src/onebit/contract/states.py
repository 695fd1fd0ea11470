"""The state of a learner as a list of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from onebit.core.errors import ConfigError


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


def with_copies(state: Any, names: Sequence[str] | None) -> Any:
    """The state with copies of some of its parts, or of all.

    >>> import numpy as np
    >>> from typing import NamedTuple
    >>> class State(NamedTuple):
    ...     W: Any
    ...     s: Any
    >>> state = State(np.zeros(2), np.zeros(2))
    >>> other = with_copies(state, ["s"])
    >>> other.W is state.W, other.s is state.s
    (True, False)
    """
    parts = {name: _copy(getattr(state, name)) for name in (state._fields if names is None else names)}
    return state._replace(**parts)


def _copy(part: Any) -> Any:
    return part._make(map(_copy, part)) if hasattr(part, "_make") else part.copy()


def grown(state: Any, fresh: Any, width: int, wider: int, whose: str) -> Any:
    """A fresh state of a larger width with what one of the smaller width holds, each array in the corner of its own.

    >>> import numpy as np
    >>> from typing import NamedTuple
    >>> class State(NamedTuple):
    ...     W: Any
    >>> grown(State(np.ones((2, 3))), State(np.zeros((2, 4))), 3, 4, "it").W
    array([[1., 1., 1., 0.],
           [1., 1., 1., 0.]])
    """
    lengths = {width: wider, width + 1: wider + 1}
    for (name, old), (_, new) in zip(arrays(state), arrays(fresh), strict=True):
        if new.shape != tuple(lengths.get(n, n) for n in old.shape):
            raise ConfigError(
                f"{whose}: its state cannot grow with the columns of the rows ({name} has the shape {old.shape}); take "
                "a learner with one weight per class and column, such as OneBit"
            )
        new[tuple(map(slice, old.shape))] = old
    return fresh
