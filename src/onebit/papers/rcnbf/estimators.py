"""The estimators of Table 1: the paper's NREst in every form that there is, and ours."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import NamedTuple

from onebit.noise.nrest import NREst
from onebit.noise.tail_moment import TailMoment


class Network(NamedTuple):
    """The layers and the epochs of the authors' code for a data set."""

    layers: tuple[int, ...]
    epochs: int


NETWORKS = {
    "digits": Network((128, 128), 70),
    "usps": Network((32, 256, 32), 20),
    "fashion_mnist": Network((32, 128, 32), 70),
}

OURS = "TailMoment"
LOGISTIC = "NREst (logistic regression)"
RELEASED = "NREst as released (scikit-learn's network)"
NETWORK = "NREst (the paper's network)"
RELEASED_NETWORK = "NREst as released (the paper's network)"
NAMES = (LOGISTIC, NETWORK, RELEASED, RELEASED_NETWORK, OURS)
"""What rows call them, in their order."""


def estimators(name: str, full: bool) -> dict[str, NREst | TailMoment]:
    """Those that are tried on a data set: in full networks too, where the authors say which; the paper's with torch.

    >>> list(estimators("usps", full=False))
    ['NREst (logistic regression)', 'TailMoment']
    """
    found: dict[str, NREst | TailMoment] = {LOGISTIC: NREst(), OURS: TailMoment()}
    if not full or name not in NETWORKS:
        return found
    layers, epochs = NETWORKS[name]
    if has_torch():
        network = NREst("network", layers=layers, epochs=epochs)
        return found | {NETWORK: network, RELEASED_NETWORK: replace(network, form="released")}
    return found | {RELEASED: NREst(layers=layers, epochs=epochs, form="released")}


def has_torch() -> bool:
    """Whether the paper's network can be trained here.

    >>> has_torch() in (True, False)
    True
    """
    return find_spec("torch") is not None
