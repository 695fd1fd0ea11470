"""Tables in plain text."""

from __future__ import annotations

from onebit.core.text import text_table


def test_alignment() -> None:
    lines = text_table(["name", "n"], [["a", "1"], ["bcdef", "1,000"]], right=["n"])
    assert lines == ["name       n", "─────  ─────", "a          1", "bcdef  1,000"]


def test_the_last_column_is_folded_to_the_width() -> None:
    lines = text_table(["name", "what"], [["first", "one two three four five six seven"]], width=30)
    assert lines[2:] == ["first  one two three four five", "       six seven"]
    assert max(map(len, lines)) == 30


def test_lines_of_a_cell_stay_lines() -> None:
    assert text_table(["a", "b"], [["x", "one\ntwo"]])[2:] == ["x  one", "   two"]


def test_no_rows() -> None:
    assert text_table(["name", "what"], []) == ["name  what", "────  ────"]
