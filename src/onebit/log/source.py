"""Where a log is read from: a Parquet file, a folder of them, or a table in memory."""

from __future__ import annotations

import json
import os
import reprlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import IntArray, Label
from onebit.core.errors import ConfigError, DataError, FormatError
from onebit.core.forms import is_text, is_whole, misfit
from onebit.log.form import CLASSES, FORMAT, HOW_ROWS_WERE_MADE, METADATA


def _is_label(value: Any) -> bool:
    return value is None or isinstance(value, int | float) or is_text(value)


def _is_width(value: Any) -> bool:
    return value is None or (is_whole(value) and 0 < value < 2**32)


def _are_flags(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and all(isinstance(one, bool) for one in value.values()))


_FACTS = {
    "format": is_whole,
    "learner": is_text,
    "classes": [_is_label],
    "n_features?": _is_width,
    "rows_made_with?": _are_flags,
}


class Source(NamedTuple):
    """An Arrow table, what its metadata say (nothing, if not written by us), its name, and its rows' numbers."""

    table: Any
    facts: dict[str, Any]
    name: str
    numbers: IntArray | None = None

    def __contains__(self, column: object) -> bool:
        return column in self.table.column_names

    def type(self, column: str) -> Any:
        """The Arrow type of a column."""
        return self.table.schema.field(column).type

    def bad(self, column: str, row: Any, value: object, remedy: str) -> DataError:
        """The error for a value that cannot be; `row` counts the answered decisions."""
        row = row if self.numbers is None else self.numbers[row]
        return DataError(f"{self.name}: column {column!r} is {value} in row {row} (from 0); {remedy}")

    def wrong_type(self, column: str, remedy: str) -> DataError:
        """The error for a column of a type that cannot be."""
        return DataError(f"{self.name}: column {column!r} holds {self.type(column)}; {remedy}")

    def only(self, answered: Any) -> Source:
        """The decisions where `answered`, a boolean Arrow column, is true."""
        kept = np.flatnonzero(answered.to_numpy())
        return self._replace(table=self.table.filter(answered), numbers=kept)


def open_source(source: Any) -> Source:
    """The log at a path, or given as a table (Arrow, pandas, polars, DuckDB)."""
    import pyarrow as pa

    if hasattr(source, "__arrow_c_stream__"):
        table = pa.table(source)
        name = "the table"
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        table = _read(path)
        name = str(path)
    else:
        raise ConfigError(f"log={source!r}: give the path of a file or folder, or a table of Arrow, pandas or polars")
    twice = [column for column, times in Counter(table.column_names).items() if times > 1]
    if twice:
        raise DataError(f"{name}: has several columns named {twice[0]!r}; rename all but one")
    return Source(table, facts_of(table.schema, name), name)


def part_files(folder: Path) -> list[Path]:
    """The Parquet files in a folder, in the order written; hidden ones are not yet whole."""
    return sorted(part for part in folder.glob("*.parquet") if not part.name.startswith((".", "_")))


@contextmanager
def open_parquet(path: Path) -> Iterator[Any]:
    """A Parquet file, or a `FormatError`."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: cannot be read as Parquet ({error}); is it whole, and of this format?") from error


def facts_of(schema: Any, name: object) -> dict[str, Any]:
    """What the metadata of a log written by us say; for all others, nothing."""
    try:
        facts = json.loads((schema.metadata or {}).get(METADATA, b"{}"))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(facts, dict) or facts.get("kind") != "decisions":
        return {}
    written: Any = facts.get("format")
    if is_whole(written) and written > FORMAT:
        raise FormatError(
            f"{name}: is a log of format {written}, and this onebit reads formats up to {FORMAT}; upgrade it"
        )
    if wrong := misfit(facts, _FACTS):
        raise FormatError(f"{name}: its metadata are damaged ({wrong}); take them away to read it as anybody's log")
    return facts


def told_classes(source: Source) -> list[tuple[int, tuple[Label, ...]]]:
    """The rows of a log of ours in which the classes of the time are told, in order, and the classes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not source.facts or CLASSES not in source or not pa.types.is_string(source.type(CLASSES)):
        return []
    column = source.table.column(CLASSES)
    rows = np.flatnonzero(pc.is_valid(column).to_numpy())
    return [(row, _parsed_classes(source, row, column[row].as_py())) for row in rows.tolist()]


def _parsed_classes(source: Source, row: int, text: str) -> tuple[Label, ...]:
    try:
        classes = json.loads(text)
    except (ValueError, RecursionError):
        classes = None
    if misfit(classes, [_is_label]) or len(set(classes)) < max(2, len(classes)):
        raise source.bad(CLASSES, row, reprlib.repr(text), "must be a list of labels in JSON; restore it from a copy")
    return tuple(classes)


def rows_made_with(path: Path) -> dict[str, bool]:
    """How the table was made whose rows a log counts: `normalize` and `bias`, where the log tells.

    >>> import onebit, tempfile
    >>> path = Path(tempfile.mkdtemp()) / "log.parquet"
    >>> iris = onebit.streams.load("iris", bias=True)
    >>> _ = onebit.simulate(onebit.Banditron(iris.classes), iris, log=path)
    >>> rows_made_with(path)
    {'normalize': False, 'bias': True}
    """
    with open_parquet(_parts(path)[0]) as file:
        told: dict[str, bool] = facts_of(file.schema_arrow, path).get("rows_made_with") or {}
    return {name: told[name] for name in HOW_ROWS_WERE_MADE if name in told}


def _parts(path: Path) -> list[Path]:
    """The files of a log, at least one."""
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder; check its name")
    parts = part_files(path) if path.is_dir() else [path]
    if not parts:
        raise DataError(f"{path}: the folder has no .parquet files; was anything logged there?")
    return parts


def _read(path: Path) -> Any:
    import pyarrow as pa

    tables = []
    for part in _parts(path):
        with open_parquet(part) as file:
            table = file.read()
            table.validate(full=True)  # reading does not look whether text is UTF-8
            tables.append(table)
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        raise DataError(f"{path}: its files have different columns ({error}); read them one by one") from error
