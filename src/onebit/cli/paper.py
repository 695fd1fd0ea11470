"""onebit paper: the tables and figures of the five papers, reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Annotated, get_args

import typer

from onebit.cli.output import FINE, PARTLY_DONE, make_folder, note, print_json, print_table
from onebit.cli.values import parse_rounds
from onebit.core.checks import check_whole
from onebit.papers import IDS, Experiment, Row, Verdict, experiment
from onebit.papers.run import missing, run_experiment, verdicts
from onebit.simulate.simulate import MOST_SEEDS, check_rounds

app = typer.Typer(rich_markup_mode=None)

Id = Annotated[str, typer.Argument(metavar="ID", help="Such as soba/fig2; `onebit paper list` names them all.")]
Full = Annotated[bool, typer.Option("--full", help="As large as in the paper: hours rather than minutes.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Where to put it. Default: papers/ID.")]
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
    """What there is, how long it takes, and what data it needs."""
    found = [experiment(id) for id in IDS]
    if as_json:
        print_json(
            [
                {
                    "id": one.id,
                    "paper": one.paper,
                    "title": one.title,
                    "about": one.about,
                    "minutes": {"quick": one.minutes[0], "full": one.minutes[1]},
                    "needs": list(one.needs),
                    "missing": missing(one),
                }
                for one in found
            ]
        )
        return
    rows = []
    for one in found:
        absent = missing(one)
        rows.append([one.id, *map(_minutes, one.minutes), f"missing: {', '.join(absent)}" if absent else one.title])
    print_table(["id", "quick", "full, about", "what"], rows, right=["quick", "full, about"])


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
    """Run one experiment: the figure, and a table beside the printed numbers.

    Quick by default, as large as in the paper with --full. Interrupted, the same
    command goes on. The folder gets the figures (SVG and PNG), table.csv and
    table.json, and the sweep itself, for `onebit report` and your own questions.

    \b
    Examples:
      onebit paper run kernel/fig3
      onebit paper run molg/table1 --json
    """
    one = experiment(id)
    cut = check_rounds("--rounds", parse_rounds(rounds))
    if seeds is not None:
        check_whole("--seeds", seeds, most=MOST_SEEDS)
    folder = out or Path("papers") / id
    make_folder(folder)
    found = run_experiment(one, folder, full=full, rounds=cut, seeds=seeds, executor=executor, workers=workers)
    if found is None:
        note(f"{id}: not all cells are done; run the same command again to go on (what is done is in {folder})")
        return PARTLY_DONE
    findings, files = found
    rows = findings.rows
    if as_json:
        paths = [str(path) for path in files]
        print_json({"id": id, "full": full, "rows": [row._asdict() for row in rows], "files": paths})
        return FINE
    print("\n".join(findings_lines(one, rows, get_terminal_size((100, 24)).columns)))
    if cut is not None or seeds is not None:
        note(f"{id}: cut short by --rounds or --seeds, so the verdicts mean little")
    note(f"{id}: {verdicts(rows)}; wrote {len(files)} files to {folder}")
    return FINE


def findings_lines(one: Experiment, rows: Sequence[Row], width: int) -> list[str]:
    """The comparison as text: under each verdict the rows that came out so, what was printed and what is ours.

    >>> from onebit.papers import Row
    >>> lines = findings_lines(experiment("kernel/fig3"), [Row("mistakes", "12", "13", "reproduces", "near")], 80)
    >>> print("\\n".join(lines[-5:]))
    reproduces (1)
    <BLANKLINE>
      mistakes
        printed  12
        ours     13; near
    """
    width = min(max(width, 40), 100)
    lines = [*wrap(f"{one.id}: {one.title}", width), *wrap(one.paper, width), "", *wrap(one.about, width)]
    for verdict in get_args(Verdict):
        chosen = [row for row in rows if row.verdict == verdict]
        lines += ["", f"{verdict} ({len(chosen)})"] if chosen else []
        for row in chosen:
            lines += ["", *_indented("  ", row.what, width), *_indented("    printed  ", row.printed, width)]
            lines += _indented("    ours     ", f"{row.ours}; {row.why}" if row.why else row.ours, width)
    return lines


def _indented(start: str, text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent=start, subsequent_indent=" " * len(start))


def _minutes(minutes: float) -> str:
    """A time in minutes or hours, as people say it."""
    return f"{minutes:.1f} min" if minutes < 10 else f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"
