"""The table and figures of the paper on graphs: what is printed, what a verdict means, and the whole way to it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.core.paths import data_folder
from onebit.papers.base import Experiment, Findings
from onebit.papers.molg import fig1, fig2, settings, table1
from onebit.papers.molg.claims import Measured, Printed, difference, error_verdict, updates_verdict
from onebit.papers.molg.settings import COAUTHOR, CORA, PUBMED
from onebit.streams.base import Stream

SEEDS = np.arange(5.0)


def measured(**errors: float) -> dict[str, Measured]:
    """Rows of the table with errors of our choice, the same differences between seeds for all, and 100 updates."""
    names = ("GPA", "MSG", "OSLG", "MOLG-F", "Banditron", "OSLG-Bandit", "MOLG-B", "PageRankUCB")
    given = {name: errors.get(name.replace("-", "_"), 20.0) for name in names}
    wobble = {name: 0.01 * np.roll(SEEDS, at) for at, name in enumerate(names)}
    return {name: Measured(error + wobble[name], np.full(5, 100)) for name, error in given.items()}


def verdicts(rows: list[Any]) -> list[str]:
    return [row.verdict for row in rows]


def test_the_table_is_the_papers() -> None:
    learners = ("GPA", "MSG", "OSLG", "MOLG-F", "Banditron", "OSLG-Bandit", "MOLG-B")
    errors = {graph: tuple(rows[name].error for name in learners) for graph, rows in table1.PRINTED.items()}
    assert errors == {
        "Coauthor": (54.74, 29.53, 31.02, 27.86, 39.18, 33.81, 32.45),
        "Cora": (58.49, 18.95, 20.77, 18.16, 41.49, 28.56, 23.87),
        "IMDB": (68.70, 50.89, 48.27, 45.86, 52.88, 46.91, 45.30),
        "PubMed": (57.95, 22.64, 25.51, 20.96, 24.53, 21.07, 20.74),
    }
    for graph, nodes in {"Coauthor": 1711, "Cora": 2485, "IMDB": 17046, "PubMed": 19717}.items():
        rows = table1.PRINTED[graph]
        assert rows["GPA"].updates == 2 * nodes
        assert rows["Banditron"].updates == rows["OSLG-Bandit"].updates == nodes


def test_the_parameters_are_the_papers() -> None:
    assert [graph.b for graph in table1.GRAPHS] == [10, 10, 100, 100]
    assert (fig1.PHIS[0], fig1.PHIS[8], fig1.PHIS[-1]) == (0.01, 1.0, 10.0)
    assert fig2.RANKS == (10, 100, 250, 500, 750, 1000)
    [arm] = settings.arms(range(3), 100, ["MOLG-B"])
    assert (arm.learner.get_params()["b"], arm.learner.get_params()["varphi"]) == (100, 0.05)


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [(19.4, "lower than printed"), (19.6, "reproduces"), (20.4, "reproduces"), (20.6, "higher than printed")],
)
def test_a_number_may_be_two_standard_errors_away(ours: float, verdict: str) -> None:
    printed = Printed(20.0, 1.0, ours, 0.0)
    assert error_verdict(printed, [ours] * 20) == verdict  # 2 * 1 / sqrt(20) = 0.447
    assert updates_verdict(printed._replace(updates=20.0, updates_deviation=1.0), [ours] * 20) == verdict


def test_our_own_spread_counts_too() -> None:
    assert error_verdict(Printed(20.0, 0.0, 100), [20.0, 21.0]) == "reproduces"  # 0.5 +- 2 * 0.5
    assert error_verdict(Printed(20.0, 0.0, 100), [20.9, 21.1]) == "higher than printed"


def test_the_interval_is_students() -> None:
    found = difference([0.3, -0.2, 0.5, 0.4], np.zeros(4))
    reach = 3.182446 * np.std([0.3, -0.2, 0.5, 0.4], ddof=1) / 2  # Student's t for 3 degrees of freedom
    assert found == pytest.approx((0.25, 0.25 - reach, 0.25 + reach), rel=1e-6)
    assert np.isinf(difference([1.0], [2.0]).high)
    assert not difference([1.0], [2.0]).below


def test_a_row_of_the_table_is_judged_by_its_own_graph() -> None:
    rows = {row.what: row for row in table1.number_rows(CORA, measured(MOLG_F=18.2, GPA=20.2))}
    assert rows["Cora, MOLG-F, error"].verdict == "reproduces"
    assert rows["Cora, MOLG-F, error"].printed == "18.16 ± 0.39 %"
    assert rows["Cora, GPA, error"].verdict == "lower than printed"
    assert rows["Cora, GPA, error"].why
    assert rows["Cora, MOLG-F, updates"].verdict == "lower than printed"
    assert rows["Cora, MOLG-F, updates"].printed == "2,629.7 ± 26.0"
    assert rows["Cora, Banditron, updates"].verdict == "lower than printed"
    soba = measured() | {"Banditron": measured()["Banditron"]._replace(of="SOBA, tuned")}
    counted = {row.what: row for row in table1.number_rows(CORA, soba)}
    assert counted["Cora, Banditron, updates"].verdict == "not comparable"
    elsewhere = table1.number_rows(COAUTHOR, measured(MOLG_F=27.86))
    assert set(verdicts(elsewhere)) == {"not comparable"}


def test_claims_of_the_text_hold_only_if_surely_so() -> None:
    held = table1.claim_rows(CORA, measured(GPA=25, OSLG=21, MOLG_F=18, MOLG_B=19, OSLG_Bandit=24, Banditron=30))
    assert verdicts(held) == ["reproduces", "reproduces", "does not reproduce", "reproduces"]
    assert "MOLG-B - OSLG-Bandit: +0.00" in held[2].why
    assert "MOLG-B - Banditron: +0.00" in held[2].why
    tied = table1.claim_rows(CORA, measured(), "tuned")
    assert verdicts(tied) == ["does not reproduce"] * 4
    assert tied[1].why.endswith("tuned")


def test_on_pubmed_the_bandit_is_said_to_be_ahead() -> None:
    assert table1.claim_rows(PUBMED, measured(MOLG_B=19, MOLG_F=21))[3].verdict == "reproduces"
    assert table1.claim_rows(CORA, measured(MOLG_B=19, MOLG_F=21))[3].verdict == "does not reproduce"


def test_ours_is_never_a_verdict_on_the_paper() -> None:
    row = table1.our_row(CORA, measured(PageRankUCB=19))
    assert (row.verdict, row.why[:26]) == ("ours", "PageRankUCB - MOLG-B: -1.0")


def trade(errors: list[float], ratios: list[float]) -> fig1.Trade:
    wobble = 0.01 * SEEDS[:, None]
    return fig1.Trade(np.linspace(0.1, 1, len(errors)), errors + wobble, ratios + wobble)


def test_figure_1_says_where_molg_f_is_ahead() -> None:
    oslg, msg = trade([20.0], [20.0]), trade([23.0, 21.0, 19.0], [25.0, 30.0, 40.0])
    held = {"MOLG-F": trade([19.5, 19.0, 18.0], [25.0, 30.0, 40.0]), "MSG": msg, "OSLG": oslg}
    assert verdicts(fig1.claim_rows(CORA, held)) == ["reproduces"] * 4
    late = {"MOLG-F": trade([24.0, 20.5, 18.0], [25.0, 24.0, 40.0]), "MSG": msg, "OSLG": oslg}
    rows = fig1.claim_rows(CORA, late)
    assert verdicts(rows) == ["does not reproduce"] * 3 + ["reproduces"]
    assert "lower at 2 of 3 values" in rows[0].here
    assert "ahead from φ = 1 on (40 % of rounds)" in rows[1].why
    flat = {"MOLG-F": trade([18.0, 18.0, 18.0], [25.0, 30.0, 40.0]), "MSG": msg, "OSLG": oslg}
    assert fig1.claim_rows(CORA, flat)[3].verdict == "does not reproduce"


def ranked(errors: list[float], updates: list[float], chosen: str = "") -> fig2.Ranked:
    wobble = 0.01 * SEEDS[:, None]
    return fig2.Ranked(errors + wobble, updates + wobble, (chosen, chosen))


def test_figure_2_asks_for_every_d() -> None:
    found = {
        "MOLG-F": ranked([18.0, 17.0], [2000.0, 1500.0]),
        "OSLG": ranked([20.0, 19.0], [3000.0, 2500.0]),
        "MOLG-B": ranked([18.0, 19.0], [500.0, 900.0]),
        "OSLG-Bandit": ranked([20.0, 18.0], [1000.0, 1000.0], "b=10"),
    }
    rows = fig2.claim_rows(COAUTHOR, (10, 100), found)
    assert verdicts(rows) == ["reproduces", "does not reproduce", "reproduces", "reproduces", "reproduces"]
    assert rows[1].why.startswith("MOLG-B - OSLG-Bandit at d = 100: +1.00")
    assert "tuned to b=10 for every d" in rows[1].why
    turned = found | {"MOLG-F": found["MOLG-B"], "MOLG-B": found["MOLG-F"]}
    assert verdicts(fig2.claim_rows(COAUTHOR, (10, 100), turned))[2:4] == ["does not reproduce"] * 2


def planted(name: str, *, d: int, unit: bool) -> Stream:
    """A small graph in place of any other, with at most 40 eigenvectors."""
    return onebit.streams.planted_graph(150, classes=3, d=min(d, 40), unit=unit)


def played(experiment: Experiment, folder: Path) -> Findings:
    assert experiment.sweep is not None
    with ThreadPoolExecutor(1) as here:
        plan = experiment.sweep(False).shortened(60, 1)
        results = onebit.sweep(plan, folder, executor=here, progress=False)
    assert results.complete
    return experiment.findings(results, False)


@pytest.mark.parametrize(("module", "rows", "panels"), [(table1, 62, 8), (fig1, 12, 3), (fig2, 15, 6)])
def test_the_whole_way(module: Any, rows: int, panels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "load", planted)
    found = played(module.EXPERIMENT, tmp_path)
    assert len(found.rows) == rows
    assert all(row.played.endswith("60 rounds, 1 seeds") for row in found.rows)
    [(name, figure)] = found.figures.items()
    assert module.EXPERIMENT.id == f"molg/{name}"
    assert len(figure.axes) == panels
    figure.savefig(tmp_path / "figure.png")


@pytest.mark.skipif(not (data_folder() / "dblp_coauthor.npz").exists(), reason="needs the data set dblp_coauthor")
def test_the_table_on_a_real_graph(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as here:
        plan = table1.sweep_of([COAUTHOR], 1).shortened(300, 1)
        results = onebit.sweep(plan, tmp_path, executor=here, progress=False)
    found = table1.findings_of(results, [COAUTHOR])
    errors = {row.what: row.here for row in found.rows[:7]}
    assert all(float(text.split()[0]) < 75 for text in errors.values()), errors  # 4 classes by chance
    assert "dblp_coauthor" in next(iter(errors))
