"""onebit data: what can be played."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain, islice
from typing import Annotated, Any

import typer

from onebit.cli.inputs import open_stream, parse_cases
from onebit.cli.options import Category, Chosen, Date, Hashed, Ignore, Label, Number, Text, Vector
from onebit.cli.output import print_json, print_table
from onebit.cli.separability import check_stream, parse_rows
from onebit.contract.idle_columns import warn_of_idle
from onebit.core.errors import ConfigError
from onebit.features.cases.encoder import MEET, Encoder
from onebit.features.cases.report import columns_read
from onebit.features.cases.settings import Cases
from onebit.simulate.settings import plain
from onebit.streams import known
from onebit.streams.base import Stream
from onebit.streams.catalog import dataset

_READ_ROWS = 1000

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
      onebit data show iris --separability
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
    label: Label = None,
    columns: Chosen = None,
    hash_features: Hashed = None,
    text: Text = None,
    category: Category = None,
    number: Number = None,
    date: Date = None,
    vector: Vector = None,
    ignore: Ignore = None,
    separability: Annotated[
        bool, typer.Option("--separability", help="Also say whether the classes are separable, with proofs.")
    ] = False,
    rows: Annotated[
        str | None, typer.Option(metavar="N", help="How many rows --separability looks at. Default: 100000.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show one data set or file: size, classes, source.

    A file is Parquet, CSV or svmlight; --label names the column of the true
    label, which svmlight does not need. Of raw cases it also tells how each column
    is read, by the first 1,000. --separability tells whether the
    classes are strongly, weakly and group separable, and with which margin;
    of larger data it takes --rows rows, as the first seed orders them.

    \b
    Examples:
      onebit data show digits
      onebit data show tickets.parquet --label topic --json
      onebit data show group-separable --separability
    """
    if rows is not None and not separability:
        raise ConfigError(f"--rows {rows!r}: is for --separability; give that too, or leave it out")
    most = parse_rows(rows)
    cases = parse_cases(text=text, category=category, number=number, date=date, vector=vector, ignore=ignore)
    is_log = any(entry.name == name and entry.form == "log" for entry in known())
    stream = None if is_log else open_stream(name, label, columns=columns, hash_features=hash_features, cases=cases)
    if stream is None and separability:
        raise ConfigError(f"--separability: {name} is a log of decisions without true labels; leave it out")
    if stream is None:
        # A log, which is not played yet, the catalog describes.
        entry = dataset(name)
        description = plain(asdict(entry) | {"available": entry.available})
    else:
        description = plain(stream.describe())
    found = None if stream is None or not separability else check_stream(stream, most)
    reader = None if stream is None or not stream.cases else _read_some(stream, cases or Cases())
    if reader is not None:
        description["read_as"] = columns_read(reader)
    if as_json:
        print_json(description | ({} if found is None else {"separability": plain(found.to_dict())}))
        return
    shown = [[key, _cell(value)] for key, value in description.items() if key != "read_as"]
    print_table(["what", "value"], shown)
    if reader is not None:
        print(f"\n{reader}")
    if found is not None:
        print()
        found.print()


def _read_some(stream: Stream, cases: Cases) -> Encoder:
    """An encoder that has read the first cases."""
    reader = Encoder(cases)
    reader.silent = True
    cases_in_order = chain.from_iterable(window.X[window.order] for window in stream._windows_of_one_pass())
    reader.rows(list(islice(cases_in_order, _READ_ROWS)), MEET)
    warn_of_idle(stream.name, reader.without_news)
    return reader


def _cell(value: Any) -> str:
    """A value in one cell: long lists are cut."""
    if isinstance(value, list):
        shown = ", ".join(map(str, value[:12]))
        return f"{shown}, … ({len(value)} in all)" if len(value) > 12 else shown
    if isinstance(value, dict):
        return ", ".join(f"{key}: {item}" for key, item in value.items())
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
