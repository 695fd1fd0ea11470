"""Feature maps: hashing of named features, and explicit maps of kernels, as scikit-learn transformers.

A linear learner on the features of a kernel draws curved boundaries. The maps are scikit-learn's own kind of object,
so they go into its pipelines, and `onebit.streams.mapped` puts any of them before any learner.

>>> from onebit.features import RationalMap
>>> RationalMap(degree=4).fit_transform([[0.6, 0.8]]).shape
(1, 15)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from onebit.features.hashing import HASHED_FEATURES, hash_columns, hash_rows, is_dicts

if TYPE_CHECKING:
    from sklearn.kernel_approximation import Nystroem

    from onebit.features.fourier import RandomFourier
    from onebit.features.rational import RationalMap

__all__ = [
    "HASHED_FEATURES",
    "Nystroem",
    "RandomFourier",
    "RationalMap",
    "hash_columns",
    "hash_rows",
    "is_dicts",
]

_MAPS = {
    "Nystroem": "sklearn.kernel_approximation",
    "RandomFourier": "onebit.features.fourier",
    "RationalMap": "onebit.features.rational",
}


def __getattr__(name: str) -> Any:
    """The maps are made when first asked for: scikit-learn takes a while to import."""
    if name not in _MAPS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MAPS[name]), name)


def __dir__() -> list[str]:
    return __all__
