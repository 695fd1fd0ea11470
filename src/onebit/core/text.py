"""Tables in plain text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from textwrap import wrap

_NARROWEST = 20
_GAP = "  "


def text_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Collection[str] = (),
    width: int | None = None,
) -> list[str]:
    """The lines of a table: the header, a rule, the rows.

    Columns named in `right` are aligned there. The last column is folded to make the table `width` wide.

    >>> print("\\n".join(text_table(["learner", "error"], [["banditron", "4.75 %"]], right=["error"])))
    learner     error
    ─────────  ──────
    banditron  4.75 %
    """
    if width is not None:
        others = sum(max(len(row[at]) for row in (header, *rows)) + len(_GAP) for at in range(len(header) - 1))
        room = max(width - others, _NARROWEST)
        folded = ([line for part in row[-1].split("\n") for line in wrap(part, room) or [""]] for row in rows)
        rows = [[*row[:-1], "\n".join(lines)] for row, lines in zip(rows, folded, strict=True)]
    widths = [max(len(line) for row in (header, *rows) for line in row[at].split("\n")) for at in range(len(header))]
    lines = [_line(header, header, widths, right), _GAP.join("─" * n for n in widths)]
    for row in rows:
        first, *more = row[-1].split("\n")
        lines.append(_line([*row[:-1], first], header, widths, right))
        lines += [_line([""] * (len(row) - 1) + [rest], header, widths, right) for rest in more]
    return lines


def is_encodable(text: str) -> bool:
    """Whether a text can be written to a file: it has no halves of characters.

    >>> is_encodable("γ"), is_encodable(chr(0xDC80))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _line(cells: Sequence[str], header: Sequence[str], widths: Sequence[int], right: Collection[str]) -> str:
    placed = [
        cell.rjust(n) if name in right else cell.ljust(n) for cell, name, n in zip(cells, header, widths, strict=True)
    ]
    return _GAP.join(placed).rstrip()
