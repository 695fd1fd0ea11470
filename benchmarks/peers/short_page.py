"""The section of the page on the short race: OneBit beside everybody, also beside those that are not linear."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.peers.contenders import CONTENDERS, PEERS
from benchmarks.peers.races import SHORT
from benchmarks.peers.report import Cell, Report, Verdict
from benchmarks.peers.rows import NAMES
from benchmarks.peers.words import days, number, range_of, shown, text_of

ABOUT = (
    "OneBit as it comes beside everybody, linear or not: the four libraries as above, and {others}. Each peer was "
    "tuned for each stream; OneBit was not. The trees of contextualbandits cannot learn row by row: they are fitted "
    "again to all bits so far each time there are 1.3 × as many. {rounds} rounds, {seeds} seeds ({first} to {last}), "
    "the same for all on a stream. Short, because trees and networks are dear: what everyone would do "
    "after a million rounds this does not show. With so few seeds a gap of less than two standard errors says little."
)
HOW = (
    "Measured as above, but each play once, also of those that are timed best of three there, one play at a time, on a "
    "machine that had other work beside it: take costs as rough, to a factor of two. A play is stopped after {limit} "
    "CPU-seconds. *Topics* are the first 100 principal directions of tf-idf, from the whole table, for peers that "
    "cannot take 32,435 columns."
)


def read(kept: dict[str, Any]) -> Report | None:
    """The short race, if it was measured."""
    return Report(kept["short"], SHORT) if "short" in kept else None


def section(report: Report, tuned: dict[str, Any]) -> Iterator[str]:
    """Its lines."""
    kept, bar = report.kept, report.error_bar()
    yield from ["## With peers that are not linear", ""]
    others = "; ".join(f"*{one.name}*, {one.about}" for one in CONTENDERS.values() if one.about and one.name in PEERS)
    first, seeds = kept["first_seed"], kept["size"]["seeds"]
    rounds = range_of(list(report.rounds.values()))
    yield from text_of(ABOUT.format(others=others, rounds=rounds, seeds=seeds, first=first, last=first + seeds - 1))
    yield from ["![Error against speed, one panel for each stream](images/peers-short.svg)", ""]
    yield f"OneBit: {bar.what}: **{bar.measured}**, {'met' if bar.met else '**missed**'}."
    yield ""
    yield from _verdicts(report)
    yield from ["", "### Error of everybody, per cent", ""]
    yield from text_of("Mean over the seeds, the lowest bold; *at n*: stopped after n rounds.")
    yield from _table(report, lambda cell: _error(report, cell))
    yield from ["", "### What a round costs, µs of CPU time", ""]
    yield from _table(report, lambda cell: number(1e6 / cell.speed))
    yield from ["", *_dearest(report)]
    yield from ["### Memory of everybody, MB above the rows", ""]
    yield from _table(report, lambda cell: number(cell.memory))
    yield from ["", "### Settings of the best peers", ""]
    yield from _settings(report, tuned)
    yield from text_of(HOW.format(limit=kept["size"]["limit"]))
    versions = ", ".join(f"{name} {number}" for name, number in kept["versions"].items())
    yield from text_of(f"{days(kept['cells'], kept['date'])}; {kept['machine']}; {versions}.")


def _verdicts(report: Report) -> Iterator[str]:
    yield "| stream | rounds | seeds | OneBit | OneBit linear | best peer | OneBit − best peer ± standard error | |"
    yield "| --- | ---: | ---: | ---: | ---: | --- | ---: | --- |"
    for stream in report.streams:
        ours, linear = report.cell(stream, "OneBit"), report.cell(stream, "OneBit linear")
        found = report.verdicts(stream)
        if not ours or not found:
            yield f"| {NAMES[stream]} | {report.rounds[stream]:,} | | not measured | | | | |"
            continue
        best = found[0]
        beside = f"{linear.error:.2f}" if linear else ""
        seeds = len(ours.errors())
        yield (
            f"| {NAMES[stream]} | {report.rounds[stream]:,} | {seeds} | {ours.error:.2f} | {beside} | "
            f"{best.peer} {best.theirs:.2f}{_at(report, stream, best)} | {_gap(best)} | "
            f"{'OneBit' if best.gap <= 0 else best.peer} |"
        )


def _at(report: Report, stream: str, verdict: Verdict) -> str:
    return "" if verdict.rounds == report.rounds[stream] else f" (stopped, at {verdict.rounds:,})"


def _gap(verdict: Verdict) -> str:
    return f"{verdict.gap:+.2f} ± {verdict.deviation:.2f}".replace("-", "−")


def _table(report: Report, show: Callable[[Cell], str]) -> Iterator[str]:
    """A row for each contender, a column for each stream."""
    yield "| | " + " | ".join(NAMES[stream] for stream in report.streams) + " |"
    yield "| --- |" + " ---: |" * len(report.streams)
    for name in report.contenders:
        cells = [report.cell(stream, name) for stream in report.streams]
        texts = ["" if cell is None else show(cell) if cell else _brief(cell.why_not) for cell in cells]
        yield f"| {name} | " + " | ".join(texts) + " |"


def _brief(why: str) -> str:
    return "too large" if why.startswith("needs") else why


def _error(report: Report, cell: Cell) -> str:
    if cell.stopped:
        return f"{cell.error:.2f} *at {cell.rounds:,}*"
    least = min(one.error for one in report.played(cell.stream) if not one.stopped)
    return f"**{cell.error:.2f}**" if cell.error == least else f"{cell.error:.2f}"


def _dearest(report: Report) -> list[str]:
    """How many times OneBit's time each of the others takes, over the streams."""
    told = []
    for name in report.contenders:
        ratios = []
        for stream in report.streams:
            ours, theirs = report.cell(stream, "OneBit"), report.cell(stream, name)
            if ours and theirs and name != "OneBit":
                ratios.append(ours.speed / theirs.speed)
        if ratios:
            told.append(f"{name} {number(min(ratios))} to {number(max(ratios))}")
    return text_of(f"In times of what OneBit takes, from the least to the most of the streams: {', '.join(told)}.")


def _settings(report: Report, tuned: dict[str, Any]) -> Iterator[str]:
    """Of the best peer on each stream, and where the others' are."""
    about = tuned.get("short")
    if about:
        low = about["seeds"][0]
        yield from text_of(
            f"Tuned on seed {low} by `{about['command']}` ({about['date']}): a knock-out over "
            f"{SHORT.rungs[0].rounds:,}, then {SHORT.rungs[1].rounds:,} rounds, of {_tried(about)} settings each. What "
            "everybody else plays with is in benchmarks/peers/settings.json under `short`."
        )
    yield from ["| stream | best peer | rows | setting |", "| --- | --- | --- | --- |"]
    for stream in report.streams:
        for verdict in report.verdicts(stream)[:1]:
            cell = report.cell(stream, verdict.peer)
            assert cell is not None
            yield f"| {NAMES[stream]} | {verdict.peer} | {cell.setting['rows']} | {shown(cell.setting)} |"
    yield ""


def _tried(about: dict[str, Any]) -> str:
    return range_of([one["among"] for peers in about["settings"].values() for one in peers.values()])
