"""The lessons since the last estimate of the flip rates."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, NamedTuple

from onebit.contract.layout import Layout
from onebit.core.errors import ConfigError, DataError
from onebit.core.lessons import Lessons
from onebit.feedback import NoiseRates
from onebit.noise.estimate import NoiseEstimate
from onebit.noise.live import Reestimated
from onebit.noise.nrest import NREst
from onebit.noise.tail_moment import TailMoment
from onebit.ops.tables import joined_lessons, to_table

_MOST_PARTS = 500
"""So many parts are joined into one; a part of one lesson is mostly overhead."""


class Estimated(NamedTuple):
    """An estimate, and after how many lessons it was made.

    >>> Estimated(20_000, NoiseEstimate(0.2, 0.4)).rates.rho_1
    0.4
    """

    lessons: int
    rates: NoiseEstimate


class NoiseWindow:
    """Collects lessons, and estimates the flip rates when it has enough of them."""

    def __init__(self, plan: Reestimated, layout: Layout, set_size: int) -> None:
        self.layout = layout
        self.set_size = set_size
        self.every = plan.every
        self.estimator = plan.estimator
        if isinstance(self.estimator, TailMoment | NREst) and self.estimator.classes is None:
            self.estimator = replace(self.estimator, classes=layout.n_classes)
        self.lessons = 0
        self.held = 0
        self.joined: list[Lessons] = []
        self.parts: list[Lessons] = []
        self.history: list[Estimated] = []

    def begun_again(self, layout: Layout) -> NoiseWindow:
        """Without the lessons held, which were about other classes; the estimates so far stay."""
        estimator = self.estimator
        if isinstance(estimator, TailMoment | NREst) and estimator.classes == self.layout.n_classes:
            estimator = replace(estimator, classes=layout.n_classes)
        kept = layout._replace(n_features=self.layout.n_features)  # a state of raw cases may have fewer columns yet
        fresh = NoiseWindow(Reestimated(estimator, self.every), kept, self.set_size)
        fresh.lessons = self.lessons
        fresh.history = list(self.history)
        return fresh

    def write(self, lessons: Lessons) -> None:
        """Keep these lessons."""
        self.parts.append(lessons)
        if len(self.parts) == _MOST_PARTS:
            self.joined.append(joined_lessons(self.parts))
            self.parts = []
        self.held += lessons.size
        self.lessons += lessons.size

    @property
    def room(self) -> int:
        """How many lessons are still to come before the next estimate."""
        return self.every - self.held

    def whole(self) -> Lessons:
        """All lessons held, in one part."""
        self.joined = [joined_lessons([*self.joined, *self.parts])]
        self.parts = []
        return self.joined[0]

    def columns(self) -> tuple[Any, Any, Any, Any]:
        """Rows, played labels, propensities and bits: what an estimator's `fit` takes."""
        held = self.whole()
        m = self.set_size
        played = held.draws.labels[:, 0] if m == 1 else held.draws.labels[:, :m]
        return to_table(held.rows, self.layout.n_features), played, held.draws.propensity, held.answer

    def estimate(self) -> NoiseRates | None:
        """The rates from the lessons held, which are then let go; None, with a warning, if there is no telling."""
        columns = self.columns()
        self.joined = []
        self.parts = []
        self.held = 0
        try:
            found = self.estimator.fit(*columns)
            rates = NoiseRates(*map(float, found)).checked() if isinstance(found, NoiseRates) else None
        except (DataError, ConfigError) as error:
            warnings.warn(f"noise: no estimate after {self.lessons} lessons, the old rates stay: {error}", stacklevel=2)
            return None
        if rates is None:
            raise ConfigError(f"estimator={self.estimator!r}: its fit gave {found!r} instead of NoiseRates")
        sure = (found.se_0, found.se_1, found.notes) if isinstance(found, NoiseEstimate) else ()
        self.history.append(Estimated(self.lessons, NoiseEstimate(*rates, *sure)))
        return rates
