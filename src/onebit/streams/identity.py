"""What makes two streams the same: the arguments they were made with, and the content of tables."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from functools import cache
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np
import scipy.sparse as sp


def bound_arguments(cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a constructor by name, those left out with their defaults.

    >>> class Ratio:
    ...     def __init__(self, over, under=1, **more): ...
    >>> bound_arguments(Ratio, (3,), {"sign": -1})
    {'over': 3, 'under': 1, 'sign': -1}
    """
    known = _signature(cls)
    bound = known.bind_partial(None, *args, **kwargs)
    bound.apply_defaults()
    _, *given = bound.arguments.items()
    arguments: dict[str, Any] = {}
    for name, value in given:
        if known.parameters[name].kind is Parameter.VAR_KEYWORD:
            arguments |= value
        else:
            arguments[name] = value
    return arguments


@cache
def _signature(cls: type) -> Signature:
    return signature(cls.__init__)  # type: ignore[misc]  # of this class and no other


def told(value: Any) -> Any:
    """A value as an identity tells it: plain ones as they are, a stream by its identity, all else by a digest.

    >>> told({"margin": 0.1, "sizes": (2, 3)})
    {'margin': 0.1, 'sizes': [2, 3]}
    >>> told(np.eye(2)) == told(np.eye(2)), told(np.eye(2)) == told(np.ones((2, 2)))
    (True, False)
    """
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return value
    if hasattr(value, "identity"):
        return value.identity()
    if isinstance(value, Mapping):
        return {str(key): told(item) for key, item in value.items()}
    if isinstance(value, list | tuple | range):
        return [told(item) for item in value]
    if sp.issparse(value) or (isinstance(value, np.ndarray) and value.dtype != object):
        return digest_of(value)
    return digest_of_object(value)


def digest_of(*tables: Any) -> str:
    """A hash of the content of tables, dense or sparse.

    >>> digest_of(np.eye(2)) == digest_of(np.eye(2)), digest_of(np.eye(2)) == digest_of(np.ones((2, 2)))
    (True, False)
    """
    digest = hashlib.sha256()
    for table in tables:
        for part in (table.indptr, table.indices, table.data) if sp.issparse(table) else (table,):
            digest.update(f"{table.shape}{part.dtype.str}".encode())
            digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()


def digest_of_object(value: Any) -> str:
    """A hash of any object as it would travel to another process; its `repr` if it cannot.

    >>> digest_of_object({3}) == digest_of_object({3}), digest_of_object({3}) == digest_of_object({4})
    (True, False)
    """
    try:
        return hashlib.sha256(pickle.dumps(value, protocol=5)).hexdigest()
    except (pickle.PicklingError, AttributeError, TypeError):
        return repr(value)
