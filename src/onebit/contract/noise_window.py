"""The lessons since the last estimate of the flip rates."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, NamedTuple

from onebit.contract.layout import Layout
from onebit.core.errors import ConfigError, DataError
from onebit.feedback import NoiseRates
from onebit.log.batch import Batch, join
from onebit.noise.estimate import NoiseEstimate
from onebit.noise.live import Reestimated
from onebit.noise.nrest import NREst
from onebit.noise.tail_moment import TailMoment
from onebit.ops.tables import to_table

_MOST_LOOSE = 500
"""So many batches are joined into one; a batch of one lesson is mostly overhead."""


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
        self.batches: list[Batch] = []
        self.loose: list[Batch] = []
        self.history: list[Estimated] = []

    def write(self, batch: Batch) -> None:
        """Keep these lessons."""
        self.loose.append(batch)
        if len(self.loose) == _MOST_LOOSE:
            self.batches.append(join(self.loose))
            self.loose = []
        self.held += batch.size
        self.lessons += batch.size

    @property
    def room(self) -> int:
        """How many lessons are still to come before the next estimate."""
        return self.every - self.held

    def whole(self) -> Batch:
        """All lessons held, in one batch."""
        self.batches = [join([*self.batches, *self.loose])]
        self.loose = []
        return self.batches[0]

    def columns(self) -> tuple[Any, Any, Any, Any]:
        """Rows, played labels, propensities and bits: what an estimator's `fit` takes."""
        batch = self.whole()
        played = batch.labels[:, 0] if self.set_size == 1 else batch.labels
        return to_table(batch.rows, self.layout.n_features), played, batch.propensity, batch.answer

    def estimate(self) -> NoiseRates | None:
        """The rates from the lessons held, which are then let go; None, with a warning, if there is no telling."""
        columns = self.columns()
        self.batches = []
        self.loose = []
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
