"""onebit decide: a learner in a file plays a label for each case of a table."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from onebit.cli.case_files import Case, read_cases
from onebit.cli.inputs import split_names
from onebit.cli.output import FINE, note
from onebit.cli.teach import PROPENSITY, check_names
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError, DataError
from onebit.core.files import written_whole
from onebit.learners import load


def decide(
    model: Annotated[Path, typer.Argument(metavar="LEARNER", help="The learner's file.")],
    data: Annotated[Path, typer.Option(metavar="FILE", help="CSV or Parquet: a case in each line.")],
    played: Annotated[str, typer.Option(metavar="COL", help="How the column of the label is to be called.")] = "label",
    right: Annotated[str, typer.Option(metavar="COL", help="How the empty column for the answer is.")] = "right",
    among: Annotated[
        str | None, typer.Option(metavar="A,B", help="Only these labels can be played now. Default: all.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where the table goes. Default: stdout.")] = None,
) -> int:
    """Play a label for each case of a table.

    Prints the table as CSV with three columns more: the label that is played,
    how likely that was, and an empty one for the answer. Where the answers
    have been filled in, `onebit teach` learns from the table.

    \b
    Examples:
      onebit decide router.onebit --data new.csv --out decided.csv
      onebit decide router.onebit --data new.csv --among billing,refunds
    """
    check_names(played, right)
    if out is not None and out.exists() and model.exists() and out.samefile(model):
        raise ConfigError(f"--out {out}: is the learner's own file; choose another place for the table")
    rows = read_cases(data)
    taken = [name for name in (played, PROPENSITY) if name in rows[0]]
    if taken:
        raise DataError(
            f"{data}: has a column {taken[0]!r} already; rename it, or call the new one otherwise (--played)"
        )
    learner = load(model)
    labels = split_names([among]) if among else None
    cases = [{name: value for name, value in row.items() if name != right} for row in rows]
    decisions = [learner.decide(case, among=labels) for case in cases]
    if out is None:
        _write(sys.stdout, cases, decisions, played, right)
    else:
        with written_whole(out) as path, path.open("w", encoding="utf-8", newline="") as file:
            _write(file, cases, decisions, played, right)
    learner.save(model)
    note(f"{model}: decided {len(decisions):,} cases")
    return FINE


def _write(file: TextIO, cases: list[Case], decisions: list[Decision], played: str, right: str) -> None:
    """The cases with what was played, as CSV."""
    table = csv.writer(file, lineterminator="\n")
    table.writerow([*cases[0], played, PROPENSITY, right])
    for case, decision in zip(cases, decisions, strict=True):
        table.writerow([*case.values(), decision.label, f"{decision.propensity:.6g}", ""])
