"""Estimators as JSON, for saved learners. Only our own, by name: nothing that a file names is ever imported."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from onebit.core.errors import ConfigError
from onebit.noise.live import ESTIMATORS, Reestimated

_KNOWN: dict[str, Any] = {cls.__name__: cls for cls in (Reestimated, *ESTIMATORS.values())}


def encode_noise(value: Any) -> Any:
    """An estimator, or what holds one, as JSON. Anything JSON knows is left as it is.

    >>> encode_noise(Reestimated(ESTIMATORS["tail-moment"](), every=5000))["Reestimated"]["every"]
    5000
    """
    if value is None or isinstance(value, bool | int | float | str | tuple | list):
        return value
    if _KNOWN.get(type(value).__name__) is type(value):
        return {type(value).__name__: {f.name: encode_noise(getattr(value, f.name)) for f in fields(value)}}
    raise ConfigError(
        f"{value!r}: cannot be saved with a learner, since loading never runs code from a file; only onebit's own "
        "estimators and kernels can"
    )


def decode_noise(value: Any) -> Any:
    """What `encode_noise` encoded.

    >>> decode_noise(encode_noise(ESTIMATORS["nrest"]())) == ESTIMATORS["nrest"]()
    True
    """
    if not isinstance(value, dict):
        return tuple(value) if isinstance(value, list) else value
    ((name, settings),) = value.items()
    return _KNOWN[name](**{key: decode_noise(item) for key, item in settings.items()})
