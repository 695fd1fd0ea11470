"""The report page in a real browser: it draws, hides, sorts, explains, fits a telephone and prints."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from onebit.report.page import write_page
from tests.report.samples import small_sweep, write_sweep

sync_api: Any = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")

WIDTHS = {"narrow": 400, "wide": 1400}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweeps") / "two streams"
    command = "onebit sweep banditron bandit-pa perceptron --data synsep --data synnonsep --rounds 2e4 --seeds 3"
    return write_page(write_sweep(folder, small_sweep(), command=command))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    """The page in a window 1,400 wide; anything that goes wrong in it, or leaves it, is an error at the end."""
    with browser.new_context(viewport={"width": 1400, "height": 900}) as context:
        page = context.new_page()
        troubles: list[str] = []
        asked: list[str] = []
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(report.as_uri())
        yield page
        assert troubles == []
        assert asked == [report.as_uri()]


def lines(page: Any, arm: int) -> int:
    """How many panels show a learner's line."""
    return int(page.locator(f'figure path.line[data-arm="{arm}"]').count())


def curve(page: Any) -> str:
    """The course of the first learner's first line."""
    return str(page.locator("#curves path.line").first.get_attribute("d"))


def choose(page: Any, name: str, value: str) -> None:
    page.locator(f"label:has(input[name={name}][value={value}])").click()


def test_every_panel_is_drawn(page: Any) -> None:
    assert page.title() == "two streams"
    assert page.locator("#curves figure svg").count() == 2
    assert page.locator("#searches figure svg").count() == 4
    assert [lines(page, arm) for arm in range(3)] == [4, 6, 2]
    assert page.locator("#curves path.band").count() == 6
    assert page.locator("#searches circle.ring").count() == 6


def test_a_learner_that_is_switched_off_is_in_no_panel(page: Any) -> None:
    button = page.get_by_role("button", name="banditron", exact=True)
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert [lines(page, arm) for arm in range(3)] == [0, 6, 2]
    assert page.locator('figure [data-arm="0"]').count() == 0
    button.press("Enter")
    assert [lines(page, arm) for arm in range(3)] == [4, 6, 2]


def test_headings_sort_the_table_both_ways(page: Any) -> None:
    def errors() -> list[float]:
        cells = page.locator("table.sortable tbody tr td:nth-child(5)").all()
        return [float(cell.get_attribute("data-sort")) for cell in cells]

    head = page.locator("table.sortable th", has_text="error").first
    before = errors()
    assert before != sorted(before)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert errors() == sorted(before)
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert errors() == sorted(before, reverse=True)
    page.locator("table.sortable th", has_text="learner").get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "none"
    names = page.locator("table.sortable tbody tr td:first-child").all_inner_texts()
    assert [name.strip() for name in names] == ["bandit-pa"] * 2 + ["banditron"] * 2 + ["perceptron"] * 2


def test_the_pointer_reads_the_values_and_is_not_covered(page: Any) -> None:
    drawing = page.locator("#curves figure svg").first
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"]
    tip = page.locator("#tip")
    assert tip.is_hidden()
    page.mouse.move(x, y)
    assert "rounds" in tip.locator("p").inner_text()
    rows = tip.locator("tr").all_inner_texts()
    assert sorted(row.split()[0] for row in rows) == ["bandit-pa", "banditron", "perceptron"]
    assert tip.locator("tr.nearest").count() == 1
    assert page.locator("#curves .guide circle").count() == 3
    place = tip.bounding_box()
    assert not (place["x"] <= x <= place["x"] + place["width"] and place["y"] <= y <= place["y"] + place["height"])
    page.mouse.move(5, 5)
    assert tip.is_hidden()


def test_the_arrow_keys_read_the_values_too(page: Any) -> None:
    page.locator("#curves figure svg").first.focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#tip p").inner_text() == "20,000 rounds"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#tip p").inner_text() == "19,953 rounds"
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


@pytest.mark.parametrize(("name", "value"), [("x", "linear"), ("y", "linear"), ("metric", "greedy_error")])
def test_switches_redraw(page: Any, name: str, value: str) -> None:
    before = curve(page)
    choose(page, name, value)
    assert curve(page) != before
    assert lines(page, 0) == 4
    assert page.locator(".by.greedy_error").first.is_visible() == (name == "metric")
    choose(page, name, "error" if name == "metric" else "log")
    assert curve(page) == before


def test_a_tap_shows_the_values_above_the_finger(browser: Any, report: Path) -> None:
    with browser.new_context(viewport={"width": 400, "height": 800}, has_touch=True) as context:
        page = context.new_page()
        page.goto(report.as_uri())
        drawing = page.locator("#curves figure svg").first
        drawing.scroll_into_view_if_needed()
        box = drawing.bounding_box()
        y = box["y"] + 0.6 * box["height"]
        page.touchscreen.tap(box["x"] + 0.5 * box["width"], y)
        place = page.locator("#tip").bounding_box()
        assert place["y"] + place["height"] < y
        page.touchscreen.tap(30, box["y"] - 60)
        assert page.locator("#tip").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_any_window(page: Any, tmp_path: Path, width: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": WIDTHS[width], "height": 900})
    page.wait_for_function(f"document.querySelector('figure svg').viewBox.baseVal.width < {WIDTHS[width]}")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    folder = Path(os.environ.get("ONEBIT_ARTEFACTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / f"report-{width}-{scheme}.png"
    page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 10_000


def test_it_prints(page: Any) -> None:
    page.evaluate(
        "addEventListener('beforeprint', () => { window.printed = document.querySelector('svg[role]').outerHTML })"
    )
    before = curve(page)
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert 'viewBox="0 0 340 230"' in page.evaluate("window.printed")
    assert page.locator("details").get_attribute("open") is not None
    assert curve(page) == before
