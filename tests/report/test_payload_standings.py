"""Who is ahead, in words and numbers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from onebit import Banditron, Sweep, sweep
from onebit.report.page import write_page
from onebit.streams import from_river


def test_a_stream_without_end_that_nobody_cut_has_a_page(tmp_path: Path) -> None:
    synth = pytest.importorskip("river.datasets.synth", reason="the extra `river` is not installed")
    stream = from_river(synth.SEA(seed=1), name="sea", classes=[False, True])
    assert stream.rounds is None
    with ThreadPoolExecutor(1) as pool:
        results = sweep(Sweep.cross([Banditron([False, True])], stream, seeds=1), tmp_path, executor=pool)
    assert len(results.failed) == 1
    page = write_page(results).read_text(encoding="utf-8")
    assert "1 learner on sea, rounds not known" in page
    assert "say how many rounds to play" in page, "why its cells have failed"
