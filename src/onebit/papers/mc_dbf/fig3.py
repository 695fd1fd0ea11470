"""Figure 3: MC-DBF over rounds, beside the Perceptron and SOBA; and ours, given what MC-DBF is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onebit.core.aliases import Label
from onebit.papers.base import Experiment, Findings, Row, at_length, elsewhere, judged
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


def comparison(pairs: Sequence[tuple[EntryResult, EntryResult]], printed: str, most: int) -> Row:
    """Whether MC-DBF's greedy error is at most 5 points above another learner's, on all data sets but so many."""
    first, other = pairs[0]
    near = [comparable(greedy_error(a), greedy_error(b)) for a, b in pairs]
    here = "; ".join(f"{TITLES[a.stream]} {error_text(a)} against {error_text(b)}" for a, b in pairs)
    told = "; ".join(f"{TITLES[a.stream]} γ = {gamma_of(a):g}, {missed(a)} of sets miss" for a, _ in pairs)
    where = f" on {TITLES[first.stream]}" if len(pairs) == 1 else ""
    row = Row(
        f"{first.arm} comparable to {other.arm}{where} (at most {100 * POINTS:g} points above)",
        printed,
        here,
        judged(near.count(False) <= most),
        told,
    )
    return at_length(row, [each.report for pair in pairs for each in pair], ROUNDS)


def dilution(entries: Sequence[EntryResult]) -> Row:
    """Whether the greedy error rises with m."""
    row = Row(
        f"{TITLES[entries[0].stream]}: a larger m dilutes the feedback: error rises from low to medium to high m",
        "rises",
        ", ".join(error_text(entry) for entry in entries),
        judged(rising([greedy_error(entry) for entry in entries])),
    )
    return at_length(row, [entry.report for entry in entries], ROUNDS)


def findings(results: Results, full: bool) -> Findings:
    """A row per claim and data set, and two pictures: the paper's learners, and ours."""
    beside_soba = {
        m: [(results.entry(dilute(m), stream), results.entry("SOBA", stream)) for stream in IMAGES]
        for m in (SIZES["low"], SIZES["medium"])
    }
    fashion = results.entry(dilute(SIZES["low"]), "fashion_mnist"), results.entry("Perceptron", "fashion_mnist")
    every = [comparison(pairs, "comparable in almost all data sets", most=1) for pairs in beside_soba.values()]
    every.append(comparison([fashion], "comparable (low m)", most=0))
    rows = [elsewhere(row, "other features than the paper's") for row in every]
    for stream in IMAGES:
        row = dilution([results.entry(dilute(m), stream) for m in SIZES.values()])
        rows.append(elsewhere(row, FEATURES[stream]))
    for stream in IMAGES:
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
    f"paper, SetBanditron and OneBit with the same sets and bits. {HOW_LONG} {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(1.0, 3.3),
    needs=IMAGES,
)
