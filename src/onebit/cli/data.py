"""onebit data: what can be played."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from onebit.cli.inputs import open_stream
from onebit.cli.output import print_json, print_table
from onebit.experiments.settings import plain
from onebit.streams import known

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def data(context: typer.Context) -> None:
    """List the data sets, or show one.

    Data sets with a file are looked for in the folder that the environment
    variable ONEBIT_DATA names.

    \b
    Examples:
      onebit data
      onebit data list --json
      onebit data show mnist
      onebit data show tickets.csv --label topic
    """
    if context.invoked_subcommand is None:
        list_data(as_json=False)


@app.command("list")
def list_data(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the data sets, and whether they are at hand.

    \b
    Example:
      onebit data list --json
    """
    entries = known()
    if as_json:
        print_json({"data": [asdict(entry) | {"available": entry.available} for entry in entries]})
        return
    rows = []
    for entry in entries:
        sizes = [f"{size:,}" if size else "–" for size in (entry.rows, entry.features, entry.classes)]
        what = f"{entry.title} (a log, not yet playable)" if entry.form == "log" else entry.title
        rows.append([entry.name, *sizes, "yes" if entry.available else "no", what])
    numbers = ["rows", "features", "classes"]
    print_table(["data", *numbers, "here", "what"], rows, right=numbers)


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A known data set, or a file.")],
    label: Annotated[str | None, typer.Option(metavar="COL", help="The label column of a file.")] = None,
    hash_features: Annotated[
        str | None, typer.Option(metavar="N", help="Hash a file's columns, text too, into N features (2^18).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show one data set or file: size, classes, source.

    A file is Parquet, CSV or svmlight; --label names the column of the true
    label, which svmlight does not need.

    \b
    Examples:
      onebit data show digits
      onebit data show tickets.parquet --label topic --json
    """
    description = plain(_describe(name, label, hash_features))
    if as_json:
        print_json(description)
    else:
        print_table(["what", "value"], [[key, _cell(value)] for key, value in description.items()])


def _describe(name: str, label: str | None, hash_features: str | None) -> dict[str, Any]:
    """A stream describes itself; a log, which is not played yet, the catalog describes."""
    for entry in known():
        if entry.name == name and entry.form == "log":
            return asdict(entry) | {"available": entry.available}
    return open_stream(name, label, hash_features=hash_features).describe()


def _cell(value: Any) -> str:
    """A value in one cell: long lists are cut."""
    if isinstance(value, list):
        shown = ", ".join(map(str, value[:12]))
        return f"{shown}, … ({len(value)} in all)" if len(value) > 12 else shown
    if isinstance(value, dict):
        return ", ".join(f"{key}: {item}" for key, item in value.items())
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
