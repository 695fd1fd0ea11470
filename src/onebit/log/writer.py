"""Writing a decision log."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from onebit.core.aliases import Label
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, OutputError
from onebit.core.labels import check_classes
from onebit.core.lessons import Lessons
from onebit.feedback import AnswerKind
from onebit.log.form import Form, RowForm, label_values
from onebit.log.sinks import FileSink, FolderSink, Sink, check_path
from onebit.ops.tables import joined_lessons

_BUFFER_BYTES = 32 * 2**20


class DecisionLog:
    """Writes answered decisions to Parquet, many at a time. Belongs to one thread.

    A `path` that ends in `.parquet` becomes one file. It appears when the log is closed: at the end of a
    `with` block, however that ends, or at the latest with the program; only a kill or a full disk loses it.
    Any other path becomes a folder, to which every flush adds a complete file: these survive both, and a power cut;
    several writers may share the folder, and a log opened there later adds to it.

    `classes` are the labels that class numbers stand for, `learner` says in words whose decisions these are,
    `feedback` whether answers are bits or labels. A decision plays `set_size` labels and names `top_size`
    best ones. `layout` is the form of the rows to be logged with them (None: none); `has_row` says that
    the numbers of rows are logged, and `rows_made_with` how that table was made, as in {"normalize": True}.
    With `classes_change` the log has a column `classes`: in the first row, and in the first one after each change, the
    classes of the time as a list in JSON; and a column `among`: the labels that could be played, where some could not.
    `batch_rows` decisions, or 32 MiB of rows, make a flush.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/decisions.parquet"
    >>> import numpy as np
    >>> from onebit.log import Draws, Lessons
    >>> played = Draws(np.array([[2], [0]]), np.array([0.9, 0.1]), np.array([2, 2]), np.array([False, True]))
    >>> with DecisionLog(path, classes=["ant", "bee", "cow"]) as log:
    ...     log.write(Lessons(id=np.array([0, 1]), step=np.array([0, 1]), draws=played, answer=np.array([1, 0])))
    >>> import pandas
    >>> pandas.read_parquet(path)[["id", "played", "propensity", "greedy", "explored", "bit"]]
       id played  propensity greedy  explored    bit
    0   0    cow         0.9    cow     False   True
    1   1    ant         0.1    cow      True  False
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        classes: Sequence[Label],
        learner: str = "",
        feedback: AnswerKind = "bit",
        set_size: int = 1,
        top_size: int = 0,
        layout: RowForm | None = None,
        has_row: bool = False,
        rows_made_with: Mapping[str, bool] | None = None,
        classes_change: bool = False,
        batch_rows: int = 50_000,
        overwrite: bool = False,
    ) -> None:
        self.path = check_path(path, overwrite)
        made_with = dict(rows_made_with or {})
        self._form = Form(
            check_classes(classes), learner, feedback, set_size, top_size, layout, has_row, made_with, classes_change
        )
        self._classes = self._form.classes
        self._told: tuple[Label, ...] | None = None
        self._batch_rows = check_whole("batch_rows", batch_rows)
        self._sink: Sink = (FileSink if self.path.suffix == ".parquet" else FolderSink)(self.path, self._form)
        self._waiting: list[_Waiting] = []
        self._rows = self._bytes = 0
        self._finish = weakref.finalize(self, _finish, self._waiting, self._form, self._sink, os.getpid())

    @property
    def keeps_rows(self) -> bool:
        """Whether the rows are logged too."""
        return self._form.layout is not None

    def write(self, lessons: Lessons) -> None:
        """Take a copy of these decisions; once enough have come, they are written.

        >>> import tempfile
        >>> log = DecisionLog(tempfile.mkdtemp() + "/log.parquet", classes=[0, 1])
        >>> from onebit.core.lessons import new_lessons
        >>> log.write(new_lessons(3, 2))
        Traceback (most recent call last):
        onebit.core.errors.DataError: labels: has shape (3, 2); this log takes (3, 1) for 3 decisions
        """
        if not self._finish.alive:
            raise ConfigError(f"log={str(self.path)!r}: is closed; open another one to log more decisions")
        self._form.check(lessons)
        if not lessons.size:
            return
        kept = joined_lessons([lessons])
        self._waiting.append(_Waiting(self._classes, self._told != self._classes, kept))
        self._told = self._classes
        self._rows += kept.size
        self._bytes += sum(part.nbytes for part in kept.rows or ())
        if self._rows >= self._batch_rows or self._bytes >= _BUFFER_BYTES:
            self.flush()

    def check_classes(self, classes: Sequence[Label]) -> None:
        """A `ConfigError` where the columns of this log could not hold labels of these classes.

        >>> import tempfile
        >>> log = DecisionLog(tempfile.mkdtemp() + "/log.parquet", classes=[0, 1], classes_change=True)
        >>> log.check_classes([0, 1, "two"])
        Traceback (most recent call last):
        onebit.core.errors.ConfigError: classes: the log ... holds labels of type int64, and these are ...
        """
        kind = label_values(classes).type
        if kind != self._form.label_type:
            raise ConfigError(
                f"classes: the log {str(self.path)!r} holds labels of type {self._form.label_type}, and these are of "
                f"type {kind}; close it and open another one"
            )

    def change_classes(self, classes: Sequence[Label]) -> None:
        """From now on class numbers stand for these labels; the next row written says so.

        >>> import tempfile
        >>> log = DecisionLog(tempfile.mkdtemp() + "/log.parquet", classes=["a", "b"], classes_change=True)
        >>> log.change_classes(["a", "b", "c"])
        """
        if not self._form.classes_change:
            raise ConfigError("classes: cannot change in this log; open one with classes_change=True")
        self.check_classes(classes)
        self._classes = tuple(classes)

    def flush(self) -> None:
        """Write what has come so far: a row group of the file, or a new file of the folder.

        Where that fails, the log is closed.

        >>> import tempfile
        >>> DecisionLog(tempfile.mkdtemp() + "/log.parquet", classes=[0, 1]).flush()
        """
        self._rows = self._bytes = 0
        try:
            _drain(self._waiting, self._form, self._sink)
        except OutputError:
            self._finish.detach()
            raise

    def close(self) -> None:
        """Write the rest and complete the file. A second time does nothing.

        >>> import tempfile
        >>> log = DecisionLog(tempfile.mkdtemp() + "/log.parquet", classes=[0, 1])
        >>> log.close()
        >>> log.path.is_file()
        True
        """
        self._finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class _Waiting(NamedTuple):
    """Lessons about some classes, whether their first row tells which, to be written."""

    classes: tuple[Label, ...]
    tells: bool
    lessons: Lessons


def _drain(waiting: list[_Waiting], form: Form, sink: Sink) -> None:
    import pyarrow as pa

    tables = []
    for part in _joined(waiting):
        tables.append(form.table(part.lessons, part.classes, part.tells))
    waiting.clear()
    if tables:
        sink.write(pa.concat_tables(tables))


def _joined(waiting: list[_Waiting]) -> list[_Waiting]:
    """As few parts as there can be: a new one begins where a row tells its classes."""
    groups: list[list[_Waiting]] = []
    for part in waiting:
        if part.tells or not groups:
            groups.append([])
        groups[-1].append(part)
    return [group[0]._replace(lessons=joined_lessons([part.lessons for part in group])) for group in groups]


def _finish(waiting: list[_Waiting], form: Form, sink: Sink, owner: int) -> None:
    """The end of a log, asked for, or when it or the program goes; not that of a copy in a forked process."""
    if os.getpid() == owner:
        try:
            _drain(waiting, form, sink)
        finally:
            sink.close()
