"""Every example in the README and the docs runs, prints what is shown, and every link leads somewhere."""

import re
from pathlib import Path

import pytest

from tests.pages import PAGES, ROOT, blocks, check_command, play, steady

IDS = [str(page.relative_to(ROOT)) for page in PAGES]
ELSEWHERE = ("docs/start-here.md",)  # tests/docs/test_start_here.py


@pytest.mark.parametrize("page", [id for id in IDS if id not in ELSEWHERE])
def test_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block, printed in play(ROOT / page):
        if block.shown is not None:
            assert steady(printed) == steady(block.shown)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_what_is_not_run_says_why_and_could_be(page: Path) -> None:
    text, found = page.read_text(encoding="utf-8"), blocks(page)
    assert len(re.findall("<!-- not run", text)) == sum(block.why is not None for block in found)
    for block in found:
        assert block.kind, f"{page.name}: a block without a language: {block.text[:60]}"
        for words in block.commands if block.kind == "sh" and block.why else []:
            if words[0] == "onebit":
                check_command(words)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
