"""Who is ahead on each stream and feedback, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from onebit.report.payload_lines import Group
from onebit.sweep.outcomes import METRICS
from onebit.sweep.results import EntryResult, paired_difference


def standings(groups: Iterable[Group], arms: Sequence[str]) -> list[dict[str, Any]]:
    """For each group and each of the two errors: the entries from the best to the worst, against the best.

    Those told every label come after the others, and are not compared; those that have not played come last.
    """
    tables: list[dict[str, Any]] = []
    for group in groups:
        ranked = {metric: _ranked(group, metric) for metric in METRICS}
        for row in (row for rows in ranked.values() for row in rows):
            row["arm"] = arms.index(row["name"])
        first = group.members[0]
        about = f"{first.classes} classes, {first.features:,} features, {rounds_text(group.members)}"
        tables.append({"title": group.title, "about": about} | ranked)
    return tables


def rounds_text(entries: Iterable[EntryResult]) -> str:
    """How many rounds entries play, from the fewest to the most; a stream without end may not say.

    >>> from types import SimpleNamespace as Entry
    >>> rounds_text([Entry(rounds=20_000), Entry(rounds=1000)]), rounds_text([Entry(rounds=None)])
    ('1,000 to 20,000 rounds', 'rounds not known')
    """
    lengths = sorted({entry.rounds for entry in entries if entry.rounds is not None})
    if not lengths:
        return "rounds not known"
    return " to ".join(dict.fromkeys(f"{length:,}" for length in (lengths[0], lengths[-1]))) + " rounds"


def _ranked(group: Group, metric: str) -> list[dict[str, Any]]:
    played = [entry for entry in group.entries if len(entry.report)]
    played.sort(key=lambda entry: float(entry.report.of_metric(metric).mean()))
    rows = [_row(entry, metric) | {"difference": _difference(entry, played[0], metric)} for entry in played]
    rows += [_row(entry, metric) | {"told": True} for entry in group.told if len(entry.report)]
    return rows + [{"name": entry.arm, "text": None} for entry in group.members if not len(entry.report)]


def _row(entry: EntryResult, metric: str) -> dict[str, Any]:
    return {"name": entry.arm, "text": entry.report.text(metric)}


def _difference(entry: EntryResult, best: EntryResult, metric: str) -> dict[str, float] | None:
    """How much more an entry errs than the best, with its interval; None where they share no two seeds."""
    if entry is best or len(set(entry.report.seeds) & set(best.report.seeds)) < 2:
        return None
    found = paired_difference(entry.report, best.report, metric)
    return {"mean": found.mean, "low": found.low, "high": found.high}
