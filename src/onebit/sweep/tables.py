"""The entries of a sweep as tables: for programs, and to print."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.core.readable_numbers import deviation_of

if TYPE_CHECKING:
    import pyarrow

    from onebit.sweep.results import EntryResult, Results


def best_table(results: Results) -> pyarrow.Table:
    """One row per entry: the configuration chosen, and its errors on the seeds reported."""
    import pyarrow

    rows = []
    for entry in results.entries:
        best = entry.best
        runs = entry.report
        searched = best.search.of_metric(results.plan["select"]) if best else np.zeros(0)
        rows.append(
            {
                "arm": entry.arm,
                "learner": entry.learner,
                "stream": entry.stream,
                "feedback": entry.feedback,
                "rounds": entry.rounds,
                "setting": best.setting if best else None,
                "parameters": json.dumps(best.parameters) if best else None,
                "seeds": len(runs),
                "error": _mean(runs.errors),
                "error_std": _deviation(runs.errors),
                "greedy_error": _mean(runs.greedy_errors),
                "greedy_error_std": _deviation(runs.greedy_errors),
                "updates": float(runs.updates[:, -1].mean()) if len(runs) else None,
                "nanoseconds": runs.nanoseconds if len(runs) else None,
                "tune_error": _mean(searched) if best and len(best.tune) else None,
            }
        )
    return pyarrow.Table.from_pylist(rows, schema=_best_schema())


def summary_rows(results: Results) -> list[list[str]]:
    """One row of cells per entry, under `SUMMARY`: by stream and channel, the lowest error first."""
    order: dict[tuple[str, str], int] = {}
    for entry in results.entries:
        order.setdefault((entry.stream, entry.feedback if entry.feedback != "full" else "bit"), len(order))
    key = "greedy_error" if results.plan["select"] == "greedy_error" else "error"

    def place(entry: EntryResult) -> tuple[int, float]:
        runs = entry.report
        group = order[entry.stream, entry.feedback if entry.feedback != "full" else "bit"]
        return group, float(runs.of_metric(key).mean()) if len(runs) else np.inf

    return [
        [
            entry.stream,
            entry.feedback,
            entry.arm,
            entry.best.setting if entry.best else "open",
            entry.report.text(),
            entry.report.text("greedy_error"),
            f"{entry.report.updates[:, -1].mean():,.0f}" if len(entry.report) else "–",
            f"{entry.report.nanoseconds:,.0f}" if len(entry.report) else "–",
        ]
        for entry in sorted(results.entries, key=place)
    ]


def _mean(values: Any) -> float | None:
    return float(values.mean()) if len(values) else None


def _deviation(values: Any) -> float | None:
    return deviation_of(values.tolist()) if len(values) > 1 else None


def _best_schema() -> Any:
    import pyarrow

    text = pyarrow.string()
    number = pyarrow.float64()
    names = dict.fromkeys(("arm", "learner", "stream", "feedback"), text)
    names |= {"rounds": pyarrow.int64(), "setting": text, "parameters": text, "seeds": pyarrow.int64()}
    numbers = ("error", "error_std", "greedy_error", "greedy_error_std", "updates", "nanoseconds", "tune_error")
    return pyarrow.schema(names | dict.fromkeys(numbers, number))
