"""Figures 3 to 5 of the paper on group separable data: what is printed, what each claim means, the whole way."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import onebit
from onebit.papers.base import Experiment
from onebit.papers.kernel import fig2, fig3, fig4_5, settings
from onebit.sweep.outcomes import Outcomes
from onebit.sweep.results import Results


def short(experiment: Experiment, folder: Path) -> Results:
    """An experiment played for 300 rounds."""
    with ThreadPoolExecutor(1) as executor:
        assert experiment.sweep is not None
        return onebit.sweep(
            experiment.sweep(False).shortened(300, 1), folder, executor=executor, workers=1, progress=False
        )


def runs(mistakes: list[int]) -> Outcomes:
    """Outcomes of one seed with so many mistakes after 10, 100 and 1,000 rounds."""
    counts = np.array([mistakes])
    return Outcomes((0,), np.array([10, 100, 1000]), counts, counts, counts, np.ones(1), np.full((1, 2), np.nan))


def test_what_is_printed_is_the_papers() -> None:
    assert fig3.PRINTED == {"linear": 835_848, "kernel": 130_884.6}
    assert (settings.ROUNDS, settings.CLASSES, settings.GROUPS, settings.MARGIN) == (1_000_000, 9, 3, 0.005)
    row = fig3.count_row("kernel", "perp", np.array([150_000]))
    assert (row.printed, row.verdict) == ("130,884.6", "not comparable")


def test_full_is_what_the_paper_plays_and_more_layouts() -> None:
    plan = fig3.sweep(True)
    assert len(plan.seeds) == 5
    assert {entry.rounds for entry in plan.entries} == {1_000_000}
    streams = list(dict.fromkeys(entry.stream.name for entry in plan.entries))
    assert streams == ["perp", "random", "radial", *(f"random {n}" for n in range(1, 10))]


@pytest.mark.parametrize(("mistakes", "apart"), [(121_089, "7.5 % fewer here"), (270_000, "106.3 % more here")])
def test_a_count_has_no_verdict_without_the_papers_sample(mistakes: int, apart: str) -> None:
    row = fig3.count_row("kernel, largest", "radial", np.array([mistakes]))
    assert row.verdict == "not comparable"
    assert row.why.endswith(apart)


def test_mistakes_must_come_slower_and_not_stop() -> None:
    slower, faster, over = runs([9, 50, 200]), runs([1, 10, 800]), runs([9, 50, 50])
    assert fig3.slowing_row([slower, slower]).verdict == "reproduces"
    assert fig3.slowing_row([slower, faster]).verdict == "does not reproduce"
    assert fig3.slowing_row([over]).verdict == "does not reproduce"


def test_bars_of_the_claims() -> None:
    linear, kernel = [np.array([800]), np.array([900])], [np.array([200]), np.array([300])]
    assert fig3.failing_row(linear, 1000).verdict == "reproduces"
    assert fig3.failing_row([np.array([799])], 1000).verdict == "does not reproduce"
    assert fig3.fewer_row(linear, kernel).verdict == "reproduces"
    assert fig3.fewer_row(linear, [np.array([200]), np.array([901])]).verdict == "does not reproduce"
    assert fig3.our_row(kernel, [np.array([10]), np.array([299])]).verdict == "ours"


def test_figure_3_the_whole_way(tmp_path: Path) -> None:
    results = short(fig3.EXPERIMENT, tmp_path)
    assert [entry.stream for entry in results.entries[::5]] == list(fig3.LAYOUTS)
    found = fig3.EXPERIMENT.findings(results, False)
    assert all(row.here and row.played == "300 rounds, 1 seeds" for row in found.rows)
    assert "too short" in {row.verdict for row in found.rows}
    assert [len(axes.lines) for axes in found.figures["fig3"].axes] == [7] * 6


def test_figure_2_is_a_sample_of_what_the_paper_describes() -> None:
    found = fig2.EXPERIMENT.findings(None, False)
    assert [row.here[:22] for row in found.rows] == ["9 classes in 3 groups,"] * 3
    assert all(0.005 <= fig2.least_margin(settings.plane(layout)) < 0.006 for layout in fig3.LAYOUTS)
    assert len(found.figures["fig2"].axes) == 3


def test_a_class_is_judged_by_the_sign_of_its_score() -> None:
    scores = np.array([[1.0, 0.5, -1.0], [-1.0, 2.0, -0.1], [-1.0, -1.0, -1.0], [0.0, -1.0, 3.0]])
    seen = fig4_5.judge(scores, np.array([0, 1, 1, 2]))
    np.testing.assert_array_equal(seen.wrongly_own, [0.25, 0.25, 0])
    np.testing.assert_array_equal(seen.wrongly_not, [0, 0.25, 0])
    assert (seen.easy, seen.hard) == (2, 1)


def test_a_hard_class_must_overlap_others() -> None:
    missing = fig4_5.Judged(np.zeros(2), np.array([0.001, 0.02]))
    assert fig4_5.hard_row(missing).verdict == "does not reproduce"
    assert fig4_5.hard_row(fig4_5.Judged(np.array([0.001, 0.02]), np.zeros(2))).verdict == "reproduces"


def test_figures_4_and_5_the_whole_way(tmp_path: Path) -> None:
    results = short(fig4_5.EXPERIMENT, tmp_path)
    found = fig4_5.EXPERIMENT.findings(results, False)
    assert [row.what[:8] for row in found.rows] == ["Figure 5", "Figure 4"]
    assert list(found.figures) == ["fig4", "fig5"]
    titles = [figure.axes[1].get_title(loc="left") for figure in found.figures.values()]
    assert all(title.startswith("class ") for title in titles)
    assert titles[0] != titles[1]
    again = onebit.simulate(onebit.KernelBandit(9), settings.plane("perp"), rounds=300, seeds=[fig4_5.SEED])
    np.testing.assert_array_equal(results.entry("kernel").report.mistakes[0], again.traces[0].mistakes)
