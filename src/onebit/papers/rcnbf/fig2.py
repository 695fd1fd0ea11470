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
from onebit.papers.base import Experiment, Findings, Row
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
from onebit.papers.rcnbf.settings import PAIRS, PAPER, STAND_INS, TITLES, Pair, channel, rows_of
from onebit.streams.base import Stream
from onebit.sweep.plan import Arm, Sweep
from onebit.sweep.results import Results


class Length(NamedTuple):
    """How long to play, how many rounds an estimate of RCINE sees, and the values of γ to choose from.

    BanditPA has its own: it learns from every answer, and needs hardly any exploration.
    """

    rounds: dict[str, int]
    N_s: int
    seeds: int
    tune_seeds: int
    gammas: tuple[float, ...]
    pa_gammas: tuple[float, ...]


QUICK = Length(
    rounds=dict.fromkeys(TITLES, 60_000),
    N_s=10_000,
    seeds=5,
    tune_seeds=2,
    gammas=(2**-5, 2**-4, 2**-3, 2**-2),
    pa_gammas=(0.0, 2**-9, 2**-7, 2**-5),
)
FULL = Length(
    rounds={"mnist": 1_000_000, "usps": 200_000, "fashion_mnist": 1_000_000},
    N_s=20_000,
    seeds=10,
    tune_seeds=3,
    gammas=(2**-8, 2**-7, 2**-6, 2**-5, 2**-4, 2**-3, 2**-2, 0.4),
    pa_gammas=(0.0, 2**-13, 2**-11, 2**-9, 2**-7, 2**-5, 2**-3),
)


def sweep(full: bool) -> Sweep:
    """Six learners, each at its best γ, on every data set in every kind of noise."""
    chosen = FULL if full else QUICK
    streams = [rows_of(name) for name in TITLES]
    return reduce(add, (_panel(stream, pair, chosen) for stream in streams for pair in PAIRS))


def _panel(stream: Stream, pair: Pair, chosen: Length) -> Sweep:
    """One panel of the figure; RCNBF is told its rates."""
    K = stream.classes
    grid = {"gamma": chosen.gammas}
    arms = [
        Arm(Banditron(K), grid, "Banditron"),
        Arm(BanditPA(K), {"gamma": chosen.pa_gammas}, "BanditPA"),
        Arm(SOBADiagonal(K), grid, "SOBA"),
        Arm(RCNBF(K, rho_0=pair[0], rho_1=pair[1]), grid, "RCNBF"),
        Arm(RCINE(K, N_s=chosen.N_s, estimator=NREst()), grid, "RCINE"),
        Arm(OneBit(K, curvature="diagonal"), name="OneBit"),
    ]
    rounds = chosen.rounds[stream.name]
    return Sweep.cross(arms, stream, channel(pair), rounds, chosen.seeds, chosen.tune_seeds)


def findings(results: Results, full: bool) -> Findings:
    """The paper's claims, for each data set, and its figure."""
    played = [name for name in TITLES if name in {entry.stream for entry in results.entries}]
    rows: list[Row] = []
    for name in played:
        rows += [below_row(results, name, ours, rival) for ours in ROBUST for rival in RIVALS]
        rows.append(comparable_row(results, name))
        rows += [clean_row(results, name, ours) for ours in ROBUST]
        rows.append(learning_row(results, name))
        rows += [slope_row(results, name, ours) for ours in ROBUST]
        rows.append(our_row(results, name))
    return Findings(tuple(rows), {"fig2": picture(results, played)})


EXPERIMENT = Experiment(
    id="rcnbf/fig2",
    paper=PAPER,
    title="Error in noise",
    about="Played error over rounds with γ tuned: Banditron, BanditPA, SOBA, RCNBF told the flip rates, RCINE with "
    "NREst every 10,000 rounds (20,000 in full mode); beyond the paper, OneBit (diagonal), which finds the "
    "rates itself. 'Significantly below' is read as a paired 95 % interval below 0 in every kind of noise, "
    f"'comparable' and 'close' as at most {RATIO:g} times the error, a comparable slope as at least {STEEPNESS:g} "
    f"times as steep. {STAND_INS}",
    sweep=sweep,
    findings=findings,
    minutes=(2.6, 100.0),
    needs=tuple(TITLES),
)
