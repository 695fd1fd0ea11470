"""The page on what reproduces, from tables of our own."""

import json
from pathlib import Path

import pytest

from docs import reproductions
from onebit.papers import IDS


def write(folder: Path, judged: bool) -> None:
    """A table for every experiment, of three rows."""
    row = {"what": "a|b", "printed": "1", "here": "2", "why": "", "played": "10 rounds, 2 seeds"}
    rows = [row | {"verdict": verdict} for verdict in ("reproduces", "not comparable", "ours")]
    for id in IDS:
        (folder / id).mkdir(parents=True)
        record = {"id": id, "title": "T", "paper": "P", "about": "A", "minutes": 1.5, "rows": rows}
        (folder / id / "table.json").write_text(json.dumps(record | {"full": judged, "judged": judged}))


def test_the_page_counts_rows_and_sets_ours_apart(tmp_path: Path) -> None:
    write(tmp_path, judged=True)
    lines = reproductions.lines_of(reproductions.tables(tmp_path, quick=False), quick=False)
    assert "| [soba/fig1](#sobafig1) | 1 |  |  |  | 1 |  | 1 |" in lines
    assert lines.count("| a\\|b | 1 | 2 | 10 rounds, 2 seeds | **reproduces** |") == len(IDS)
    assert lines.count("Beyond the paper:") == len(IDS)
    assert any("It took 24 minutes" in line for line in lines)


def test_only_full_runs_make_the_page(tmp_path: Path) -> None:
    write(tmp_path, judged=False)
    with pytest.raises(reproductions.NotFull, match="is no full run"):
        reproductions.tables(tmp_path, quick=False)
    assert reproductions.lines_of(reproductions.tables(tmp_path, quick=True), quick=True)[0] == "# A first look"
