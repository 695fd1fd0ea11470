"""Tables in files, read in small batches and never whole: Parquet and CSV, through Arrow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from onebit.core.errors import DataError
from onebit.features.columns import Content, content_of, index_columns, plain_types

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_COMPRESSED = (".gz", ".bz2")

_BUFFER = 65_536
"""Bytes buffered per Parquet column. Without a buffer Arrow holds whole column chunks, at worst the file."""

_BLOCK = 4 * 2**20
"""Bytes of a CSV file parsed at a time; a row must fit."""


class Table(ABC):
    """Named columns: the Arrow type of each in `types`, their length in `rows` if known, and which are an `index`.

    `path` is the file, or the name of a frame.
    """

    path: Path | str
    types: dict[str, Any]
    index: set[str]
    rows: int | None

    @abstractmethod
    def read(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Record batches of these columns, from the start of the table, `rows` at a time if it can choose."""

    def has_gaps(self, columns: Iterable[str]) -> bool:
        """Whether the table says of itself that one of these columns has gaps; False if it does not know."""
        return False

    def read_as_text(self, columns: Iterable[str]) -> None:
        """From now on, read these columns as the text that stands there; the columns of most tables have types."""
        return

    def content(self, column: str) -> Content:
        """What a column holds: numbers (also booleans), text, or something else."""
        return content_of(self.types[column])

    def _keep_types(self, schema: Any) -> None:
        self.types = plain_types(self.path, schema)
        self.index = index_columns(schema)


class ParquetTable(Table):
    """A Parquet file."""

    def __init__(self, path: Path) -> None:
        from pyarrow.parquet import ParquetFile

        self.path = path
        with explained(path, "Parquet"), ParquetFile(path) as file:
            self.rows = int(file.metadata.num_rows)
            self._keep_types(file.schema_arrow)
            self._gaps = _columns_with_gaps(file.metadata)

    def has_gaps(self, columns: Iterable[str]) -> bool:
        """As the statistics of the file have counted."""
        return not self._gaps.isdisjoint(columns)

    def read(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Batches that span row groups, whatever the size of those."""
        from pyarrow.parquet import ParquetFile

        with (
            explained(self.path, "Parquet"),
            ParquetFile(self.path, buffer_size=_BUFFER, pre_buffer=False) as file,
        ):
            for batch in file.iter_batches(rows, columns=list(columns), use_threads=False):
                batch.validate(full=True)  # reading does not look whether text is UTF-8
                yield batch


class CsvTable(Table):
    """A CSV file with a header line. Its first block tells numbers, booleans and text apart."""

    rows = None

    def __init__(self, path: Path, delimiter: str) -> None:
        import pyarrow as pa

        self.path = path
        self._delimiter = delimiter
        with explained(path, "CSV"), self._open() as reader:
            self._keep_types(reader.schema)
        for name, kind in self.types.items():
            if not pa.types.is_boolean(kind):
                self.types[name] = pa.float64() if self.content(name) == "numbers" else pa.string()

    def read(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Batches as large as a block of the file has rows."""
        types = {name: self.types[name] for name in columns}
        with (
            explained(self.path, "CSV"),
            self._open(include_columns=list(columns), column_types=types) as reader,
        ):
            yield from reader

    def read_as_text(self, columns: Iterable[str]) -> None:
        """All of it: a blank is a blank, and what looks like a number further up need not be one further down."""
        import pyarrow as pa

        self.types |= dict.fromkeys(columns, pa.string())

    def _open(self, **conversion: Any) -> Any:
        from pyarrow import csv

        return csv.open_csv(
            self.path,
            csv.ReadOptions(use_threads=False, block_size=_BLOCK),
            csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=True),
            csv.ConvertOptions(**conversion),
        )


def _columns_with_gaps(metadata: Any) -> set[str]:
    """The columns of a Parquet file with missing values, as far as its statistics tell."""
    found = set()
    for i in range(metadata.num_row_groups):
        group = metadata.row_group(i)
        for j in range(group.num_columns):
            column = group.column(j)
            statistics = column.statistics
            if statistics is not None and statistics.has_null_count and statistics.null_count:
                found.add(column.path_in_schema)
    return found


def suffix_of(path: Path) -> str:
    """The suffix that tells the format, in small letters."""
    return (path.with_suffix("") if path.suffix in _COMPRESSED else path).suffix.lower()


def open_table(path: Path, others: Sequence[str] = ()) -> Table:
    """The table in a file, by the file's name; the error for an unknown one names `others` too."""
    suffix = suffix_of(path)
    if suffix in _DELIMITERS:
        return CsvTable(path, _DELIMITERS[suffix])
    if suffix == ".parquet" and path.suffix not in _COMPRESSED:
        return ParquetTable(path)
    raise DataError(
        f"{path}: cannot tell its format by its name; it must end in {', '.join(('.parquet', *_DELIMITERS, *others))} "
        "(all but .parquet may be followed by .gz or .bz2)"
    )


@contextmanager
def explained(path: Path | str, form: str) -> Iterator[None]:
    """Turns what Arrow has to say of a file into a `DataError`."""
    from pyarrow import ArrowException

    try:
        yield
    except (ArrowException, OSError, UnicodeError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise DataError(f"{path}: cannot be read as {form} ({said[0]}); is it whole, and of this format?") from error
