"""Files are written whole."""

from pathlib import Path

import pytest

from onebit.core.errors import OutputError
from onebit.core.files import written_whole


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "sub" / "file.txt"
    with written_whole(target) as draft:
        draft.write_text("first")
    with pytest.raises(ZeroDivisionError), written_whole(target) as draft:
        draft.write_text(str(1 / 0))
    assert target.read_text() == "first"
    assert list(target.parent.iterdir()) == [target]
    assert target.stat().st_mode & 0o444, "readable like any other file"
    with pytest.raises(OutputError, match="Not a directory"), written_whole(target / "below") as draft:
        pass
