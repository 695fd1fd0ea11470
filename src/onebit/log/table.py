"""A log in memory, and learning from it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray, Label
from onebit.core.decision import Decision
from onebit.core.errors import DataError
from onebit.core.labels import told
from onebit.feedback import AnswerKind


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DecisionTable:
    """Answered decisions, as columns of n entries, in the order logged. None stands for what was not logged.

    Attributes: `rows`, a dense table or a CSR array, with `feature_names` where the log names them;
    `played`, the labels (n,), or (n, m) where sets were played; `propensity`; `bit`, whether the answer was
    yes; `label`, the true labels where they were told (`feedback` is then "label", and `bit` says whether
    the label was among those played); `greedy`, `explored`, `top`, `id`, `step`; `among`, the labels that could be
    played, for each a tuple, or None where all could; `classes` and `learner`, if
    onebit wrote the log; `changes`, where the log tells the classes of the time: pairs of the place from which on they
    hold and the classes; `unanswered`, how many decisions had no answer and were left out.

    >>> import onebit.log, pandas
    >>> frame = pandas.DataFrame({"played": ["a", "b", "a"], "propensity": [0.5, 0.5, 0.8], "bit": [1, 0, None],
    ...                           "age": [31, 8, 50]})
    >>> table = onebit.log.read_log(frame)
    >>> table
    DecisionTable(2 decisions, 1 features, 1 unanswered)
    >>> table.bit, table.feature_names
    (array([ True, False]), ('age',))
    """

    played: Any
    propensity: FloatArray
    bit: Any
    rows: Any = None
    feature_names: tuple[str, ...] = ()
    label: Any = None
    greedy: Any = None
    explored: Any = None
    top: Any = None
    id: IntArray | None = None
    step: IntArray | None = None
    among: Any = None
    feedback: AnswerKind = "bit"
    classes: tuple[Label, ...] | None = None
    changes: tuple[tuple[int, tuple[Label, ...]], ...] = ()
    learner: str = ""
    unanswered: int = 0

    def __len__(self) -> int:
        return len(self.propensity)

    def __repr__(self) -> str:
        rows = "no rows" if self.rows is None else f"{self.rows.shape[1]} features"
        left_out = f", {self.unanswered} unanswered" if self.unanswered else ""
        return f"DecisionTable({len(self)} decisions, {rows}{left_out})"

    @property
    def lessons(self) -> tuple[Any, Any, FloatArray, Any]:
        """Rows, played labels, propensities and bits: what an estimator of flip rates is fitted to.

        Estimators count on draws among all labels: decisions among some of them are left out.

        >>> import onebit.log, pyarrow
        >>> table = onebit.log.read_log(pyarrow.table({"played": [1, 2], "propensity": [0.5, 1], "bit": [1, 0]}))
        >>> table.lessons
        Traceback (most recent call last):
        onebit.core.errors.DataError: rows: the log has none; log the features, or give read_log the table ...
        """
        columns = self._rows(), self.played, self.propensity, self.bit
        if self.among is None:
            return columns
        from_all = np.array([one is None for one in self.among])
        if not from_all.any():
            raise DataError("among: every decision was drawn among some of the labels; there are none to estimate from")
        rows, played, propensity, bit = (column[from_all] for column in columns)
        return rows, played, propensity, bit

    def _rows(self) -> Any:
        if self.rows is None:
            raise DataError(
                "rows: the log has none; log the features, or give read_log the table that its column `row` counts: "
                "read_log(path, rows=X)"
            )
        return self.rows


class Taught(Protocol):
    """A learner whose classes can change."""

    @property
    def classes(self) -> Any:
        """Those of the time."""

    def add_classes(self, classes: Any, /) -> None:
        """More of them."""

    def retire(self, classes: Any, /) -> None:
        """Fewer of them."""


def replay(table: DecisionTable, learner: Taught | None = None) -> Iterator[tuple[Decision, Any]]:
    """Each decision of a log with its answer, as `learn` takes them: teaches any learner what another one saw.

    The answer is the bit, or the label where labels were told (one that is a boolean as 1 or 0). Where the classes
    change in the log, give the `learner` that is taught: it is brought to the classes of the time before each decision.

    >>> import onebit, onebit.log, pyarrow
    >>> table = onebit.log.read_log(pyarrow.table({
    ...     "played": ["a", "b"], "propensity": [0.9, 0.1], "greedy": ["a", "a"], "explored": [False, True],
    ...     "bit": [False, True], "features": [[1.0, 0.0], [1.0, 0.0]]}))
    >>> learner = onebit.Banditron(["a", "b"])
    >>> for decision, bit in onebit.log.replay(table):
    ...     learner.learn(decision, bit)
    >>> learner.predict([1.0, 0.0])
    'b'
    """
    for name in ("greedy", "explored"):
        if getattr(table, name) is None:
            raise DataError(
                f"{name}: the log has no such column, and a learner needs it; add the label believed best (greedy) "
                "and whether the draw explored (explored)"
            )
    return _decisions(table, _each_row(table._rows()), learner)


def _bring_to(learner: Taught, classes: tuple[Label, ...]) -> None:
    """Let a learner have these classes, in this order: those in their places stay, others leave, return or are new."""
    behind = iter(learner.classes)
    stays = set(takewhile(lambda label: label in behind, classes))  # each is found behind the one before
    wanted = set(classes)
    learner.retire([label for label in learner.classes if label in wanted - stays])
    learner.add_classes(classes[len(stays) :])
    learner.retire([label for label in learner.classes if label not in wanted])


def _decisions(
    table: DecisionTable, rows: Iterator[Any], learner: Taught | None
) -> Iterator[tuple[Decision, Any]]:  # fmt: skip
    n = len(table)
    sets = table.played.reshape(n, -1)
    tops = np.empty((n, 0)) if table.top is None else table.top.reshape(n, -1)
    ids = np.arange(n) if table.id is None else table.id
    bits = table.feedback == "bit"
    answers = table.bit if bits else table.label
    changes = dict(table.changes)
    for i, row in enumerate(rows):
        if learner is not None and i in changes:
            _bring_to(learner, changes[i])
        decision = Decision(
            labels=tuple(sets[i].tolist()),
            propensity=float(table.propensity[i]),
            greedy=table.greedy[i : i + 1].tolist()[0],
            explored=bool(table.explored[i]),
            row=row,
            id=int(ids[i]),
            top=tuple(tops[i].tolist()),
            among=None if table.among is None else table.among[i],
        )
        answer = answers[i : i + 1].tolist()[0]
        yield decision, answer if bits else told(answer)


def _each_row(rows: Any) -> Iterator[Any]:
    if not sp.issparse(rows):
        yield from rows
        return
    for start, stop in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True):
        ends = np.array([0, stop - start], dtype=rows.indptr.dtype)
        yield sp.csr_array((rows.data[start:stop], rows.indices[start:stop], ends), shape=(1, rows.shape[1]))
