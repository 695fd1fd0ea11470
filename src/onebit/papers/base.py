"""What an experiment of a paper is: settings that make a sweep, and a reading of its results beside those printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from onebit.core.aliases import IntArray
from onebit.core.readable_numbers import deviation_of, percent, spread
from onebit.sweep.plan import Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal[
    "reproduces",
    "lower than printed",
    "higher than printed",
    "does not reproduce",
    "not comparable",
    "too short",
    "ours",
]

MEANINGS: dict[Verdict, str] = {
    "reproduces": "the printed number lies within two standard errors of ours, or the claim holds",
    "lower than printed": "of a number, whether lower is good or bad",
    "higher than printed": "of a number, whether higher is good or bad",
    "does not reproduce": "of a claim, which does not hold here",
    "not comparable": "other data, or something that the paper leaves open",
    "too short": "played for fewer rounds, seeds or settings than the paper: no verdict",
    "ours": "a learner of ours, beyond the paper: no verdict on it",
}
"""What each verdict means."""

ON_THE_PAPER: tuple[Verdict, ...] = ("reproduces", "lower than printed", "higher than printed", "does not reproduce")
"""The verdicts that say whether something printed comes out again."""

HOLDS_TOO = "what is printed holds here too"
HOLDS_NOT = "what is printed does not hold here"
"""How the reasons begin of rows about other data, on which there is no verdict."""

STANDARD_ERRORS = 2.0
RUNAWAY = 2.0
"""A seed runs away if its error is more than so many times the median."""


def judged(holds: bool) -> Verdict:
    """The verdict on a claim that holds here, or does not.

    >>> judged(False)
    'does not reproduce'
    """
    return "reproduces" if holds else "does not reproduce"


def beside(printed: float, ours: Sequence[float], deviation: float | None = None, runs: int = 1) -> Verdict:
    """The verdict on a printed number, the mean of so many runs, beside the numbers of our seeds.

    It reproduces if the two means differ by at most two standard errors of their difference. Where no deviation is
    printed, ours is taken for both.

    >>> [beside(20.0, [mean - 0.1, mean + 0.1], 0.4, 20) for mean in (19.5, 20.2, 20.5)]
    ['lower than printed', 'reproduces', 'higher than printed']
    >>> beside(20.0, [20.0, 20.0]), beside(20.0, [20.1, 20.1])
    ('reproduces', 'higher than printed')
    """
    apart = float(np.mean(ours)) - printed
    own = deviation_of(ours) if len(ours) > 1 else 0.0
    theirs = own if deviation is None else deviation
    if abs(apart) <= STANDARD_ERRORS * hypot(theirs / sqrt(runs), own / sqrt(len(ours))):
        return "reproduces"
    return "lower than printed" if apart < 0 else "higher than printed"


def runs_away(errors: Sequence[float]) -> bool:
    """Whether a seed errs far more than the one in the middle, so that a mean would say little.

    >>> runs_away([0.0096, 0.0097, 0.52]), runs_away([0.1, 0.11, 0.12])
    (True, False)
    """
    return len(errors) > 2 and max(errors) > RUNAWAY * float(np.median(errors))


def centre(errors: Sequence[float]) -> float:
    """The mean, or the median where a seed runs away.

    >>> centre([0.1, 0.1, 0.7]), round(centre([0.1, 0.12]), 2)
    (0.1, 0.11)
    """
    return float(np.median(errors)) if runs_away(errors) else float(np.mean(errors))


def centre_text(errors: Sequence[float]) -> str:
    """The mean with its deviation in percent; the median with the range where a seed runs away.

    >>> centre_text([0.1, 0.12]), centre_text([0.1, 0.1, 0.7])
    ('11.00 ± 1.41 %', 'median 10.00 % (10.00 % to 70.00 %)')
    """
    if not runs_away(errors):
        return spread(errors)
    return f"median {percent(centre(errors))} ({percent(min(errors))} to {percent(max(errors))})"


class Row(NamedTuple):
    """One line of the comparison: what, the printed number or claim, the one measured here, the verdict, and why.

    `played` says how long and how often; `at_length` writes it.

    >>> Row("Cora, MOLG-F, error", "18.16 %", "18.24 ± 0.33 %", "reproduces").verdict
    'reproduces'
    """

    what: str
    printed: str
    here: str
    verdict: Verdict
    why: str = ""
    played: str = ""


class Played(Protocol):
    """What was played: the rounds at each checkpoint, one entry per seed."""

    @property
    def rounds(self) -> IntArray:
        """The rounds at each checkpoint."""
        ...

    def __len__(self) -> int: ...


def at_length(row: Row, runs: Iterable[Played], horizon: int = 0) -> Row:
    """The row with its rounds and seeds; too short for a verdict if these are fewer rounds than the paper's.

    >>> class Runs(list):
    ...     rounds = np.array([10, 1000])
    >>> row = Row("mistakes", "12", "13", "reproduces")
    >>> at_length(row, [Runs("abc")]).played
    '1,000 rounds, 3 seeds'
    >>> at_length(row, [Runs("abc"), Runs("ab")], horizon=10_000)[3:]
    ('too short', 'the paper plays 10,000 rounds', '1,000 rounds, 2 to 3 seeds')
    """
    every = list(runs)
    rounds = [int(each.rounds[-1]) for each in every]
    text = f"{_from_to(rounds)} rounds, {_from_to([len(each) for each in every])} seeds"
    if row.verdict in ON_THE_PAPER and min(rounds) < horizon:
        return too_short(row, f"the paper plays {horizon:,} rounds")._replace(played=text)
    return row._replace(played=text)


def too_short(row: Row, why: str = "") -> Row:
    """The row without its verdict on the paper, if it has one.

    >>> too_short(Row("a", "1", "2", "higher than printed", "noise"), "a first look")[3:5]
    ('too short', 'a first look; noise')
    >>> too_short(Row("a", "1", "2", "ours")).verdict
    'ours'
    """
    if row.verdict not in ON_THE_PAPER:
        return row
    return row._replace(verdict="too short", why="; ".join(filter(None, (why, row.why))))


def elsewhere(row: Row, why: str) -> Row:
    """The row about data that are not the paper's, or may not be: no verdict, though it says what holds there.

    >>> elsewhere(Row("SOBA errs less", "less", "1 % to 2 %", "reproduces"), "other rows")[3:5]
    ('not comparable', 'what is printed holds here too; other rows')
    """
    if row.verdict not in ON_THE_PAPER:
        return row._replace(why="; ".join(filter(None, (row.why, why))))
    holds = HOLDS_TOO if row.verdict == "reproduces" else HOLDS_NOT
    return row._replace(verdict="not comparable", why="; ".join(filter(None, (holds, row.why, why))))


def _from_to(counts: Sequence[int]) -> str:
    low = min(counts)
    high = max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


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
    `sweep` makes the plan, quick or in full, and is None where nothing is played; `findings` reads what came of it
    (None then); `minutes`, quick and in full, are those that it took on two cores; `needs` names
    data sets; `whole` says that quick is all that the paper plays, so that it may be judged.

    >>> from onebit.papers import experiment
    >>> experiment("soba/fig2").needs
    ('covtype', 'newsgroups20')
    """

    id: str
    paper: str
    title: str
    about: str
    sweep: Callable[[bool], Sweep] | None
    findings: Callable[[Any, bool], Findings]
    minutes: tuple[float, float]
    needs: tuple[str, ...] = ()
    whole: bool = False
