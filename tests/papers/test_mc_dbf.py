"""The figures of the paper on diluted feedback: what is printed, what a claim means, and the whole way on real data."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.core.paths import data_folder
from onebit.papers.base import Experiment
from onebit.papers.mc_dbf import claims, fig2, fig3, fig4, fig5, fig6, settings
from onebit.papers.mc_dbf.settings import IMAGES, length
from onebit.streams.base import Stream
from onebit.sweep.outcomes import Outcomes

FIGURES = {f"mc-dbf/fig{n}": import_module(f"onebit.papers.mc_dbf.fig{n}") for n in range(2, 7)}
FILES = [data_folder() / f"{name}.npz" for name in IMAGES]
needs_data = pytest.mark.skipif(not all(f.exists() for f in FILES), reason="needs the data sets of images")


def entry(arm: str, greedy: float, played: float = 0.3, early: float = 0.9, stream: str = "mnist") -> Any:
    """What the findings read of an entry, with errors of our choice: at the end, and after 10 rounds."""
    rounds = np.array([10, settings.ROUNDS])
    greedy_counts, counts = (np.rint(np.array([[early, e]] * 2) * rounds).astype(np.int64) for e in (greedy, played))
    runs = Outcomes((0, 1), rounds, counts, greedy_counts, counts, np.ones(2), np.zeros((2, 2)))
    best = SimpleNamespace(parameters={"gamma": 0.25})
    return SimpleNamespace(arm=arm, stream=stream, report=runs, best=best)


def test_table_1_is_the_papers() -> None:
    assert {arm: tuple(row[name] for name in IMAGES) for arm, row in fig2.TABLE_1.items()} == {
        "SOBA": (0.02, 0.1, 0.3),
        "MC-DBF m=2": (0.12, 0.12, 0.28),
        "MC-DBF m=4": (0.12, 0.2, 0.25),
        "MC-DBF m=6": (0.25, 0.3, 0.3),
    }


def test_full_is_as_long_as_the_paper() -> None:
    assert length(True)[0] == settings.ROUNDS == 1_000_000


def test_every_figure_says_what_it_is() -> None:
    for name, module in FIGURES.items():
        experiment: Experiment = module.EXPERIMENT
        assert experiment.id == name
        assert experiment.needs == (() if name == "mc-dbf/fig6" else IMAGES)
        assert "SVHN" in experiment.about or not experiment.needs


def test_a_gamma_on_other_features_has_no_verdict() -> None:
    gammas, played = np.array([0.12, 0.25, 1.0]), np.array([0.3, 0.2, 0.9])
    near = fig2.gamma_row("mnist", "MC-DBF m=2", fig2.Search(gammas, np.array([0.31, 0.30, 0.35]), played))
    far = fig2.gamma_row("mnist", "MC-DBF m=2", fig2.Search(gammas, np.array([0.33, 0.30, 0.35]), played))
    assert near.verdict == far.verdict == "not comparable"
    assert near.printed == "γ = 0.12"
    assert near.here.startswith("γ = 0.25: 30.00 %")
    assert "by the played error the best is 0.25" in near.why


def test_comparable_is_at_most_five_points_above() -> None:
    soba = entry("SOBA", 0.20)
    near, far = entry("MC-DBF m=2", 0.249), entry("MC-DBF m=2", 0.251)
    rows = [fig3.comparison([(e, soba) for e in each], "", most=1) for each in ((near,), (far, near), (far, far))]
    assert [row.verdict for row in rows] == ["reproduces", "reproduces", "does not reproduce"]
    assert rows[0].played == "1,000,000 rounds, 2 seeds"


def test_fewer_rounds_than_the_papers_are_too_short() -> None:
    short = entry("MC-DBF m=2", 0.9)
    short.report.rounds[-1] -= 1
    row = fig3.comparison([(short, entry("SOBA", 0.2))], "", most=0)
    assert (row.verdict, row.why[:31]) == ("too short", "the paper plays 1,000,000 round")


def test_dilution_is_a_rise_over_all_three_m() -> None:
    rows = [[entry("MC-DBF", error) for error in errors] for errors in ([0.2, 0.3, 0.4], [0.2, 0.4, 0.3], [0.2] * 3)]
    assert [fig3.dilution(row).verdict for row in rows] == ["reproduces", "does not reproduce", "does not reproduce"]


def test_ours_is_never_a_verdict_on_the_paper() -> None:
    row = claims.our_row("MNIST", entry("OneBit m=2", 0.2, 0.2), entry("MC-DBF m=2", 0.3, played=0.3))
    assert (row.verdict, row.here) == ("ours", "20.00 ± 0.00 % greedy, 20.00 % of sets miss")


def test_convergence_is_judged_at_the_end() -> None:
    told = entry("MC-SLP m=2", 0.20, early=0.3)
    closed, open_ = (fig4.convergence(entry("MC-DBF m=2", error), told) for error in (0.24, 0.30))
    assert (closed.verdict, open_.verdict) == ("reproduces", "does not reproduce")
    assert "closes from 60.00 % at a tenth of the rounds to 10.00 %" in open_.why


def test_an_error_that_falls_again_does_not_rise_with_m() -> None:
    up, hill = [0.1 * m for m in range(1, 9)], [0.2, 0.4, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    row = fig5.growth_row("mnist", {0.25: (hill, hill)})
    assert row.verdict == "does not reproduce"
    assert row.why.startswith("γ = 0.25: first falls at m = 5, highest at m = 4;")
    assert fig5.growth_row("mnist", {0.25: (hill, hill), 0.5: (up, up)}).verdict == "reproduces"


def test_on_synsep_comparable_is_at_most_twice() -> None:
    soba = entry("SOBA", 0.002, stream="synsep")
    rows = [fig6.comparison(entry("MC-DBF m=2", error, stream="synsep"), soba) for error in (0.0039, 0.0041)]
    assert [row.verdict for row in rows] == ["reproduces", "does not reproduce"]


def few_rows(name: str, *, normalize: bool) -> Stream:
    """The first rows of the test part of a data set, in place of all of it."""
    whole = onebit.streams.load(name, normalize=normalize, split="test")
    stream = onebit.streams.from_arrays(whole.X[:400], whole.y[:400], classes=list(whole.classes))
    stream.name = name
    return stream


@needs_data
def test_every_figure_goes_all_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "load", cache(few_rows))
    monkeypatch.setattr(fig2, "SEARCHED", (0.02, 0.25, 1.0))
    rows = {"mc-dbf/fig2": 12, "mc-dbf/fig3": 24, "mc-dbf/fig4": 9, "mc-dbf/fig5": 3, "mc-dbf/fig6": 9}
    for name, module in FIGURES.items():
        plan = module.EXPERIMENT.sweep(False).shortened(300, 1)
        with ThreadPoolExecutor(1) as here:
            results = onebit.sweep(plan, tmp_path / name, executor=here, progress=False)
        assert results.complete
        found = module.EXPERIMENT.findings(results, False)
        assert len(found.rows) == rows[name]
        assert {row.verdict for row in found.rows} <= {"too short", "not comparable", "ours"}
        for figure in found.figures.values():
            assert len(figure.axes) == 2 * max(1, len(module.EXPERIMENT.needs))
        if name in (
            "mc-dbf/fig2",
            "mc-dbf/fig5",
            "mc-dbf/fig6",
        ):  # the others are drawn by the same function as the last
            next(iter(found.figures.values())).savefig(tmp_path / "figure.png")
