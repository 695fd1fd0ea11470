"""The page docs/benchmarks.md, all of it from the results and the settings."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.cases.page import section as raw_cases
from benchmarks.peers.contenders import CONTENDERS, PEERS
from benchmarks.peers.picture import draw
from benchmarks.peers.plan import REPEATS, RESULTS, SETTINGS
from benchmarks.peers.report import Cell, Report
from benchmarks.peers.rows import NAMES
from benchmarks.peers.short_page import read as read_short
from benchmarks.peers.short_page import section as short_section
from benchmarks.peers.words import days, number, range_of, shown, text_of
from onebit.core.files import written_whole

DOCS = Path(__file__).parents[2] / "docs"

ABOUT = (
    "OneBit with its one default setting against other libraries that can learn from bits, each tuned for each stream. "
    "All play the same rows in the same order; none sees a label, only whether the one it played was right. A mistake "
    "is a label played that was not the true one, exploration and all. There are two races: a long one against linear "
    "models, and a [short one](#with-peers-that-are-not-linear) on more streams against everybody, also against pairs "
    "of features, trees, forests and networks."
)
HOW = (
    "Each play is a process of its own. **Speed** is rounds per second of CPU time, of all threads together, with one "
    "thread for linear algebra; rows are in memory beforehand, in the form that the peer reads (for VW, which reads "
    "files, in a file: its text or its binary cache, whichever was faster); compiling onebit's loop is not counted. "
    "Contenders whose rounds do not pass through Python are timed alone, best of {repeats} plays; the others once, as "
    "many at a time as there are cores. **Memory** is how much the process grew at most while it played, above the "
    "rows, the interpreter and the imported packages. A play is stopped after {limit:,} CPU-seconds: its error is then "
    "that of the rounds before, and is compared with OneBit's after as many."
)
PREPARED = (
    "Rows: *raw* as they come; *unit* of norm 1; *standard* with columns of mean 0 and variance 1, cut at ±4; *tf-idf* "
    "for word counts. Standard and tf-idf are computed from the whole table beforehand, which no learner on a live "
    "stream could have; peers may use them, OneBit gets raw rows."
)


def write(results: Path = RESULTS, settings: Path = SETTINGS, docs: Path = DOCS) -> int:
    """Write the page and its picture; 1 if there is nothing to write."""
    if not results.exists():
        print(f"{results.name} is missing: python -m benchmarks.peers run makes it", file=sys.stderr)
        return 1
    kept = json.loads(results.read_text())
    tuned = json.loads(settings.read_text()) if settings.exists() else {}
    report, short = Report(kept), read_short(kept)
    with written_whole(docs / "benchmarks.md") as path:
        path.write_text("\n".join(page(report, tuned, short)) + "\n", encoding="utf-8")
    draw(report, docs / "images" / "peers.svg")
    if short:
        draw(short, docs / "images" / "peers-short.svg")
    print(f"wrote {docs / 'benchmarks.md'} and its pictures")
    return 0


def page(report: Report, tuned: dict[str, Any], short: Report | None) -> Iterator[str]:
    """Its lines."""
    size = report.kept["size"]
    first = report.kept["first_seed"]
    yield from ["# onebit beside other libraries", ""]
    yield from text_of(ABOUT)
    if short:
        yield from _in_short(report, short)
    yield from ["## Among linear models", ""]
    yield from text_of(
        "The peers here are linear models. OneBit as it comes is not one on dense rows, where it keeps a dictionary of "
        f"cases; *OneBit linear* is the one with `kernel=None`. {range_of(list(report.rounds.values()))} rounds, "
        f"{size['seeds']} seeds ({first} to {first + size['seeds'] - 1})."
    )
    yield from ["![Error against speed, one panel for each stream](images/peers.svg)", ""]
    yield from ["### What was to be shown", "", "| bar | measured | |", "| --- | --- | --- |"]
    for bar in report.bars():
        yield f"| OneBit: {bar.what} | {bar.measured} | {'met' if bar.met else '**missed**'} |"
    yield ""
    yield from _verdicts(report)
    yield from [
        "",
        "### Played error, per cent",
        "",
        "Mean ± standard deviation over the seeds; the lowest is bold.",
        "",
    ]
    yield from _table(report, lambda cell: _error(report, cell))
    yield from ["", "### Rounds per CPU-second", ""]
    yield from _table(report, lambda cell: number(cell.speed))
    yield from _reading(report)
    yield from ["", "### Memory, MB above the rows", ""]
    yield from _table(report, lambda cell: f"{cell.memory:,.1f}")
    sizes = ", ".join(f"{name} {size:,.0f} MB" for name, size in report.kept["imports"].items())
    yield from ["", *text_of(f"Importing the package takes, beside that: {sizes}.")]
    yield from ["### Where a peer is ahead", "", *_ahead(report), "", "### Settings", ""]
    yield from _settings(report, tuned)
    yield from ["### How it was measured", "", *text_of(HOW.format(repeats=REPEATS, limit=size["limit"]))]
    versions = ", ".join(f"{name} {number}" for name, number in report.kept["versions"].items())
    measured = days(report.kept["cells"], report.kept["date"])
    yield from text_of(f"{measured}; {report.kept['machine']}; {versions}.")
    if short:
        yield from short_section(short, tuned)
    yield from text_of(
        "Again: `make bench-peers`, or `python -m benchmarks.peers run` and then `page`; `tune` tunes again."
    )
    yield from raw_cases()


def _in_short(report: Report, short: Report) -> Iterator[str]:
    """Both races in one line each."""
    for race, name in ((report, "Linear models"), (short, "Everybody")):
        bar, size = race.error_bar(), range_of(list(race.rounds.values()))
        yield f"- **{name}**, {size} rounds: OneBit is at or below the best peer's error on {bar.measured}."
    yield ""


def _table(report: Report, show: Callable[[Cell], str]) -> Iterator[str]:
    """A row for each stream, a column for each contender."""
    yield "| stream | " + " | ".join(report.contenders) + " |"
    yield "| --- |" + " ---: |" * len(report.contenders)
    for stream in report.streams:
        cells = [report.cell(stream, name) for name in report.contenders]
        shown = ["" if cell is None else show(cell) if cell else cell.why_not for cell in cells]
        yield f"| {NAMES[stream]} | " + " | ".join(shown) + " |"


def _error(report: Report, cell: Cell) -> str:
    errors = cell.errors()
    places = 3 if cell.error < 1 else 2
    text = f"{cell.error:.{places}f} ± {errors.std(ddof=1) if len(errors) > 1 else 0:.{places}f}"
    if cell.stopped:
        ours = report.cell(cell.stream, "OneBit")
        there = f"; OneBit there {ours.errors(cell.rounds).mean():.{places}f}" if ours else ""
        return f"{text} (stopped, at {cell.rounds:,}{there})"
    whole = [one.error for one in report.played(cell.stream) if not one.stopped]
    return f"**{text}**" if cell.error == min(whole) else text


def _verdicts(report: Report) -> Iterator[str]:
    yield "| stream | OneBit − hardest peer, per cent of rounds | |"
    yield "| --- | --- | --- |"
    for stream in report.streams:
        for verdict in report.verdicts(stream)[:1]:
            at = "" if verdict.rounds == report.rounds[stream] else f" after {verdict.rounds:,} rounds"
            gap = f"{verdict.gap:+.3f} ± {verdict.deviation:.3f} (standard error)".replace("-", "−")
            which = f"{verdict.peer} {verdict.theirs:.3f}, OneBit {verdict.ours:.3f}{at}"
            yield f"| {NAMES[stream]} | {gap}: {which} | {'OneBit' if verdict.gap <= 0 else verdict.peer} |"


def _reading(report: Report) -> Iterator[str]:
    """What is left of VW's time without the thread that reads, on the stream of the bar."""
    ours, vw = report.cell("synsep", "OneBit"), report.cell("synsep", "VW")
    if ours and vw and vw.speed_without_reading > vw.speed:
        yield from [
            "",
            *text_of(
                f"VW reads its rows in a thread of its own; by the time of the thread that learns alone it plays "
                f"{number(vw.speed_without_reading)} rounds per CPU-second on SynSep, and OneBit is "
                f"{ours.speed / vw.speed_without_reading:.1f} × as fast as that."
            )[:-1],
        ]


