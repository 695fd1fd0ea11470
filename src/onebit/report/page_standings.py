"""The cards of the report page: on each stream, who is ahead, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, log10
from typing import Any

from onebit.report.page_parts import swatch
from onebit.sweep.outcomes import METRICS

_METRIC_NAMES = {"error": "played error", "greedy_error": "greedy error"}


def standing_cards(payload: Mapping[str, Any]) -> str:
    """A card for each stream and feedback: the learners from the best to the worst, for either error."""
    cards = []
    for group in payload["standings"]:
        tables = ""
        for metric in METRICS:
            ranking = _ranking(group[metric], payload["arms"], metric)
            tables += f'<div class="by {metric}">{_headline(group[metric])}{ranking}</div>'
        heading = f"<h3>{escape(group['title'])}</h3><p class='about'>{escape(group['about'])}</p>"
        cards.append(f'<article class="card">{heading}{tables}</article>')
    return "\n".join(cards)


def points(*rates: float) -> list[str]:
    """Differences of rates in percentage points, with more decimals the smaller the largest is.

    >>> points(0.0123, 0.0101, 0.0145), points(0.0066, -0.00002, 0.0)
    (['1.23', '1.01', '1.45'], ['0.660', '−0.002', '0.000'])
    """
    largest = max(abs(rate) for rate in rates) or 1.0
    decimals = max(2 - floor(log10(100 * largest)), 2)
    return [f"{100 * rate:.{decimals}f}".replace("-", "−") for rate in rates]


def _headline(rows: Sequence[Mapping[str, Any]]) -> str:
    """The best of a group, and whether its lead over all others is sure."""
    played = [row for row in rows if row["text"] and not row.get("told")]
    if not played:
        return "<p class='lead'>Nobody has played the seeds to report yet.</p>"
    best = f"<b>{escape(played[0]['name'])}</b>"
    others = played[1:]
    if not others:
        return f"<p class='lead'>{best} {played[0]['text']}</p>"
    close = [escape(row["name"]) for row in others if row["difference"] and row["difference"]["low"] <= 0]
    if close:
        named = ", ".join(close) if len(close) < 3 else f"{close[0]} and {len(close) - 1} more"
        return f"<p class='lead'>{best} leads <span class='badge'>too close to call: {named}</span></p>"
    if any(row["difference"] is None for row in others):
        return f"<p class='lead'>{best} leads <span class='badge'>too few shared seeds to be sure</span></p>"
    behind = points(others[0]["difference"]["mean"])[0]
    return f"<p class='lead'>{best} leads by {behind} points <span class='badge sure'>clear of all others</span></p>"


def _ranking(rows: Sequence[Mapping[str, Any]], arms: Sequence[Mapping[str, str]], metric: str) -> str:
    spans = [row["difference"] for row in rows if row.get("difference")]
    low = min([0.0, *(span["low"] for span in spans)])
    high = max([0.0, *(span["high"] for span in spans)])
    several = sum(not row.get("told") for row in rows) > 1
    lines = []
    for place, row in enumerate(rows):
        text = escape(row["name"])
        short = f'<span class="name" title="{text}">{text}</span>'  # it may be cut off where there is no room for it
        name = f"<th scope='row'>{swatch(arms[row['arm']])}{short}</th>"
        error = f"<td class='number'>{row['text'] or 'not yet'}</td>"
        lines.append(f"<tr>{name}{error}{_behind(row, place, low, high) if several else ''}</tr>")
    heads = f"<th scope='col'>learner</th><th scope='col' class='number'>{_METRIC_NAMES[metric]}</th>"
    if several:
        heads += "<th scope='col' class='number'>points behind</th><th class='whisker'></th>"
    return f"<table class='ranking'><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _behind(row: Mapping[str, Any], place: int, low: float, high: float) -> str:
    """The distance to the best in words, and drawn with its interval."""
    difference = row.get("difference")
    if difference is None:
        word = "told labels" if row.get("told") else "best" if place == 0 and row["text"] else ""
        return f"<td class='number soft'>{word}</td><td class='whisker'></td>"
    mean, bottom, top = points(difference["mean"], difference["low"], difference["high"])
    words = f"{mean} <span class='interval soft'>[{bottom}, {top}]</span>"
    return f"<td class='number'>{words}</td><td class='whisker'>{_whisker(difference, low, high)}</td>"


def _whisker(difference: Mapping[str, float], low: float, high: float) -> str:
    width = (high - low) or 1.0
    places = {name: 4 + 92 * (difference[name] - low) / width for name in ("low", "mean", "high")}
    zero = 4 - 92 * low / width
    sure = " sure" if difference["low"] > 0 else ""
    return (
        "<svg width='100%' height='14' aria-hidden='true'>"
        f"<line class='zero' x1='{zero:.1f}%' x2='{zero:.1f}%' y2='14'/>"
        f"<line class='span' x1='{places['low']:.1f}%' x2='{places['high']:.1f}%' y1='7' y2='7'/>"
        f"<circle class='dot{sure}' cx='{places['mean']:.1f}%' cy='7' r='3.5'/></svg>"
    )
