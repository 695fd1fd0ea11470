"""Flip rates estimated while a learner learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onebit.core.checks import check_whole, wrong
from onebit.feedback import NoiseRates
from onebit.noise.estimate import Estimator
from onebit.noise.nrest import NREst
from onebit.noise.tail_moment import TailMoment

ESTIMATORS: dict[str, Any] = {"tail-moment": TailMoment, "nrest": NREst}
"""The estimators by the names that stand for them, with their default settings."""


@dataclass(frozen=True)
class Reestimated:
    """Rates that start at (0, 0) and are estimated again after every `every` lessons, from those lessons.

    A learner takes it as `noise`. It keeps the rows of the lessons since the last estimate.

    >>> import onebit
    >>> noise = Reestimated(onebit.noise.TailMoment(), every=50_000)
    >>> learner = onebit.Banditron(10, gamma=0.2, noise=noise)
    """

    estimator: Estimator
    every: int = 20_000

    def __post_init__(self) -> None:
        check_estimator("estimator", self.estimator)
        object.__setattr__(self, "every", check_whole("every", self.every, of="lessons"))


def check_noise(name: str, value: Any) -> NoiseRates | Reestimated | None:
    """What a learner's `noise` may be: None, flip rates (also as a pair), an estimator, or `Reestimated`.

    >>> check_noise("noise", (0.2, 0.4))
    NoiseRates(rho_0=0.2, rho_1=0.4)
    """
    if value is None or isinstance(value, Reestimated):
        return value
    if isinstance(value, tuple | list) and len(value) == 2:
        return NoiseRates(*value).checked()
    return Reestimated(check_estimator(name, value, "None, NoiseRates(rho_0, rho_1) or "))


def check_estimator(name: str, value: Any, before: str = "") -> Estimator:
    """An estimator, or the name of one.

    >>> check_estimator("estimator", "tail-moment")
    TailMoment(...)
    """
    if isinstance(value, str) and value in ESTIMATORS:
        value = ESTIMATORS[value]()
    if not callable(getattr(value, "fit", None)) or isinstance(value, type):
        named = f"one of {', '.join(map(repr, ESTIMATORS))}"
        wanted = f"{before}an object with fit(rows, played, propensity, bit), such as onebit.noise.TailMoment()"
        raise wrong(name, value, wanted, instead=named)
    estimator: Estimator = value
    return estimator
