"""The settings of a run as plain values, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from onebit.contract.learner import Learner
from onebit.core.registry import registered_name
from onebit.core.version import __version__
from onebit.feedback import Channel
from onebit.graph import Graph

_NEVER: Any = object()


def run_settings(
    learner: Learner,
    stream: Mapping[str, Any],
    channel: Channel,
    rounds: int | None,
    seeds: Sequence[int],
    closed: float = 0.0,
) -> dict[str, Any]:
    """Everything that decides a run: version, learner (but for its own seed), stream, channel, rounds, seeds.

    Where labels are closed, their share is there too. A learner whose algorithm was corrected has its revision there,
    so that runs from before are told from those since.

    >>> import onebit
    >>> settings = run_settings(onebit.Banditron(3), {"name": "s"}, onebit.Bit(), 100, [0])
    >>> settings["learner"]["name"], settings["feedback"]
    ('banditron', {'channel': 'bit', 'delay': 0})
    """
    parameters = {key: value for key, value in learner.get_params().items() if key != "seed"}
    for parameter in learner._parameters():
        formerly = parameter.metadata.get("formerly", _NEVER)
        if formerly is not _NEVER and parameters[parameter.name] == formerly:
            del parameters[parameter.name]
    played = {"name": registered_name(learner), "parameters": plain(parameters)}
    if learner.revision > 1:
        played["revision"] = learner.revision
    closing = {"closed": float(closed)} if closed else {}
    return {
        "onebit": __version__,
        "learner": played,
        "stream": plain(dict(stream)),
        "feedback": plain(channel.settings()),
        "rounds": rounds,
        "seeds": list(seeds),
        **closing,
    }


def plain(value: Any) -> Any:
    """A value as JSON knows it; what JSON does not know becomes its `repr`, a graph with the digest of its edges.

    >>> plain({"gamma": np.float64(0.5), "classes": ("a", ("b", 1))})
    {'gamma': 0.5, 'classes': ['a', ['b', 1]]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | np.ndarray) and not isinstance(value, bytes):
        return [plain(item) for item in value]
    return f"{value!r} {value.digest}" if isinstance(value, Graph) else repr(value)
