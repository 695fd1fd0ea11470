"""onebit paper: the tables and figures of the five papers, reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Annotated

import typer

from onebit.cli.output import FINE, PARTLY_DONE, make_folder, note, print_json, print_table
from onebit.cli.values import parse_rounds
from onebit.core.checks import check_whole
from onebit.papers import IDS, NOT_RUN, Experiment, Row, experiment
from onebit.papers.base import MEANINGS
from onebit.papers.run import default_folder, missing, run_experiment, took, verdicts
from onebit.simulate.simulate import MOST_SEEDS, check_rounds

app = typer.Typer(rich_markup_mode=None)

ALL = "all"
PAPERS = tuple(dict.fromkeys(id.partition("/")[0] for id in IDS))

Id = Annotated[str, typer.Argument(metavar="ID", help="Such as soba/fig2, which `onebit paper list` names; or all.")]
Full = Annotated[bool, typer.Option("--full", help="As long as in the paper, with verdicts.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Where to put it. Default: papers/ID or papers/full/ID.")]
Rounds = Annotated[str | None, typer.Option(metavar="N", help="At most so many rounds, for a first look.")]
Seeds = Annotated[int | None, typer.Option(metavar="N", help="At most so many seeds of either kind.")]
Remote = Annotated[str | None, typer.Option("--executor", metavar="dask://HOST:PORT", help="Play on a Dask cluster.")]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Processes. Default: one per core.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback()
def papers() -> None:
    """The tables and figures of the five papers, reproduced.

    \b
    Examples:
      onebit paper list
      onebit paper run kernel/fig3
      onebit paper run soba/fig2 --full --out soba
    """


@app.command("list")
def list_papers(as_json: Json = False) -> None:
    """Every table and figure of the five papers: how long it takes, and what it needs.

    Times are for two cores: what it took when it was measured, and what a full run in
    papers/full of this folder took. What cannot be run says why.
    """
    found = [experiment(id) for id in IDS]
    times = {id: took(default_folder(id, full=True)) for id in IDS}
    if as_json:
        runs = [
            {
                "id": one.id,
                "paper": one.paper,
                "title": one.title,
                "about": one.about,
                "minutes": {"quick": one.minutes[0], "full": one.minutes[1], "took": times[one.id]},
                "needs": list(one.needs),
                "missing": missing(one),
            }
            for one in found
        ]
        print_json([*runs, *({"id": id, "not_run": why} for id, why in NOT_RUN.items())])
        return
    rows = []
    for one in found:
        absent = missing(one)
        took_text = "" if (minutes := times[one.id]) is None else _minutes(minutes)
        what = f"missing: {', '.join(absent)}" if absent else one.title
        rows.append([one.id, *map(_minutes, one.minutes), took_text, what])
    rows += [[id, "", "", "", f"not run: {why}"] for id, why in NOT_RUN.items()]
    rows.sort(key=lambda row: (PAPERS.index(row[0].partition("/")[0]), row[0].partition("/")[2]))
    print_table(["id", "quick", "full, about", "took", "what"], rows, right=["quick", "full, about", "took"])
    print(f"all of them in full: about {_minutes(sum(one.minutes[1] for one in found))} on two cores")


@app.command()
def run(
    id: Id,
    full: Full = False,
    out: Out = None,
    rounds: Rounds = None,
    seeds: Seeds = None,
    executor: Remote = None,
    workers: Workers = None,
    as_json: Json = False,
) -> int:
    """Run one experiment, or all: the figure, and a table beside the printed numbers.

    Quick by default, for a first look without verdicts; as long as in the paper
    with --full. Interrupted, the same command goes on. The folder gets the figures
    (SVG and PNG), table.csv and table.json, and the sweep itself, for `onebit
    report` and your own questions.

    \b
    Examples:
      onebit paper run kernel/fig3
      onebit paper run molg/table1 --json
      onebit paper run all --full
    """
    chosen = [experiment(one) for one in (IDS if id == ALL else [id])]
    cut = check_rounds("--rounds", parse_rounds(rounds))
    if seeds is not None:
        check_whole("--seeds", seeds, most=MOST_SEEDS)
    records = []
    for at, one in enumerate(chosen, 1):
        folder = default_folder(one.id, full) if out is None else out / one.id if id == ALL else out
        make_folder(folder)
        if id == ALL:
            note(f"{one.id}: {at} of {len(chosen)}, about {_minutes(one.minutes[full])}")
        found = run_experiment(one, folder, full=full, rounds=cut, seeds=seeds, executor=executor, workers=workers)
        if found is None:
            note(f"{one.id}: not all cells are done; run the same command again to go on (what is done is in {folder})")
            return PARTLY_DONE
        findings, files = found
        rows = findings.rows
        paths = [str(path) for path in files]
        records.append({"id": one.id, "full": full, "rows": [row._asdict() for row in rows], "files": paths})
        if not as_json:
            print("\n".join(findings_lines(one, rows, get_terminal_size((100, 24)).columns)))
        if cut is not None or seeds is not None:
            note(f"{one.id}: cut short by --rounds or --seeds, so there are no verdicts")
        minutes = _minutes(took(folder) or 0.0)
        note(f"{one.id}: {verdicts(rows)}; took {minutes} on two cores; wrote {len(files)} files to {folder}")
    if as_json:
        print_json(records if id == ALL else records[0])
    return FINE


def findings_lines(one: Experiment, rows: Sequence[Row], width: int) -> list[str]:
    """The comparison as text: under each verdict the rows that came out so, what was printed and what came out here.

    >>> from onebit.papers import Row
    >>> lines = findings_lines(experiment("kernel/fig3"), [Row("mistakes", "12", "13", "reproduces", "near")], 80)
    >>> print("\\n".join(lines[-5:]))
    reproduces (1)
    <BLANKLINE>
      mistakes
        printed  12
        here     13; near
    """
    width = min(max(width, 40), 100)
    lines = [*wrap(f"{one.id}: {one.title}", width), *wrap(one.paper, width), "", *wrap(one.about, width)]
    for verdict in MEANINGS:
        chosen = [row for row in rows if row.verdict == verdict]
        lines += ["", f"{verdict} ({len(chosen)})"] if chosen else []
        for row in chosen:
            lines += ["", *_indented("  ", row.what, width), *_indented("    printed  ", row.printed, width)]
            lines += _indented("    here     ", f"{row.here}; {row.why}" if row.why else row.here, width)
            lines += _indented("    played   ", row.played, width) if row.played else []
    return lines


def _indented(start: str, text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent=start, subsequent_indent=" " * len(start))


def _minutes(minutes: float) -> str:
    """A time in minutes or hours, as people say it."""
    return f"{minutes:.1f} min" if minutes < 10 else f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"
