"""The progress bar."""

from __future__ import annotations

import pytest

from onebit import Banditron, simulate
from onebit.simulate.progress import progress_bar
from onebit.streams import synsep


@pytest.mark.parametrize(("progress", "drawn"), [(True, True), (False, False), (None, False)])
def test_drawn_on_stderr_if_asked_or_if_somebody_looks(
    capsys: pytest.CaptureFixture[str], progress: bool | None, drawn: bool
) -> None:
    simulate(Banditron(9), synsep(500), progress=progress)
    out, err = capsys.readouterr()
    assert out == ""
    assert ("banditron on synsep" in err) == drawn


def test_a_terminal_is_somebody(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress_bar(None, "looking", None) as update:
        update(1234)
    assert "1,234 rounds" in capsys.readouterr().err
