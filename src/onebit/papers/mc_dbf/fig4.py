"""Figure 4: MC-DBF, which is told one bit about its set, beside MC-SLP, which is told the label."""

from __future__ import annotations

from collections.abc import Sequence

from onebit.core.aliases import Label
from onebit.core.readable_numbers import percent
from onebit.papers.base import Experiment, Findings, Row, at_length, elsewhere, judged
from onebit.papers.mc_dbf.claims import (
    POINTS,
    comparable,
    error_text,
    gamma_of,
    greedy_at,
    greedy_error,
    missed,
)
from onebit.papers.mc_dbf.pictures import curves
from onebit.papers.mc_dbf.settings import (
    FEATURES,
    HOW_LONG,
    IMAGES,
    PAPER,
    ROUNDS,
    SIZES,
    STAND_INS,
    TITLES,
    dilute,
    dilute_arms,
    image_sweep,
    slp_arms,
)
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results

ARMS = tuple(f"{learner} m={m}" for learner in ("MC-DBF", "MC-SLP") for m in SIZES.values())


def sweep(full: bool) -> Sweep:
    """Both for each m on the data sets of images."""

    def arms(classes: Sequence[Label]) -> list[Arm]:
        return [*dilute_arms(classes), *slp_arms(classes)]

    return image_sweep(arms, full)


def convergence(dilute_entry: EntryResult, told: EntryResult) -> Row:
    """Whether, at the end, the greedy error is at most 5 points above MC-SLP's."""
    end = float(dilute_entry.report.rounds[-1])
    early = greedy_at(dilute_entry.report, end / 10) - greedy_at(told.report, end / 10)
    late = greedy_error(dilute_entry) - greedy_error(told)
    moved = "closes" if late < early else "opens"
    row = Row(
        f"{TITLES[told.stream]}: {dilute_entry.arm} converges to {told.arm} (at most {100 * POINTS:g} points above at "
        "the end)",
        "converges in all data sets",
        f"{error_text(dilute_entry)} against {error_text(told)}",
        judged(comparable(greedy_error(dilute_entry), greedy_error(told))),
        f"the gap {moved} from {percent(early)} at a tenth of the rounds to {percent(late)}; at γ = "
        f"{gamma_of(dilute_entry):g} {missed(dilute_entry)} of sets miss, MC-SLP's {missed(told)}",
    )
    return at_length(row, [dilute_entry.report, told.report], ROUNDS)


def findings(results: Results, full: bool) -> Findings:
    """A row per data set and m, and the picture."""
    rows = [
        elsewhere(
            convergence(results.entry(dilute(m), stream), results.entry(f"MC-SLP m={m}", stream)), FEATURES[stream]
        )
        for stream in IMAGES
        for m in SIZES.values()
    ]
    title = "MC-DBF at its best γ by greedy error (solid) and MC-SLP, which is told every label (dashed)"
    return Findings(tuple(rows), {"fig4": curves(results, IMAGES, ARMS, title)})


EXPERIMENT = Experiment(
    id="mc-dbf/fig4",
    paper=PAPER,
    title="MC-DBF beside MC-SLP",
    about="Error over rounds for each m, MC-DBF at its best γ in the range of Table 1 (0.02 to 0.5), MC-SLP as the "
    f"paper prints it, without the gate of the loss. {HOW_LONG} {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(0.5, 1.7),
    needs=IMAGES,
)
