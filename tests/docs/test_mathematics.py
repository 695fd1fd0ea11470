"""The pages on the mathematics: every learner is there once, and every formula can be shown."""

import re
from pathlib import Path

import pytest

import onebit.learners
from onebit import Learner

FOLDER = Path(__file__).parents[2] / "docs" / "mathematics"
PAGES = sorted(FOLDER.glob("*.md"))
LEARNERS = [name for name in onebit.learners.__all__ if name not in ("Learner", "load")]
PARTS = ("Score", "Update", "Defaults", "Cost", "Guarantee")


def headings() -> list[tuple[Path, str]]:
    return [(page, name) for page in PAGES for name in re.findall(r"^## (\w+)$", page.read_text(), flags=re.M)]


def section(name: str) -> str:
    """What a page says under the heading of a learner."""
    (page,) = [page for page, found in headings() if found == name]
    found = re.search(rf"^## {name}$(.*?)(?=^## |\Z)", page.read_text(), flags=re.M | re.S)
    assert found is not None
    return found[1]


def inline(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    assert text.count("$") % 2 == 0
    return re.findall(r"\$(.*?)\$", text, flags=re.S)


def of_their_own(page: Path) -> list[str]:
    return re.findall(r"^```math\n(.*?)^```", page.read_text(), flags=re.M | re.S)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_one_heading_in_the_page_the_table_links_to(name: str) -> None:
    assert issubclass(getattr(onebit.learners, name), Learner)
    (page,) = [page for page, found in headings() if found == name]
    links = re.findall(rf"^\| \[{name}\]\((.*?)\)", (FOLDER / "index.md").read_text(), flags=re.M)
    assert links == [f"{page.name}#{name.lower()}"]


@pytest.mark.parametrize("name", sorted({*LEARNERS} - {"OneBit"}))
def test_every_learner_has_score_update_defaults_cost_and_guarantee(name: str) -> None:
    marked = " ".join(re.findall(r"\*\*(.*?)\.\*\*", section(name))).lower()
    assert [part for part in PARTS if part.lower() not in marked] == []


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_is_held_to_its_formula(name: str) -> None:
    (page,) = [page for page, found in headings() if found == name]
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.M | re.S)
    assert [block for block in blocks if f"onebit.{name}(" in block and "assert" in block]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_formulas_become_mathml(page: Path) -> None:
    converter = pytest.importorskip("latex2mathml.converter", reason="formulas are converted by latex2mathml")
    for formula in [*inline(page), *of_their_own(page)]:
        shown = converter.convert(formula.strip().replace("{aligned}", "{align*}"))
        assert "\\" not in shown, formula  # a command that it does not know comes out as it went in
        assert "<mi>&</mi>" not in shown, formula


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_formulas_in_a_line_survive_markdown(page: Path) -> None:
    for formula in inline(page):
        assert "\n" not in formula, formula
        assert not re.match(r"[\s\d]", formula), formula
        assert not formula.endswith(" "), formula
        assert not re.search(r"\\[^a-zA-Z]|\|", formula), formula  # Markdown takes \, for an escape, | for a cell
