"""How the page writes numbers, settings and dates."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any


def text_of(words: str) -> list[str]:
    """A paragraph, in lines of 120."""
    return [*wrap(words, 120, break_long_words=False, break_on_hyphens=False), ""]


def number(value: float) -> str:
    """To three digits.

    >>> number(1_234_567), number(12.34)
    ('1,230,000', '12.3')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"


def range_of(values: Sequence[int]) -> str:
    """The one value, or from the least to the largest.

    >>> range_of([4000, 5000, 4000]), range_of([40, 40])
    ('4,000 to 5,000', '40')
    """
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def shown(setting: dict[str, Any]) -> str:
    """A setting without its rows.

    >>> shown({"rows": "raw", "policy": "LinUCB", "alpha": 0.1})
    '`policy=LinUCB, alpha=0.1`'
    """
    rest = {key: value for key, value in setting.items() if key != "rows"}
    if "oracle" in rest:
        rest["oracle"] = f"SGDClassifier({_pairs(rest['oracle'])})"
    if "model" in rest:
        rest["model"] = f"{rest['model']}({_pairs(rest.pop('options'))})"
    return f"`{rest.get('arguments') or _pairs(rest)}`"


def _pairs(options: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items())


def days(cells: Sequence[dict[str, Any]], otherwise: str) -> str:
    """When who was measured.

    >>> days([{"contender": "A", "date": "2026-01-02"}, {"contender": "B"}], "2026-01-01")
    '2026-01-01 (B), 2026-01-02 (A)'
    """
    found: dict[str, dict[str, None]] = {}
    for cell in cells:
        found.setdefault(cell.get("date") or otherwise, {})[cell["contender"]] = None
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(f"{day} ({', '.join(found[day])})" for day in sorted(found))
