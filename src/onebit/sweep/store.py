"""The folder of a sweep: its plan, one Parquet file per cell, and what failed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.core.errors import DataError, OutputError
from onebit.core.files import drafted, make_folder, reason, sync_folder
from onebit.core.forms import is_dict, is_text, is_whole, misfit
from onebit.core.registry import registered_name
from onebit.sweep.cells import Cell
from onebit.sweep.manifest import check_manifest
from onebit.sweep.outcomes import CellOutcome

if TYPE_CHECKING:
    import pyarrow

_COUNTS = ("seed", "rounds", "mistakes", "greedy_mistakes", "updates")
_FAILURE = {
    "cell": is_text,
    "error": is_text,
    "tries": is_whole,
    "settings": {
        "learner": {"name": is_text, "parameters": is_dict},
        "stream": {"name": is_text},
        "feedback": {"channel": is_text},
        "seeds": [is_whole],
    },
}
_LABELS = ("cell", "learner", "parameters", "stream", "feedback")
COLUMNS = (
    *_LABELS, "seed", "rounds", "mistakes", "greedy_mistakes", "error", "greedy_error", "updates", "rho_0", "rho_1",
    "seconds",
)  # fmt: skip
"""The columns of a cell's file: one row per checkpoint."""


class Store:
    """A folder that holds a sweep. Each file is whole or not there, after a kill and after a power cut too.

    >>> import tempfile
    >>> Store(tempfile.mkdtemp()).keys()
    set()
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.cells, self.failed, self.drafts = (self.folder / name for name in ("cells", "failed", "drafts"))

    def begin(self, plan: Mapping[str, Any]) -> None:
        """Make the folder and write the plan."""
        try:
            for path in (self.cells, self.drafts):
                make_folder(path)
        except OSError as error:
            raise OutputError(
                f"{self.folder}: cannot be made a folder ({reason(error)}); choose another place"
            ) from error
        self._write(self.folder / "sweep.json", (json.dumps(plan, indent=1, ensure_ascii=False) + "\n").encode())

    def plan(self) -> dict[str, Any]:
        """The plan of the sweep."""
        path = self.folder / "sweep.json"
        try:
            found = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise DataError(f"{self.folder}: holds no sweep; name a folder that `onebit sweep` has written") from None
        except (OSError, ValueError, RecursionError) as error:
            raise DataError(f"{path}: cannot be read ({error}); run the sweep again, its cells are kept") from None
        return check_manifest(found, str(path))

    def keys(self) -> set[str]:
        """The names of the cells that are done."""
        return {path.stem for path in self.cells.glob("*.parquet")}

    def read(self, key: str) -> pyarrow.Table | None:
        """A cell's table, or None where there is none, or a damaged one."""
        import pyarrow
        from pyarrow import parquet

        path = self.cells / f"{key}.parquet"
        try:
            table = parquet.ParquetFile(path).read()
            table.validate(full=True)  # reading does not look whether text is UTF-8
        except (OSError, ValueError, pyarrow.ArrowException):
            return None
        return table if _is_sound(table, key) else None

    def write(self, cell: Cell, outcome: CellOutcome) -> None:
        """Keep what came of a cell; that its file is there after a power cut too, `sync` says."""
        import pyarrow
        from pyarrow import parquet

        buffer = pyarrow.BufferOutputStream()
        parquet.write_table(cell_table(cell, outcome), buffer, compression="zstd")
        self._write(self.cells / f"{cell.key}.parquet", buffer.getvalue(), lasting=False)
        (self.failed / f"{cell.key}.json").unlink(missing_ok=True)

    def fail(self, cell: Cell, why: str, tries: int) -> None:
        """Note that a cell cannot be outcome."""
        record = {"cell": cell.key, "error": why, "tries": tries, "settings": cell.settings}
        make_folder(self.failed)
        self._write(self.failed / f"{cell.key}.json", (json.dumps(record, indent=1) + "\n").encode())

    def failures(self) -> list[dict[str, Any]]:
        """What failed, by the name of the cell."""
        return [found for path in sorted(self.failed.glob("*.json")) if (found := _failure(path))]

    def end(self) -> None:
        """Take away what a killed run has left half written."""
        for path in self.drafts.glob("*"):
            path.unlink(missing_ok=True)
        if self.drafts.is_dir():
            self.drafts.rmdir()

    def sync(self) -> None:
        """Bring the names of the cells that were written to the disk: once for many of them."""
        with self._explained(self.cells):
            sync_folder(self.cells)

    def _write(self, path: Path, content: Any, lasting: bool = True) -> None:
        with self._explained(path), drafted(path, self.drafts, lasting) as draft:
            draft.write_bytes(content)

    @contextmanager
    def _explained(self, path: Path) -> Iterator[None]:
        """Says what to do where something cannot be written."""
        try:
            yield
        except OSError as error:
            raise OutputError(
                f"{path}: cannot be written ({reason(error)}); make room, then run the same sweep again: "
                f"the {len(self.keys()):,} cells that are done are kept"
            ) from error


def _failure(path: Path) -> dict[str, Any] | None:
    """A note that a cell failed, or None where it is damaged: the cell is then still to be played."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return None if misfit(found, _FAILURE) else dict(found)


def _is_sound(table: pyarrow.Table, key: str) -> bool:
    """Whether a table has the columns of a cell, all of them full, and is that cell's."""
    import pyarrow

    text, whole, number = pyarrow.string(), pyarrow.int64(), pyarrow.float64()
    kinds = dict.fromkeys(COLUMNS, number) | dict.fromkeys(_LABELS, text) | dict.fromkeys(_COUNTS, whole)
    if {field.name: field.type for field in table.schema} != kinds or tuple(table.column_names) != COLUMNS:
        return False
    if not table.num_rows or any(column.null_count for column in table.columns):
        return False
    rounds = table["rounds"].to_numpy()
    return bool(table["cell"][0].as_py() == key and rounds[0] > 0 and (np.diff(rounds) > 0).all())


def cell_table(cell: Cell, outcome: CellOutcome) -> pyarrow.Table:
    """The table of a cell, one row per checkpoint, its settings as JSON in the metadata under `onebit`."""
    import pyarrow

    n = len(outcome.rounds)
    parameters = {key: value for key, value in cell.settings["learner"]["parameters"].items() if key != "classes"}
    labels = (
        cell.key,
        registered_name(cell.learner),
        json.dumps(parameters, ensure_ascii=False),
        cell.stream.name,
        cell.channel.text,
    )
    columns: dict[str, Any] = {
        name: pyarrow.DictionaryArray.from_arrays(np.zeros(n, np.int32), [text]).cast(pyarrow.string())
        for name, text in zip(_LABELS, labels, strict=True)
    }
    columns |= {
        "seed": np.full(n, cell.seed, dtype=np.int64),
        "rounds": outcome.rounds,
        "mistakes": outcome.mistakes,
        "greedy_mistakes": outcome.greedy_mistakes,
        "error": outcome.mistakes / outcome.rounds,
        "greedy_error": outcome.greedy_mistakes / outcome.rounds,
        "updates": outcome.updates,
        "rho_0": np.full(n, outcome.rho_0),
        "rho_1": np.full(n, outcome.rho_1),
        "seconds": np.full(n, outcome.seconds),
    }
    return pyarrow.table(columns).replace_schema_metadata({"onebit": json.dumps(cell.settings)})
