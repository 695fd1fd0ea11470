"""Figures 4 and 5: the decision contours of an easy and of a hard class after a million rounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.contract.learner import Learner
from onebit.core.aliases import FloatArray, IntArray
from onebit.learners.kernel_bandit import KernelBandit
from onebit.papers.base import Experiment, Findings, Row, at_length, judged
from onebit.papers.kernel.settings import CLASSES, PAPER, ROUNDS, UNPUBLISHED, plane
from onebit.simulate.simulate import simulate
from onebit.streams.synthetic.group_separable import group_separable
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import Results

SEED = 0
"""Of the run whose learner is drawn."""

FRESH_SEED = 1_000_000
FRESH_ROWS = 50_000
"""Of the rows by which it is judged, none of which it has seen."""

HARDER = 3.0
"""Much harder: at least three times as many rows misjudged."""


class Judged(NamedTuple):
    """For each class, the share of fresh rows of which it says wrongly that they are its own, or are not."""

    wrongly_own: FloatArray
    wrongly_not: FloatArray

    @property
    def wrong(self) -> FloatArray:
        """Both together, by class."""
        return self.wrongly_own + self.wrongly_not

    @property
    def easy(self) -> int:
        """The class with the fewest rows misjudged."""
        return int(self.wrong.argmin())

    @property
    def hard(self) -> int:
        """The class with the most."""
        return int(self.wrong.argmax())


def judge(scores: FloatArray, y: IntArray) -> Judged:
    """How each class judges rows: one is taken for its own where the score is 0 or above.

    >>> judge(np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]]), np.array([0, 1, 1, 0])).hard
    0
    """
    own = y[:, None] == np.arange(scores.shape[1])
    said = scores >= 0
    return Judged((said & ~own).mean(axis=0), (~said & own).mean(axis=0))


def sweep(full: bool) -> Sweep:
    """KernelBandit on the layout nearest to the paper's counts, as the paper plays, quick or full."""
    return Sweep.cross([Arm(KernelBandit(CLASSES), name="kernel")], plane("perp"), rounds=ROUNDS, seeds=[SEED])


def findings(results: Results, full: bool) -> Findings:
    """Both contours, and how well the two classes are known; plays seed 0 once more, for its learner."""
    entry = results.entry("kernel")
    result = simulate(KernelBandit(CLASSES), plane("perp"), rounds=entry.rounds, seeds=[SEED], progress=False)
    fresh = group_separable(FRESH_ROWS, layout="perp", seed=FRESH_SEED)
    seen = judge(scores_of(result.learners[0], fresh.X), fresh.y)
    figures = {
        name: result.plot_boundary(label=label, title=f"Figure {name[3:]}: class {label}, {what} to learn")
        for name, label, what in (("fig4", seen.easy, "easy"), ("fig5", seen.hard, "hard"))
    }
    rows = (at_length(row, [entry.report], ROUNDS) for row in (hard_row(seen), easy_row(seen)))
    return Findings(tuple(rows), figures)


def scores_of(learner: Learner, X: FloatArray) -> FloatArray:
    """The scores of all classes, one row each."""
    return np.asarray(learner.scores(X), dtype=np.float64)


def hard_row(seen: Judged) -> Row:
    """One class is much harder than another, and its boundary overlaps others.

    >>> hard_row(Judged(np.array([0.001, 0.0015]), np.zeros(2))).verdict
    'does not reproduce'
    """
    easy = float(seen.wrong[seen.easy])
    hard = float(seen.wrong[seen.hard])
    overlaps = float(seen.wrongly_own[seen.hard])
    holds = overlaps > 0 and hard >= HARDER * easy
    return Row(
        "Figure 5: a class that is much harder to learn (3 times the rows misjudged), whose boundary overlaps others",
        "its boundary still overlapped with other classes",
        f"class {seen.hard}: {100 * hard:.2f} % of rows misjudged, of which {100 * overlaps:.2f} % belong to others; "
        f"class {seen.easy}: {100 * easy:.2f} %",
        judged(holds),
        f"on {FRESH_ROWS:,} fresh rows of our own sample; the paper's is not published",
    )


def easy_row(seen: Judged) -> Row:
    """How well the class of the other figure is known: the paper claims nothing of it.

    >>> easy_row(Judged(np.array([0.1, 0.2]), np.zeros(2))).verdict
    'not comparable'
    """
    return Row(
        "Figure 4: the contour of a class that is easy to learn",
        "a contour around one class, no number printed",
        f"class {seen.easy}: {100 * float(seen.wrong[seen.easy]):.2f} % of rows misjudged",
        "not comparable",
        UNPUBLISHED,
    )


EXPERIMENT = Experiment(
    id="kernel/fig4-5",
    paper=PAPER,
    title="Decision contours of two classes",
    about=(
        "The score of one class of KernelBandit over the plane after a million rounds, for a class that is easy to "
        "learn and one that is hard: of all nine, those with the fewest and the most rows misjudged. The paper's "
        "sample is not published; ours has slabs along the cones (perp), the layout nearest to its counts."
    ),
    sweep=sweep,
    findings=findings,
    minutes=(0.2, 0.2),
    whole=True,
)
