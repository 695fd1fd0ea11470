"""Figure 6: MC-DBF, SOBA and the Perceptron on SynSep, which a linear classifier separates."""

from __future__ import annotations

from collections.abc import Sequence

from onebit.core.aliases import Label
from onebit.papers.base import Experiment, Findings, Row, at_length, judged
from onebit.papers.mc_dbf.claims import (
    FACTOR,
    error_text,
    gamma_of,
    greedy_error,
    missed,
    our_row,
)
from onebit.papers.mc_dbf.fig3 import OURS, rival, two_pictures
from onebit.papers.mc_dbf.settings import (
    HOW_LONG,
    PAPER,
    ROUNDS,
    SIZES,
    crossed,
    dilute,
    dilute_arms,
    length,
    our_arms,
    perceptron_arm,
    soba_arm,
)
from onebit.streams.synthetic.synsep import synsep
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results


def sweep(full: bool) -> Sweep:
    """Theirs at their best γ, and ours as they come, on SynSep.

    >>> len(sweep(full=False).entries)
    11
    """

    def arms(classes: Sequence[Label]) -> list[Arm]:
        theirs = [perceptron_arm(classes), soba_arm(classes), *dilute_arms(classes)]
        return [*theirs, *our_arms(classes)]

    rounds, _, _ = length(full)
    return crossed(arms, [synsep(rounds)], full)


def comparison(entry: EntryResult, soba: EntryResult) -> Row:
    """Whether the greedy error is at most twice SOBA's."""
    row = Row(
        f"SynSep: {entry.arm} comparable to SOBA (at most {FACTOR:g} times its greedy error)",
        "comparable",
        f"{error_text(entry)} (γ = {gamma_of(entry):g}) against {error_text(soba)} (γ = {gamma_of(soba):g})",
        judged(greedy_error(entry) <= FACTOR * greedy_error(soba)),
        f"{missed(entry)} of its sets miss, SOBA's labels {missed(soba)}",
    )
    return at_length(row, [entry.report, soba.report], ROUNDS)


def findings(results: Results, full: bool) -> Findings:
    """A row per m and per learner of ours, and two pictures, both axes on a log scale."""
    soba = results.entry("SOBA")
    rows = [comparison(results.entry(dilute(m)), soba) for m in SIZES.values()]
    rows += [our_row("SynSep", results.entry(arm), rival(results, arm, "synsep")) for arm in OURS]
    return Findings(tuple(rows), two_pictures(results, ["synsep"], "fig6", log=True))


EXPERIMENT = Experiment(
    id="mc-dbf/fig6",
    paper=PAPER,
    title="SynSep",
    about="Error over rounds on separable rows (9 classes), both axes on a log scale, at the best γ by greedy error in "
    "the range of Table 1 (0.02 to 0.5); beyond the paper, SetBanditron and OneBit with the same sets and bits. "
    f"{HOW_LONG}",
    sweep=sweep,
    findings=findings,
    minutes=(0.3, 0.3),
)
