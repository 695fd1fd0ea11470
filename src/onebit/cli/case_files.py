"""Files of raw cases for the commands that teach and decide: every cell as the text that stands there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from onebit.core.errors import DataError
from onebit.streams.tables.readers import CsvTable, open_table

_READ_AT_ONCE = 4096

Case = dict[str, Any]


def read_cases(path: Path) -> list[Case]:
    """The rows of a CSV or Parquet file, by the names of its columns.

    The cells of a CSV file stay text, so that a file that is written again says the same; a learner reads numbers and
    dates in text by itself.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "tickets.csv"
    >>> _ = path.write_text("subject,amount\\nmoney back,12.50\\nspam,\\n")
    >>> read_cases(path)
    [{'subject': 'money back', 'amount': '12.50'}, {'subject': 'spam', 'amount': ''}]
    """
    if not path.is_file():
        raise DataError(f"{path}: there is no such file; give the path of a CSV or Parquet file")
    table = open_table(path)
    names = list(table.types)
    if isinstance(table, CsvTable):
        table.read_as_text(names)
    rows = [row for batch in table.read(names, _READ_AT_ONCE) for row in batch.to_pylist()]
    if not rows:
        raise DataError(f"{path}: has no rows; give a file with a header line and a line for each case")
    return rows


def check_column(path: Path, rows: list[Case], name: str, option: str, remedy: str) -> None:
    """A `DataError` where the file does not have this column.

    >>> check_column(Path("tickets.csv"), [{"subject": "spam"}], "team", "--played", "name the column")
    Traceback (most recent call last):
    onebit.core.errors.DataError: tickets.csv: has no column 'team' (--played), but subject; name the column
    """
    if name not in rows[0]:
        raise DataError(f"{path}: has no column {name!r} ({option}), but {', '.join(rows[0])}; {remedy}")


def is_blank(value: Any) -> bool:
    """Whether a cell holds nothing.

    >>> is_blank(" "), is_blank(None), is_blank("no")
    (True, True, False)
    """
    return value is None or value != value or (isinstance(value, str) and not value.strip())
