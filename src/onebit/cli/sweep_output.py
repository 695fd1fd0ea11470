"""What came of a sweep: tables for people, a record for programs."""

from __future__ import annotations

import json
from itertools import combinations, groupby
from math import inf, isfinite
from typing import Any

from onebit.cli.output import print_table
from onebit.sweep.outcomes import METRICS
from onebit.sweep.results import EntryResult, Results, paired_difference

_RIGHT = ("error", "greedy error")


def print_sweep(results: Results) -> None:
    """A table for each stream, the lowest error first, and a line that says which seeds tuned and which report.

    >>> import onebit, tempfile
    >>> plan = onebit.Sweep.cross([onebit.Banditron(9)], onebit.streams.synsep(1000), seeds=2)
    >>> print_sweep(onebit.sweep(plan, tempfile.mkdtemp(), workers=1, progress=False))
    synsep: 400 features, 9 classes; 1,000 rounds, bit
    <BLANKLINE>
    arm        error    greedy error
    ...
    <BLANKLINE>
    reported: seeds 0, 1; nothing was tuned
    """
    # The streams in the order of the plan.
    places = {entry.stream: place for place, entry in reversed(list(enumerate(results.entries)))}
    ordered = sorted(results.entries, key=lambda entry: places[entry.stream])
    for _, group in groupby(ordered, key=lambda entry: entry.stream):
        entries = sorted(group, key=lambda entry: _error(entry, results.plan["select"]))
        _print_stream(entries)
        print()
    print(results.seeds_note())


def _error(entry: EntryResult, metric: str) -> float:
    return float(entry.report.of_metric(metric).mean()) if len(entry.report) else inf


def _print_stream(entries: list[EntryResult]) -> None:
    first = entries[0]
    rounds = "one pass" if first.rounds is None else f"{first.rounds:,} rounds"
    title = f"{first.stream}: {first.features:,} features, {first.classes} classes; {rounds}"
    channels = {entry.feedback for entry in entries}
    if len(channels) == 1:
        title += f", {first.feedback}"
    told = ["feedback"] if len(channels) > 1 else []
    chosen = ["setting"] if any(entry.best is None or entry.best.setting for entry in entries) else []
    rows = []
    for entry in entries:
        setting = "not chosen yet" if entry.best is None else entry.best.setting or "–"
        errors = [entry.report.text(), entry.report.text("greedy_error")]
        rows.append([entry.arm, *([entry.feedback] if told else []), *errors, *([setting] if chosen else [])])
    print_table(["arm", *told, *_RIGHT, *chosen], rows, title=title, right=_RIGHT)


def sweep_record(results: Results) -> dict[str, Any]:
    """The best of each entry, the differences between them seed by seed, and all settings, ready for JSON.

    >>> import onebit, tempfile
    >>> plan = onebit.Sweep.cross([onebit.Banditron(9)], onebit.streams.synsep(1000), seeds=2)
    >>> sweep_record(onebit.sweep(plan, tempfile.mkdtemp(), workers=1, progress=False))["cells"]
    {'done': 2, 'total': 2, 'failed': []}
    """
    best = results.best().to_pylist()
    for row in best:
        row["parameters"] = None if row["parameters"] is None else json.loads(row["parameters"])
    entries = [{key: one[key] for key in one if key != "configurations"} for one in results.plan["entries"]]
    record: dict[str, Any] = _plain(
        {
            "folder": str(results.folder),
            "complete": results.complete,
            "cells": {"done": results.cells_done, "total": results.cells_total, "failed": results.failed},
            "best": best,
            "differences": _differences(results),
            "settings": dict(results.plan) | {"entries": entries},
        }
    )
    return record


def _differences(results: Results) -> list[dict[str, Any]]:
    """error(a) - error(b) and its 95 % interval, for every two entries of a stream that have been reported."""
    return [
        {"a": _label(a), "b": _label(b), "metric": metric, **paired_difference(a.report, b.report, metric)._asdict()}
        for a, b in combinations(results.entries, 2)
        if a.stream == b.stream and set(a.report.seeds) & set(b.report.seeds)
        for metric in METRICS
    ]


def _label(entry: EntryResult) -> dict[str, str]:
    return {"arm": entry.arm, "stream": entry.stream, "feedback": entry.feedback}


def _plain(value: Any) -> Any:
    """JSON has neither nan nor infinity: they are null."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value
