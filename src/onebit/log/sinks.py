"""Where a log goes: one Parquet file, whole when closed, or a folder that gains a whole file at each flush."""

from __future__ import annotations

import errno
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any

from onebit.core.errors import ConfigError, DataError
from onebit.core.files import Draft, drafted, explained_output, make_folder, sync_folder
from onebit.log.form import LATER, METADATA, Form
from onebit.log.source import facts_of, open_parquet, part_files


def check_path(path: Any, overwrite: bool = False) -> Path:
    """Where a log may go, or a `ConfigError`; nothing is made yet.

    >>> check_path(5)
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: log=5: must be a path, of a file in .parquet or of a folder
    """
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise ConfigError(f"log={path!r}: must be a path, of a file in .parquet or of a folder")
    found = Path(path)
    if found.suffix != ".parquet":
        if overwrite:
            raise ConfigError(f"overwrite=True: {path} is a folder, which is added to; remove it first to begin anew")
        return found
    with explained_output(path):
        is_folder = found.is_dir()
        is_there = found.exists()
    if is_folder:
        raise ConfigError(f"log={str(path)!r}: is a folder, and a name in .parquet means a file; choose another name")
    if is_there and not overwrite:
        raise ConfigError(f"log={str(path)!r}: there is such a file; choose another name, or give overwrite=True")
    return found


class FileSink:
    """One file. It is a hidden draft beside its place until closed, for Parquet can be read only when complete."""

    def __init__(self, path: Path, form: Form) -> None:
        from pyarrow.parquet import ParquetWriter

        self._path = path
        self._form = form
        self._empty = True
        with explained_output(path):
            self._draft = Draft(path)
            try:
                self._draft.begin()
                self._writer = ParquetWriter(self._draft.path, form.schema, **form.writer_options())
            except BaseException:
                self._draft.discard()
                raise

    def write(self, table: Any) -> None:
        """Add a row group."""
        with explained_output(self._path):
            try:
                self._writer.write_table(table)
            except OSError:
                self._draft.discard()
                raise
        self._empty = False

    def close(self) -> None:
        """Complete the file and put it in its place."""
        with explained_output(self._path):
            try:
                if self._empty:  # a file without any row group cannot be read by older versions of Arrow
                    self._writer.write_table(self._form.schema.empty_table())
                self._writer.close()
                self._draft.publish()
                sync_folder(self._draft.place.parent)
            finally:
                self._draft.discard()


class FolderSink:
    """A folder of complete files, sorted by when their writer began. Several writers may share it."""

    def __init__(self, path: Path, form: Form) -> None:
        self._path = path
        self._form = form
        self._parts = 0
        self._began = f"{time.time_ns():019d}-{secrets.token_hex(3)}"
        with explained_output(path):
            make_folder(path)
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, str(path))
        for part in part_files(path)[:1]:
            _check_same_form(part, form)

    def write(self, table: Any) -> None:
        """Add a file."""
        from pyarrow.parquet import write_table

        part = self._path / f"part-{self._began}-{os.getpid()}-{self._parts:08d}.parquet"
        with explained_output(self._path), drafted(part) as draft:
            write_table(table, draft, **self._form.writer_options())
        self._parts += 1

    def close(self) -> None:
        """Nothing: every part is complete."""


Sink = FileSink | FolderSink


def _check_same_form(part: Path, form: Form) -> None:
    """A `DataError` unless the decisions of this file can stand beside those of the form."""
    with open_parquet(part) as file:
        there = file.schema_arrow
    if _but_for_later(there) == _but_for_later(form.schema):
        here = json.loads(form.schema.metadata[METADATA])
        facts = facts_of(there, part)
        differs = [name for name in ("feedback", "n_features") if facts.get(name) != here[name]]
        theirs = facts.get("classes") or []
        related = theirs == here["classes"] or (form.classes_change and any(label in theirs for label in form.classes))
        differs += [] if related else ["classes"]
    else:
        differs = sorted({field.name for field in {*there} ^ {*form.schema}})
    if differs:
        raise DataError(
            f"log={str(part.parent)!r}: the folder holds {part.name}, which differs in {', '.join(differs)}; "
            "decisions of different kinds need folders of their own"
        )


def _but_for_later(schema: Any) -> list[Any]:
    """The columns, but for those that only logs of the second format have."""
    return [field for field in schema if field.name not in LATER]
