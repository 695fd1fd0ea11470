"""What the report page tells, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from onebit.core.readable_numbers import seeds_text
from onebit.report.payload_lines import arm_styles, curve_panels, entry_groups, search_panels
from onebit.report.payload_standings import rounds_text, standings
from onebit.sweep.outcomes import Outcomes
from onebit.sweep.results import EntryResult, Results


def page_payload(results: Results) -> dict[str, Any]:
    """Everything that the page shows, from the results of a sweep."""
    groups = entry_groups(results.entries)
    styles = arm_styles(results.entries)
    arms = [style["name"] for style in styles]
    return {
        "title": results.folder.resolve().name,
        "facts": _facts(results, arms),
        "complete": results.complete,
        "cells": {"done": results.cells_done, "total": results.cells_total, "failed": len(results.failed)},
        "select": results.plan["select"],
        "arms": styles,
        "standings": standings(groups, arms),
        "curves": curve_panels(groups, arms),
        "searches": search_panels(groups, arms),
        "entries": [_entry_row(entry, arms, len(results.seeds)) for entry in results.entries],
        "seeds": seeds_text(results.seeds),
        "tune_seeds": seeds_text(results.tune_seeds),
        "seeds_note": results.seeds_note(),
        "settings": _settings(results),
        "failed": [_failure(cell) for cell in results.failed],
        "command": str(results.plan["command"] or ""),
    }


def _facts(results: Results, arms: Sequence[str]) -> str:
    """The sweep in a line."""
    streams = list(dict.fromkeys(entry.stream for entry in results.entries))
    learners = "1 learner" if len(arms) == 1 else f"{len(arms)} learners"
    where = streams[0] if len(streams) == 1 else f"{len(streams)} streams"
    return f"{learners} on {where}, {rounds_text(results.entries)}"


def _entry_row(entry: EntryResult, arms: Sequence[str], seeds: int) -> dict[str, Any]:
    """One line of the table of entries; numbers are None until somebody has played."""
    runs = entry.report
    row: dict[str, Any] = {
        "arm": arms.index(entry.arm),
        "learner": entry.learner,
        "stream": entry.stream,
        "feedback": entry.feedback,
        "tried": len(entry.configurations),
        "setting": None if entry.best is None else entry.best.setting,
        "parameters": {} if entry.best is None else dict(entry.best.parameters),
        "seeds": f"{len(runs)}" if len(runs) == seeds else f"{len(runs)} of {seeds}",
        "seeds_done": len(runs),
    }
    return row | (_numbers(runs) if len(runs) else dict.fromkeys(("error", "greedy_error", "updates", "ns")))


def _numbers(runs: Outcomes) -> dict[str, tuple[float, str]]:
    """Pairs of a number to sort by and a text to show."""
    updates = float(runs.updates[:, -1].mean())
    return {
        "error": (float(runs.errors.mean()), runs.text()),
        "greedy_error": (float(runs.greedy_errors.mean()), runs.text("greedy_error")),
        "updates": (updates, f"{updates:,.0f}"),
        "ns": (runs.nanoseconds, f"{runs.nanoseconds:,.0f}"),
    }


def _settings(results: Results) -> list[tuple[str, str]]:
    """Names and values of what the whole sweep shares."""
    plan = results.plan
    lines = [("seeds", results.seeds_note())]
    lines += [(name, about) for name, about in _streams(plan).items() if about]
    lines += [("planned", str(plan["made"]).replace("T", " ")), ("onebit", str(plan["onebit"]))]
    return [*lines, *((str(name), str(version)) for name, version in plan["versions"].items())]


def _streams(plan: Mapping[str, Any]) -> dict[str, str]:
    """What is known of each stream: its title, its options, where it comes from."""
    known = {}
    for entry in plan["entries"]:
        about = dict(entry.get("about", {}))
        options = " ".join(f"{name}={value}" for name, value in (about.pop("options", None) or {}).items())
        known[str(entry["stream"])] = "; ".join(str(part) for part in [*about.values(), options] if part)
    return known


def _failure(record: Mapping[str, Any]) -> dict[str, str]:
    """A failed cell in words."""
    settings = record["settings"]
    parameters = {name: value for name, value in settings["learner"]["parameters"].items() if name != "classes"}
    return {
        "learner": settings["learner"]["name"],
        "stream": settings["stream"]["name"],
        "feedback": settings["feedback"]["channel"],
        "seed": str(settings["seeds"][0]),
        "error": str(record["error"]),
        "tries": str(record["tries"]),
        "parameters": " ".join(f"{name}={value}" for name, value in parameters.items()),
        "cell": str(record["cell"]),
    }
