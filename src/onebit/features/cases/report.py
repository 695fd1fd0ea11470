"""How the columns of raw cases are read, as a table; and which of them cannot teach."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.features.cases.memory import DATES, GAPS, LISTS, NUMBERS, RECURRED, SYMBOLS, TEXTS, VALUES, VECTORS

if TYPE_CHECKING:
    from onebit.features.cases.encoder import Encoder

_KINDS = {TEXTS: "text", SYMBOLS: "symbol", NUMBERS: "number", DATES: "date", LISTS: "list", VECTORS: "vector"}
_ENOUGH = 1000  # values, before a column is judged
_LEAST_RECURRING = 0.01
_EXAMPLE_WIDTH = 32


def column_table(encoder: Encoder) -> str:
    """A line for each column: as what it is read, how much of it is missing, how much recurs, its first value.

    >>> from onebit.features.cases.encoder import MEET, Encoder
    >>> from onebit.features.cases.settings import Cases
    >>> encoder = Encoder(Cases(ignore="id"))
    >>> row = encoder.rows([{"plan": "gold", "id": 1}, {"plan": None, "id": 2}], MEET)
    >>> print(column_table(encoder))
    column  read as  missing  recurring  first value
    plan    symbol      50 %        0 %  gold
    id      ignored
    """
    lines = [("column", "read as", "missing", "recurring", "first value")]
    for number, name in enumerate(encoder.names):
        counts = encoder.memory.statistics[number]
        example = encoder.examples.get(name, "")
        lines.append((name, kinds_of(counts), *_shares(counts), example))
    lines += [(name, "ignored", "", "", "") for name in encoder.cases.ignore]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = [
        "  ".join(
            (
                line[0].ljust(widths[0]),
                line[1].ljust(widths[1]),
                line[2].rjust(widths[2]),
                line[3].rjust(widths[3]),
                line[4],
            )
        )
        for line in lines
    ]
    return "\n".join(map(str.rstrip, shown))


def columns_read(encoder: Encoder) -> dict[str, str]:
    """As what each column is read.

    >>> from onebit.features.cases.encoder import MEET, Encoder
    >>> from onebit.features.cases.settings import Cases
    >>> encoder = Encoder(Cases(ignore="id"))
    >>> row = encoder.row({"plan": "gold", "amount": 12.5, "id": 1}, MEET)
    >>> columns_read(encoder)
    {'plan': 'symbol', 'amount': 'number', 'id': 'ignored'}
    """
    met = {name: kinds_of(encoder.memory.statistics[number]) for number, name in enumerate(encoder.names)}
    return met | dict.fromkeys(encoder.cases.ignore, "ignored")


def kinds_of(counts: Any) -> str:
    """As what the values of a column are read, the most frequent first.

    >>> counts = np.zeros(11)
    >>> counts[[VALUES, TEXTS, SYMBOLS]] = 10, 3, 7
    >>> kinds_of(counts)
    'symbol, text'
    """
    there = [kind for kind in _KINDS if counts[kind] > 0]
    return ", ".join(_KINDS[kind] for kind in sorted(there, key=lambda kind: -counts[kind]))


def _shares(counts: Any) -> tuple[str, str]:
    """Of all cases that had the column, the share of gaps; of its values, the share met before."""
    shown = counts[VALUES] + counts[GAPS]
    missing = f"{100 * counts[GAPS] / shown:.0f} %" if shown else ""
    whole = counts[TEXTS] + counts[SYMBOLS] + counts[NUMBERS]
    return missing, f"{100 * counts[RECURRED] / counts[VALUES]:.0f} %" if whole else ""


def example_of(value: Any) -> str:
    """A value in a few letters.

    >>> example_of("money back"), example_of([1, 2])
    ('money back', '[1, 2]')
    """
    try:
        shown = reprlib.repr(value) if isinstance(value, list | tuple | set | frozenset | dict) else str(value)
    except Exception:  # of a number too long to be written down, for instance
        shown = type(value).__name__
    text = " ".join(shown[: 4 * _EXAMPLE_WIDTH].split())
    return text if len(text) <= _EXAMPLE_WIDTH else text[: _EXAMPLE_WIDTH - 1] + "…"


def columns_without_news(encoder: Encoder) -> list[str]:
    """The columns of single words, such as an id, whose values never recur: nothing can be learned from them."""
    counts = encoder.memory.statistics[: len(encoder.names)]
    enough = counts[:, VALUES] >= _ENOUGH
    alone = counts[:, SYMBOLS] == counts[:, VALUES]
    new = counts[:, RECURRED] < _LEAST_RECURRING * counts[:, VALUES]
    return [encoder.names[i] for i in np.flatnonzero(enough & alone & new).tolist()]
