"""Figure 2: error over rounds of RCNBF, RCINE and three learners that believe every bit, in five kinds of noise."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import NamedTuple

from onebit.learners.bandit_pa import BanditPA
from onebit.learners.banditron import Banditron
from onebit.learners.one_bit.learner import OneBit
from onebit.learners.rcine import RCINE
from onebit.learners.rcnbf import RCNBF
from onebit.learners.soba_diagonal import SOBADiagonal
from onebit.noise.nrest import NREst
from onebit.papers.base import Experiment, Findings, Row, at_length, elsewhere
from onebit.papers.rcnbf.claims import (
    RATIO,
    RIVALS,
    ROBUST,
    STEEPNESS,
    below_row,
    clean_row,
    comparable_row,
    learning_row,
    our_row,
    slope_row,
)
from onebit.papers.rcnbf.fig2_picture import picture
from onebit.papers.rcnbf.settings import (
    GAMMA,
    N_S,
    PAIRS,
    PAPER,
    ROUNDS,
    STAND_INS,
    UNLIKE,
    Pair,
    channel,
    rows_of,
)
from onebit.streams.base import Stream
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import Results


class Length(NamedTuple):
    """How long to play, how many rounds an estimate of RCINE sees, and the values of γ to choose from.

    RCNBF and RCINE have one γ in full mode, that of the authors' code; of the others the paper says that the best is
    chosen. BanditPA learns from every answer, and needs hardly any exploration.
    """

    rounds: dict[str, int]
    N_s: int
    seeds: int
    tune_seeds: int
    robust_gammas: tuple[float, ...]
    gammas: tuple[float, ...]
    pa_gammas: tuple[float, ...]


SETS = ("digits", "usps", "fashion_mnist", "synsep", "iris")

QUICK = Length(
    rounds=dict.fromkeys(SETS, 60_000),
    N_s=10_000,
    seeds=3,
    tune_seeds=1,
    robust_gammas=(GAMMA, 0.1),
    gammas=(GAMMA, 0.1),
    pa_gammas=(0.0, GAMMA),
)
FULL = Length(
    rounds=dict.fromkeys(SETS, ROUNDS) | {"fashion_mnist": 500_000, "synsep": 1_000_000},
    N_s=N_S,
    seeds=2,
    tune_seeds=1,
    robust_gammas=(GAMMA,),
    gammas=(0.01, GAMMA, 0.1),
    pa_gammas=(0.0, 0.01, GAMMA),
)


def sweep(full: bool) -> Sweep:
    """Six learners, each at its best γ, on every data set in every kind of noise."""
    chosen = FULL if full else QUICK
    streams = [rows_of(name) for name in SETS]
    return reduce(add, (_panel(stream, pair, chosen) for stream in streams for pair in PAIRS))


def _panel(stream: Stream, pair: Pair, chosen: Length) -> Sweep:
    """One panel of the figure; RCNBF is told its rates."""
    K = stream.classes
    grid = {"gamma": chosen.gammas}
    robust = {"gamma": chosen.robust_gammas}
    arms = [
        Arm(Banditron(K), grid, "Banditron"),
        Arm(BanditPA(K), {"gamma": chosen.pa_gammas}, "BanditPA"),
        Arm(SOBADiagonal(K), grid, "SOBA"),
        Arm(RCNBF(K, rho_0=pair[0], rho_1=pair[1]), robust, "RCNBF"),
        Arm(RCINE(K, N_s=chosen.N_s, estimator=NREst()), robust, "RCINE"),
        Arm(OneBit(K, curvature="diagonal"), name="OneBit"),
    ]
    rounds = chosen.rounds[stream.name]
    return Sweep.cross(arms, stream, channel(pair), rounds, chosen.seeds, chosen.tune_seeds)


def findings(results: Results, full: bool) -> Findings:
    """The paper's claims, for each data set, and its figure."""
    played = [name for name in SETS if name in {entry.stream for entry in results.entries}]
    rows = [row for name in played for row in data_set_rows(results, name)]
    return Findings(tuple(rows), {"fig2": picture(results, played)})


def data_set_rows(results: Results, name: str) -> list[Row]:
    """What the text claims, on one data set; no verdict where that is not the paper's, or its results are unknown."""
    rows = [below_row(results, name, ours, rival) for ours in ROBUST for rival in RIVALS]
    rows.append(comparable_row(results, name))
    rows += [clean_row(results, name, ours) for ours in ROBUST]
    rows.append(learning_row(results, name))
    rows += [slope_row(results, name, ours) for ours in ROBUST]
    rows.append(our_row(results, name))
    if name in UNLIKE:
        rows = [elsewhere(row, UNLIKE[name]) if row.verdict != "ours" else row for row in rows]
    runs = [entry.report for entry in results.entries if entry.stream == name]
    return [at_length(row, runs, ROUNDS) for row in rows]


EXPERIMENT = Experiment(
    id="rcnbf/fig2",
    paper=PAPER,
    title="Error in noise",
    about=(
        "Played error over rounds: Banditron, BanditPA, SOBA, each at its best γ of three, RCNBF told the flip "
        "rates and RCINE with NREst every 50,000 rounds, both at γ = 0.03; beyond the paper, OneBit (diagonal), "
        "which finds the rates itself. Rows with replacement, 10,000,000 rounds on 2 seeds, as in the authors' "
        "code (500,000 of Fashion-MNIST, a million of SynSep). 'Significantly below' is read as a paired 95 % "
        f"interval below 0 in every kind of noise, 'comparable' and 'close' as at most {RATIO:g} times the error, "
        f"a comparable slope as at least {STEEPNESS:g} times as steep. {STAND_INS} "
        "NREst has logistic regression in place of its network."
    ),
    sweep=sweep,
    findings=findings,
    minutes=(2.6, 19.0),
    needs=("usps", "fashion_mnist"),
)
