"""The report of a sweep: one HTML file that needs nothing else, not even a network."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from onebit.core.files import written_whole
from onebit.core.version import __version__
from onebit.report import page_parts as parts
from onebit.report.page_standings import standing_cards
from onebit.report.payload import page_payload
from onebit.sweep.results import Results

_SCRIPTS = ("scales.js", "chart.js", "page.js")


def write_page(results: Results, path: str | os.PathLike[str] | None = None) -> Path:
    """Write the report of a sweep, by default as `report.html` in its folder; returns where it is.

    >>> import onebit, tempfile
    >>> plan = onebit.Sweep.cross([onebit.Banditron(9)], onebit.streams.synsep(1000), seeds=2)
    >>> results = onebit.sweep(plan, tempfile.mkdtemp(), workers=1, progress=False)
    >>> write_page(results).name
    'report.html'
    """
    target = results.folder / "report.html" if path is None else Path(path)
    with written_whole(target) as draft:
        draft.write_text(page_html(page_payload(results)), encoding="utf-8")
    return target


def page_html(payload: Mapping[str, Any]) -> str:
    """The page of a payload: texts and tables as HTML, and what the script draws as JSON.

    The payload is that of `page_payload`.
    """
    drawn = {name: payload[name] for name in ("arms", "curves", "searches")}
    return Template(_asset("page.html")).substitute(
        title=escape(payload["title"]),
        version=escape(__version__),
        facts=escape(payload["facts"]),
        status=parts.status_line(payload),
        metric=payload["select"],
        metric_switch=parts.switch("metric", "error", {"error": "played", "greedy_error": "greedy"}, payload["select"]),
        legend=parts.legend_buttons(payload["arms"]),
        standings_title="Who is ahead" if len(payload["arms"]) > 1 else "Errors",
        standings_note=_standings_note(payload),
        standings=standing_cards(payload),
        curves=_curves(payload),
        seeds_note=escape(payload["seeds_note"].capitalize()),
        entries=parts.entries_table(payload),
        searches=_searches(payload),
        settings=parts.settings_part(payload),
        failed=parts.failed_part(payload["failed"]),
        again=parts.again_part(payload["command"]),
        css=_asset("page.css"),
        script="\n".join(_asset(name) for name in _SCRIPTS),
        data=script_json(drawn),
    )


def script_json(value: Any) -> str:
    """JSON that may stand inside a script element, whatever its texts are.

    >>> script_json({"name": "</script>"})
    '{"name":"\\\\u003c/script>"}'
    """
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def _standings_note(payload: Mapping[str, Any]) -> str:
    note = f"Mean ± standard deviation over seeds {payload['seeds']}."
    if any(row.get("difference") for group in payload["standings"] for row in group["error"]):
        note += (
            " Points behind: how much higher the error is than the best learner’s, in percentage points, with the 95 %"
            " interval of the difference seed by seed, each pair on its own; a full dot means that it excludes 0."
        )
    return note


def _curves(payload: Mapping[str, Any]) -> str:
    if not payload["curves"]:
        return ""
    scales = {"log": "log", "linear": "linear"}
    switches = parts.switch("x", "rounds axis", scales, "log") + parts.switch("y", "error axis", scales, "log")
    note = f"Line: mean over seeds {payload['seeds']}. Band: lowest to highest."
    return (
        f'<section id="curves"><div class="head"><h2>Error over rounds</h2><div class="switches">{switches}</div></div>'
        f'<p class="note">{note}</p>{parts.figure_grid(payload["curves"], "curves")}</section>'
    )


def _searches(payload: Mapping[str, Any]) -> str:
    if not payload["searches"]:
        return ""
    where = payload["tune_seeds"] or payload["seeds"]
    note = f"Mean error on seeds {where}; where other parameters were searched too, the lowest over them. Ring: chosen."
    return (
        f'<section id="searches"><h2>Parameter search</h2><p class="note">{escape(note)}</p>'
        f"{parts.figure_grid(payload['searches'], 'searches')}</section>"
    )


def _asset(name: str) -> str:
    return files("onebit.report").joinpath(name).read_text(encoding="utf-8").strip()
