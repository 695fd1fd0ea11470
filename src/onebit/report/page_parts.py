"""The pieces of the report page as HTML. Every text from outside is escaped here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_COLUMNS = ("learner", "stream", "feedback", "chosen", "error", "greedy error", "updates", "ns/round", "seeds")
_NUMBERS = _COLUMNS[4:]


def status_line(payload: Mapping[str, Any]) -> str:
    """How far the sweep got."""
    cells = payload["cells"]
    if payload["complete"]:
        return f'<p class="status done">complete: {cells["total"]:,} cells</p>'
    failed = f'; <a href="#failed">{cells["failed"]:,} failed</a>' if cells["failed"] else ""
    return f'<p class="status partly">partly done: {cells["done"]:,} of {cells["total"]:,} cells{failed}</p>'


def legend_buttons(arms: Sequence[Mapping[str, str]]) -> str:
    """A button for each learner, which shows and hides its lines."""
    return "".join(
        f'<button type="button" class="{arm["colour"]}" aria-pressed="true" data-arm="{at}">'
        f"{swatch(arm)}{escape(arm['name'])}</button>"
        for at, arm in enumerate(arms)
    )


def switch(name: str, legend: str, choices: Mapping[str, str], chosen: str) -> str:
    """One of a few choices, as radio buttons.

    >>> switch("x", "rounds", {"log": "log"}, "log").count("checked")
    1
    """
    options = "".join(
        f'<label><input type="radio" name="{name}" value="{value}"{" checked" if value == chosen else ""}>'
        f"<span>{escape(text)}</span></label>"
        for value, text in choices.items()
    )
    return f'<fieldset class="switch"><legend>{escape(legend)}</legend>{options}</fieldset>'


def figure_grid(panels: Sequence[Mapping[str, Any]], kind: str) -> str:
    """A frame for each panel, which the script fills."""
    frames = "".join(
        f'<figure data-kind="{kind}" data-panel="{at}"><figcaption>{escape(panel["title"])}</figcaption></figure>'
        for at, panel in enumerate(panels)
    )
    return f'<div class="grid {kind}">{frames}</div>'


def entries_table(payload: Mapping[str, Any]) -> str:
    """The table of all entries, whose headings sort it."""
    heads = "".join(
        f'<th scope="col" class="{"number" if name in _NUMBERS else "word"}" aria-sort="none">'
        f'<button type="button">{name}</button></th>'
        for name in _COLUMNS
    )
    rows = "".join(f"<tr>{_entry_cells(entry, payload['arms'])}</tr>" for entry in payload["entries"])
    return (
        '<div class="wide" role="region" aria-label="Every entry" tabindex="0"><table class="sortable">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def settings_part(payload: Mapping[str, Any]) -> str:
    """What the sweep shares, then the parameters of each entry."""
    lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in payload["settings"])
    rows = "".join(
        f"<tr><td>{escape(payload['arms'][entry['arm']]['name'])}</td><td>{escape(entry['stream'])}</td>"
        f"<td>{escape(entry['feedback'])}</td><td>{_parameters(entry['parameters'])}</td></tr>"
        for entry in payload["entries"]
        if entry["parameters"]
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("learner", "stream", "feedback", "parameters"))
    table = f'<div class="wide" tabindex="0"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    more = f"<details><summary>All parameters of the chosen configurations</summary>{table}</details>" if rows else ""
    return f"<dl>{lines}</dl>{more}"


def failed_part(cells: Sequence[Mapping[str, str]]) -> str:
    """The cells that failed, if any."""
    if not cells:
        return ""
    names = list(dict.fromkeys(name for cell in cells for name in cell))
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell.get(name, ''))}</td>" for name in names) + "</tr>" for cell in cells
    )
    table = f'<div class="wide" tabindex="0"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    return f'<section id="failed"><h2>Failed cells</h2>{table}</section>'


def again_part(command: str) -> str:
    """How to run the sweep again: by its command, or from Python."""
    note = "Cells that are done are not run again; a fresh folder runs them all."
    code = f"<pre><code>{escape(command or 'onebit.sweep(plan, folder)  # with the same plan')}</code></pre>"
    return f'<section id="again"><h2>Run it again</h2><p class="note">{note}</p>{code}</section>'


def _entry_cells(entry: Mapping[str, Any], arms: Sequence[Mapping[str, str]]) -> str:
    arm = arms[entry["arm"]]
    same = entry["learner"] == arm["name"]
    learner = "" if same else f" <span class='soft'>{escape(entry['learner'])}</span>"
    chosen = {None: "not yet", "": "–"}.get(entry["setting"], entry["setting"])
    tried = f" <span class='soft'>of {entry['tried']}</span>" if entry["tried"] > 1 and entry["setting"] else ""
    words = [
        (arm["name"], f"{swatch(arm)}{escape(arm['name'])}{learner}"),
        (entry["stream"], escape(entry["stream"])),
        (entry["feedback"], escape(entry["feedback"])),
        (entry["setting"] or "", escape(chosen) + tried),
    ]
    cells = [f'<td data-sort="{escape(key)}">{text}</td>' for key, text in words]
    for name in ("error", "greedy_error", "updates", "ns"):
        key, text = entry[name] or ("", "–")
        cells.append(f'<td class="number" data-sort="{key}">{text}</td>')
    return "".join(cells) + f'<td class="number" data-sort="{entry["seeds_done"]}">{entry["seeds"]}</td>'


def _parameters(parameters: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in parameters.items() if name != "classes"}
    return " ".join(f"<code>{escape(f'{name}={value}')}</code>" for name, value in shown.items())


def swatch(arm: Mapping[str, str]) -> str:
    """A short line in the style of a learner."""
    return (
        f'<svg class="swatch {arm["colour"]}" width="22" height="10" aria-hidden="true">'
        f'<line x1="1" x2="21" y1="5" y2="5" stroke-dasharray="{arm["dash"]}"/></svg>'
    )
