"""Figure 3: MC-DBF over rounds, beside the Perceptron and SOBA; and ours, given what MC-DBF is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onebit.core.aliases import Label
from onebit.papers.base import Experiment, Findings, Row, judged
from onebit.papers.mc_dbf.claims import (
    POINTS,
    comparable,
    error_text,
    gamma_of,
    greedy_error,
    missed,
    our_row,
    rising,
)
from onebit.papers.mc_dbf.pictures import curves
from onebit.papers.mc_dbf.settings import (
    FEATURES,
    IMAGES,
    PAPER,
    SIZES,
    STAND_INS,
    TITLES,
    dilute,
    dilute_arms,
    image_sweep,
    our_arms,
    perceptron_arm,
    soba_arm,
)
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import EntryResult, Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THEIRS = ("Perceptron", "SOBA", *map(dilute, SIZES.values()))
OURS = tuple(f"{learner} m={m}" for learner in ("SetBanditron", "OneBit") for m in SIZES.values())


def sweep(full: bool) -> Sweep:
    """Theirs at their best γ, and ours as they come, on the data sets of images."""

    def arms(classes: Sequence[Label]) -> list[Arm]:
        return [perceptron_arm(classes), soba_arm(classes), *dilute_arms(classes), *our_arms(classes)]

    return image_sweep(arms, full)


def comparison(entry: EntryResult, other: EntryResult, printed: str) -> Row:
    """Whether the greedy error is at most 5 points above the other one's."""
    return Row(
        f"{TITLES[entry.stream]}: {entry.arm} comparable to {other.arm} (at most {100 * POINTS:g} points above)",
        printed,
        f"{error_text(entry)} against {error_text(other)}",
        judged(comparable(greedy_error(entry), greedy_error(other))),
        f"at γ = {gamma_of(entry):g} {missed(entry)} of its sets miss; {FEATURES[entry.stream]}",
    )


def dilution(entries: Sequence[EntryResult]) -> Row:
    """Whether the greedy error rises with m."""
    return Row(
        f"{TITLES[entries[0].stream]}: a larger m dilutes the feedback: error rises from low to medium to high m",
        "rises",
        ", ".join(error_text(entry) for entry in entries),
        judged(rising([greedy_error(entry) for entry in entries])),
        FEATURES[entries[0].stream],
    )


def findings(results: Results, full: bool) -> Findings:
    """A row per claim and data set, and two pictures: the paper's learners, and ours."""
    rows: list[Row] = []
    for stream in IMAGES:
        entries = [results.entry(dilute(m), stream) for m in SIZES.values()]
        soba = results.entry("SOBA", stream)
        perceptron = results.entry("Perceptron", stream)
        rows += [comparison(entry, soba, "comparable in almost all data sets") for entry in entries[:2]]
        if stream == "fashion_mnist":
            rows.append(comparison(entries[0], perceptron, "comparable (low m)"))
        rows.append(dilution(entries))
        rows += [our_row(TITLES[stream], results.entry(arm, stream), rival(results, arm, stream)) for arm in OURS]
    return Findings(tuple(rows), two_pictures(results, IMAGES, "fig3"))


def two_pictures(results: Results, streams: Sequence[str], name: str, log: bool = False) -> dict[str, Figure]:
    """The paper's learners over rounds; and MC-DBF beside ours."""
    theirs = "The paper's learners, each at its best γ by greedy error"
    ours = "MC-DBF at its best γ by greedy error; SetBanditron and OneBit (ours) as they come"
    return {
        name: curves(results, streams, THEIRS, theirs, log),
        f"{name}-ours": curves(results, streams, [*THEIRS[2:], *OURS], ours, log),
    }


def rival(results: Results, arm: str, stream: str) -> EntryResult:
    """MC-DBF with the m of one of our arms."""
    return results.entry(dilute(int(arm.partition(" m=")[2])), stream)


EXPERIMENT = Experiment(
    id="mc-dbf/fig3",
    paper=PAPER,
    title="MC-DBF beside Perceptron and SOBA",
    about="Error over rounds at the best γ, searched by greedy error in the range of Table 1 (0.02 to 0.5); beyond the "
    f"paper, SetBanditron and OneBit with the same sets and bits. {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(1.0, 18.0),
    needs=IMAGES,
)
