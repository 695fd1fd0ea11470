"""Figure 1: the family of losses between the hinge loss and its square."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.papers.base import Experiment, Findings, Row, judged
from onebit.papers.soba.settings import PAPER
from onebit.plots.style import COLOURS, INK, plain_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ETAS = (0.0, 0.25, 0.5, 0.75, 1.0)
MARGINS = np.linspace(-2, 3, 5001)
ROUNDING = 1e-12
"""A difference up to this is rounding."""


def loss(eta: float, margin: FloatArray) -> FloatArray:
    """ℓ_η(x) = 1 - 2x/(2-η) + ηx²/(2-η) up to x = 1, and 0 from there on.

    >>> loss(0.5, np.array([-1.0, 0.0, 1.0, 2.0])).tolist()
    [2.666..., 1.0, 0.0, 0.0]
    """
    curve: FloatArray = np.where(margin <= 1, 1 + (eta * margin**2 - 2 * margin) / (2 - eta), 0.0)
    return curve


def findings(results: Any, full: bool) -> Findings:
    """What section 3 says of the family, at every η and margin drawn; nothing is played."""
    hinge = np.maximum(0, 1 - MARGINS)
    apart = [np.abs(loss(0.0, MARGINS) - hinge).max(), np.abs(loss(1.0, MARGINS) - hinge**2).max()]
    every = np.array([loss(eta, MARGINS) for eta in ETAS])
    above = float((every - np.maximum(hinge, hinge**2)).max())
    below = float(((MARGINS < 0) - every).max())
    looked = f"{len(MARGINS):,} margins, {len(ETAS)} values of η"
    rows = (
        Row(
            "η = 0 is the hinge loss, η = 1 its square (largest difference)",
            "recovers both",
            f"{max(apart):.1e}",
            judged(max(apart) <= ROUNDING),
            played=looked,
        ),
        Row(
            "no loss of the family is above both ends (most above)",
            "at most the larger of the two",
            f"{above:.1e}",
            judged(above <= ROUNDING),
            played=looked,
        ),
        Row(
            "every loss bounds the 0-1 loss (most below it)",
            "an upper bound",
            f"{below:.1e}",
            judged(below <= ROUNDING),
            played=looked,
        ),
    )
    return Findings(rows, {"fig1": picture()})


def picture() -> Figure:
    """A line for each η."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for eta, colour in zip(ETAS, COLOURS, strict=False):
        axes.plot(MARGINS, loss(eta, MARGINS), color=colour, linewidth=1.8, label=f"η = {eta:g}")
    axes.set_xlabel("x", color=INK)
    axes.set_ylabel("loss", color=INK)
    axes.legend(frameon=False)
    plain_axes(axes)
    return figure


EXPERIMENT = Experiment(
    id="soba/fig1",
    paper=PAPER,
    title="The losses between the hinge loss and its square",
    about="The family of losses against which SOBA's regret is bounded, drawn from its formula; nothing is played.",
    sweep=None,
    findings=findings,
    minutes=(0.1, 0.1),
)
