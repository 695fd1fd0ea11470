"""What an experiment of a paper is: settings that make a sweep, and a reading of its results beside those printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from onebit.sweep.plan import Sweep
from onebit.sweep.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal["reproduces", "better", "does not reproduce", "not comparable"]


def judged(holds: bool) -> Verdict:
    """The verdict on a claim that holds here, or does not.

    >>> judged(False)
    'does not reproduce'
    """
    return "reproduces" if holds else "does not reproduce"


class Row(NamedTuple):
    """One line of the comparison: what, the paper's number or claim, ours, the verdict, and why.

    >>> Row("Cora, MOLG-F, error", "18.16 %", "18.24 ± 0.33 %", "reproduces").verdict
    'reproduces'
    """

    what: str
    printed: str
    ours: str
    verdict: Verdict
    why: str = ""


@dataclass(frozen=True)
class Findings:
    """What came out: the rows of the table, and figures by the name of their file.

    >>> Findings((Row("a", "1", "1", "reproduces"),)).figures
    {}
    """

    rows: tuple[Row, ...]
    figures: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper.

    `id` is such as "soba/fig2"; `about` says what the paper shows, and what stands in where its data cannot be had;
    `needs` names data sets; `minutes` on two cores: quick as measured with nothing compiled before, full as reckoned.

    >>> from onebit.papers import experiment
    >>> experiment("soba/fig2").needs
    ('covtype', 'newsgroups20')
    """

    id: str
    paper: str
    title: str
    about: str
    sweep: Callable[[bool], Sweep]
    findings: Callable[[Results, bool], Findings]
    minutes: tuple[float, float]
    needs: tuple[str, ...] = ()
