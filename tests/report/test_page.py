"""The report page: what it tells, what it weighs, and that nothing gets out of its quotes."""

from __future__ import annotations

import json
import re
from html import unescape
from importlib.resources import files
from math import isclose
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from onebit import Arm, Banditron, NoisyBit, Sweep
from onebit.plots.style import COLOURS
from onebit.report.page import page_html, write_page
from onebit.report.payload import page_payload
from onebit.streams import synsep
from onebit.sweep.results import Results
from tests.report.samples import small_sweep, write_sweep


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return write_sweep(tmp_path_factory.mktemp("sweeps") / "two streams", small_sweep(), command="onebit sweep 'a b'")


@pytest.fixture(scope="module")
def payload(results: Results) -> dict[str, Any]:
    return page_payload(results)


def drawn_data(page: str) -> Any:
    """What the script of a page reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])


def test_a_learner_told_every_label_joins_the_panels_of_its_stream(payload: dict[str, Any]) -> None:
    assert [group["title"] for group in payload["standings"]] == ["synsep, bit feedback", "synnonsep, bit feedback"]
    assert [arm["name"] for arm in payload["arms"]] == ["banditron", "bandit-pa", "perceptron"]
    assert [arm["colour"] for arm in payload["arms"]] == ["c0", "c1", "told"]
    assert [[line["arm"] for line in panel["lines"]] for panel in payload["curves"]] == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize("metric", ["error", "greedy_error"])
def test_standings_compare_with_the_best_seed_by_seed(results: Results, payload: dict[str, Any], metric: str) -> None:
    cells = results.cells().to_pandas()
    for group, stream in zip(payload["standings"], ("synsep", "synnonsep"), strict=True):
        best, other, told = group[metric]
        assert [row["name"] for row in (best, other, told)] == ["banditron", "bandit-pa", "perceptron"]
        assert best["difference"] is None
        assert told["told"]
        assert "difference" not in told
        mine = cells[(cells.role == "report") & (cells.stream == stream)].pivot(
            index="seed", columns="arm", values=metric
        )
        apart = mine["bandit-pa"] - mine["banditron"]
        assert isclose(other["difference"]["mean"], apart.mean())
        half = 4.302652729911275 * apart.std() / np.sqrt(3)  # Student's t with 2 degrees of freedom
        assert isclose(other["difference"]["high"] - other["difference"]["mean"], half)


def test_curves_are_means_with_the_span_of_the_seeds(results: Results, payload: dict[str, Any]) -> None:
    curves = results.curves().to_pandas()
    one = curves[(curves.role == "report") & (curves.arm == "banditron") & (curves.stream == "synsep")]
    rates = one.pivot(index="rounds", columns="seed", values="error")
    line = payload["curves"][0]["lines"][0]
    assert line["x"] == rates.index.tolist()
    for part, values in zip(line["error"], (rates.mean(axis=1), rates.min(axis=1), rates.max(axis=1)), strict=True):
        np.testing.assert_allclose(part, values, rtol=5e-4)


def test_searches_show_the_lowest_over_the_other_parameters(results: Results, payload: dict[str, Any]) -> None:
    panels = {panel["title"]: panel for panel in payload["searches"]}
    assert list(panels)[:2] == ["gamma: synsep, bit feedback", "gamma: synnonsep, bit feedback"]
    panel = panels["gamma: synsep, bit feedback"]
    assert (panel["log"], panel["powers"]) == (True, True)
    assert not panels["C: synsep, bit feedback"]["powers"]
    tuned = results.cells().to_pandas().query("role == 'tune' and stream == 'synsep' and arm == 'bandit-pa'")
    means = tuned.groupby("parameters")["error"].mean()
    line = panel["lines"][1]
    assert line["x"] == [2**-7, 2**-4]
    for value, error in zip(line["x"], line["error"][0], strict=True):
        lowest = min(mean for text, mean in means.items() if json.loads(text)["gamma"] == value)
        assert isclose(error, lowest, rel_tol=5e-4)
    assert [one["x"][one["chosen"]] for one in panel["lines"]] == [2**-7, 2**-7]


def test_the_table_has_what_the_summary_has(results: Results, payload: dict[str, Any]) -> None:
    page = page_html(payload)
    rows = re.findall(r"<tr>(.*?)</tr>", re.findall(r'<table class="sortable">.*?</table>', page, re.S)[0], re.S)[1:]
    cells = [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<td.*?</td>", row, re.S)] for row in rows]
    shown = {(row[1], row[2], row[0]): row[4:8] for row in cells}
    assert shown == {(row[0], row[1], row[2]): row[4:] for row in results.summary_rows()}
    assert cells[0][3].endswith(" of 3")
    assert "Reported: seeds 0 to 2; settings chosen by the error on seeds 1000, 1001" in page
    assert "<code>onebit sweep &#x27;a b&#x27;</code>" in page
    for name, version in results.plan["versions"].items():
        assert f"<dt>{name}</dt><dd>{version}</dd>" in page


def test_names_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    nasty = '</script><b title="x">&'
    stream = synsep(1000)
    stream.name = f"stream {nasty}"
    page = page_html(page_payload(write_sweep(tmp_path, Sweep.cross([Arm(Banditron(9), name=nasty)], stream, seeds=2))))
    assert "<b title" not in page
    assert page.count("</script>") == 2
    assert drawn_data(page)["arms"][0]["name"] == nasty
    assert f"{stream.name}, bit feedback" in unescape(page)


def test_nothing_is_fetched_from_elsewhere(payload: dict[str, Any]) -> None:
    page = page_html(payload)
    assert "default-src 'none'" in page
    assert re.findall(r"https?://[^\"' ]*", page) == ["http://www.w3.org/2000/svg"]
    assert not re.findall(r"<link|<img|@import|\bsrc=", page)


def test_two_hundred_cells_are_far_below_three_megabytes(tmp_path: Path) -> None:
    grids = [[2.0**k * (1 + at / 100) for k in (-9, -7, -5)] for at in range(8)]
    arms = [Arm(Banditron(9), {"gamma": grid}, name=f"banditron {at}") for at, grid in enumerate(grids)]
    plan = Sweep.cross(arms, synsep(1_000_000), [NoisyBit(0.1, 0.1), NoisyBit(0.2, 0.4)], seeds=4, tune_seeds=3)
    results = write_sweep(tmp_path, plan)
    assert (results.cells_total, results.complete) == (208, True)
    assert write_page(results).stat().st_size < 500_000
    assert [style["dash"] for style in page_payload(results)["arms"]] == [""] * len(COLOURS) + ["1.5 4"]


def test_an_interrupted_sweep_is_reported_as_far_as_it_got(tmp_path: Path) -> None:
    def keep(arm: str, role: str, seed: int) -> bool:
        return (arm == "banditron" and (role == "tune" or seed < 2)) or (role == "tune" and seed == 1000)

    results = write_sweep(tmp_path, small_sweep(), keep)
    payload = page_payload(results)
    assert [[line["arm"] for line in panel["lines"]] for panel in payload["curves"]] == [[0], [0]]
    assert {panel["label"] for panel in payload["searches"]} == {"gamma", "C"}
    assert "chosen" not in payload["searches"][0]["lines"][1]
    page = page_html(payload)
    assert f"partly done: {results.cells_done} of {results.cells_total} cells" in page
    assert page.count("<td class='number'>not yet</td>") == 8
    assert '<td class="number" data-sort="2">2 of 3</td>' in page


def test_a_sweep_that_has_just_begun_has_a_page(tmp_path: Path) -> None:
    page = page_html(page_payload(write_sweep(tmp_path, small_sweep(), lambda *cell: False)))
    assert page.count("Nobody has played the seeds to report yet.") == 4
    assert "<figure" not in page


def test_what_failed_is_named(tmp_path: Path) -> None:
    results = write_sweep(tmp_path, small_sweep(), lambda arm, *cell: arm != "perceptron")
    key = results.plan["entries"][2]["configurations"][0]["report"]["0"]
    settings = {
        "learner": {"name": "perceptron", "parameters": {"classes": [0, 1], "ties": "first"}},
        "stream": {"name": "synsep"},
        "feedback": {"channel": "full"},
        "seeds": [0],
    }
    record = {"cell": key, "error": "the worker died <suddenly>", "tries": 3, "settings": settings}
    (tmp_path / "failed").mkdir()
    (tmp_path / "failed" / f"{key}.json").write_text(json.dumps(record))
    page = page_html(page_payload(Results(tmp_path)))
    assert '<a href="#failed">1 failed</a>' in page
    for cell in ("perceptron", "the worker died &lt;suddenly&gt;", "ties=first", key):
        assert f"<td>{cell}</td>" in page


def test_a_grid_without_tune_seeds_is_searched_on_the_report_seeds(tmp_path: Path) -> None:
    payload = page_payload(write_sweep(tmp_path, small_sweep(tune_seeds=0)))
    assert "which flatters them" in payload["seeds_note"]
    assert "Mean error on seeds 0 to 2" in page_html(payload)
    line = payload["searches"][0]["lines"][0]
    assert line["x"][line["chosen"]] == 2**-7


def test_the_lead_is_called_as_the_intervals_say(payload: dict[str, Any]) -> None:
    assert "leads by" in page_html(payload)
    close = json.loads(json.dumps(payload))
    for group in close["standings"]:
        group["error"][1]["difference"] |= {"low": -0.01}
        group["greedy_error"][1]["difference"] = None
    page = page_html(close)
    assert page.count("too close to call: bandit-pa") == 2
    assert page.count("too few shared seeds to be sure") == 2
    assert "leads by" not in page


def test_colours_are_those_of_the_figures() -> None:
    css = files("onebit.report").joinpath("page.css").read_text(encoding="utf-8")
    light, _, dark = css.partition("prefers-color-scheme: dark")
    for at, colour in enumerate(COLOURS):
        assert f"--c{at}: {colour};" in light
        assert re.search(rf"--c{at}: #[0-9A-F]{{6}};", dark)
