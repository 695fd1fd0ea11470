"""The benchmark of raw cases: what VW is shown, that mistakes are counted right, that the pages are true."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from benchmarks.cases import elsewhere, kept, page, run, tune, vw
from benchmarks.cases.sets import Cases

import onebit

ROWS: list[dict[str, Any]] = [
    {
        "text": f"money back: {'refund' if i % 3 else 'invoice'} | now",
        "plan": ["free", "gold"][i % 2],
        "amount": float(i % 20),
        "sent": date(2026, 11, 1 + i % 28),
        "tags": ["late", "a b"] if i % 2 else None,
    }
    for i in range(120)
]
CASES = Cases("made", ROWS, ["a" if i % 3 else "b" for i in range(120)], "digest")


def test_a_line_for_vw_has_a_namespace_for_each_column() -> None:
    assert [(one.letter, one.kind) for one in vw.columns(CASES)] == [
        ("a", "text"), ("b", "word"), ("c", "number"), ("d", "date"), ("e", "list"),
    ]  # fmt: skip
    first, second = vw.lines(CASES, bins=True)[:2]
    assert first == (
        "2 |atext money back _ invoice _ now =money_back__invoice___now |bplan =free "
        "|camount v:-1.64751 b0 =0.0 |dsent m11 w6 y2026 d:13.482 |etags gap"
    )
    assert second.endswith("|etags late a_b")
    assert "b0" not in vw.lines(CASES, bins=False)[0]


def test_the_ways_to_show_a_set_depend_on_its_columns() -> None:
    assert len(vw.forms(CASES)) == 12
    words = Cases("words", [{"plan": "free"}, {"plan": "gold"}], ["a", "b"], "")
    assert vw.forms(words) == [{"bins": False, "rows": ""}, {"bins": False, "rows": "-q ::"}]


@pytest.mark.parametrize("explorer", vw.EXPLORERS)
def test_case_by_case_vw_errs_as_in_its_own_driver(explorer: str, tmp_path: Path) -> None:
    pytest.importorskip("vowpalwabbit", reason="the extra `peers` is not installed")
    options = vw.arguments({"explorer": explorer, "step": "-l 0.5", "rows": "--ngram a2"}, 2, 3)
    lines = vw.lines(CASES, bins=True)
    path = tmp_path / "cases.txt"
    path.write_text("\n".join(lines) + "\n")
    played = vw.play(lines, range(len(lines)), options, limit=100)
    assert (played.wrong, played.cases) == vw.driven(str(path), options)
    assert 0 < played.wrong < 120


def test_mistakes_are_counted_and_the_order_is_the_seeds() -> None:
    class Always:
        """Plays "a", and notes what it is told."""

        def __init__(self) -> None:
            self.told = list[tuple[Any, Any]]()

        def decide(self, row: Any) -> Any:
            return onebit.Decision(("a",), 1.0, "a", False, row, -1)

        def learn(self, decision: Any, answer: Any) -> None:
            self.told.append((decision.row, answer))

    bits, labels = Always(), Always()
    found: Any = run.play(bits, CASES.rows, CASES.labels, seed=5)  # type: ignore[arg-type]  # plays as one
    run.play(labels, CASES.rows, CASES.labels, seed=5, told=True)  # type: ignore[arg-type]
    assert (found["wrong"], found["cases"]) == (40, 120)
    assert sum(answer is True for _, answer in bits.told) == 80
    assert [answer for _, answer in labels.told].count("b") == 40
    assert [row for row, _ in bits.told] == [row for row, _ in labels.told] != CASES.rows


def test_a_stopped_run_goes_on_and_gathers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "BUILD", tmp_path)
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(run, "kept", kept)
    monkeypatch.setattr(kept, "vw_version", lambda: "9")
    played = list[int]()

    def play(cases: Cases, seed: int) -> kept.Measured:
        played.append(seed)
        return {"wrong": seed, "cases": 1_000, "seconds": 0.5, "last": 0.25}

    contender = run.Contender("onebit", play)
    monkeypatch.setattr(run, "CONTENDERS", {"onebit": contender})
    for seeds in (run.SEEDS[:2], run.SEEDS[:3]):
        for seed in seeds:
            run.measured(CASES, contender, seed)
    assert played == list(run.SEEDS[:3]), "what was measured before is not measured again"
    run.gather(CASES)
    about = json.loads((tmp_path / "results.json").read_text())["sets"]["made"]
    assert about["played"]["onebit"] == {
        "errors": [0.101, 0.102, 0.103], "micros": 3 * [500.0], "last": 3 * [0.25],
    }  # fmt: skip
    assert (about["labels"], about["largest"]) == (2, 80 / 120)


def test_the_pages_show_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = {"onebit": {"errors": [0.1, 0.12], "micros": [50.0, 60.0], "last": [0.05, 0.07]},
              "vw-plain": {"errors": [0.3, 0.3], "micros": [9.0, 9.0], "last": []},
              "vw": {"errors": [0.2, 0.22], "micros": [9.0, 9.0], "last": []}}  # fmt: skip
    about = {"cases": 120, "labels": 2, "largest": 0.7, "digest": "", "played": played}
    results = {"sets": {"adult": about, "movies": about}, "seeds": [101, 102], "date": "today", "machine": "one",
               "versions": {"Python": "3", "onebit": "0", "vowpalwabbit": "9"}}  # fmt: skip
    setting = {"explorer": "--squarecb", "step": "-l 1", "bins": True, "rows": "-q ::"}
    chosen, plain = ({"setting": setting | {"bins": bins}, "error": 0.2, "tried": 3} for bins in (True, False))
    settings = {"seed": 11, "sets": {"adult": chosen}, "plain": {"adult": plain}}
    for name, content in (("RESULTS", results), ("SETTINGS", settings)):
        (tmp_path / name).write_text(json.dumps(content))
        monkeypatch.setattr(page, name, tmp_path / name)
    target, readme = tmp_path / "benchmarks.md", tmp_path / "README.md"
    target.write_text("# Before\n\nStays.\n\n## Raw cases\n\nOld.\n")
    readme.write_text(f"Above.\n{page.BEGIN}\nOld.\n{page.END}\nBelow.\n")
    for _ in range(2):
        assert page.write(target, readme) == 0
    text = target.read_text()
    assert text.startswith("# Before\n\nStays.\n\n## Raw cases\n")
    assert "Old." not in text
    assert text.count("| **11.0 ± 1.4** | 30.0 ± 0.0 | 21.0 ± 1.4 | not measured | not measured |") == 2
    assert "| adult | as they are | `--squarecb -l 1 -q ::` | 20.0 |\n| adult | tenths too | `--squarecb" in text
    assert readme.read_text().count("| adult | 120 | 2 | 11.0 | not measured | 30.0 | 21.0 |") == 1
    assert readme.read_text().endswith(f"{page.END}\nBelow.\n")


def test_the_section_on_the_page_is_the_one_of_the_results() -> None:
    if not run.RESULTS.exists():
        pytest.skip("there are no results yet")
    text = page.PAGE.read_text(encoding="utf-8")
    assert text.endswith("\n".join(page.section()) + "\n"), "run python -m benchmarks.cases page"
    assert "\n".join(page.short()) in page.README.read_text(encoding="utf-8")


def test_no_set_from_elsewhere_shows_its_label() -> None:
    """As `label` alone: no other column says the same as it does."""
    rows = list(elsewhere._drawn(iter([elsewhere._labelled({"a": i, "kind": "x"}, "kind") for i in range(40)])))
    assert rows[0] == {"a": 0, "label": "x"}
    assert len(rows) == 40
    assert list(elsewhere._drawn(iter(rows[:29]))) == []


def test_settings_are_of_the_seed_that_is_not_reported() -> None:
    assert tune.SEED not in run.SEEDS
    chosen_ones = [chosen for kind in tune.KINDS for chosen in tune.settings()[kind].values()]
    assert chosen_ones
    for chosen in chosen_ones:
        assert chosen["error"] == min(one["error"] for one in chosen["all"])
        assert 16 <= chosen["tried"] <= 29
    assert not any(chosen["setting"]["bins"] for chosen in tune.settings()["plain"].values())