def _ahead(report: Report) -> Iterator[str]:
    """Every peer that beats OneBit in error, speed or memory, stream by stream."""
    found: dict[str, list[str]] = {}
    for stream in report.streams:
        ours = report.cell(stream, "OneBit")
        for cell in report.played(stream):
            if not ours or cell.contender not in PEERS:
                continue
            wins = [
                verdict for verdict in report.verdicts(stream) if verdict.peer == cell.contender and verdict.gap > 0
            ]
            better = [f"error ({wins[0].theirs:.3f} against {wins[0].ours:.3f} %)"] if wins else []
            better += [f"speed ({cell.speed / ours.speed:.1f} ×)"] if cell.speed > ours.speed else []
            better += (
                [f"memory ({cell.memory:,.1f} against {ours.memory:,.1f} MB)"] if cell.memory < ours.memory else []
            )
            if better:
                found.setdefault(cell.contender, []).append(f"{NAMES[stream]}: {', '.join(better)}")
    sizes = report.kept["imports"]
    for name in [name for name in report.contenders if name in PEERS]:
        package = CONTENDERS[name].package
        lines = found.get(name, [])
        if package in sizes and sizes[package] < sizes["onebit"]:
            lines = [*lines, f"imported, it takes {sizes[package]:,.0f} MB, onebit {sizes['onebit']:,.0f} MB"]
        yield f"- **{name}**: {'; '.join(lines) if lines else 'nowhere'}."


def _settings(report: Report, tuned: dict[str, Any]) -> Iterator[str]:
    """What each peer plays with, and how it was found."""
    if "settings" in tuned:
        low, *_, high = tuned["seeds"]
        rungs = [one["rungs"] for peers in tuned["settings"].values() for one in peers.values()]
        lengths = ", then ".join(range_of([rung["rounds"] for rung in rung_of]) for rung_of in zip(*rungs, strict=True))
        limits = range_of([rung[-1]["limit"] for rung in rungs])
        yield from text_of(
            f"Tuned on seeds {low} to {high} by `{tuned['command']}` ({tuned['date']}): a knock-out over {lengths} "
            f"rounds, the last of at most {limits} CPU-seconds a play. How each was tuned, and all that was tried in "
            "its last round, is in benchmarks/peers/settings.json. OneBit and Banditron play as their constructors "
            f"make them. {PREPARED}"
        )
    yield from ["| stream | peer | rows | setting |", "| --- | --- | --- | --- |"]
    for stream in report.streams:
        for cell in report.played(stream):
            if cell.contender in PEERS:
                yield f"| {NAMES[stream]} | {cell.contender} | {cell.setting['rows']} | {shown(cell.setting)} |"
    yield ""
