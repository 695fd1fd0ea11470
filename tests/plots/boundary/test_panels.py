"""The panels of a picture of boundaries."""

from __future__ import annotations

import numpy as np

from onebit import Banditron
from onebit.plots.boundary.panels import class_colour, class_lead


def test_a_learner_may_say_that_zero_divides() -> None:
    class Signed(Banditron):
        zero_divides = True

    scores = np.array([[1.0, -2.0, 3.0]])
    assert class_lead(Signed(3), scores, 1)[0].tolist() == [-2]
    assert class_lead(Banditron(3), scores, 1)[0].tolist() == [-5]


def test_twenty_colours() -> None:
    assert len({class_colour(k) for k in range(20)}) == 20
