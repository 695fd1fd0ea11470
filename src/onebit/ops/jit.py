"""How onebit compiles: Numba's options in one place, and entry points cached on disk by their content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from onebit.ops.cache import EntryPointCache

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {
    # No fast-math flag: what compiled code computes is settled by its source to the last bit, whatever the compiler
    # inlines where, so the fused loop and the interactive object agree. Long sums are reordered by hand, in lanes.
    "error_model": "numpy",
    "nogil": True,
    # No reference counts: rows and states pass between functions for free (docs/decisions/0003),
    # and a function that would allocate memory does not compile.
    "_nrt": False,
    # No second wrapper, for callers in C: there are none, and it takes time to compile.
    "no_cfunc_wrapper": True,
}

PART_OPTIONS = OPTIONS | {"forceinline": True}
"""Parts are inlined into their callers: passing rows and states between functions costs more than most parts."""


def jit(function: F) -> F:
    """Compile a part: a function that entry points and other parts call.

    >>> @jit
    ... def twice(x: float) -> float:
    ...     return 2 * x
    >>> twice(4.0)
    8.0
    """
    return cast(F, numba.njit(**PART_OPTIONS)(function))


def noinline(function: F) -> F:
    """Compile a large part that is called seldom as a function of its own: once per entry point, not once per call.

    >>> @noinline
    ... def halved(x: float) -> float:
    ...     return x / 2
    >>> halved(4.0)
    2.0
    """
    return cast(F, numba.njit(**OPTIONS)(function))


def inline(function: F) -> F:
    """A part that is copied into its callers before they are compiled, and never compiled by itself.

    For parts that take a large state: every layer of them would cost seconds of compiling.

    >>> @inline
    ... def doubled(x: float) -> float:
    ...     return 2 * x
    >>> doubled(4.0)
    8.0
    """
    return cast(F, numba.njit(inline="always", **OPTIONS)(function))


def entry_point(function: F) -> F:
    """Compile an entry point, called from Python, and keep the machine code on disk.

    The cache is keyed by the content of the function and of everything it calls, so an edit anywhere
    below an entry point recompiles that one and no other.

    >>> @entry_point
    ... def thrice(x: float) -> float:
    ...     return 3 * x
    >>> thrice(4.0)
    12.0
    """
    compiled = numba.njit(**OPTIONS)(function)
    compiled._cache = EntryPointCache(compiled)
    return cast(F, compiled)
